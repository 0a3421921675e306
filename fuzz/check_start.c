/* check_start.c - ahead of the user's constructors; only what a signal handler may call. */
#define _GNU_SOURCE
#include "check_start.h"
#include "check_info.h"
#include "cli.h"
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#define ARBITRARY_START_S 5

/* Neither a signal handler nor what exit() calls can be handed a context. */
static volatile sig_atomic_t has_started;

static void put(const char *text) {
  if (write(STDERR_FILENO, text, strlen(text)) < 0) return; /* there is nobody left to tell */
}

static void refuse(const char *what) {
  put("warpfuzz: ");
  put(wf_check_info->source);
  put(": before main(), in a constructor, ");
  put(what);
  put("\n");
  _exit(WF_EXIT_USAGE);
}

static void on_signal(int signal) {
  switch (signal) {
  case SIGPROF: refuse("it takes more than 5 s of processor time"); break;
  case SIGSEGV: refuse("it dies of a segmentation fault"); break;
  case SIGBUS: refuse("it dies of a bus error"); break;
  case SIGFPE: refuse("it dies of an arithmetic fault"); break;
  case SIGILL: refuse("it dies of an illegal instruction"); break;
  default: refuse("it aborts"); break;
  }
}

static void on_exit_early(void) {
  if (!has_started) refuse("it ends the process");
}

static const int watched[] = {SIGPROF, SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL};

#ifdef __SANITIZE_ADDRESS__ /* which tells more of a fault than we can */
enum { N_WATCHED = 2 };
#else
enum { N_WATCHED = sizeof watched / sizeof *watched };
#endif

/* Processor time, which a busy machine does not take away. */
static void set_timer(time_t seconds) {
  const struct itimerval t = {.it_value.tv_sec = seconds};
  setitimer(ITIMER_PROF, &t, NULL);
}

__attribute__((constructor(101))) static void begin(void) {
  struct sigaction a = {.sa_handler = on_signal, .sa_flags = SA_RESETHAND};
  sigemptyset(&a.sa_mask);
  for (int i = 0; i < N_WATCHED; i++) sigaction(watched[i], &a, NULL);
  atexit(on_exit_early);
  set_timer(ARBITRARY_START_S);
}

void wf_check_started(void) {
  set_timer(0);
  has_started = 1;
  for (int i = 0; i < N_WATCHED; i++) signal(watched[i], SIG_DFL);
}
