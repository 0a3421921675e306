/* corpus_merge.h - makes the corpus of an op on the disk small: of its cases, a set that reaches the same features on all variants of the op. */
#ifndef WF_CORPUS_MERGE_H
#define WF_CORPUS_MERGE_H
#include "run.h"

typedef struct WfMerge {
  uint64_t *drop; /* keys of cases that add nothing, malloc'ed */
  size_t n_drop, n_cases;
} WfMerge;

typedef struct WfMergeHooks {
  void *arg;
  int (*stop)(void *arg);                                      /* 1: give up; NULL: never */
} WfMergeHooks;

/* Runs the cases of the folder on every variant of the op that admits them, and chooses greedily: the case that reaches most of what the chosen
 * ones do not, the smaller of two; at last those go again that the later ones made superfluous. Only cases are dropped that a campaign made: their
 * name is their key. Others are chosen in any case. 1: out->drop is set; 0: given up, or a case could not be judged; -1: no memory. */
int wf_corpus_merge(const WfOp *op, const char *dir, WfRunner *runner, const WfMergeHooks *hooks, WfMerge *out);

#endif
