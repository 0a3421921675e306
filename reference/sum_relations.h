/* sum_relations.h - relations of ops that reduce a matrix to a number a row or a column: sums and maxima. Each holds of the exact
 * results, and so within the sum of both bounds of those that a right kernel gives. */
#ifndef WF_SUM_RELATIONS_H
#define WF_SUM_RELATIONS_H
#include "../fuzz/op.h"

/* The matrix a[rows,cols], in[0]; by_column: an output a column, else one a row. */
typedef struct WfReduction {
  int64_t rows, cols;
  int by_column;
} WfReduction;

/* For WfRelation.apply. The elements of every output in another order: no sum and no maximum depends on it. */
int wf_reduction_reorder(const WfReduction *r, const WfRefArgs *a, uint64_t seed, float *const *changed, int64_t *at);
/* The outputs in another order: they move along. */
int wf_reduction_move(const WfReduction *r, const WfRefArgs *a, uint64_t seed, float *const *changed, int64_t *at);
/* All elements times a power of two, exactly, and where any_sign of either sign: so is the output. */
int wf_reduction_scale(const WfReduction *r, const WfRefArgs *a, double factor, float *const *changed, int64_t *at);
double wf_reduction_factor(const WfReduction *r, const WfRefArgs *a, double largest, int any_sign, uint64_t seed);

/* What reports say of them. */
#define WF_REORDER_RULE "a result must not depend on the order of its elements"
#define WF_SCALE_CHANGE "every element times a power of two"
#define WF_SCALE_RULE "a power of two must come through the reduction unchanged"

#endif
