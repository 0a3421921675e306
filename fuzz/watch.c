/* watch.c - see watch.h. Processor time, not time by the clock: a busy machine must not decide what a case is. */
#define _GNU_SOURCE
#include "watch.h"
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define ARBITRARY_MEMORY_BYTES (UINT64_C(4) << 30)
#define ARBITRARY_CPU_NS (UINT64_C(600) * 1000000000u)

void wf_allowance_default(WfAllowance *a) {
  long pages = sysconf(_SC_PHYS_PAGES), page_bytes = sysconf(_SC_PAGESIZE);
  uint64_t most = pages > 0 && page_bytes > 0 ? (uint64_t)pages / 4 * 3 * (uint64_t)page_bytes : UINT64_MAX;
  *a = (WfAllowance){most < ARBITRARY_MEMORY_BYTES ? most : ARBITRARY_MEMORY_BYTES, ARBITRARY_CPU_NS};
}

/* The second number of /proc/PID/statm is the pages resident (proc(5)). */
int wf_resident_bytes(pid_t pid, uint64_t *out) {
  char path[48];
  unsigned long long pages = 0;
  snprintf(path, sizeof path, "/proc/%ld/statm", (long)pid);
  FILE *f = fopen(path, "re");
  if (!f) return -1;
  int n = fscanf(f, "%*u %llu", &pages);
  fclose(f);
  *out = pages * (uint64_t)sysconf(_SC_PAGESIZE);
  return n == 1 ? 0 : -1;
}

static int cpu_time_ns(pid_t pid, uint64_t *out) {
  clockid_t clock;
  struct timespec t;
  if (clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &t) != 0) return -1;
  *out = (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
  return 0;
}

int wf_watch_look(WfWatch *w, pid_t pid, uint64_t mark, const WfAllowance *allowed, char text[WF_EXCESS_MAX]) {
  uint64_t bytes = 0, cpu_ns = 0;
  if (wf_resident_bytes(pid, &bytes) == 0 && allowed->memory_bytes && bytes > allowed->memory_bytes) {
    snprintf(text, WF_EXCESS_MAX, "takes more than %llu MiB of memory (--case-memory)",
             (unsigned long long)(allowed->memory_bytes >> 20));
    return 1;
  }
  if (cpu_time_ns(pid, &cpu_ns) != 0) return 0;
  if (mark != w->mark || cpu_ns < w->cpu_ns) *w = (WfWatch){mark, cpu_ns};
  if (!allowed->cpu_ns || cpu_ns - w->cpu_ns <= allowed->cpu_ns) return 0;
  snprintf(text, WF_EXCESS_MAX, "takes more than %llu s of processor time (--case-time)",
           (unsigned long long)(allowed->cpu_ns / 1000000000u));
  return 1;
}

/* ---- this process ---- */

/* Neither a signal handler nor the thread that watches can be handed a context. */
static struct {
  WfAllowance allowed;
  int status;
  _Atomic uint64_t mark; /* of the run */
  const char *_Atomic path, *_Atomic variant;
} self;

static void put(const char *text) {
  if (write(STDERR_FILENO, text, strlen(text)) < 0) return; /* there is nobody left to tell */
}

/* Only what a signal handler may call. */
static void end_process_in(const char *path, const char *variant, const char *reason) {
  put("warpfuzz: ");
  if (path && variant) {
    put(path);
    put(": ");
    put(variant);
    put(": ");
  }
  put(reason);
  put("\n");
  _exit(self.status);
}

static void end_process(const char *reason) { end_process_in(self.path, self.variant, reason); }

static void *watch(void *unused) {
  const struct timespec period = {.tv_nsec = WF_WATCH_PERIOD_MS * 1000000L};
  WfWatch w = {0};
  char text[WF_EXCESS_MAX];
  (void)unused;
  for (;;) {
    nanosleep(&period, NULL);
    const char *path = self.path, *variant = self.variant; /* the run may be over before this is told */
    if (path && wf_watch_look(&w, getpid(), self.mark, &self.allowed, text)) end_process_in(path, variant, text);
  }
  return NULL;
}

#ifndef __SANITIZE_ADDRESS__ /* which tells more of a fault than we can */
static void on_fault(int signal) {
  switch (signal) {
  case SIGSEGV: end_process("the program died of a segmentation fault"); break;
  case SIGBUS: end_process("the program died of a bus error"); break;
  case SIGFPE: end_process("the program died of an arithmetic fault"); break;
  case SIGILL: end_process("the program died of an illegal instruction"); break;
  default: end_process("the program aborted"); break;
  }
}

/* On a stack of its own: the fault may be that there is none left. */
static void catch_faults(void) {
  static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
  static char stack[1 << 16];
  stack_t own = {.ss_sp = stack, .ss_size = sizeof stack};
  struct sigaction a = {.sa_handler = on_fault, .sa_flags = SA_ONSTACK | SA_RESETHAND};
  sigemptyset(&a.sa_mask);
  if (sigaltstack(&own, NULL) != 0) return;
  for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) sigaction(faults[i], &a, NULL);
}
#else
static void catch_faults(void) {}
#endif

int wf_watch_self(const WfAllowance *allowed, int status) {
  pthread_t thread;
  self.allowed = *allowed;
  self.status = status;
  catch_faults();
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before); /* interrupts are for the other thread, which may wait for one */
  int rc = pthread_create(&thread, NULL, watch, NULL);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (rc != 0) return -1;
  pthread_detach(thread);
  return 0;
}

void wf_watch_begin(const char *path, const char *variant) {
  self.mark++;
  self.variant = variant;
  self.path = path;
}
