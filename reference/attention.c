/* attention.c - o[i,c] = sum over j of p[i,j] v[j,c], p[i,:] the softmax of the scores s[i,j] = scale q[i,:] . k[j,:] of the keys that
 * row i sees: all, or with causal those with j <= i. A key that a row does not see has no influence on it, whatever it holds.
 *
 * Classes. A score that is NaN or +inf makes the row NaN. One that is -inf has weight 0. A row that sees no key, or none
 * with another score than -inf, is what the contract says for masked rows: NaN, zeros, or the mean of the v it sees. NaN and
 * infinities in v[j,c] come through where the weight of j is sure to be no zero: NaN gives NaN, infinities of one sign
 * give that, of both NaN. Where a kernel may have it 0, as for a score of -inf, everything is accepted, since 0 inf is
 * NaN, but some skip what has no weight.
 *
 * The bound, for kernels that subtract a maximum (any running one) before they take an exponential. Notation and
 * sources as in reference/softmax.c, where steps 1 to 3 and 6 are derived in full; u = 2^-24.
 *
 * 1. Scores. A dot product is off by what accumulate.h says, T the sum of |q k|. The scale may be multiplied before or after, with
 *    log2(e) where the exponential is exp2, whose constant is rounded: 4u T. A kernel that computes 1 / sqrt(d) itself has another scale:
 *    rsqrtf(), or a root, a quotient and the rounding of the scale here: 5u T more. exp2(s c - m c) for exp2((s - m) c) rounds m c once
 *    for each key: u (|s| + |M|). So a kernel's score is within e_j = |scale| (error of the dot product + 4u T) + u (|s_j| + |M|)
 *    of s_j, and is one float however often a kernel computes it. Where T is 0, every product and the score are 0, and e_j is u |M|.
 * 2. What that does. The weights become w_j f_j' with f_j' between 1 / f_j and f_j = exp(e_j), and the result o' with
 *    o' - o = sum p_j (f_j' - 1) (v_j - o) / sum p_j f_j', since sum p_j (v_j - o) = 0. So |o' - o| <= sum p_j (f_j - 1) |v_j - o| / Q,
 *    Q = sum p_j / f_j. Large e_j leave nothing of this, but o' is a mean all the same, with weights of at most P_j: the least of 1,
 *    p_j f_j / Q, and exp(s_j + e_j - L), L the largest s_i - e_i. Hence |o' - o| <= sum P_j |v_j - o| as well.
 * 3. Weights. With P_j for p_j from here on. A weight is off by t_j, from an argument of at most A_j = H - (s_j - e_j), H the largest
 *    s_i + e_i of another key, or 0 if that is negative: t_j = 3u A_j + 6u r_j, + 2.346u A_j for __expf and fast math. r_j is the
 *    number of keys that may be above, each of which may make an online algorithm rescale.
 * 4. Sums. The denominator is off by E, as in softmax.c, 4. In the numerator each product is off by u more, and the sum by gamma_d
 *    of its magnitudes, d the keys less one, or WfRefArgs.depth, which is about the keys, not about the dot products. One
 *    does not know the other's errors: weights may be computed twice.
 * 5. Quotient: of each weight or of the result, q = 2u, under fast math 5u.
 * 6. Underflow. What is flushed of q, k and the scaled q, and under fast math of the scale, products and their sums, is part of e_j. A
 *    weight, its rescalings and its product may be flushed: 4 FLT_MIN (|v_j| + 1) for each key.
 * 7. Overflow. Where sums of |q k|, scaled or not, or the sum of |v_j| over the keys seen exceed FLT_MAX, everything is accepted.
 * 8. Equal scores. If the keys seen have the score -inf, or the largest one and no error, all weights are 0 or exp(0) = 1, rescaled
 *    by 1 or not at all: their sum is their number, exactly (up to 2^24), and E = 0. If that number is a power of two, each 1 / sum, weight
 *    and quotient is exact too, but for underflow and fast math; and where the sum of the v_j is exact in any order (accumulate.h), so is the
 *    result. (Of another number, weights of 1 / n are rounded, and so are the products and their sum.)
 * 9. This file's own error: 2^-52 (n + 1000), n the keys, of the sum of P_j |v_j|. */
#include "../fuzz/op.h"
#include "accumulate.h"
#include "attention_relations.h"
#include "exponential.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>

#define U WF_HALF_ULP
#define TINY ((double)FLT_MIN)
#define HUGEST ((double)FLT_MAX)
#define SURE_DISTANCE 60  /* exp(-60), and that over 2^24, are no denormals */
#define MAX_EXPONENT 600  /* of f_j as a double */

/* A key that a row sees. */
typedef struct Key {
  double score, error; /* s_j, e_j */
  double share, most;  /* p_j, P_j */
  double factor;       /* f_j */
  double distance;     /* A_j */
  double relative;     /* t_j */
  double sum_abs;      /* T */
} Key;

/* A row, over the keys that it sees. */
typedef struct Row {
  const WfRefArgs *a;
  Key *key;
  int64_t n;
  double max, largest_error;    /* M, the largest e_j */
  double least_sum;             /* Q */
  double denominator_error;     /* E */
  int64_t ties;                 /* step 8: the keys of weight 1, if all others have weight 0; else 0 */
} Row;

typedef enum RowClass { ROW_FINITE, ROW_NAN, ROW_MASKED, ROW_ANY } RowClass;

/* ---- scores ---- */

/* May a kernel have 0 inf where the product is infinite, because it flushed the finite factor? */
static int may_flush(double a, double b, double scale) {
  double other = isinf(a) ? b : a;
  return (isinf(a) || isinf(b)) && other != 0 && fabs(other) * fmin(1, fabs(scale)) < 4 * TINY;
}

/* What is lost of the product a b, each finite, where a, a scaled, b or the scale is flushed. */
static double flushed(double a, double b, double scale, uint32_t flags) {
  int subnormal = flags & WF_FAST_MATH && (fabs(a) < TINY || fabs(b) < TINY || fabs(scale) < TINY);
  return subnormal || fabs(a * scale) < TINY ? fabs(a * b) : 0;
}

/* error: INFINITY where a kernel's score may be anything. */
static Key score_of(const float *q, const float *k, int64_t d, double scale, uint32_t flags) {
  WfSum sum;
  int fast = (flags & WF_FAST_MATH) != 0, doubtful = 0;
  double lost = fast ? 2 * (double)d * TINY : 0, largest = 0; /* each product and partial sum may be flushed */
  wf_sum_init(&sum);
  for (int64_t i = 0; i < d; i++) {
    wf_sum_add_product(&sum, q[i], k[i]);
    doubtful |= may_flush((double)q[i], (double)k[i], scale);
    lost += isfinite(q[i]) && isfinite(k[i]) ? flushed((double)q[i], (double)k[i], scale, flags) : 0;
    largest = fmax(largest, fabs((double)q[i]) * fabs(scale));
  }
  WfApprox dot = wf_sum_result(&sum, 0);
  doubtful |= fast && isinf(dot.value) && wf_flushed(scale) > 0;
  Key key = {.score = dot.value * scale, .sum_abs = sum.positive + sum.negative};
  if (isnan(key.score))
    return key;
  int overflows = key.sum_abs * fmax(1, fabs(scale)) * 1.001 > HUGEST || (isfinite(largest) && largest > HUGEST);
  if (doubtful || overflows || !(dot.bound < INFINITY))
    key.error = INFINITY;
  else if (isfinite(key.score))
    key.error = key.sum_abs > 0 ? fabs(scale) * (dot.bound + (flags & WF_OWN_SCALARS ? 9 : 4) * U * key.sum_abs + lost) + TINY : 0;
  return key;
}

static RowClass score_row(Row *r, int64_t row) {
  const WfRefArgs *a = r->a;
  int64_t d = a->dim[2];
  RowClass c = ROW_MASKED;
  for (int64_t j = 0; j < r->n; j++) {
    r->key[j] = score_of(a->in[0] + row * d, a->in[1] + j * d, d, (double)(float)a->scalar[0], a->variant_flags);
    double s = r->key[j].score;
    if (isnan(s) || (s == INFINITY && r->key[j].error == 0))
      c = ROW_NAN;
    else if (r->key[j].error == INFINITY && c != ROW_NAN)
      c = ROW_ANY;
    else if (s > -INFINITY && c == ROW_MASKED)
      c = ROW_FINITE;
  }
  return c;
}

/* ---- weights ---- */

static double exp_of(double e) { return e < MAX_EXPONENT ? 1 / wf_exp_of_minus(e) : INFINITY; }

/* e_j in full, f_j, p_j, and Q. */
static void share_row(Row *r) {
  double sum = 0;
  r->max = -INFINITY;
  for (int64_t j = 0; j < r->n; j++)
    r->max = fmax(r->max, r->key[j].score);
  for (int64_t j = 0; j < r->n; j++) {
    Key *k = &r->key[j];
    if (k->score == -INFINITY)
      continue;
    k->error += k->sum_abs > 0 || r->max != 0 ? U * (fabs(k->score) + fabs(r->max)) : 0;
    k->factor = exp_of(k->error);
    k->share = wf_exp_of_minus(r->max - k->score);
    sum += k->share;
    r->largest_error = fmax(r->largest_error, k->error);
  }
  for (int64_t j = 0; j < r->n; j++) {
    Key *k = &r->key[j];
    k->share /= sum;
    r->least_sum += k->share > 0 ? k->share / k->factor : 0;
  }
}

/* P_j and A_j. */
static void widen_row(Row *r) {
  double first = -INFINITY, second = -INFINITY, surely = -INFINITY; /* largest s + e, the next, largest s - e */
  for (int64_t j = 0; j < r->n; j++) {
    double high = r->key[j].score + r->key[j].error;
    second = fmax(second, fmin(first, high));
    first = fmax(first, high);
    surely = fmax(surely, r->key[j].score - r->key[j].error);
  }
  for (int64_t j = 0; j < r->n; j++) {
    Key *k = &r->key[j];
    double high = k->score + k->error, low = k->score - k->error;
    if (k->score == -INFINITY)
      continue;
    k->most = wf_exp_of_minus(fmax(0, surely - high));
    if (k->factor < INFINITY && r->least_sum > 0)
      k->most = fmin(k->most, k->share * k->factor / r->least_sum);
    k->distance = fmax(0, (high == first ? second : first) - low);
  }
}

#define MOST_TIES ((int64_t)1 << 24)

/* Step 8. */
static int64_t count_ties(const Row *r) {
  int64_t ties = 0;
  for (int64_t j = 0; j < r->n; j++) {
    const Key *k = &r->key[j];
    if (k->score == -INFINITY)
      continue;
    if (k->score != r->max || k->error > 0 || k->relative > 0)
      return 0;
    ties++;
  }
  return ties <= MOST_TIES ? ties : 0;
}

/* t_j and E. */
static void err_row(Row *r) {
  WfRanks ranks;
  WfSumError e = {0};
  wf_ranks_init(&ranks, INFINITY);
  for (int64_t j = 0; j < r->n; j++)
    if (r->key[j].score > -INFINITY) /* equal scores with errors are not equal to a kernel */
      wf_ranks_add(&ranks, r->max - r->key[j].score, r->key[j].error > 0 ? NAN : r->key[j].score);
  wf_ranks_finish(&ranks);
  for (int64_t j = 0; j < r->n; j++) {
    Key *k = &r->key[j];
    if (k->score == -INFINITY)
      continue;
    double steps = k->distance > 0 ? wf_rank_above(&ranks, r->max - k->score + k->error + r->largest_error) : 0;
    k->relative = wf_weight_error(k->distance, steps, r->a->variant_flags);
    wf_sum_error_add(&e, k->most, k->relative);
  }
  r->ties = count_ties(r);
  r->denominator_error = r->ties > 0 ? 0 : wf_sum_error_total(&e);
}

/* ---- results ---- */

/* Sums over the keys for one column: of p v, P |v|, |v|, and so on. */
typedef struct Column {
  double value, magnitude, sum_abs, weights;
  double special; /* NaN and infinities of sure weight, added up */
  int doubtful;   /* 1: some of unsure weight */
  int is_exact;   /* step 8 */
} Column;

static double v_of(const Row *r, int64_t j, int64_t c) { return (double)r->a->in[2][j * r->a->dim[2] + c]; }

/* Step 8, for finite v. */
static int is_exact(const Row *r, int64_t c) {
  WfSum sum;
  if (r->ties == 0 || (r->ties & (r->ties - 1)) != 0 || r->a->variant_flags & WF_FAST_MATH)
    return 0;
  wf_sum_init(&sum);
  for (int64_t j = 0; j < r->n; j++)
    if (r->key[j].score > -INFINITY)
      wf_sum_add(&sum, v_of(r, j, c));
  return wf_sum_result(&sum, 0).bound == 0;
}

static Column column_of(const Row *r, int64_t c) {
  double q = (r->a->variant_flags & WF_FAST_MATH ? 5 : 2) * U;
  Column s = {0};
  for (int64_t j = 0; j < r->n; j++) {
    const Key *k = &r->key[j];
    double v = v_of(r, j, c);
    if (!isfinite(v)) {
      if (k->score > -INFINITY && k->distance < SURE_DISTANCE)
        s.special += v;
      else
        s.doubtful = 1;
    } else if (k->score > -INFINITY) {
      s.value += k->share * v;
      s.magnitude += k->most * fabs(v);
      s.sum_abs += fabs(v);
      s.weights += k->most > 0 && v != 0 ? k->most * fabs(v) * wf_compose(k->relative + U + q) : 0;
    }
  }
  s.is_exact = is_exact(r, c);
  return s;
}

/* Step 2: what the scores' errors make of the result. */
static double score_part(const Row *r, int64_t c, double value) {
  double first = 0, second = 0;
  for (int64_t j = 0; j < r->n; j++) {
    const Key *k = &r->key[j];
    double apart = k->score > -INFINITY ? fabs(v_of(r, j, c) - value) : 0;
    if (apart == 0)
      continue;
    first += k->share > 0 ? k->share * (k->factor - 1) * apart : 0;
    second += k->most * apart;
  }
  first = r->least_sum > 0 ? first / r->least_sum : INFINITY;
  return r->largest_error > 0 ? fmin(first, second) : 0;
}

static double bound_of(const Row *r, int64_t c, const Column *s) {
  if (s->sum_abs * 1.001 > HUGEST || r->denominator_error > 0.5)
    return INFINITY;
  int64_t most = r->n - 1, d = r->a->depth > 0 && r->a->depth < most ? r->a->depth : most;
  double scores = score_part(r, c, s->value), additions = wf_gamma((double)d) * (s->magnitude + s->weights);
  double rest = s->weights + additions + (fabs(s->value) + scores) * r->denominator_error;
  double underflow = 4 * TINY * (s->sum_abs + (double)r->n + 1), own = ((double)r->n + 1000) * 0x1p-52 * s->magnitude;
  if (s->is_exact)
    return underflow;
  return scores + rest / (1 - r->denominator_error) + underflow + own;
}

static void element(const Row *r, int64_t c, double *out, double *bound) {
  Column s = column_of(r, c);
  int special = s.special != 0; /* NaN too */
  *out = special ? s.special : s.value;
  if (isnan(s.special))
    *bound = 0;
  else if (s.doubtful)
    *bound = INFINITY;
  else
    *bound = special ? (s.sum_abs > HUGEST ? INFINITY : 0) : bound_of(r, c, &s);
}

static void finite_row(Row *r, double *out, double *bound) {
  share_row(r);
  widen_row(r);
  err_row(r);
  for (int64_t c = 0; c < r->a->dim[2]; c++)
    element(r, c, out + c, bound + c);
}

static void fill_row(double *out, double *bound, int64_t n, double value, double error) {
  for (int64_t c = 0; c < n; c++) {
    out[c] = value;
    bound[c] = error;
  }
}

static void masked_row(Row *r, double *out, double *bound) {
  int64_t d = r->a->dim[2];
  switch (r->a->masked) {
  case WF_MASKED_NAN: fill_row(out, bound, d, NAN, 0); break;
  case WF_MASKED_ZERO: fill_row(out, bound, d, 0, 0); break;
  case WF_MASKED_UNIFORM:
    if (r->n == 0) {
      fill_row(out, bound, d, NAN, 0);
      break;
    }
    for (int64_t j = 0; j < r->n; j++)
      r->key[j] = (Key){.score = 0};
    finite_row(r, out, bound);
    break;
  }
}

static int reference(const WfRefArgs *a, double *out, double *bound) {
  int64_t rows = a->dim[0], keys = a->dim[1], d = a->dim[2];
  Key *key = malloc((size_t)(keys > 0 ? keys : 1) * sizeof *key);
  if (!key)
    return -1;
  for (int64_t i = 0; i < rows; i++, out += d, bound += d) {
    int64_t seen = a->slice ? a->slice[i] + 1 : i + 1;
    Row r = {.a = a, .key = key, .n = a->scalar[1] != 0 && seen < keys ? seen : keys};
    switch (score_row(&r, i)) {
    case ROW_FINITE: finite_row(&r, out, bound); break;
    case ROW_NAN: fill_row(out, bound, d, NAN, 0); break;
    case ROW_MASKED: masked_row(&r, out, bound); break;
    case ROW_ANY: fill_row(out, bound, d, 0, INFINITY); break;
    }
  }
  free(key);
  return 0;
}

/* ---- the op ---- */
#define WF_VARIANTS "../kernels/attention/variants.def"
#define WF_ENTRY(ident) wf_entry_attention_##ident
#include "../fuzz/variants.h"

const WfOp wf_op_attention = {
  .name = "attention",
  .n_dims = 3,
  .n_tensors = 4,
  .n_scalars = 2,
  .dims = {{"rows", 0, 100}, {"keys", 0, 300}, {"d", 0, 128}},
  .tensors = {{"q", WF_IN, 2, {0, 2}, WF_START_NOTHING},
              {"k", WF_IN, 2, {1, 2}, WF_START_NOTHING},
              {"v", WF_IN, 2, {1, 2}, WF_START_NOTHING},
              {"o", WF_OUT, 2, {0, 2}, WF_START_NOTHING}},
  .scalars = {{"scale", WF_REAL, {0.125, 1, (double)0.17677669f, 0.25, 0.5}, 5, "1 / sqrt(d)"}, {"causal", WF_FLAG, {0}, 0, "0"}},
  .reference = reference,
  .slices_independent = 1,
  .relations = wf_attention_relations,
  .variants = variants,
  .n_variants = sizeof variants / sizeof *variants,
};
