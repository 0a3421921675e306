/* program_report.h - what a program made by `warpfuzz cc` tells: findings as they come, and one line at its end. It prints to stderr, by contract. */
#ifndef WF_PROGRAM_REPORT_H
#define WF_PROGRAM_REPORT_H
#include "../simt/program.h"
#include <stdint.h>

enum { WF_REPORT_FUNCTIONS = 64 };

typedef struct WfProgramReport {
  const char *name;    /* argv[0] */
  char *command;       /* what runs it again; malloc'ed, or NULL */
  const char *log;     /* WARPFUZZ_LOG: where findings are appended as JSON Lines; NULL: nowhere */
  uint64_t schedule;
  int strict;          /* WARPFUZZ_STRICT: warnings count */
  int log_failed;      /* 1: something could not be appended, which has been said */
  const char *missed[WF_REPORT_FUNCTIONS]; /* functions that the engine does not have, of which that has been said; static texts */
  unsigned n_missed;
} WfProgramReport;

/* Reads WARPFUZZ_SCHEDULE, WARPFUZZ_LOG and WARPFUZZ_STRICT; argv: the program's. 0; -1: one line in err. */
int wf_program_report_init(WfProgramReport *r, char *const *argv, char *err, size_t err_size);

/* SimtProgramHow.found and .unsupported; ctx is the report. */
void wf_program_report_found(void *ctx, const SimtFinding *f);
void wf_program_report_unsupported(void *ctx, const char *function, const SimtSite *site);

/* Prints the summary, if there is anything to sum up. The exit status of a program that ends with `status` by itself. */
int wf_program_report_end(WfProgramReport *r, const SimtProgramTotals *totals, int status);

#endif
