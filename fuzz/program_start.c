/* program_start.c - begin and end of a program made by `warpfuzz cc`, around its own: ahead of its constructors, behind its destructors. Linked
 * into such programs alone (-u wf_program_start). It prints and exits, by contract. */
#define _GNU_SOURCE
#include "cli.h"
#include "program_report.h"
#include <stdlib.h>
#include <unistd.h>

/* The program's, as its engine is. */
static WfProgramReport report;
static pid_t owner;

/* exit() goes on with the handlers that are left, and with another status. A child that the program forked is none of ours. */
static void end(int status, void *unused) {
  SimtProgramTotals totals = {0};
  (void)unused;
  if (getpid() != owner) return;
  simt_program_end(&totals);
  int with = wf_program_report_end(&report, &totals, status);
  if (with != status) exit(with);
}

void wf_program_start(int argc, char **argv) __attribute__((constructor(101)));
void wf_program_start(int argc, char **argv) {
  char err[256];
  (void)argc;
  owner = getpid();
  if (wf_program_report_init(&report, argv, err, sizeof err)) {
    wf_say("warpfuzz: %s", err);
    _exit(WF_EXIT_USAGE);
  }
  const SimtProgramHow how = {.run = {.schedule = report.schedule, .detect = SIMT_DETECT_ALL},
                              .found = wf_program_report_found,
                              .unsupported = wf_program_report_unsupported,
                              .ctx = &report};
  if (on_exit(end, NULL) || simt_program_begin(&how)) {
    wf_say("warpfuzz: no memory for the engine");
    _exit(WF_EXIT_HARNESS);
  }
}
