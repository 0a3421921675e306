/* row_sum.c - out[i] = a[i,0] + ... + a[i,n-1], added up in any order; 0 for n = 0.
 *
 * Each row is a sum as in reduce_sum.c, with its bound (accumulate.h, sums.h). */
#include "../fuzz/op.h"
#include "sums.h"

static int reference(const WfRefArgs *a, double *out, double *bound) {
  int64_t m = a->dim[0], n = a->dim[1];
  for (int64_t i = 0; i < m; i++) {
    WfApprox r = wf_sum_elements(a->in[0] + i * n, n, 1, a->depth);
    out[i] = r.value;
    bound[i] = r.bound;
  }
  return 0;
}

#define WF_VARIANTS "../kernels/row_sum/variants.def"
#define WF_ENTRY(ident) wf_entry_row_sum_##ident
#include "../fuzz/variants.h"

const WfOp wf_op_row_sum = {
    .name = "row_sum",
    .n_dims = 2,
    .n_tensors = 2,
    .dims = {{"m", 0, 70000}, {"n", 0, 5000}},
    .tensors = {{"a", WF_IN, 2, {0, 1}, WF_START_NOTHING}, {"out", WF_OUT, 1, {0, 0}, WF_START_ZERO}},
    .exact = 1,
    .reference = reference,
    .slices_independent = 1,
    .variants = variants,
    .n_variants = sizeof variants / sizeof *variants,
};
