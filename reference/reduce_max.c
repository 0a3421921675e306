/* reduce_max.c - out = the largest element of a; -inf for n = 0, NaN if any element is NaN.
 *
 * A maximum rounds nothing: the bound is 0. Of -0 and +0 either is right. */
#include "../fuzz/op.h"
#include <math.h>

static int reference(const WfRefArgs *a, double *out, double *bound) {
  double max = -INFINITY;
  for (int64_t i = 0; i < a->dim[0] && !isnan(max); i++) {
    double v = (double)a->in[0][i];
    max = v > max || isnan(v) ? v : max;
  }
  out[0] = max;
  bound[0] = 0;
  return 0;
}

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
    .reference = reference,
    .variants = variants,
    .n_variants = sizeof variants / sizeof *variants,
};
