/* matmul.c - c[i,j] = a[i,0] b[0,j] + ... + a[i,k-1] b[k-1,j]; 0 for k = 0.
 *
 * The bound is that of a dot product in float: gamma of the summation depth times the sum of the magnitudes, the products rounded or
 * fused, added up in any order, from 0 or from the first product (accumulate.h, which has the derivation, exact sums and overflow). The depth
 * is k, less the products that are 0, unless the contract tells a smaller one. Tiles, registers and split sums are orders of summation.
 *
 * NaN and infinities are what IEEE 754 gives in any order: NaN for a NaN, for 0 times an infinity and for infinities of both signs. Where
 * products or partial sums may pass FLT_MAX in both directions the order decides, and everything is accepted. The sign of a zero is
 * not judged.
 *
 * Fast math (WF_FAST_MATH) flushes operands, products and partial sums below FLT_MIN. A flushed operand takes its product along;
 * a product is accounted for in accumulate.h; and each of at most k additions may lose FLT_MIN, unless all products are multiples
 * of FLT_MIN, and then so are their sums. */
#include "../fuzz/arith.h"
#include "accumulate.h"
#include "elementwise.h"
#include <float.h>
#include <math.h>
#include <string.h>

static void add_fast_product(WfSum *s, float a, float b) {
  double lost = wf_flushed((double)a) * fabs((double)b) + fabs((double)a) * wf_flushed((double)b);
  if (isfinite(lost) && lost > 0)
    s->inexact += lost;
  wf_sum_add_product(s, a, b);
}

/* x: k elements; y: k elements, `stride` apart. */
static WfApprox dot(const WfRefArgs *r, const float *x, const float *y, int64_t k, int64_t stride) {
  int fast = (r->variant_flags & WF_FAST_MATH) != 0;
  WfSum s;
  wf_sum_init(&s);
  for (int64_t e = 0; e < k; e++)
    if (fast)
      add_fast_product(&s, x[e], y[e * stride]);
    else
      wf_sum_add_product(&s, x[e], y[e * stride]);
  if (fast && s.unit_exponent < FLT_MIN_EXP - 1)
    s.inexact += (double)s.n * (double)FLT_MIN;
  return wf_sum_result(&s, r->depth);
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
  memcpy(changed[1], a->in[1], (size_t)(k * n) * sizeof(float));
  for (int64_t i = 0; i < m; i++) {
    int64_t to = (i + by) % m;
    memcpy(changed[0] + to * k, a->in[0] + i * k, (size_t)k * sizeof(float));
    for (int64_t j = 0; j < n; j++)
      at[i * n + j] = to * n + j;
  }
  return 1;
}

/* Exponents of the finite elements that are not 0: |x| is in [2^(lowest - 1), 2^highest). 0: there are none, or one is subnormal,
 * and scaling need not be exact. */
typedef struct Exponents {
  int lowest, highest;
} Exponents;

static int exponents_of(const float *x, int64_t n, Exponents *e) {
  *e = (Exponents){FLT_MAX_EXP, FLT_MIN_EXP};
  int any = 0, exponent;
  for (int64_t i = 0; i < n; i++) {
    if (!isfinite(x[i]) || x[i] == 0)
      continue;
    if (fabsf(x[i]) < FLT_MIN)
      return 0;
    frexpf(x[i], &exponent);
    e->lowest = exponent < e->lowest ? exponent : e->lowest;
    e->highest = exponent > e->highest ? exponent : e->highest;
    any = 1;
  }
  return any;
}

/* a by 2^s and b by 2^-s, as far as all elements stay normal and below `largest`: every product stays what it is. */
static int scale(const WfRefArgs *a, double largest, uint64_t seed, float *const *changed, int64_t *at) {
  int64_t m = a->dim[0], n = a->dim[1], k = a->dim[2];
  Exponents ea, eb;
  if (!exponents_of(a->in[0], m * k, &ea) || !exponents_of(a->in[1], k * n, &eb))
    return 0;
  int most = ilogb(largest); /* |x| < 2^most is below it */
  int up = most - ea.highest < eb.lowest - FLT_MIN_EXP ? most - ea.highest : eb.lowest - FLT_MIN_EXP;
  int down = most - eb.highest < ea.lowest - FLT_MIN_EXP ? most - eb.highest : ea.lowest - FLT_MIN_EXP;
  uint64_t r = wf_split_mix(&seed);
  int room = r & 1 || down < 1 ? up : -down;
  if (room == 0 || up < 0 || down < 0)
    return 0;
  int by = room > 0 ? 1 + (int)(r / 2 % (uint64_t)room) : -1 - (int)(r / 2 % (uint64_t)-room);
  for (int64_t i = 0; i < m * k; i++)
    changed[0][i] = ldexpf(a->in[0][i], by);
  for (int64_t i = 0; i < k * n; i++)
    changed[1][i] = ldexpf(a->in[1][i], -by);
  for (int64_t i = 0; i < m * n; i++)
    at[i] = i;
  return 1;
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
    .exact = 1,
    .reference = reference,
    .slices_independent = 1,
    .relations = relations,
    .variants = variants,
    .n_variants = sizeof variants / sizeof *variants,
};
