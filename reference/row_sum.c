/* row_sum.c - out[i] = a[i,0] + ... + a[i,n-1], added up in any order; 0 for n = 0.
 *
 * Each row is a sum as in reduce_sum.c, with its bound (accumulate.h, sums.h). */
#include "../fuzz/op.h"
#include "sum_relations.h"
#include "sums.h"

static int reference(const WfRefArgs *a, double *out, double *bound) {
  int64_t m = a->dim[0], n = a->dim[1];
  for (int64_t i = 0; i < m; i++) {
    WfApprox r = wf_sum_elements(a->in[0] + i * n, n, 1, a->depth, a->arith);
    out[i] = r.value;
    bound[i] = r.bound;
  }
  return 0;
}

/* ---- relations ---- */

static WfReduction reduction_of(const WfRefArgs *a) { return (WfReduction){a->dim[0], a->dim[1], 0}; }

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

static const WfRelation reordered = {.change = "the columns in another order", .rule = WF_REORDER_RULE, .apply = reorder};
static const WfRelation moved = {.change = "the rows in another order", .rule = "the results must follow the rows", .apply = move};
static const WfRelation scaled = {.change = WF_SCALE_CHANGE, .rule = WF_SCALE_RULE, .apply = scale, .factor = factor};
static const WfRelation *const relations[] = {&reordered, &moved, &scaled, NULL};

#define WF_VARIANTS "../kernels/row_sum/variants.def"
#define WF_ENTRY(ident) wf_entry_row_sum_##ident
#include "../fuzz/variants.h"

const WfOp wf_op_row_sum = {
    .name = "row_sum",
    .n_dims = 2,
    .n_tensors = 2,
    .dims = {{"m", 0, 70000}, {"n", 0, 5000}},
    .tensors = {{"a", WF_IN, 2, {0, 1}, WF_START_NOTHING}, {"out", WF_OUT, 1, {0, 0}, WF_START_ZERO}},
    .arith = 1,
    .exact = 1,
    .reference = reference,
    .slices_independent = 1,
    .relations = relations,
    .variants = variants,
    .n_variants = sizeof variants / sizeof *variants,
};
