/* test_softmax.c - the softmax reference against MPFR, its bound against float softmaxes of every kind, and the table. */
#include "../fuzz/op.h"
#include <check.h>
#include <float.h>
#include <math.h>
#include <mpfr.h>
#include <stdlib.h>
#include <string.h>

extern const WfOp wf_op_softmax;

enum { MAX_COLS = 3000 };

/* ---- random rows ---- */
static uint64_t next(uint64_t *s) { /* splitmix64 */
  uint64_t z = *s += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

static int below(uint64_t *s, int n) {
  return (int)(next(s) % (uint64_t)n);
}

static double unit(uint64_t *s) { /* 0 <= . < 1 */
  return (double)(next(s) >> 11) * 0x1p-53;
}

static int compare_floats(const void *a, const void *b) {
  float x = *(const float *)a, y = *(const float *)b;
  return (x > y) - (x < y);
}

static int draw_cols(uint64_t *s) {
  switch (below(s, 8)) {
  case 0: return MAX_COLS - below(s, 100);
  case 1: return 1 + below(s, 1000);
  default: return 1 + below(s, 70);
  }
}

/* At least one element is finite. */
static void draw_row(float *x, int n, uint64_t *s) {
  static const float scales[] = {0, 1e-39f, 1e-3f, 0.1f, 1, 5, 30, 100, 1e4f, 3e38f};
  float scale = scales[below(s, 10)], offset = below(s, 3) ? 0 : (float)(2000 * unit(s) - 1000);
  int kind = below(s, 5);
  for (int c = 0; c < n; c++) {
    float v = scale * (float)(2 * unit(s) - 1);
    x[c] = kind == 1 ? rintf(v) : v;
    x[c] += scale < 1e30f ? offset : 0;
    if (kind == 2 && below(s, 3) == 0)
      x[c] = -INFINITY;
  }
  if (kind == 3) /* ascending: the maximum of an online algorithm grows with every element */
    qsort(x, (size_t)n, sizeof *x, compare_floats);
  if (kind == 2)
    x[below(s, n)] = offset;
}

/* ---- float softmaxes ---- */
typedef enum ExpError { EXP_EXACT, EXP_UP, EXP_DOWN, EXP_RANDOM } ExpError;

/* Which float algorithm: how the exponential errs, whether results below FLT_MIN are flushed, how the sum is taken. */
typedef struct Model {
  int fast, flush, reciprocal;
  ExpError error;
  uint64_t *s;
} Model;

static float flushed(const Model *m, float v) {
  return m->flush && fabsf(v) < FLT_MIN ? 0 : v;
}

/* expf or __expf with the largest documented error: some ulps off the correctly rounded result, exact at 0. */
static float model_exp(const Model *m, float x) {
  if (x == 0)
    return 1;
  float v = (float)exp((double)x);
  int ulps = m->fast ? 2 + (int)fmin(floor(fabs(1.173 * (double)x)), 200) : 2;
  if (m->error == EXP_EXACT || v == 0 || isnan(v))
    return flushed(m, v);
  int off = m->error == EXP_UP ? ulps : m->error == EXP_DOWN ? -ulps : below(m->s, 2 * ulps + 1) - ulps;
  float toward = off > 0 ? INFINITY : 0;
  for (int i = abs(off); i > 0; i--)
    v = nextafterf(v, toward);
  return flushed(m, v);
}

static float quotient(const Model *m, float e, float sum) {
  float inverse = 1.0f / sum;
  return flushed(m, m->reciprocal ? e * inverse : e / sum);
}

static float row_max(const float *x, int n) {
  float max = -INFINITY;
  for (int c = 0; c < n; c++)
    max = fmaxf(max, x[c]);
  return max;
}

static void softmax_serial(const Model *m, const float *x, float *y, int n) {
  float max = row_max(x, n), sum = 0;
  for (int c = 0; c < n; c++)
    sum += y[c] = model_exp(m, x[c] - max);
  for (int c = 0; c < n; c++)
    y[c] = quotient(m, y[c], sum);
}

static void softmax_tree(const Model *m, const float *x, float *y, int n) {
  static float buf[MAX_COLS];
  float max = row_max(x, n);
  for (int c = 0; c < n; c++)
    buf[c] = y[c] = model_exp(m, x[c] - max);
  for (int count = n; count > 1; count = (count + 1) / 2)
    for (int c = 0; c + (count + 1) / 2 < count; c++)
      buf[c] += buf[c + (count + 1) / 2];
  for (int c = 0; c < n; c++)
    y[c] = quotient(m, y[c], buf[0]);
}

/* Lanes take columns in turns, keep (max, sum) and rescale; then the pairs are merged one by one. */
static void softmax_online(const Model *m, const float *x, float *y, int n, int lanes) {
  float max = -FLT_MAX, sum = 0;
  for (int lane = 0; lane < lanes; lane++) {
    float lane_max = -FLT_MAX, lane_sum = 0;
    for (int c = lane; c < n; c += lanes) {
      float grown = fmaxf(lane_max, x[c]);
      lane_sum = flushed(m, lane_sum * model_exp(m, lane_max - grown)) + model_exp(m, x[c] - grown);
      lane_max = grown;
    }
    float grown = fmaxf(max, lane_max);
    sum = flushed(m, sum * model_exp(m, max - grown)) + flushed(m, lane_sum * model_exp(m, lane_max - grown));
    max = grown;
  }
  for (int c = 0; c < n; c++)
    y[c] = quotient(m, model_exp(m, x[c] - max), sum);
}

/* Two halves, each relative to its own maximum, rescaled at the end. */
static void softmax_halves(const Model *m, const float *x, float *y, int n) {
  int half = n / 2;
  float max[2] = {fmaxf(row_max(x, half), -FLT_MAX), fmaxf(row_max(x + half, n - half), -FLT_MAX)};
  float all = fmaxf(max[0], max[1]), sum = 0;
  for (int h = 0; h < 2; h++) {
    float part = 0, scale = model_exp(m, max[h] - all);
    for (int c = h ? half : 0; c < (h ? n : half); c++) {
      float e = model_exp(m, x[c] - max[h]);
      part += e;
      y[c] = flushed(m, e * scale);
    }
    sum += flushed(m, part * scale);
  }
  for (int c = 0; c < n; c++)
    y[c] = quotient(m, y[c], sum);
}

static void softmax_exp2(const Model *m, const float *x, float *y, int n) {
  float max = row_max(x, n), sum = 0;
  for (int c = 0; c < n; c++) {
    float d = (x[c] - max) * 1.442695041f;
    sum += y[c] = flushed(m, (float)exp2((double)d));
  }
  for (int c = 0; c < n; c++)
    y[c] = quotient(m, y[c], sum);
}

static void softmax_float(const Model *m, int kind, const float *x, float *y, int n) {
  switch (kind) {
  case 0: softmax_serial(m, x, y, n); break;
  case 1: softmax_tree(m, x, y, n); break;
  case 2: softmax_online(m, x, y, n, 1); break;
  case 3: softmax_online(m, x, y, n, 32); break;
  case 4: softmax_halves(m, x, y, n); break;
  default: softmax_exp2(m, x, y, n); break;
  }
}

/* ---- reference and verdict ---- */
static double out[MAX_COLS], bound[MAX_COLS];

static void reference_rows(const float *x, int rows, int cols, WfMasked masked, uint32_t flags) {
  const int64_t dim[] = {rows, cols};
  const float *in[] = {x, NULL};
  WfRefArgs a = {dim, in, NULL, masked, flags};
  ck_assert_int_eq(wf_op_softmax.reference(&a, out, bound), 0);
}

static int64_t invariant_row(const float *x, const float *y, int n, uint32_t flags, char *msg, size_t msg_size) {
  const int64_t dim[] = {1, n};
  const float *in[] = {x, NULL};
  WfRefArgs a = {dim, in, NULL, WF_MASKED_NAN, flags};
  return wf_op_softmax.invariant(&a, y, msg, msg_size);
}

/* First element out of bounds, or -1. */
static int first_bad(const float *y, int n) {
  for (int c = 0; c < n; c++)
    if (isnan(out[c]) ? !isnan(y[c]) : !(fabs(y[c] - out[c]) <= bound[c]))
      return c;
  return -1;
}

/* ---- tests ---- */
static double mpfr_error(const float *x, int n, int at, double have) {
  mpfr_t max, sum, term, d;
  mpfr_inits2(400, max, sum, term, d, (mpfr_ptr)NULL);
  mpfr_set_flt(max, row_max(x, n), MPFR_RNDN);
  mpfr_set_zero(sum, 1);
  for (int c = 0; c < n; c++) {
    mpfr_set_flt(d, x[c], MPFR_RNDN);
    mpfr_sub(d, d, max, MPFR_RNDN);
    mpfr_exp(d, d, MPFR_RNDN);
    mpfr_add(sum, sum, d, MPFR_RNDN);
    if (c == at)
      mpfr_set(term, d, MPFR_RNDN);
  }
  mpfr_div(term, term, sum, MPFR_RNDN);
  double want = mpfr_get_d(term, MPFR_RNDN);
  mpfr_sub_d(term, term, have, MPFR_RNDN);
  double error = fabs(mpfr_get_d(term, MPFR_RNDN));
  mpfr_clears(max, sum, term, d, (mpfr_ptr)NULL);
  return error < 1e-300 ? 0 : error / want;
}

START_TEST(reference_agrees_with_mpfr) {
  uint64_t s = 1;
  float x[200];
  for (int trial = 0; trial < 1500; trial++) {
    int n = 1 + below(&s, trial % 10 ? 20 : 200), at = below(&s, n);
    draw_row(x, n, &s);
    reference_rows(x, 1, n, WF_MASKED_NAN, 0);
    double error = mpfr_error(x, n, at, out[at]);
    double a = (double)row_max(x, n) - (double)x[at];
    ck_assert_msg(error <= (n + fmin(a, 1000) + 8) * 0x1p-53, "trial %d: relative error %g", trial, error);
  }
}
END_TEST

/* Every float softmax, whatever the rounding does, stays within the bound: with and without fast exponentials. */
START_TEST(bound_admits_float_softmaxes) {
  static float x[MAX_COLS], y[MAX_COLS];
  uint64_t s = 2;
  for (int trial = 0; trial < 12000; trial++) {
    int n = draw_cols(&s), kind = below(&s, 6);
    Model m = {below(&s, 2), below(&s, 2), below(&s, 2), (ExpError)below(&s, 4), &s};
    uint32_t flags = m.fast ? WF_FAST_EXP : 0;
    draw_row(x, n, &s);
    softmax_float(&m, kind, x, y, n);
    reference_rows(x, 1, n, WF_MASKED_NAN, flags);
    int bad = first_bad(y, n);
    ck_assert_msg(bad < 0, "trial %d kind %d cols %d: y[%d] = %a, reference %a, bound %a", trial, kind, n, bad,
                  (double)y[bad], out[bad], bound[bad]);
    char msg[160] = "";
    ck_assert_msg(invariant_row(x, y, n, flags, msg, sizeof msg) < 0, "trial %d kind %d cols %d: %s", trial, kind, n, msg);
  }
}
END_TEST

/* ... and comes as near as a fifth of it where the errors add up, so that the bound is no mere formality. */
START_TEST(bound_is_tight) {
  float x[64], y[64];
  uint64_t s = 3;
  double worst = 0;
  for (int trial = 0; trial < 2000; trial++) {
    Model m = {0, 0, 1, EXP_UP, &s};
    for (int c = 0; c < 64; c++)
      x[c] = (float)(4 * unit(&s));
    qsort(x, 64, sizeof *x, compare_floats);
    softmax_float(&m, 2, x, y, 64);
    reference_rows(x, 1, 64, WF_MASKED_NAN, 0);
    for (int c = 0; c < 64; c++)
      worst = fmax(worst, fabs(y[c] - out[c]) / bound[c]);
  }
  ck_assert_double_gt(worst, 0.2);
  ck_assert_double_le(worst, 1);
}
END_TEST

/* One element left out of the sum, counted twice, or taken from the maximum's neighbour: seen in rows up to 64. */
START_TEST(lost_and_doubled_elements_are_rejected) {
  float x[64], y[64];
  uint64_t s = 4;
  for (int trial = 0; trial < 3000; trial++) {
    int n = 2 + below(&s, 63), at = below(&s, n), factor = below(&s, 2) ? 2 : 0;
    for (int c = 0; c < n; c++)
      x[c] = (float)(6 * unit(&s) - 3);
    float sum = 0, max = row_max(x, n);
    for (int c = 0; c < n; c++)
      sum += (c == at ? (float)factor : 1) * expf(x[c] - max);
    for (int c = 0; c < n; c++)
      y[c] = expf(x[c] - max) / sum;
    reference_rows(x, 1, n, WF_MASKED_NAN, WF_FAST_EXP);
    ck_assert_int_ge(first_bad(y, n), 0);
    char msg[160] = "";
    ck_assert_int_eq(invariant_row(x, y, n, WF_FAST_EXP, msg, sizeof msg), 0);
    ck_assert_str_ne(msg, "");
  }
}
END_TEST

START_TEST(zeros_and_uniform_rows_are_rejected) {
  float x[100], y[100];
  uint64_t s = 5;
  for (int trial = 0; trial < 500; trial++) {
    int n = 2 + below(&s, 99);
    for (int c = 0; c < n; c++) {
      x[c] = (float)unit(&s) + (c == 0 ? 2 : 0);
      y[c] = 0;
    }
    reference_rows(x, 1, n, WF_MASKED_NAN, WF_FAST_EXP);
    ck_assert_int_eq(first_bad(y, n), 0);
    for (int c = 0; c < n; c++)
      y[c] = 1 / (float)n;
    ck_assert_int_eq(first_bad(y, n), 0);
  }
}
END_TEST

START_TEST(special_rows) {
  enum { N = 4 };
  const float x[] = {1, NAN, 2, -INFINITY,                /* NaN throughout */
                     1, INFINITY, 2, -INFINITY,           /* NaN throughout */
                     0, -INFINITY, 0, -INFINITY,          /* exact halves and zeros */
                     FLT_MAX, -FLT_MAX, FLT_MAX, 0,       /* differences overflow */
                     NAN, -INFINITY, -INFINITY, -INFINITY /* not masked: NaN */};
  reference_rows(x, 5, N, WF_MASKED_ZERO, 0);
  for (int c = 0; c < N; c++)
    ck_assert(isnan(out[c]) && isnan(out[N + c]) && isnan(out[4 * N + c]));
  for (int c = 1; c < N; c += 2) {
    ck_assert(out[2 * N + c] == 0 && bound[2 * N + c] == 0);
    ck_assert(out[3 * N + c] == 0 && bound[3 * N + c] > FLT_MIN && bound[3 * N + c] < 1e-36);
  }
  for (int c = 0; c < N; c += 2)
    ck_assert(out[2 * N + c] == 0.5 && out[3 * N + c] == 0.5 && bound[2 * N + c] < 1e-6);
}
END_TEST

START_TEST(masked_rows) {
  const float x[] = {-INFINITY, -INFINITY, -INFINITY};
  reference_rows(x, 1, 3, WF_MASKED_NAN, 0);
  ck_assert(isnan(out[0]) && isnan(out[2]));
  reference_rows(x, 1, 3, WF_MASKED_ZERO, 0);
  ck_assert(out[0] == 0 && out[2] == 0 && bound[1] == 0);
  reference_rows(x, 1, 3, WF_MASKED_UNIFORM, 0);
  ck_assert(fabs(1.0 / 3 - out[1]) < 1e-16 && fabs((double)(1.0f / 3) - out[1]) <= bound[1] && bound[1] < 1e-6);
}
END_TEST

START_TEST(invariant_sees_wrong_sums_and_nan) {
  const float x[] = {0, 0, 0, 0};
  const float right[] = {0.25f, 0.25f, 0.25f, 0.25f}, wrong[] = {0.25f, 0.25f, 0.25f, 0.2501f}, nan[] = {0.25f, NAN, 0.25f, 0.25f};
  char msg[160] = "";
  ck_assert_int_eq(invariant_row(x, right, 4, 0, msg, sizeof msg), -1);
  ck_assert_int_eq(invariant_row(x, wrong, 4, 0, msg, sizeof msg), 0);
  ck_assert_int_eq(invariant_row(x, nan, 4, 0, msg, sizeof msg), 0);
}
END_TEST

/* A name before the first dot, a published form beside each clean one, a class and a sentence for each faulty one. */
START_TEST(variants_are_complete) {
  const WfOp *op = &wf_op_softmax;
  ck_assert_uint_eq(op->n_variants, 13);
  for (size_t i = 0; i < op->n_variants; i++) {
    const WfVariant *v = &op->variants[i];
    int published = strstr(v->name, ".published") != NULL, twins = 0;
    ck_assert_ptr_nonnull(v->launch);
    ck_assert_msg(strstr(v->launch, "<<<grid, block, shared, stream>>>(x, y, rows, cols)") != NULL, "%s", v->name);
    ck_assert_msg(published == (v->expect != 0) && published == (v->fault != NULL), "%s", v->name);
    size_t stem = strcspn(v->name, ".");
    for (size_t j = 0; j < op->n_variants; j++) {
      ck_assert(i == j || strcmp(v->name, op->variants[j].name) != 0);
      twins += strcspn(op->variants[j].name, ".") == stem && memcmp(v->name, op->variants[j].name, stem) == 0;
    }
    ck_assert_msg(twins >= 2, "%s", v->name);
  }
}
END_TEST

int main(void) {
  Suite *suite = suite_create("softmax");
  TCase *tc = tcase_create("reference");
  tcase_set_timeout(tc, 60);
  tcase_add_test(tc, reference_agrees_with_mpfr);
  tcase_add_test(tc, bound_admits_float_softmaxes);
  tcase_add_test(tc, bound_is_tight);
  tcase_add_test(tc, lost_and_doubled_elements_are_rejected);
  tcase_add_test(tc, zeros_and_uniform_rows_are_rejected);
  tcase_add_test(tc, special_rows);
  tcase_add_test(tc, masked_rows);
  tcase_add_test(tc, invariant_sees_wrong_sums_and_nan);
  tcase_add_test(tc, variants_are_complete);
  suite_add_tcase(suite, tc);
  SRunner *sr = srunner_create(suite);
  srunner_set_tap(sr, "-");
  srunner_run_all(sr, CK_SILENT);
  int failed = srunner_ntests_failed(sr);
  srunner_free(sr);
  return failed != 0;
}
