/* corpus_merge.h - makes the corpus of an op on the disk small: of its cases, a set that reaches the same features on all variants of the op. */
#ifndef WF_CORPUS_MERGE_H
#define WF_CORPUS_MERGE_H
#include "run.h"
#include "select.h"

typedef struct WfMerge {
  uint64_t *drop; /* keys of cases that add nothing, malloc'ed */
  size_t n_drop, n_cases;
} WfMerge;

typedef struct WfMergeOptions { /* zero bytes: within the contracts, to the end */
  void *arg;
  int (*stop)(void *arg); /* 1: run no more; what was not run stays. NULL: never */
  int outside; /* 1: cases count where a contract does not admit them, too, as long as they have a launch: a campaign that leaves the contracts
                  came to them there */
} WfMergeOptions;

/* Runs the cases of the folder on every variant of the op that admits them (outside: on which they have a launch), of the faulty ones on those among the targets, and chooses greedily:
 * the case that reaches most of what the chosen ones do not, the smaller of two; at last those go again that the later ones made superfluous. Only
 * cases are dropped that a campaign made: their name is their key. Others are chosen in any case. 1: out->drop is set; 0: the folder cannot be read;
 * -1: no memory. */
int wf_corpus_merge(const WfOp *op, const WfTarget *targets, size_t n_targets, const char *dir, WfRunner *runner, const WfMergeOptions *opt, WfMerge *out);

#endif
