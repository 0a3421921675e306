/* owns.h - which part of the output a block owns: WfVariant.owns, over the number b of the block (doc/CASE.md, "Huge
 * shapes"). What is owned are slices: a slice is what the output has at one index of the op's first dim, a row of softmax. */
#ifndef WF_OWNS_H
#define WF_OWNS_H
#include "case.h"

/* first, first + 1 .. first + width - 1, the same again `step` further, and so on below end. */
typedef struct WfOwned {
  int64_t first, end; /* 0 <= first; end is at most the number of slices; first >= end: nothing is owned */
  int64_t step, width; /* 1 <= width <= step */
} WfOwned;

/* "FIRST .. END", "FIRST .. END step STEP" or "FIRST .. END step STEP width WIDTH", each an expression. STEP and WIDTH are 1 if not
 * given. 0, or -1 with a message: the text cannot be read, or gives a negative FIRST, or no WIDTH of 1 to STEP. */
int wf_owns_eval(const char *owns, const WfCase *c, const WfGeometry *g, uint64_t b, WfOwned *out, char *err, size_t err_size);

int64_t wf_owned_count(const WfOwned *o);
int64_t wf_owned_runs(const WfOwned *o); /* of slices that follow each other */
int wf_owned_has(const WfOwned *o, int64_t slice);

/* The block of the launch that owns the slice. 0; -1: none, or the text is not of a kind that can be turned round (FIRST must
 * grow by the same with each block). */
int wf_owns_find(const char *owns, const WfCase *c, const WfGeometry *g, int64_t slice, uint64_t *b);

uint64_t wf_geometry_blocks(const WfGeometry *g);

#endif
