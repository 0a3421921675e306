/* softmax.c - softmax over rows: y[r,c] = exp(x[r,c] - M) / S, M the row's maximum, S the sum of exp(x[r,j] - M) over j.
 *
 * Classes. A NaN or +inf anywhere in a row makes the whole row NaN. A row that is -inf throughout (masked) is what the
 * contract says. An element that is -inf in any other row gives exactly 0.
 *
 * The bound. Let u = 2^-24 be the unit roundoff of float, a_j = M - x_j, w_j = exp(-a_j), and t_j a bound of the relative
 * error of a kernel's w_j. Errors are composed by Lemma 3.1 of Higham, "Accuracy and Stability of Numerical Algorithms"
 * (2nd edition, SIAM 2002): if |d_1| + ... + |d_k| <= t < 1, a product of factors (1 + d_i)^(+-1) is 1 + e with
 * |e| <= t / (1 - t). It covers every kernel that subtracts a maximum in float before it takes an exponential:
 *
 * 1. The argument. x_j - m is rounded once (u); kernels that use exp2 multiply by a rounded log2(e) as well (2u). An
 *    argument that is off by 3u a changes the exponential by a factor within 3u a to first order.
 * 2. The exponential. CUDA C++ Programming Guide, appendix Mathematical Functions: expf is within 2 ulp of the correctly
 *    rounded result, __expf within 2 + floor(abs(1.173 * x)). One ulp is at most 2u and the rounding itself u: 5u, and
 *    2.346u a more for __expf. Both are exact at 0 (CUDA Math API, expf; PTX ISA, special values of ex2).
 * 3. Rescaling. An online algorithm takes exp(x_j - m_1) and multiplies by exp(m_1 - m_2), exp(m_2 - m_3) ... each time its
 *    maximum grows, up to M. The gaps add up to a_j, so that 1. does not grow. Factors exp(0) are exact; the others
 *    belong to increasing maxima, each an element above x_j. With r_j distinct elements above x_j there are at most r_j
 *    exponentials and products, whatever the order: t_j = 3u a_j + (5u + u) r_j, + 2.346u a_j for __expf.
 *    Numerators are rescaled once a level of the machine (lane, warp, block, grid): r_j is at most 4 for them.
 * 4. The sum. The terms are positive, so the errors of the weights average: sum w_j t_j / S. Rounding in the additions, in
 *    any order (Higham, section 4.2): adding b to s errs by at most u (s + b), and by no more than b, for s is a float
 *    itself. Count the terms with w_j >= u S, n_big of them, by the first and the others by the second: at most
 *    (n_big - 1) u + (sum of the others / S), times 1 + n u for sums among the others.
 * 5. The quotient: 1/S and a product, or one division: 2u. Or no quotient but exp(x_j - m - log S): with logf and log2f within
 *    1 ulp of the correctly rounded result (same appendix), 3u, and one more subtraction, u, the argument is off by another
 *    u (a + 4 log S), and the exponential by 5u. (exp(x_j - (m + log S)) is not covered: it is off by u |m|.)
 * 6. Underflow. S >= 1 up to the above. A numerator, each of its rescalings, and the quotient may be flushed to zero where
 *    they are below FLT_MIN: less than 8 FLT_MIN together. In S the same is below n 2^-120, which 7. outweighs.
 * 7. This file's own error: with v = 2^-53, n v in S, a v in the argument, some v in the exponential.
 * Differences below -FLT_MAX give exp(-inf) = 0, which is right.
 *
 * Kernels that take exp(x_j) as it is (WF_PLAIN_EXP, contracts with bounded values) have no argument to round and rescale
 * nothing: t_j = 5u for every element, the maximum too, + 2.346u |x_j| for __expf, whose argument is x_j; weights are at most exp(M)
 * above FLT_MIN, so 6. holds. Their sum is exp(M) S, which may be above 2^126: there a quotient is 0 under fast math
 * (same appendix, __fdividef), and so may be the result.
 *
 * Fast math (WF_FAST_MATH, doc/FASTMATH.md) changes three of these. 2.: expf is __expf, exp2f within 2 ulp, which makes 5u with
 * the rounding, as for expf. 5.: a quotient is within 2 ulp of the rounded one, a reciprocal within 1 (same appendix): 4u + u,
 * or 2u + u and the product's u. Of log S, __logf is off by 2^-21.41 = 6.1u in [1/2, 2], elsewhere by 3 ulp, 7u log S, __log2f
 * by less: with the subtraction the argument is off by another u (a + 6.1 + 8 log S), and 1., taken for a + log S, has 2u log S
 * of that already. 6.: whatever else is flushed, an input or a difference below FLT_MIN, changes an exponent by less than
 * 2^-126, which 7. outweighs.
 *
 * 16 bits (WfRefArgs.arith). Kernels that take some or all of these steps in f16 or bf16 err in the same way, with u = 2^-11 or 2^-8 and 1. to 5. as
 * they are, but that 3u a is no longer small: an argument that is off by d changes the exponential by a factor exp(d), and so errors compose to
 * exp(t) - 1 in place of t / (1 - t) (1.01 t for the factors 1 / (1 + d) of 2. to 5.). hexp, h2exp and so on are within 2 ulp of the rounded result (same appendix). A quotient has 5u, as h2rcp and h2div are within 1 or 2 ulp.
 * Numbers below the smallest normal one are multiples of q' = 2^-24 or 2^-133, and a result there is off by q' / 2, 5 q' / 2 of a function: 6. is
 * 8 q' then (an exponential, four products, a quotient), n 5 q' / 2 is added to the error of S >= 1, and S 5 q' / 2 to that of its reciprocal. A sum beyond the largest number is an
 * infinity to some kernels and not to others: everything is accepted; so it is of kernels that subtract no maximum. A row's sum is not checked:
 * the shares' second order is not small enough.
 *
 * Exact sums. exp(-a_j) is a float only where a_j is 0 or infinite. In a row of up to 2^20 elements let k be equal to the
 * maximum, and the other weights add up to R <= 2^-26. Partial sums of ones are integers, and what else is added to them is
 * rounded away, whatever its own errors: it is less than half the distance to the next float. In any order the sum is k
 * itself, off by R / k of S. So 4. is R / k however long the row is, and one element lost or counted twice, 1 / k, shows.
 * With k = 1 the quotient by 1 and log 1 = 0 are exact as well: 1 is the only result that is right for the maximum. (For
 * k > 1, powers of two among them, 5. remains, since exp(-log k) need not be exact; so does it under fast math, of whose
 * quotient by 1 and log 1 nothing is documented.) */
#include "../fuzz/op.h"
#include "../fuzz/relation.h"
#include "accumulate.h"
#include "exponential.h"
#include <float.h>
#include <math.h>
#include <stdio.h>

#define UNDERFLOW (8 * (double)FLT_MIN)
#define NUMERATOR_RESCALINGS 4
#define MAX_INVARIANT_COLS (1 << 15)
#define MAX_EXACT_COLS (1 << 20)
#define NEGLIGIBLE 0x1p-26 /* R of an exact sum */

/* ---- a row ---- */
typedef enum RowClass { ROW_FINITE, ROW_NAN, ROW_MASKED } RowClass;

typedef struct Row {
  const float *x;
  int64_t n;
  double max, min; /* of the finite elements */
  RowClass cls;
  WfDtype arith;
} Row;

static Row row_scan(const float *x, int64_t n, WfDtype arith) {
  Row r = {x, n, -INFINITY, INFINITY, ROW_MASKED, arith};
  for (int64_t c = 0; c < n; c++) {
    if (isnan(x[c]) || x[c] == INFINITY) {
      r.cls = ROW_NAN;
      return r;
    }
    if (x[c] == -INFINITY)
      continue;
    r.cls = ROW_FINITE;
    r.max = x[c] > r.max ? x[c] : r.max;
    r.min = x[c] < r.min ? x[c] : r.min;
  }
  return r;
}

static void ranks_count(WfRanks *k, const Row *r) {
  wf_ranks_init(k, r->max - r->min);
  for (int64_t c = 0; c < r->n; c++)
    if (r->x[c] != -INFINITY)
      wf_ranks_add(k, r->max - r->x[c], r->x[c]);
  wf_ranks_finish(k);
}

/* The sum of a row, as far as an element's error depends on it. */
typedef struct Sum {
  double error; /* relative */
  double log;   /* at least log(S) */
  int is_one;   /* 1: every kernel's sum is exactly 1 */
  int vanishes; /* 1: a quotient by it may be 0 */
  double reciprocal; /* what 1/S is off by because it is small */
} Sum;

/* How much larger u is than float's, and q' / 2: 0 of float, whose underflow is counted apart. */
static double scale_of(const Row *r) { return wf_dtype_unit(r->arith) / WF_HALF_ULP; }
static double half_quantum(const Row *r) { return r->arith == WF_F32 ? 0 : wf_dtype_spacing(r->arith, 0) / 2; }
static double underflow(const Row *r) { return UNDERFLOW + 16 * half_quantum(r); }

/* t_j. */
static double weight_error(const Row *r, double a, double steps, uint32_t flags) {
  int by_size = flags & WF_PLAIN_EXP && flags & (WF_FAST_EXP | WF_FAST_MATH);
  return scale_of(r) * wf_weight_error(a, steps, flags) + (by_size ? WF_FAST_EXP_ERROR * WF_HALF_ULP * fabs(r->max - a) : 0);
}

#define LOG_2_126 87.33654475055310 /* log(2^126) */
/* May a quotient by the kernel's sum, exp(M) times `sum`, be 0? Up to 4,096 elements of up to 80 that sum is off by less than 2^-11. */
static int may_vanish(const Row *r, double sum, uint32_t flags) {
  if (!(flags & WF_PLAIN_EXP && flags & WF_FAST_MATH))
    return 0;
  return r->max >= LOG_2_126 || sum * (1 + 0x1p-10) * wf_exp_of_minus(LOG_2_126 - r->max) >= 1;
}

/* 5. together with the numerator. */
static double quotient_error(const Row *r, double a, double steps, const Sum *s, uint32_t flags) {
  double numerator = weight_error(r, a, steps, flags);
  if (s->is_one)
    return numerator;
  int fast = flags & WF_FAST_MATH || r->arith != WF_F32;
  double u = wf_dtype_unit(r->arith), log_error = fast ? a + 6 * s->log + 11.1 : a + s->log + 5;
  double direct = numerator + (fast ? 5 : 2) * u + s->reciprocal;
  double by_log = scale_of(r) * wf_weight_error(a + s->log, 0, flags) + u * log_error;
  return direct > by_log ? direct : by_log;
}

/* Relative error of an element of the output. */
static double element_error(const Row *r, double a, double rank, const Sum *s, uint32_t flags) {
  double steps = rank < NUMERATOR_RESCALINGS ? rank : NUMERATOR_RESCALINGS;
  double own = ((double)r->n + a + 8) * 0x1p-53;
  double t = quotient_error(r, a, steps, s, flags) + s->error + own;
  return r->arith == WF_F32 ? wf_compose(t) : wf_compose_large(t);
}

/* ---- the reference ---- */
static void fill_row(double *out, double *bound, int64_t n, double value) {
  for (int64_t c = 0; c < n; c++) {
    out[c] = value;
    bound[c] = 0;
  }
}

/* Elements equal to the maximum, and the sum of all other weights. */
static int64_t count_ties(const Row *r, const double *weight, double *others) {
  int64_t ties = 0;
  *others = 0;
  for (int64_t c = 0; c < r->n; c++)
    if (r->x[c] == r->max)
      ties++;
    else
      *others += weight[c];
  return ties;
}

static double general_sum_error(const Row *r, const WfRanks *k, const double *share, uint32_t flags) {
  WfSumError e = {.unit = r->arith == WF_F32 ? 0 : wf_dtype_unit(r->arith)};
  for (int64_t c = 0; c < r->n; c++) {
    double a = r->max - r->x[c];
    wf_sum_error_add(&e, share[c], weight_error(r, a, wf_rank_above(k, a), flags));
  }
  return wf_sum_error_total(&e) + 5 * (double)r->n * half_quantum(r);
}

/* May the sum overflow, or is nothing known of it? Of float it does not. */
static int is_beyond(const Row *r, double sum, double error, uint32_t flags) {
  return r->arith != WF_F32 && (flags & WF_PLAIN_EXP || !(sum * (1 + 2 * error) < wf_dtype_max(r->arith)));
}

/* The others are rounded away by ones. */
static int is_exact_sum(const Row *r, double others) {
  if (r->arith == WF_F32)
    return r->n <= MAX_EXACT_COLS && others <= NEGLIGIBLE;
  return (double)r->n < 0.5 / wf_dtype_unit(r->arith) && others + 5 * (double)r->n * half_quantum(r) <= wf_dtype_unit(r->arith) / 4;
}

/* out: the row's weights, which become its result. */
static Sum divide_by_sum(const Row *r, const WfRanks *k, uint32_t flags, double *out) {
  double others;
  int64_t ties = count_ties(r, out, &others);
  double sum = (double)ties + others;
  for (int64_t c = 0; c < r->n; c++)
    out[c] /= sum;
  Sum s = {.log = wf_log_above(sum), .vanishes = may_vanish(r, sum, flags), .reciprocal = 5 * sum * half_quantum(r)};
  int ones_are_exact = wf_weight_error(0, 0, flags) == 0;
  if (!ones_are_exact || !is_exact_sum(r, others)) {
    s.error = general_sum_error(r, k, out, flags);
  } else {
    s.error = others / (double)ties;
    s.is_one = ties == 1 && !(flags & WF_FAST_MATH) && r->arith == WF_F32;
  }
  if (is_beyond(r, sum, s.error, flags))
    s.error = INFINITY;
  return s;
}

static void finite_row(const Row *r, uint32_t flags, double *out, double *bound) {
  WfRanks ranks;
  ranks_count(&ranks, r);
  for (int64_t c = 0; c < r->n; c++)
    out[c] = wf_exp_of_minus(r->max - r->x[c]);
  Sum s = divide_by_sum(r, &ranks, flags, out);
  for (int64_t c = 0; c < r->n; c++) {
    double a = r->max - r->x[c];
    bound[c] = a == INFINITY || (a == 0 && s.is_one) ? 0 : underflow(r);
    if (out[c] > 0)
      bound[c] += out[c] * (element_error(r, a, wf_rank_above(&ranks, a), &s, flags) + s.vanishes);
  }
}

/* Every weight is exp(0) = 1. */
static void uniform_row(const Row *r, uint32_t flags, double *out, double *bound) {
  Sum s = {.error = is_exact_sum(r, 0) ? 0 : (double)(r->n - 1) * wf_dtype_unit(r->arith), .log = wf_log_above((double)r->n),
           .reciprocal = 5 * (double)r->n * half_quantum(r)};
  fill_row(out, bound, r->n, 1 / (double)r->n);
  if (is_beyond(r, (double)r->n, s.error, flags))
    s.error = INFINITY;
  double error = element_error(r, 0, 0, &s, flags);
  for (int64_t c = 0; c < r->n; c++)
    bound[c] = out[c] * error + 16 * half_quantum(r);
}

static int reference(const WfRefArgs *a, double *out, double *bound) {
  int64_t rows = a->dim[0], cols = a->dim[1];
  for (int64_t i = 0; i < rows; i++, out += cols, bound += cols) {
    Row r = row_scan(a->in[0] + i * cols, cols, a->arith);
    switch (r.cls) {
    case ROW_FINITE: finite_row(&r, a->variant_flags, out, bound); break;
    case ROW_NAN: fill_row(out, bound, cols, NAN); break;
    case ROW_MASKED:
      switch (a->masked) {
      case WF_MASKED_NAN: fill_row(out, bound, cols, NAN); break;
      case WF_MASKED_ZERO: fill_row(out, bound, cols, 0); break;
      case WF_MASKED_UNIFORM: uniform_row(&r, a->variant_flags, out, bound); break;
      }
    }
  }
  return 0;
}

/* ---- the invariant: a row with a finite element sums to 1 ----
 * Needs no exponential: the weights' shares are the outputs themselves, which costs a second-order term. For rows of up to
 * 2^15 columns the relative errors stay below 0.02, and 7 % cover it. */
static double row_sum_error(const Row *r, const float *y, WfDtype stored, uint32_t flags) {
  WfRanks ranks;
  ranks_count(&ranks, r);
  WfSumError e = {0};
  for (int64_t c = 0; c < r->n; c++) {
    double a = r->max - r->x[c];
    if (y[c] > 0)
      wf_sum_error_add(&e, y[c], weight_error(r, a, wf_rank_above(&ranks, a), flags));
  }
  Sum s = {.error = wf_sum_error_total(&e), .log = wf_log_above((double)r->n)};
  double total = 0;
  for (int64_t c = 0; c < r->n; c++) {
    double a = r->max - r->x[c];
    if (y[c] > 0)
      total += y[c] * element_error(r, a, wf_rank_above(&ranks, a), &s, flags);
  }
  for (int64_t c = 0; c < r->n; c++)
    total += wf_dtype_rounding(stored, (double)y[c]); /* what an element was before it was stored lies so near */
  return 1.07 * total + (double)r->n * UNDERFLOW;
}

static int64_t invariant(const WfRefArgs *a, const float *y, char *msg, size_t msg_size) {
  int64_t rows = a->dim[0], cols = a->dim[1];
  if (cols > MAX_INVARIANT_COLS || a->arith != WF_F32)
    return -1;
  for (int64_t i = 0; i < rows; i++, y += cols) {
    Row r = row_scan(a->in[0] + i * cols, cols, a->arith);
    if (r.cls != ROW_FINITE || may_vanish(&r, (double)cols, a->variant_flags))
      continue;
    double sum = 0;
    for (int64_t c = 0; c < cols; c++)
      sum += y[c];
    if (fabs(sum - 1) <= 0.5 && fabs(sum - 1) <= row_sum_error(&r, y, a->stored, a->variant_flags))
      continue;
    snprintf(msg, msg_size, "row %lld sums to %.9g, not to 1", (long long)(a->slice ? a->slice[i] : i), sum);
    return i * cols;
  }
  return -1;
}

/* ---- the op ---- */
#define WF_VARIANTS "../kernels/softmax/variants.def"
#define WF_ENTRY(ident) wf_entry_softmax_##ident
#include "../fuzz/variants.h"

static const WfRelation *const relations[] = {&wf_relation_shift, &wf_relation_permute, &wf_relation_rows, NULL};

const WfOp wf_op_softmax = {
  .name = "softmax",
  .n_dims = 2,
  .n_tensors = 2,
  .dims = {{"rows", 0, 300}, {"cols", 0, 3000}},
  .tensors = {{"x", WF_IN, 2, {0, 1}}, {"y", WF_OUT, 2, {0, 1}}},
  .arith = 1,
  .reference = reference,
  .invariant = invariant,
  .slices_independent = 1,
  .relations = relations,
  .variants = variants,
  .n_variants = sizeof variants / sizeof *variants,
};
