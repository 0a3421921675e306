/* shrink.h - makes the case of a finding smaller while it shows the same finding: greedy changes to a fixpoint, each of
 * which is run (doc/CASE.md, "Smaller"). */
#ifndef WF_SHRINK_H
#define WF_SHRINK_H
#include "limits.h"
#include "run.h"

enum { WF_SHRINK_EXECUTIONS = 1999 }; /* at most, unless told otherwise */

typedef struct WfShrinkOptions {
  const WfLimits *limits;  /* the case stays within; NULL: none */
  double rtol, atol;       /* as the finding was made with (WfRunOptions) */
  uint64_t max_executions; /* 0: WF_SHRINK_EXECUTIONS */
  /* Called before each execution with the case that is about to be run; not 0: end with the smallest case so far. NULL:
   * never. */
  int (*before)(void *arg, const WfCase *next);
  void *arg;
} WfShrinkOptions;

typedef struct WfShrunk {
  WfCase c;            /* variant: the finding's; expect: the classes of errors that it shows, and the finding's */
  WfFinding finding;   /* as it shows now; key is that of c */
  uint64_t executions; /* calls of wf_run */
  int is_complete;     /* 0: stopped early, a smaller case may be near */
} WfShrunk;

/* Is f, of another case, still the finding `target`? Same by wf_finding_same and of the same severity; a finding without sites
 * also about the same object and by the same rule, but that one by a relation may become one by any other rule: it needs less
 * to explain it. */
int wf_shrink_keeps(const WfFinding *target, const WfFinding *f);

/* Shrinks c, which f was found with on f->variant. The result shows the finding when it is replayed (with all relations), stays
 * inside the contract or stays outside it as f is, has a launch, and is never larger (wf_case_compare). Same input, same
 * build: same result, as long as `before` does not end it. Never allocates by the number of elements itself.
 * 0; 1: the case does not show the finding (nothing is set but executions), or was stopped before that was known; -1: out of
 * memory. */
int wf_shrink(WfRunner *r, const WfCase *c, const WfFinding *f, const WfShrinkOptions *opt, WfShrunk *out);

#endif
