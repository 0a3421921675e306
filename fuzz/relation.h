/* relation.h - relations that hold for ops over rows: the first input is x[rows,cols], the output is of the same shape, and every row of it
 * depends on the same row of x, and on the inputs behind x, if there are any, each of which has an element a column. An op lists
 * those that are true of it. */
#ifndef WF_RELATION_H
#define WF_RELATION_H
#include "op.h"

/* A constant is added to rows, a different one to each, such that every sum is exact: rows whose elements have no such
 * constant, NaN and infinities stay as they are. */
extern const WfRelation wf_relation_shift;
/* Every row's columns are exchanged, by the same permutation, which the inputs behind x follow. */
extern const WfRelation wf_relation_permute;
/* The rows are exchanged: those of the output must follow. */
extern const WfRelation wf_relation_row_order;
/* Some rows become NaN or as large as may be; nothing is said about those, the others must stay as they are. */
extern const WfRelation wf_relation_rows;

/* For relations of this kind of other ops: a row that becomes NaN or as large as may be; and some rows of x[rows,cols], while others stay,
 * with at[rows,out_cols] as in WfRelation. 0: there are less than two rows. */
void wf_spoil_row(float *row, int64_t n, double largest, uint64_t *state);
int wf_spoil_rows(float *x, int64_t rows, int64_t cols, int64_t out_cols, double largest, uint64_t seed, int64_t *at);

#endif
