/* col_sum.c - out[j] = a[0,j] + ... + a[m-1,j], added up in any order; 0 for m = 0.
 *
 * Each column is a sum as in reduce_sum.c, with its bound (accumulate.h, sums.h). */
#include "../fuzz/op.h"
#include "sum_relations.h"
#include "sums.h"

static int reference(const WfRefArgs *a, double *out, double *bound) {
  int64_t m = a->dim[0], n = a->dim[1];
  for (int64_t j = 0; j < n; j++) {
    WfApprox r = wf_sum_elements(a->in[0] + j, m, n, a->depth, a->arith);
    out[j] = r.value;
    bound[j] = r.bound;
  }
  return 0;
}

/* ---- relations ---- */

static WfReduction reduction_of(const WfRefArgs *a) { return (WfReduction){a->dim[0], a->dim[1], 1}; }

static int reorder(const WfRefArgs *a, double largest, uint64_t seed, float *const *changed, int64_t *at) {
  WfReduction r = reduction_of(a);
  (void)largest;
  return wf_reduction_reorder(&r, a, seed, changed, at);
}

static int move(const WfRefArgs *a, double largest, uint64_t seed, float *const *changed, int64_t *at) {
  WfReduction r = reduction_of(a);
  (void)largest;
  return wf_reduction_move(&r, a, seed, changed, at);
}

static double factor(const WfRefArgs *a, double largest, uint64_t seed) {
  WfReduction r = reduction_of(a);
  return wf_reduction_factor(&r, a, largest, 1, seed);
}

static int scale(const WfRefArgs *a, double largest, uint64_t seed, float *const *changed, int64_t *at) {
  WfReduction r = reduction_of(a);
  return wf_reduction_scale(&r, a, factor(a, largest, seed), changed, at);
}

static const WfRelation reordered = {.change = "the rows in another order", .rule = WF_REORDER_RULE, .apply = reorder};
static const WfRelation moved = {.change = "the columns in another order", .rule = "the results must follow the columns", .apply = move};
static const WfRelation scaled = {.change = WF_SCALE_CHANGE, .rule = WF_SCALE_RULE, .apply = scale, .factor = factor};
static const WfRelation *const relations[] = {&reordered, &moved, &scaled, NULL};

#define WF_VARIANTS "../kernels/col_sum/variants.def"
#define WF_ENTRY(ident) wf_entry_col_sum_##ident
#include "../fuzz/variants.h"

const WfOp wf_op_col_sum = {
    .name = "col_sum",
    .n_dims = 2,
    .n_tensors = 2,
    .dims = {{"m", 0, 140000}, {"n", 0, 3000}},
    .tensors = {{"a", WF_IN, 2, {0, 1}, WF_START_NOTHING}, {"out", WF_OUT, 1, {1, 0}, WF_START_ZERO}},
    .arith = 1,
    .exact = 1,
    .reference = reference,
    .relations = relations,
    .variants = variants,
    .n_variants = sizeof variants / sizeof *variants,
};
