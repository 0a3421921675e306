/* cli.c - what the commands share. */
#include "cli.h"
#include <stdio.h>

int wf_exit_worse(int a, int b) {
  static const int order[] = {WF_EXIT_HARNESS, WF_EXIT_USAGE, WF_EXIT_FINDINGS, WF_EXIT_NOTHING};
  for (size_t i = 0; i < sizeof order / sizeof *order; i++)
    if (a == order[i] || b == order[i]) return order[i];
  return WF_EXIT_CLEAN;
}

int wf_backend_check(const WfOptions *o) {
  if (o->backend == WF_BACKEND_SIMT) return WF_EXIT_CLEAN;
  fputs("warpfuzz: no device to run on: this build has the simt backend only\n", stderr);
  return WF_EXIT_NOTHING;
}
