/* check_probe.c - before a campaign over a user's kernel: does its host code call what the engine does not have? A few executions, in a process of their
 * own, so that the campaign begins as if there had been none. */
#define _GNU_SOURCE
#include "check_probe.h"
#include "check_info.h"
#include "cli.h"
#include "fuzzer.h"
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ARBITRARY_PROBES = 3, ARBITRARY_CPU_S = 5, ARBITRARY_WAIT_S = 60, MESSAGE_MAX = 512 };

/* What the first of them says; "": nothing. */
static void probe(const WfPlan *p, char message[MESSAGE_MAX]) {
  WfFuzzer *f;
  char err[256];
  message[0] = '\0';
  if (wf_fuzzer_create(&f, p->targets, p->n_targets, p->seed) != 0)
    return;
  wf_fuzzer_limit(f, p->limits, p->rtol, p->atol);
  for (int i = 0; i < ARBITRARY_PROBES && !message[0]; i++) {
    WfStep s;
    wf_fuzzer_choose(f, &s);
    if (wf_fuzzer_execute(f, &s, err, sizeof err) != 0 || !s.verdict->stats.unsupported)
      continue;
    const SimtSite *at = s.verdict->stats.unsupported_at;
    if (at)
      snprintf(message, MESSAGE_MAX, "%.300s:%u: ", at->file, (unsigned)at->line);
    size_t n = strlen(message);
    snprintf(message + n, MESSAGE_MAX - n, "%.100s is not supported by the engine", s.verdict->stats.unsupported);
  }
  wf_fuzzer_destroy(f);
}

/* What the user's code says is not asked for yet. */
static void be_silent(void) {
  int fd = open("/dev/null", O_WRONLY);
  if (fd < 0)
    return;
  dup2(fd, STDOUT_FILENO);
  dup2(fd, STDERR_FILENO);
}

/* A launcher of the user's may loop, and one that is left alone would go on for ever. */
static void limit(pid_t parent) {
  const struct rlimit cpu = {ARBITRARY_CPU_S, ARBITRARY_CPU_S + 1}, core = {0, 0};
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent)
    _exit(1);
  signal(SIGXCPU, SIG_DFL);
  setrlimit(RLIMIT_CPU, &cpu);
  setrlimit(RLIMIT_CORE, &core);
}

static void run_child(const WfPlan *p, pid_t parent, int fd) {
  char message[MESSAGE_MAX];
  limit(parent);
  be_silent();
  probe(p, message);
  wf_write_all(fd, message, strlen(message));
  _exit(0);
}

/* Whether there was time enough for it, which may as well be spent asleep. */
static int read_message(int fd, char message[MESSAGE_MAX]) {
  const uint64_t end_ns = wf_clock_ns() + ARBITRARY_WAIT_S * UINT64_C(1000000000);
  size_t n = 0;
  ssize_t got = 1;
  while (got > 0 && wf_clock_ns() < end_ns) {
    struct pollfd f = {.fd = fd, .events = POLLIN};
    if (poll(&f, 1, 100) <= 0)
      continue;
    got = read(fd, message + n, MESSAGE_MAX - 1 - n);
    n += got > 0 ? (size_t)got : 0;
  }
  message[n] = '\0';
  return got <= 0;
}

/* 1: it was stopped for the time that it took. It may have died otherwise, as the campaign's workers will, who tell of it. */
static int end_child(pid_t pid, int is_late) {
  int status = 0;
  if (is_late)
    kill(pid, SIGKILL);
  while (waitpid(pid, &status, 0) < 0)
    continue;
  return is_late || (WIFSIGNALED(status) && (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL));
}

int wf_check_probe(const WfPlan *p) {
  char message[MESSAGE_MAX];
  int fd[2];
  pid_t parent = getpid();
  if (p->backend == WF_BACKEND_GPU || pipe(fd) != 0)
    return WF_EXIT_CLEAN;
  fflush(NULL);
  pid_t pid = fork();
  if (pid == 0)
    run_child(p, parent, fd[1]);
  close(fd[1]);
  int is_late = pid > 0 && !read_message(fd[0], message);
  close(fd[0]);
  if (pid < 0)
    return WF_EXIT_CLEAN;
  if (end_child(pid, is_late))
    wf_say("warpfuzz: %s: a first look at it took more than %d s of processor time, or a minute, and was given up", wf_check_info->source, ARBITRARY_CPU_S);
  else if (message[0])
    wf_say("warpfuzz: %s", message);
  return message[0] ? WF_EXIT_USAGE : WF_EXIT_CLEAN;
}
