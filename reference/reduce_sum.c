/* reduce_sum.c - out = a[0] + ... + a[n-1], added up in any order; 0 for n = 0.
 *
 * The bound: gamma of the depth times the sum of the magnitudes (accumulate.h). The depth is what the contract says of the launch, n - 1
 * where it says nothing. Integers that are small enough are exact in any order, and a lost element shows whatever n is. Subnormals
 * that atomicAdd flushes: sums.h. The sign of a zero is not judged. */
#include "../fuzz/op.h"
#include "sum_relations.h"
#include "sums.h"

static int reference(const WfRefArgs *a, double *out, double *bound) {
  WfApprox r = wf_sum_elements(a->in[0], a->dim[0], 1, a->depth, a->arith);
  out[0] = r.value;
  bound[0] = r.bound;
  return 0;
}

/* ---- relations ---- */

static WfReduction reduction_of(const WfRefArgs *a) { return (WfReduction){1, a->dim[0], 0}; }

static int reorder(const WfRefArgs *a, double largest, uint64_t seed, float *const *changed, int64_t *at) {
  WfReduction r = reduction_of(a);
  (void)largest;
  return wf_reduction_reorder(&r, a, seed, changed, at);
}

static double factor(const WfRefArgs *a, double largest, uint64_t seed) {
  WfReduction r = reduction_of(a);
  return wf_reduction_factor(&r, a, largest, 1, seed);
}

static int scale(const WfRefArgs *a, double largest, uint64_t seed, float *const *changed, int64_t *at) {
  WfReduction r = reduction_of(a);
  return wf_reduction_scale(&r, a, factor(a, largest, seed), changed, at);
}

static const WfRelation reordered = {.change = "the elements in another order", .rule = WF_REORDER_RULE, .apply = reorder};
static const WfRelation scaled = {.change = WF_SCALE_CHANGE, .rule = WF_SCALE_RULE, .apply = scale, .factor = factor};
static const WfRelation *const relations[] = {&reordered, &scaled, NULL};

#define WF_VARIANTS "../kernels/reduce_sum/variants.def"
#define WF_ENTRY(ident) wf_entry_reduce_sum_##ident
#include "../fuzz/variants.h"

const WfOp wf_op_reduce_sum = {
    .name = "reduce_sum",
    .n_dims = 1,
    .n_tensors = 2,
    .dims = {{"n", 0, 60000}},
    .tensors = {{"a", WF_IN, 1, {0, 0}, WF_START_NOTHING}, {"out", WF_OUT, 1, {WF_ONE, 0}, WF_START_ZERO}},
    .arith = 1,
    .exact = 1,
    .reference = reference,
    .relations = relations,
    .variants = variants,
    .n_variants = sizeof variants / sizeof *variants,
};
