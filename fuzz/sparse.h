/* sparse.h - cases that are too large to run as a whole: some blocks run, chosen by the case, and what these own is judged
 * (doc/ORACLE.md, "Huge shapes"). */
#ifndef WF_SPARSE_H
#define WF_SPARSE_H
#include "owns.h"

enum {
  /* Elements of a tensor, and blocks, up to which a case runs as a whole. ARBITRARY_: at 2^24 elements a run takes
   * seconds and 2 GB. */
  ARBITRARY_WHOLE_ELEMS = 1 << 24,
  ARBITRARY_WHOLE_BLOCKS = 1 << 24,
  /* What the blocks that run may own together; likewise. A buffer can have SIMT_MAX_CHUNKS of its memory touched. */
  ARBITRARY_SPARSE_ELEMS = 1 << 22,
  ARBITRARY_SPARSE_SLICES = 1 << 14,
  WF_SPARSE_BLOCKS = 16 /* at most, and so many run in any case where there are no more */
};

typedef struct WfSparse {
  size_t n_blocks;
  uint64_t block[WF_SPARSE_BLOCKS]; /* ascending: SimtRun.blocks */
  int64_t n_slices;                 /* that these own */
  int64_t n_elems;                  /* of the largest tensor in these slices */
  int64_t n_runs;                   /* stretches of slices that follow each other, at most: each costs a chunk of memory or more */
} WfSparse;

int wf_case_is_large(const WfCase *c, const WfGeometry *g);

/* Elements of a tensor at one index of the op's first dim. 0: the tensor does not have that dim first. */
int64_t wf_case_slice(const WfCase *c, int tensor);

/* The blocks that run: first, last, those that own the slices around element 2^31 and 2^32 of the output, some at random; all
 * where there are few. 1; 0 with the reason, one sentence, in why (may be NULL). */
int wf_sparse_plan(const WfCase *c, const WfVariant *v, const WfGeometry *g, WfSparse *out, char *why, size_t why_size);

/* The slices of a plan, ascending, each once: at most s->n_slices to out. Returns how many. */
size_t wf_sparse_slices(const WfCase *c, const WfVariant *v, const WfGeometry *g, const WfSparse *s, int64_t *out);

/* Is `slice` one of the n of such a list? */
int wf_sparse_has(const int64_t *list, size_t n, int64_t slice);

#endif
