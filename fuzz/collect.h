/* collect.h - the parent's side of a campaign: takes the workers' records, keeps one finding per id with its smallest
 * case, writes every file (a finding is on the disk before it is printed) and prints notices.
 *
 * A new finding is on the disk as it was found, with its line in findings.jsonl, before it is shrunk; it is printed with the
 * shrunk case, once that is on the disk too. Every case that a line or anything printed names is there at any moment. */
#ifndef WF_COLLECT_H
#define WF_COLLECT_H
#include "history.h"
#include "live.h"
#include "worker.h"
#include <stdio.h>

typedef struct WfKept { /* one finding */
  uint64_t id;
  uint32_t target;
  SimtClass cls;
  SimtSeverity severity;
  int has_case; /* 0: a race that is meant, or the file of an earlier campaign is gone */
  WfCase c;     /* its smallest case */
  char *path;   /* of that */
  char *logged; /* path that findings.jsonl has so far: stays until the line is written anew */
  char *shown;  /* path that was printed: that file stays; NULL: nothing was printed yet */
  char *json;   /* its line, with the smallest case */
  char *places; /* its sites, for the list at the end */
  char *reason; /* of a race that is meant, which has no case: its paths are NULL */
  int outside;  /* the contract */
  int was_there;  /* an earlier run has found it */
  int is_found;   /* this one has, by fuzzing or by its replay */
  int is_judged;  /* 1: its replay says whether it is there; 0: there was none */
  int on_device;    /* it was seen there */
  int is_elsewhere; /* of a backend that this run does not use: nothing is said about it */
  WfState state_before;
  const WfKnownLine *listed; /* NULL: it is not on the list */
  WfHistory history;
} WfKept;

struct WfRunLog;

typedef struct WfCorpusCount { /* of the cases in the folder of an op */
  size_t n, n_merged; /* now, and when it was made small the last time */
} WfCorpusCount;

typedef struct WfCollector {
  const WfPlan *plan;
  FILE *out, *log;  /* requested data; notices */
  int is_live;      /* log is a terminal, with lines that are drawn anew: */
  WfLive live;
  int with_json;    /* out gets events, a line each (doc/OVERNIGHT.md), in place of texts */
  WfKept *kept;
  size_t n_kept;
  uint32_t *shown;  /* by target: classes of errors whose text was printed; behind these, likewise outside the contract; then both of warnings */
  struct WfRunLog *run; /* runs_log.h; NULL: no record is kept */
  unsigned failures; /* of the harness */
  WfCorpusCount *corpus; /* by target: of its op, at the first of the op's */
  WfReplay *replays; /* the plan's */
  char **made; /* case files that this campaign made: it removes no others */
  size_t n_made;
  int drop_failed; /* a case of a corpus could not be removed: that is told once */
} WfCollector;

/* Creates the output directories. The plan must outlive the collector. 0; -1 with a message. */
int wf_collector_init(WfCollector *c, const WfPlan *plan, FILE *out, FILE *log, char *err, size_t err_size);
void wf_collector_free(WfCollector *c);

/* What is to be told of a finding, as far as this run has come. */
WfState wf_kept_state(const WfKept *k);
/* Sets k->listed by a line of its finding; NULL: there is no memory for one. What is meant is no finding, whatever the list says of it. */
void wf_kept_list(const WfCollector *c, WfKept *k, const char *line);
/* Does it make the exit status 1? strict: warnings count. */
int wf_kept_counts(const WfKept *k, int strict);

/* Takes one record in; its strings stay the caller's. 0; -1 with a message: a file could not be written, or no memory. */
int wf_collect(WfCollector *c, const WfRecord *r, char *err, size_t err_size);

/* Writes findings.jsonl anew: one line for each finding, with the smallest case, and those of other variants as they were. 0; -1 with a message. */
int wf_collect_save(WfCollector *c, char *err, size_t err_size);

/* At the end: leaves one line for each finding in findings.jsonl, the one with the smallest case, and removes the cases that no
 * line names any more and that were not printed. 0; -1 with a message. */
int wf_collect_finish(WfCollector *c, char *err, size_t err_size);

/* A failure of the harness while it ran the case: prints it, saves the case. */
void wf_collect_failure(WfCollector *c, const WfTarget *t, const WfCase *kase, const char *message);

/* Removes the file of a case if this campaign made it and nothing names it any more (findings of one class and variant may share
 * a case). */
void wf_collect_drop(const WfCollector *c, const char *path);

/* Findings of this run so far; races that are meant are none. */
size_t wf_collect_count(const WfCollector *c);

/* Prints {"event":"NAME",REST to the requested data: rest is the rest of a JSON object, with the end of the line. */
void wf_collect_event(WfCollector *c, const char *name, const char *rest);

/* Prints one line to the log, past the live lines. */
void wf_collect_notice(WfCollector *c, const char *line);

#endif
