/* reduce_max.c - out = the largest element of a; -inf for n = 0, NaN if any element is NaN.
 *
 * A maximum rounds nothing: the bound is 0. Of -0 and +0 either is right.
 *
 * Fast math (WF_FAST_MATH) flushes what is compared, and what fmaxf gives, below FLT_MIN to zero (CUDA C++ Programming Guide,
 * -ftz=true). A maximum that is normal stays what it is, for it compares as it is with all others. If it is none, all elements below
 * FLT_MIN in magnitude are equal to it, those that are negative too, and the result is one of them, or 0: anything between the smallest of
 * them, or 0, and the maximum, or 0. */
#include "../fuzz/op.h"
#include "accumulate.h"
#include "sum_relations.h"

/* Of a maximum that is not NaN. */
static double fast_bound(const float *a, int64_t n, double max) {
  double least = fmin(max, 0);
  if (fabs(max) >= (double)FLT_MIN)
    return 0;
  for (int64_t i = 0; i < n; i++)
    if (wf_flushed((double)a[i]) > 0)
      least = fmin(least, (double)a[i]);
  return fmax(max - least, fabs(max));
}

static int reference(const WfRefArgs *a, double *out, double *bound) {
  double max = -INFINITY;
  for (int64_t i = 0; i < a->dim[0] && !isnan(max); i++) {
    double v = (double)a->in[0][i];
    max = v > max || isnan(v) ? v : max;
  }
  out[0] = max;
  bound[0] = a->variant_flags & WF_FAST_MATH && !isnan(max) ? fast_bound(a->in[0], a->dim[0], max) : 0;
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
  return wf_reduction_factor(&r, a, largest, 0, seed);
}

static int scale(const WfRefArgs *a, double largest, uint64_t seed, float *const *changed, int64_t *at) {
  WfReduction r = reduction_of(a);
  return wf_reduction_scale(&r, a, factor(a, largest, seed), changed, at);
}

static const WfRelation reordered = {.change = "the elements in another order", .rule = WF_REORDER_RULE, .apply = reorder};
static const WfRelation scaled = {.change = WF_SCALE_CHANGE, .rule = WF_SCALE_RULE, .apply = scale, .factor = factor};
static const WfRelation *const relations[] = {&reordered, &scaled, NULL};

#define WF_VARIANTS "../kernels/reduce_max/variants.def"
#define WF_ENTRY(ident) wf_entry_reduce_max_##ident
#include "../fuzz/variants.h"

const WfOp wf_op_reduce_max = {
    .name = "reduce_max",
    .n_dims = 1,
    .n_tensors = 2,
    .dims = {{"n", 0, 60000}},
    .tensors = {{"a", WF_IN, 1, {0, 0}, WF_START_NOTHING}, {"out", WF_OUT, 1, {WF_ONE, 0}, WF_START_MINUS_INF}},
    .exact = 1,
    .arith = 1,
    .reference = reference,
    .relations = relations,
    .variants = variants,
    .n_variants = sizeof variants / sizeof *variants,
};
