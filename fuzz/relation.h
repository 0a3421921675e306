/* relation.h - relations that hold for ops over rows: one input of rank 2, x[rows,cols], and an output of the same shape,
 * of which every row depends on the same row of x alone. An op lists those that are true of it. */
#ifndef WF_RELATION_H
#define WF_RELATION_H
#include "op.h"

/* A constant is added to rows, a different one to each, such that every sum is exact: rows whose elements have no such
 * constant, NaN and infinities stay as they are. */
extern const WfRelation wf_relation_shift;
/* Every row's columns are exchanged, by the same permutation. */
extern const WfRelation wf_relation_permute;
/* Some rows become NaN or as large as may be; nothing is said about those, the others must stay as they are. */
extern const WfRelation wf_relation_rows;

#endif
