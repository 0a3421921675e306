/* check_probe.c - before a campaign over a user's kernel: does its host code call what the engine does not have? A few executions, in a process of their
 * own, so that the campaign begins as if there had been none. */
#define _POSIX_C_SOURCE 200809L
#include "check_probe.h"
#include "cli.h"
#include "fuzzer.h"
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ARBITRARY_PROBES = 3, MESSAGE_MAX = 512 };

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

int wf_check_probe(const WfPlan *p) {
  char message[MESSAGE_MAX] = "";
  int fd[2];
  if (p->backend == WF_BACKEND_GPU || pipe(fd) != 0)
    return WF_EXIT_CLEAN;
  fflush(NULL);
  pid_t pid = fork();
  if (pid == 0) {
    be_silent();
    probe(p, message);
    wf_write_all(fd[1], message, strlen(message));
    _exit(0);
  }
  close(fd[1]);
  size_t n = 0;
  for (ssize_t got; pid > 0 && (got = read(fd[0], message + n, sizeof message - 1 - n)) > 0;)
    n += (size_t)got;
  message[n] = '\0';
  close(fd[0]);
  while (pid > 0 && waitpid(pid, NULL, 0) < 0)
    continue;
  if (!n)
    return WF_EXIT_CLEAN; /* or it died, as the campaign's workers will, who tell of it */
  wf_say("warpfuzz: %s", message);
  return WF_EXIT_USAGE;
}
