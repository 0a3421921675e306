/* main.c - warpfuzz: picks the command. The only place that exits. */
#include "cli.h"
#include <stdio.h>

#ifndef PACKAGE_VERSION
#define PACKAGE_VERSION "unknown"
#endif

static int run(const WfOptions *o) {
  switch (o->command) {
  case WF_COMMAND_LIST:
    return wf_cmd_list(o);
  case WF_COMMAND_FUZZ:
    return wf_cmd_fuzz(o);
  case WF_COMMAND_REPLAY:
    return wf_cmd_replay(o);
  case WF_COMMAND_SHRINK:
    return wf_cmd_shrink(o);
  case WF_COMMAND_SHOW:
    return wf_cmd_show(o);
  case WF_COMMAND_NONE:
    break;
  }
  return WF_EXIT_USAGE;
}

int main(int argc, char **argv) {
  WfOptions o;
  char err[256];
  if (wf_options_parse(&o, argc, argv, err, sizeof err) != 0) {
    fprintf(stderr, "warpfuzz: %s\n", err);
    return WF_EXIT_USAGE;
  }
  int status = WF_EXIT_CLEAN;
  if (o.help)
    wf_options_help(o.command, stdout);
  else if (o.version)
    puts("warpfuzz " PACKAGE_VERSION);
  else
    status = run(&o);
  if (fflush(stdout) != 0 || ferror(stdout)) {
    fputs("warpfuzz: cannot write to standard output\n", stderr);
    status = wf_exit_worse(status, WF_EXIT_HARNESS);
  }
  return status;
}
