/* tried.h - what a campaign has tried of a variant: how often each combination of sizes, how often that failed, how far results were off, and how long it
 * took. Workers count in shared memory; the parent joins and writes tried.jsonl (doc/REPORT.md), which goes on over runs. */
#ifndef WF_TRIED_H
#define WF_TRIED_H
#include "run.h"
#include <stdatomic.h>

/* Bin 0 is for 0, bin b + 1 for 2^b .. 2^(b+1) - 1. */
enum { WF_TRIED_BINS = 43, WF_TRIED_MAPS = 3 };

typedef struct WfTriedMap { /* by bins of x and y */
  _Atomic uint32_t tried[WF_TRIED_BINS][WF_TRIED_BINS], failing[WF_TRIED_BINS][WF_TRIED_BINS];
} WfTriedMap;

typedef struct WfTriedError { /* the worst of the results with so many elements */
  _Atomic double ulp, share; /* of the bound */
  _Atomic uint64_t key;      /* of the case with the worst ULP; 0: nothing is known */
} WfTriedError;

/* Starts as zero bytes. One process writes; others may read meanwhile. */
typedef struct WfTried {
  _Atomic uint64_t n, elapsed_ns;
  WfTriedMap map[WF_TRIED_MAPS];
  WfTriedError error[WF_TRIED_BINS]; /* by elements of the output */
} WfTried;

/* 0 for 0 and below, else the bin of v. */
int wf_tried_bin(int64_t v);

/* The maps of an op: names of their axes, "block" for the threads of a block. Their number. */
int wf_tried_axes(const WfOp *op, const char *x[WF_TRIED_MAPS], const char *y[WF_TRIED_MAPS]);

/* Counts an execution within the contract; others do not count. */
void wf_tried_take(WfTried *t, const WfCase *c, const WfVerdict *v, uint64_t elapsed_ns);

/* ---- the file ---- */

struct WfPlan;
struct WfWorker;

typedef struct WfTriedLog { /* starts as zero bytes */
  struct WfTriedSum *before; /* by target: of earlier runs */
  char *others;              /* lines of other variants, as they were */
  uint64_t next_ns;          /* when to write again */
} WfTriedLog;

/* Writes tried.jsonl into the plan's directory if a minute has passed since the last time, or `now` is UINT64_MAX; reads what earlier runs left the first
 * time. 0; -1 with a message. */
int wf_tried_log(WfTriedLog *log, const struct WfPlan *p, const struct WfWorker *workers, uint64_t now, char *err, size_t err_size);
void wf_tried_log_free(WfTriedLog *log);

#endif
