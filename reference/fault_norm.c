/* fault_norm.c - ops for families of faults (doc/FAULTS.md) around layernorm, rmsnorm and softmax:
 *
 * - fault/F56, the gradient of softmax: dx[r,c] = y[r,c] (dy[r,c] - D[r]), D the sum of y dy over the row. D is off by what accumulate.h
 *   says. With u = 2^-24 the difference and the product are rounded by u each, which gives |y| (error of D) + 2u |dx| and a little
 *   more; D may also be taken off as y D, which rounds y dy and y D apart: u |y| (|dy| + |D|). What is below FLT_MIN may be flushed, in
 *   the difference or the product. NaN and infinities as IEEE 754 has it in the formula; where a product, D or dy - D may
 *   overflow, and where both forms do not give the same infinity or NaN, everything is accepted.
 *   Fast math (WF_FAST_MATH) flushes operands as well: of y dy in D, accumulate.h; dy below FLT_MIN is as if the difference were
 *   off by |dy|; y below FLT_MIN makes every product 0, which is off by |dx|. In a kernel's own D nothing is left to flush.
 * - fault/F78, layernorm without gamma and beta of rows up to 1e37: squares overflow, and the contract promises that it does not
 *   matter. norm.h, WF_NORM_SCALED.
 * - fault/F82, rmsnorm of x[batch,seq,width] with gamma[seq,width]: norm.h.
 * - fault/F84, y = factor x. Rounded once, u |y|, or half of 2^-149 where y is subnormal: subnormals are kept. Fast math flushes them:
 *   where factor, x or y is one, y may be 0; where the other factor is infinite, NaN for an infinity. A contract with
 *   WF_KEEPS_SUBNORMALS promises that nothing of this happens. Inputs within 1e30 and the usual factors do not overflow. */
#include "../fuzz/op.h"
#include "../fuzz/relation.h"
#include "accumulate.h"
#include "norm.h"
#include <float.h>
#include <math.h>

#define U WF_HALF_ULP
#define TINY ((double)FLT_MIN)
#define HUGEST ((double)FLT_MAX)

/* ---- F56 ---- */

static WfApprox row_dot(const WfRefArgs *a, const float *y, const float *dy) {
  WfDot d;
  wf_dot_init(&d, a->variant_flags);
  for (int64_t c = 0; c < a->dim[1]; c++)
    wf_dot_add(&d, y[c], dy[c]);
  return wf_dot_result(&d, a->depth);
}

/* Of factors or sums that are no finite numbers: 0, if y (dy - D) and y dy - y D are of one class for all kernels. */
static double special_gradient_bound(double y, double dy, WfApprox dot) {
  double as_product = y * (dy - dot.value), as_difference = y * dy - y * dot.value;
  if (isnan(y) || isnan(dy) || isnan(dot.value))
    return 0;
  if (!(dot.bound < INFINITY) || (y != 0 && fabs(y) < TINY)) /* flushed, it makes 0 infinity of infinity */
    return INFINITY;
  if (isfinite(y) && isfinite(dy) && fabs(y * dy) > HUGEST) /* y dy less an infinite y D */
    return INFINITY;
  return as_product == as_difference || (isnan(as_product) && isnan(as_difference)) ? 0 : INFINITY;
}

static void gradient(double y, double dy, WfApprox dot, int fast, double *out, double *bound) {
  double difference = dy - dot.value, off = dot.bound + U * (fabs(dy) + fabs(dot.value)) + TINY, size = fabs(y);
  off += fast ? wf_flushed(dy) : 0;
  double largest = fmax(size, 1) * (fabs(dy) + fabs(dot.value) + off); /* of D, the difference and all products */
  *out = y * difference;
  if (!isfinite(y) || !isfinite(difference))
    *bound = special_gradient_bound(y, dy, dot);
  else if (largest > HUGEST)
    *bound = INFINITY;
  else
    *bound = size * off * (1 + 4 * U) + 2 * U * (fabs(*out) + size * off) + 2 * TINY + fabs(*out) * 0x1p-50 +
             (fast && wf_flushed(y) > 0 ? fabs(*out) : 0);
}

static int gradient_reference(const WfRefArgs *a, double *out, double *bound) {
  int64_t cols = a->dim[1];
  int fast = (a->variant_flags & WF_FAST_MATH) != 0;
  for (int64_t r = 0; r < a->dim[0]; r++) {
    const float *y = a->in[0] + r * cols, *dy = a->in[1] + r * cols;
    WfApprox dot = row_dot(a, y, dy);
    for (int64_t c = 0; c < cols; c++)
      gradient((double)y[c], (double)dy[c], dot, fast, out + r * cols + c, bound + r * cols + c);
  }
  return 0;
}

#define WF_VARIANTS "../kernels/fault/F56/variants.def"
#define WF_VARIANTS_NAME variants_F56
#define WF_ENTRY(ident) wf_entry_fault_F56_##ident
#include "../fuzz/variants.h"

const WfOp wf_op_fault_F56 = {
  .name = "fault/F56",
  .n_dims = 2,
  .n_tensors = 3,
  .dims = {{"rows", 0, 300}, {"cols", 0, 3000}},
  .tensors = {{"y", WF_IN, 2, {0, 1}, WF_START_NOTHING},
              {"dy", WF_IN, 2, {0, 1}, WF_START_NOTHING},
              {"dx", WF_OUT, 2, {0, 1}, WF_START_NOTHING}},
  .exact = 1,
  .reference = gradient_reference,
  .slices_independent = 1,
  .variants = variants_F56,
  .n_variants = sizeof variants_F56 / sizeof *variants_F56,
};

/* ---- F78 ---- */

static int large_rows_reference(const WfRefArgs *a, double *out, double *bound) {
  WfNorm n = {.rows = a->dim[0],
              .cols = a->dim[1],
              .x = a->in[0],
              .kind = WF_NORM_CENTRED | WF_NORM_SCALED,
              .eps = a->scalar[0],
              .depth = a->depth,
              .flags = a->variant_flags};
  wf_norm_rows(&n, out, bound);
  return 0;
}

#define WF_VARIANTS "../kernels/fault/F78/variants.def"
#define WF_VARIANTS_NAME variants_F78
#define WF_ENTRY(ident) wf_entry_fault_F78_##ident
#include "../fuzz/variants.h"

static const WfRelation *const relations_F78[] = {&wf_relation_row_order, &wf_relation_permute, &wf_relation_rows, NULL};

const WfOp wf_op_fault_F78 = {
  .name = "fault/F78",
  .n_dims = 2,
  .n_tensors = 2,
  .n_scalars = 1,
  .dims = {{"rows", 0, 300}, {"cols", 0, 3000}},
  .tensors = {{"x", WF_IN, 2, {0, 1}, WF_START_NOTHING}, {"y", WF_OUT, 2, {0, 1}, WF_START_NOTHING}},
  .scalars = {{"eps", WF_REAL, {(double)1e-5f, (double)1e-6f, (double)1e-12f}, 3, NULL}},
  .reference = large_rows_reference,
  .slices_independent = 1,
  .relations = relations_F78,
  .variants = variants_F78,
  .n_variants = sizeof variants_F78 / sizeof *variants_F78,
};

/* ---- F82 ---- */

static int scale_a_place_reference(const WfRefArgs *a, double *out, double *bound) {
  WfNorm n = {.rows = a->dim[0] * a->dim[1],
              .cols = a->dim[2],
              .x = a->in[0],
              .gamma = a->in[1],
              .gamma_rows = a->dim[1],
              .eps = a->scalar[0],
              .depth = a->depth,
              .flags = a->variant_flags};
  wf_norm_rows(&n, out, bound);
  return 0;
}

#define WF_VARIANTS "../kernels/fault/F82/variants.def"
#define WF_VARIANTS_NAME variants_F82
#define WF_ENTRY(ident) wf_entry_fault_F82_##ident
#include "../fuzz/variants.h"

const WfOp wf_op_fault_F82 = {
  .name = "fault/F82",
  .n_dims = 3,
  .n_tensors = 3,
  .n_scalars = 1,
  .dims = {{"batch", 0, 50}, {"seq", 0, 50}, {"width", 0, 1000}},
  .tensors = {{"x", WF_IN, 2, {WF_TIMES(0, 1), 2}, WF_START_NOTHING},
              {"gamma", WF_IN, 2, {1, 2}, WF_START_NOTHING},
              {"y", WF_OUT, 2, {WF_TIMES(0, 1), 2}, WF_START_NOTHING}},
  .scalars = {{"eps", WF_REAL, {(double)1e-5f, (double)1e-6f}, 2, NULL}},
  .reference = scale_a_place_reference,
  .variants = variants_F82,
  .n_variants = sizeof variants_F82 / sizeof *variants_F82,
};

/* ---- F84 ---- */

/* What flushing may make of the product y. */
static double lost_of(double factor, double x, double y) {
  if (wf_flushed(factor) == 0 && wf_flushed(x) == 0)
    return wf_flushed(y);
  return isnan(y) ? 0 : fabs(y);
}

static int scaled_reference(const WfRefArgs *a, double *out, double *bound) {
  double factor = (double)(float)a->scalar[0];
  int flushes = a->variant_flags & WF_FAST_MATH && !(a->variant_flags & WF_KEEPS_SUBNORMALS);
  for (int64_t i = 0; i < a->dim[0]; i++) {
    out[i] = factor * (double)a->in[0][i]; /* 48 bits: exact */
    bound[i] = isfinite(out[i]) ? U * fabs(out[i]) + 0x1p-150 : 0;
    bound[i] += flushes ? lost_of(factor, (double)a->in[0][i], out[i]) : 0;
  }
  return 0;
}

#define WF_VARIANTS "../kernels/fault/F84/variants.def"
#define WF_VARIANTS_NAME variants_F84
#define WF_ENTRY(ident) wf_entry_fault_F84_##ident
#include "../fuzz/variants.h"

const WfOp wf_op_fault_F84 = {
  .name = "fault/F84",
  .n_dims = 1,
  .n_tensors = 2,
  .n_scalars = 1,
  .dims = {{"n", 0, 100000}},
  .tensors = {{"x", WF_IN, 1, {0}, WF_START_NOTHING}, {"y", WF_OUT, 1, {0}, WF_START_NOTHING}},
  .scalars = {{"factor", WF_REAL, {0.5, 1, -0.5, 2, 0.25, 0.75}, 6, NULL}},
  .reference = scaled_reference,
  .slices_independent = 1,
  .variants = variants_F84,
  .n_variants = sizeof variants_F84 / sizeof *variants_F84,
};
