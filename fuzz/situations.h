/* situations.h - which of the situations that break kernels an execution was in; reports count them, so that a clean
 * verdict says what it rests on. */
#ifndef WF_SITUATIONS_H
#define WF_SITUATIONS_H
#include "case.h"

/* Rows and columns are those of the op's first input (rank 1: one row); the block is all its threads, the grid all its
 * blocks. */
typedef enum WfSituation {
  WF_PARTIAL_WARP,    /* the block is no multiple of 32 threads */
  WF_COLS_OVER_BLOCK, /* more columns than threads in a block */
  WF_BLOCK_OVER_COLS, /* more threads in a block than columns */
  WF_ROWS_OVER_GRID,  /* more rows than blocks, where the variant leaves the grid free */
  WF_MASKED_ROW,      /* an input row that is -inf throughout */
  WF_NAN_INPUT,
  WF_INF_INPUT,       /* of either sign */
  WF_SINGLE_ROW,      /* one row of an input of rank 2 */
  WF_PAST_31_BITS,    /* more than 2^31 elements in a tensor */
  WF_UNALIGNED_BASE,  /* a base pointer that is no multiple of 16 bytes */
  WF_DIMS_DIFFER,     /* two dims or more, no two of them equal */
  WF_TAIL,            /* columns are no multiple of 4 */
  WF_PARTIAL_TILE,    /* a dim is no multiple of the variant's tile */
  WF_OVER_TILE,       /* a dim is larger than the variant's tile */
  WF_EMPTY_DIM,       /* a dim is 0 */
  WF_IN_PLACE,        /* the output lies in an input's memory */
  WF_EXACT,           /* integers of which every sum is exact: the output was compared with a bound of 0 */
  WF_SITUATION_COUNT
} WfSituation;

const char *wf_situation_name(WfSituation s); /* "partial-warp" */

/* Set of 1u << WfSituation, but for WF_EXACT, which only the reference can tell. values: host arrays by the op's tensors, dense, row-major; those of outputs are not
 * read. dim: the shape of these, by the op's dims: the case's, or with fewer slices where only those are judged. */
uint32_t wf_situations(const WfCase *c, const WfVariant *v, const WfGeometry *g, const int64_t *dim,
                       const float *const *values);
/* Its two parts: what shape and launch say, and what the values say, which is the same for all variants. */
uint32_t wf_launch_situations(const WfCase *c, const WfVariant *v, const WfGeometry *g);
uint32_t wf_value_situations(const WfCase *c, const int64_t *dim, const float *const *values);

/* The situations that a campaign of the variant comes to soon, as a set: those of values always, unless the
 * contract limits them, those of shape, launch and
 * alignment when some case of a fixed lattice of usual sizes is admitted and in it. Takes up to a few hundredths of a
 * second. */
uint32_t wf_situations_usual(const WfOp *op, const WfVariant *v);

/* All that the contract leaves room for: also those that only a long dim comes to, which is drawn now and then. */
uint32_t wf_situations_allowed(const WfOp *op, const WfVariant *v);

#endif
