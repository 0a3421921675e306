/* col_sum.c - out[j] = a[0,j] + ... + a[m-1,j], added up in any order; 0 for m = 0.
 *
 * Each column is a sum as in reduce_sum.c, with its bound (accumulate.h, sums.h). */
#include "../fuzz/op.h"
#include "sums.h"

static int reference(const WfRefArgs *a, double *out, double *bound) {
  int64_t m = a->dim[0], n = a->dim[1];
  for (int64_t j = 0; j < n; j++) {
    WfApprox r = wf_sum_elements(a->in[0] + j, m, n, a->depth);
    out[j] = r.value;
    bound[j] = r.bound;
  }
  return 0;
}

#define WF_VARIANTS "../kernels/col_sum/variants.def"
#define WF_ENTRY(ident) wf_entry_col_sum_##ident
#include "../fuzz/variants.h"

const WfOp wf_op_col_sum = {
    .name = "col_sum",
    .n_dims = 2,
    .n_tensors = 2,
    .dims = {{"m", 0, 140000}, {"n", 0, 3000}},
    .tensors = {{"a", WF_IN, 2, {0, 1}, WF_START_NOTHING}, {"out", WF_OUT, 1, {1, 0}, WF_START_ZERO}},
    .exact = 1,
    .reference = reference,
    .variants = variants,
    .n_variants = sizeof variants / sizeof *variants,
};
