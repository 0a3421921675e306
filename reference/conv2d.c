/* conv2d.c - y[i,j] = the sum of x[i+p,j+q] w[p,q] over the k x k filter, for the (m-k+1) (n-k+1) places where it fits ("valid",
 * stride 1, the filter not turned round).
 *
 * Each output is a dot product of k k elements, with its bound (accumulate.h), as in conv1d.c. */
#include "../fuzz/op.h"
#include "accumulate.h"

/* x: the window's first element, in rows of n. */
static WfApprox window(const WfRefArgs *a, const float *x) {
  int64_t n = a->dim[1], k = a->dim[2];
  WfSum s;
  wf_sum_init(&s);
  for (int64_t p = 0; p < k; p++)
    for (int64_t q = 0; q < k; q++)
      wf_sum_add_product(&s, x[p * n + q], a->in[1][p * k + q]);
  return wf_sum_result(&s, a->depth);
}

static int reference(const WfRefArgs *a, double *out, double *bound) {
  int64_t m = a->dim[0], n = a->dim[1], k = a->dim[2], height = m - k + 1, width = n - k + 1;
  for (int64_t i = 0; i < height; i++)
    for (int64_t j = 0; j < width; j++) {
      WfApprox r = window(a, a->in[0] + i * n + j);
      out[i * width + j] = r.value;
      bound[i * width + j] = r.bound;
    }
  return 0;
}

#define WF_VARIANTS "../kernels/conv2d/variants.def"
#define WF_ENTRY(ident) wf_entry_conv2d_##ident
#include "../fuzz/variants.h"

const WfOp wf_op_conv2d = {
    .name = "conv2d",
    .n_dims = 3,
    .n_tensors = 3,
    .dims = {{"m", 1, 300}, {"n", 1, 300}, {"k", 1, 50}},
    .tensors = {{"x", WF_IN, 2, {0, 1}, WF_START_NOTHING},
                {"w", WF_IN, 2, {2, 2}, WF_START_NOTHING},
                {"y", WF_OUT, 2, {WF_VALID(0, 2), WF_VALID(1, 2)}, WF_START_NOTHING}},
    .requires = "k <= m && k <= n",
    .work = "m * n + (m - k + 1) * (n - k + 1) * k * k",
    .exact = 1,
    .reference = reference,
    .variants = variants,
    .n_variants = sizeof variants / sizeof *variants,
};
