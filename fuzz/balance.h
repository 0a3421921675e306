/* balance.h - which worker runs which variants, and how much of its time each gets. Variants of an op form groups; each group is one worker's.
 * One that would have none runs those of all others.
 * Every period the weights follow what came of the time: where coverage or findings still grow there is more of it, and for every variant some.
 * Groups move from workers that have much to do to those that have little. */
#ifndef WF_BALANCE_H
#define WF_BALANCE_H
#include "worker.h"

enum { WF_BALANCE_PERIOD_S = 10, WF_MAX_WEIGHT = 8 };

typedef struct WfGroup {
  size_t first, n;      /* targets of the plan */
  unsigned worker;
  uint32_t weight;      /* 1 .. WF_MAX_WEIGHT, of each of its variants */
  double growth;        /* features, and findings times ARBITRARY_FINDING_WORTH, that came lately: older ones fade */
  uint64_t features, findings; /* that it had reached so far */
} WfGroup;

typedef struct WfBalance { /* zero bytes: none, all workers run everything by turns */
  WfGroup *group;
  size_t n_groups;
  uint64_t *features; /* by target: the most that a worker has reached */
} WfBalance;

/* Groups and their workers. 0; -1: no memory. */
int wf_balance_init(WfBalance *b, const WfPlan *p);
void wf_balance_free(WfBalance *b);

/* Tells the workers: by WfCounts.weight. */
void wf_balance_tell(const WfBalance *b, const WfWorker *workers, unsigned jobs);

/* Takes stock, at the end of a period. findings: by target, that there are. */
void wf_balance_move(WfBalance *b, const WfWorker *workers, unsigned jobs, const uint64_t *findings);

/* What a worker has: "softmax/block_row.." of its heaviest group and "+3" for others; "all" if it has none of its own. */
void wf_balance_describe(const WfBalance *b, const WfPlan *p, unsigned worker, char *out, size_t size);

#endif
