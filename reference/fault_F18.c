/* fault_F18.c - the op of the family F18, a causal convolution of width 2 for each channel, as sequence models have it:
 *
 *     y[b,l,c] = newest[c] x[b,l,c] + oldest[c] x[b,l-1,c],   x[b,-1,c] = 0
 *
 * over x[batch, len, channels]. An op of its own because its tensors must pass 2^32 elements: batch entries are independent of each
 * other, so that some of them can be run and judged without the rest.
 *
 * A sum of two products, rounded or fused, or flushed under fast math (accumulate.h). */
#include "../fuzz/op.h"
#include "accumulate.h"

static WfApprox output(const WfRefArgs *a, int64_t batch, int64_t l, int64_t c) {
  int64_t len = a->dim[1], channels = a->dim[2], i = (batch * len + l) * channels + c;
  WfDot d;
  wf_dot_init(&d, a->variant_flags);
  wf_dot_add(&d, a->in[0][i], a->in[1][c]);
  if (l > 0)
    wf_dot_add(&d, a->in[0][i - channels], a->in[2][c]);
  return wf_dot_result(&d, a->depth);
}

static int reference(const WfRefArgs *a, double *out, double *bound) {
  for (int64_t b = 0; b < a->dim[0]; b++)
    for (int64_t l = 0; l < a->dim[1]; l++)
      for (int64_t c = 0; c < a->dim[2]; c++) {
        WfApprox r = output(a, b, l, c);
        *out++ = r.value;
        *bound++ = r.bound;
      }
  return 0;
}

#define WF_VARIANTS "../kernels/fault/F18/variants.def"
#define WF_ENTRY(ident) wf_entry_fault_F18_##ident
#include "../fuzz/variants.h"

const WfOp wf_op_fault_F18 = {
    .name = "fault/F18",
    .n_dims = 3,
    .n_tensors = 4,
    .dims = {{"batch", 0, 300}, {"len", 0, 1000}, {"channels", 0, 300}},
    .tensors = {{"x", WF_IN, 2, {0, WF_TIMES(1, 2)}, WF_START_NOTHING},
                {"newest", WF_IN, 1, {2, 0}, WF_START_NOTHING},
                {"oldest", WF_IN, 1, {2, 0}, WF_START_NOTHING},
                {"y", WF_OUT, 2, {0, WF_TIMES(1, 2)}, WF_START_NOTHING}},
    .exact = 1,
    .reference = reference,
    .slices_independent = 1,
    .variants = variants,
    .n_variants = sizeof variants / sizeof *variants,
};
