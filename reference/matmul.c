/* matmul.c - c[i,j] = a[i,0] b[0,j] + ... + a[i,k-1] b[k-1,j]; 0 for k = 0.
 *
 * The bound is that of a dot product in float: gamma of the summation depth times the sum of the magnitudes, the products rounded or
 * fused, added up in any order, from 0 or from the first product (accumulate.h, which has the derivation, exact sums and overflow). The depth
 * is k, less the products that are 0, unless the contract tells a smaller one. Tiles, registers and split sums are orders of summation.
 *
 * NaN and infinities are what IEEE 754 gives in any order: NaN for a NaN, for 0 times an infinity and for infinities of both signs. Where
 * products or partial sums may pass FLT_MAX in both directions the order decides, and everything is accepted. The sign of a zero is
 * not judged. What fast math flushes: accumulate.h. */
#include "../fuzz/arith.h"
#include "../fuzz/op.h"
#include "../fuzz/relation_moves.h"
#include "accumulate.h"
#include <string.h>

/* x: k elements; y: k elements, `stride` apart. */
static WfApprox dot(const WfRefArgs *r, const float *x, const float *y, int64_t k, int64_t stride) {
  WfDot d;
  wf_dot_init(&d, r->variant_flags);
  d.sum.arith = r->arith;
  for (int64_t e = 0; e < k; e++)
    wf_dot_add(&d, x[e], y[e * stride]);
  return wf_dot_result(&d, r->depth);
}

static int reference(const WfRefArgs *a, double *out, double *bound) {
  int64_t m = a->dim[0], n = a->dim[1], k = a->dim[2];
  for (int64_t i = 0; i < m; i++)
    for (int64_t j = 0; j < n; j++) {
      WfApprox c = dot(a, a->in[0] + i * k, a->in[1] + j, k, n);
      out[i * n + j] = c.value;
      bound[i * n + j] = c.bound;
    }
  return 0;
}

/* ---- relations ---- */

/* Rows of a rotated: rows of c rotate along. */
static int rotate_rows(const WfRefArgs *a, double largest, uint64_t seed, float *const *changed, int64_t *at) {
  int64_t m = a->dim[0], n = a->dim[1], k = a->dim[2];
  (void)largest;
  if (m < 2 || n < 1 || k < 1)
    return 0;
  int64_t by = 1 + (int64_t)(wf_split_mix(&seed) % (uint64_t)(m - 1));
  for (int64_t i = 0; i < m; i++) {
    int64_t to = (i + by) % m;
    memcpy(changed[0] + to * k, a->in[0] + i * k, (size_t)k * sizeof(float));
    for (int64_t j = 0; j < n; j++)
      at[i * n + j] = to * n + j;
  }
  return 1;
}

/* Every product stays what it is. */
static int scale(const WfRefArgs *a, double largest, uint64_t seed, float *const *changed, int64_t *at) {
  int64_t m = a->dim[0], n = a->dim[1], k = a->dim[2];
  wf_indices_stay(at, m * n);
  return wf_scale_apart(changed, m * k, k * n, largest, seed);
}

static const WfRelation rotated = {
    .change = "the rows of a in another order",
    .rule = "the rows of the product must follow the rows of a",
    .same_bits = 1,
    .apply = rotate_rows,
};
static const WfRelation scaled = {
    .change = "a times a power of two and b divided by it",
    .rule = "powers of two that cancel must not change the product",
    .same_bits = 1,
    .apply = scale,
};

#define WF_VARIANTS "../kernels/matmul/variants.def"
#define WF_ENTRY(ident) wf_entry_matmul_##ident
#include "../fuzz/variants.h"

static const WfRelation *const relations[] = {&rotated, &scaled, NULL};

const WfOp wf_op_matmul = {
    .name = "matmul",
    .n_dims = 3,
    .n_tensors = 3,
    .dims = {{"m", 0, 300}, {"n", 0, 300}, {"k", 0, 600}},
    .tensors = {{"a", WF_IN, 2, {0, 2}, WF_START_NOTHING},
                {"b", WF_IN, 2, {2, 1}, WF_START_NOTHING},
                {"c", WF_OUT, 2, {0, 1}, WF_START_NOTHING}},
    .work = "(m * n + 256) * k + m * n", /* a tile of outputs takes as long as a full one */
    .arith = 1,
    .exact = 1,
    .reference = reference,
    .slices_independent = 1,
    .relations = relations,
    .variants = variants,
    .n_variants = sizeof variants / sizeof *variants,
};
