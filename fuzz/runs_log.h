/* runs_log.h - runs.jsonl in the directory of a campaign: a line for each run, written at its start, about every minute and at its end. A run that
 * was cut short, or interrupted, is gone on with by `fuzz --resume`: its line says what it was told to do, and how far it came. */
#ifndef WF_RUNS_LOG_H
#define WF_RUNS_LOG_H
#include "collect.h"
#include "report_table.h"

typedef struct WfRunLog {
  char id[WF_RUN_ID_MAX]; /* "20261130T184300-1a2b" */
  char started[WF_UTC_MAX], build[17], host[65];
  const char *dtype; /* of --dtype; NULL: all types */
  const char *const *arguments; /* what was typed, without the name of the program */
  int n_arguments;
  uint64_t time_limit_ns, runs_limit; /* of the whole run; 0: none */
  int resumed;
  int status; /* -1: it goes on */
  int interrupted;
  unsigned generations; /* that a worker had at most, in earlier parts of the run */
  /* What earlier parts of it did: */
  uint64_t elapsed_ns, seed;
  unsigned deaths;
  WfRow *before; /* by target of the plan, malloc'ed; NULL: nothing */
  int has_failed; /* writing did, and that was told */
} WfRunLog;

/* A new run (the rest are zero bytes): id, date, build and host. */
void wf_run_log_begin(WfRunLog *r);

/* runs_resume.c. Goes on with the last run in the plan's directory, if it was cut short or interrupted, of the same build and with the same variants: sets
 * all but the arguments. 1; 0: there is none to go on with, *r stays as it is; -1: no memory. */
int wf_run_log_resume(WfRunLog *r, const WfPlan *p);

typedef struct WfRunState { /* of this part */
  const WfRow *rows; /* by target */
  uint64_t elapsed_ns;
  unsigned deaths, generations;
  int has_ended;
} WfRunState;

/* Writes the line of the run in place of its earlier one. 0; -1 with a message. */
int wf_run_log_write(const WfRunLog *r, const WfPlan *p, const WfRunState *s, char *err, size_t err_size);

void wf_run_log_free(WfRunLog *r);

/* Adds what `from` counted; targets are the same. */
void wf_row_join(WfRow *to, const WfRow *from);

#endif
