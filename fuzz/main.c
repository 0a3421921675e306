/* main.c - warpfuzz: picks the command. The only place that exits. */
#ifdef WF_USER_VARIANT
#include "check_start.h"
#endif
#include "cli.h"
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef PACKAGE_VERSION
#define PACKAGE_VERSION "unknown"
#endif

static int run(const WfOptions *o) {
  switch (o->command) {
  case WF_COMMAND_LIST:
    return wf_cmd_list(o);
  case WF_COMMAND_FUZZ:
    return wf_cmd_fuzz(o);
  case WF_COMMAND_CHECK:
    return wf_cmd_check(o);
  case WF_COMMAND_REPLAY:
    return wf_cmd_replay(o);
  case WF_COMMAND_SANITIZE:
    return wf_cmd_sanitize(o);
  case WF_COMMAND_SHRINK:
    return wf_cmd_shrink(o);
  case WF_COMMAND_EMIT:
    return wf_cmd_emit(o);
  case WF_COMMAND_SHOW:
    return wf_cmd_show(o);
  case WF_COMMAND_AGREE:
    return wf_cmd_agree(o);
  case WF_COMMAND_REPORT:
    return wf_cmd_report(o);
  case WF_COMMAND_CC:
    return wf_cmd_cc(o);
  case WF_COMMAND_NONE:
    break;
  }
  return WF_EXIT_USAGE;
}

/* A standard stream that is closed would be the number of the next file opened, and what is printed would go into that file.
 * Opened the wrong way round, writing to it fails, as it should. */
static void occupy_streams(void) {
  for (int fd = 0; fd <= 2; fd++)
    while (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY) >= 0 && fcntl(fd, F_GETFD) < 0) continue;
}

/* Parsing changes the order of argv, and runs.jsonl says what was typed. NULL: no memory. */
static const char **copy_arguments(int argc, char **argv) {
  const char **copy = malloc(((size_t)argc + 1) * sizeof *copy);
  if (copy) memcpy(copy, argv, ((size_t)argc + 1) * sizeof *copy);
  return copy;
}

int main(int argc, char **argv) {
  WfOptions o;
#ifdef WF_USER_VARIANT
  wf_check_started();
#endif
  occupy_streams();
  const char **typed = copy_arguments(argc, argv);
  signal(SIGXFSZ, SIG_IGN); /* a file that grows beyond `ulimit -f` is an error like a full disk, and no death */
  char err[256];
  if (wf_options_parse(&o, argc, argv, err, sizeof err) != 0) {
    wf_say("warpfuzz: %s", err);
    free(typed);
    return WF_EXIT_USAGE;
  }
  o.arguments = typed ? typed + 1 : NULL;
  o.n_arguments = typed && argc > 0 ? argc - 1 : 0;
  int status = WF_EXIT_CLEAN;
  if (o.help)
    wf_options_help(o.command, stdout);
  else if (o.version)
    puts("warpfuzz " PACKAGE_VERSION);
  else
    status = run(&o);
  if (fflush(stdout) != 0 || ferror(stdout)) {
    wf_say("warpfuzz: cannot write to standard output");
    status = wf_exit_worse(status, WF_EXIT_HARNESS);
  }
  free(typed);
  return status;
}
