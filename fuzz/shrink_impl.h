/* shrink_impl.h - what the passes of wf_shrink() share. Each pass tries candidates, most promising first, and returns how many
 * of them were taken. */
#ifndef WF_SHRINK_IMPL_H
#define WF_SHRINK_IMPL_H
#include "number.h"
#include "shrink.h"

typedef struct WfShrinker {
  WfRunner *runner;
  const WfFinding *target;
  const WfShrinkOptions *opt;
  WfRunOptions run;
  WfCase best;         /* the smallest case so far; variant NULL and expect 0, as in every candidate */
  WfVerdict *verdict;  /* of the last execution */
  uint64_t executions, max_executions;
  uint64_t joint_end;  /* executions at which the joint changes under way are given up */
  int is_ended;        /* by opt->before, or the limit on executions */
  uint64_t *tried;     /* keys of cases that were run: places in a hash table, 0: free */
} WfShrinker;

/* Runs the candidate if it is smaller than the best, allowed, and was not tried before; it becomes the best if it shows the
 * finding: 1, else 0. */
int wf_shrink_try(WfShrinker *s, const WfCase *candidate);

int wf_shrink_shape(WfShrinker *s);    /* shrink_shape.c: dims, block and grid, one at a time */
int wf_shrink_joint(WfShrinker *s);    /* two of them at once, where one alone is stuck; ends after the first that was taken */
int wf_shrink_edits(WfShrinker *s);    /* shrink_edits.c */
int wf_shrink_schedule(WfShrinker *s); /* shrink_values.c */
int wf_shrink_fills(WfShrinker *s);    /* distributions, their parameters, align */
int wf_shrink_plain(WfShrinker *s);    /* constants and no align, at once */
int wf_shrink_scalars(WfShrinker *s);
int wf_shrink_place(WfShrinker *s); /* the output in memory of its own */

/* Simpler numbers in place of v, simplest first: 0, 1, -1, powers of ten, v with fewer digits. Returns how many. */
enum { WF_SHRINK_MAX_NUMBERS = 16 };
int wf_shrink_numbers(double v, double out[WF_SHRINK_MAX_NUMBERS]);

#endif
