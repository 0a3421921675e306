/* test_softmax.c - the softmax reference against MPFR, its bound against float softmaxes of every kind, and the table. */
#include "../fuzz/op.h"
#include "softmax_models.h"
#include "suite.h"
#include <check.h>
#include <float.h>
#include <math.h>
#include <mpfr.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const WfOp wf_op_softmax, wf_op_fault_F40;

enum { MAX_COLS = 3000 };

/* ---- random rows ---- */
static int compare_floats(const void *a, const void *b) {
  float x = *(const float *)a, y = *(const float *)b;
  return (x > y) - (x < y);
}

static int draw_cols(uint64_t *s) {
  switch (model_below(s, 8)) {
  case 0: return MAX_COLS - model_below(s, 100);
  case 1: return 1 + model_below(s, 1000);
  default: return 1 + model_below(s, 70);
  }
}

/* At least one element is finite. */
static void draw_row(float *x, int n, uint64_t *s) {
  static const float scales[] = {0, 1e-39f, 1e-3f, 0.1f, 1, 5, 30, 100, 1e4f, 3e38f};
  float scale = scales[model_below(s, 10)], offset = model_below(s, 3) ? 0 : (float)(2000 * model_unit(s) - 1000);
  int kind = model_below(s, 5);
  for (int c = 0; c < n; c++) {
    float v = scale * (float)(2 * model_unit(s) - 1);
    x[c] = kind == 1 ? rintf(v) : v;
    x[c] += scale < 1e30f ? offset : 0;
    if (kind == 2 && model_below(s, 3) == 0)
      x[c] = -INFINITY;
  }
  if (kind == 3) /* ascending: the maximum of an online algorithm grows with every element */
    qsort(x, (size_t)n, sizeof *x, compare_floats);
  if (kind == 2)
    x[model_below(s, n)] = offset;
}

/* ---- reference and verdict ---- */
static double out[MAX_COLS], bound[MAX_COLS];

static float row_max(const float *x, int n) {
  float max = -INFINITY;
  for (int c = 0; c < n; c++)
    max = fmaxf(max, x[c]);
  return max;
}

static void reference_rows(const float *x, int rows, int cols, WfMasked masked, uint32_t flags) {
  const int64_t dim[] = {rows, cols};
  const float *in[] = {x, NULL};
  WfRefArgs a = {.dim = dim, .in = in, .masked = masked, .variant_flags = flags};
  ck_assert_int_eq(wf_op_softmax.reference(&a, out, bound), 0);
}

static int64_t invariant_row(const float *x, const float *y, int n, uint32_t flags, char *msg, size_t msg_size) {
  const int64_t dim[] = {1, n};
  const float *in[] = {x, NULL};
  WfRefArgs a = {.dim = dim, .in = in, .masked = WF_MASKED_NAN, .variant_flags = flags};
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
    int n = 1 + model_below(&s, trial % 10 ? 20 : 200), at = model_below(&s, n);
    draw_row(x, n, &s);
    reference_rows(x, 1, n, WF_MASKED_NAN, 0);
    double error = mpfr_error(x, n, at, out[at]);
    double a = (double)row_max(x, n) - (double)x[at];
    ck_assert_msg(error <= (n + fmin(a, 1000) + 8) * 0x1p-53, "trial %d: relative error %g", trial, error);
  }
}
END_TEST

/* fault/F40: rows of several inputs. A wrong row, or a sum of it, shows at its place. */
START_TEST(rows_of_several_inputs) {
  enum { INPUTS = 3, ROWS = 2, COLS = 40 };
  static float x[INPUTS * ROWS * COLS], y[INPUTS * ROWS * COLS];
  const int64_t dim[] = {INPUTS, ROWS, COLS};
  const float *in[] = {x, NULL};
  WfRefArgs a = {.dim = dim, .in = in, .masked = WF_MASKED_NAN};
  uint64_t s = 7;
  char msg[160];
  for (int trial = 0; trial < 50; trial++) {
    for (int r = 0; r < INPUTS * ROWS; r++)
      draw_row(x + r * COLS, COLS, &s);
    for (int c = 0; c < COLS; c++) /* of this one the sum is known well */
      x[(INPUTS * ROWS - 1) * COLS + c] = (float)model_unit(&s);
    ck_assert_int_eq(wf_op_fault_F40.reference(&a, out, bound), 0);
    for (int i = 0; i < INPUTS * ROWS * COLS; i++) {
      const float *row = x + i / COLS * COLS;
      double distance = (double)row_max(row, COLS) - (double)x[i];
      ck_assert_double_le(mpfr_error(row, COLS, i % COLS, out[i]), (COLS + fmin(distance, 1000) + 8) * 0x1p-53);
      y[i] = (float)out[i];
    }
    ck_assert_int_eq(first_bad(y, INPUTS * ROWS * COLS), -1);
    ck_assert_int_eq(wf_op_fault_F40.invariant(&a, y, msg, sizeof msg), -1);
    y[(INPUTS * ROWS - 1) * COLS + 1] += 0.25f;
    ck_assert_int_eq(first_bad(y, INPUTS * ROWS * COLS), (INPUTS * ROWS - 1) * COLS + 1);
    ck_assert_int_eq(wf_op_fault_F40.invariant(&a, y, msg, sizeof msg), (INPUTS * ROWS - 1) * COLS);
  }
}
END_TEST

/* Every float softmax, whatever the rounding does, stays within the bound: with and without fast exponentials. */
START_TEST(bound_admits_float_softmaxes) {
  static float x[MAX_COLS], y[MAX_COLS];
  uint64_t s = 2;
  for (int trial = 0; trial < 12000; trial++) {
    int n = draw_cols(&s), kind = model_below(&s, (int)model_n_algorithms);
    Model m = {model_below(&s, 2), model_below(&s, 2), model_below(&s, 2), (ModelError)model_below(&s, MODEL_N_ERRORS), &s, 0};
    uint32_t flags = m.fast ? WF_FAST_EXP : 0;
    draw_row(x, n, &s);
    model_algorithms[kind].run(&m, x, y, n);
    reference_rows(x, 1, n, WF_MASKED_NAN, flags);
    int bad = first_bad(y, n);
    ck_assert_msg(bad < 0, "trial %d kind %d cols %d: y[%d] = %a, reference %a, bound %a", trial, kind, n, bad,
                  (double)y[bad], out[bad], bound[bad]);
    char msg[160] = "";
    ck_assert_msg(invariant_row(x, y, n, flags, msg, sizeof msg) < 0, "trial %d kind %d cols %d: %s", trial, kind, n, msg);
  }
}
END_TEST

/* The same under fast math: fast exponentials and logarithms, approximate quotients, subnormals flushed. Nearly half of the
 * bound is used. */
START_TEST(bound_admits_fast_math) {
  static float x[MAX_COLS], y[MAX_COLS];
  uint64_t s = 6;
  double worst = 0;
  for (int trial = 0; trial < 12000; trial++) {
    int n = draw_cols(&s), kind = model_below(&s, (int)model_n_algorithms);
    Model m = {1, 1, model_below(&s, 2), (ModelError)model_below(&s, MODEL_N_ERRORS), &s, 1};
    draw_row(x, n, &s);
    model_algorithms[kind].run(&m, x, y, n);
    reference_rows(x, 1, n, WF_MASKED_NAN, WF_FAST_MATH);
    int bad = first_bad(y, n);
    ck_assert_msg(bad < 0, "trial %d kind %d cols %d: y[%d] = %a, reference %a, bound %a", trial, kind, n, bad,
                  (double)y[bad], out[bad], bound[bad]);
    char msg[160] = "";
    ck_assert_msg(invariant_row(x, y, n, WF_FAST_MATH, msg, sizeof msg) < 0, "trial %d: %s", trial, msg);
    for (int c = 0; c < n; c++)
      worst = out[c] > FLT_MIN * 1024 ? fmax(worst, fabs(y[c] - out[c]) / bound[c]) : worst;
  }
  ck_assert_double_gt(worst, 0.4);
}
END_TEST

/* What a flavor adds to the bound is little: a result that is right in one and not in the other. */
START_TEST(fast_math_admits_what_precise_does_not) {
  const float x[] = {0, 0, 0}, third = 1.0f / 3, off[] = {third + 0x1.4p-22f, third, third};
  const float one[] = {5}, nearly[] = {0x1.fffffep-1f};
  reference_rows(x, 1, 3, WF_MASKED_NAN, 0);
  ck_assert_int_eq(first_bad(off, 3), 0);
  reference_rows(x, 1, 3, WF_MASKED_NAN, WF_FAST_MATH);
  ck_assert_int_eq(first_bad(off, 3), -1);
  reference_rows(one, 1, 1, WF_MASKED_NAN, 0);
  ck_assert_int_eq(first_bad(nearly, 1), 0);
  reference_rows(one, 1, 1, WF_MASKED_NAN, WF_FAST_MATH);
  ck_assert_int_eq(first_bad(nearly, 1), -1);
}
END_TEST

/* One element left out of the sum, counted twice, or taken from the maximum's neighbour: seen in rows up to 64. */
START_TEST(lost_and_doubled_elements_are_rejected) {
  float x[64], y[64];
  uint64_t s = 4;
  for (int trial = 0; trial < 3000; trial++) {
    int n = 2 + model_below(&s, 63), at = model_below(&s, n), factor = model_below(&s, 2) ? 2 : 0;
    for (int c = 0; c < n; c++)
      x[c] = (float)(6 * model_unit(&s) - 3);
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
    int n = 2 + model_below(&s, 99);
    for (int c = 0; c < n; c++) {
      x[c] = (float)model_unit(&s) + (c == 0 ? 2 : 0);
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

/* Sums that are exact: one maximum above what rounds away gives 1 and nothing else; any number of equal ones leaves so little
 * room that a lost or doubled element shows in the longest row. */
START_TEST(exact_sums) {
  static float x[MAX_COLS];
  static const int sizes[] = {1, 2, 3, 4, 5, 64, 1000, MAX_COLS};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
    for (int fast = 0; fast < 2; fast++) {
      int n = sizes[i], last = n - 1;
      for (int c = 0; c < n; c++)
        x[c] = c == last ? 7 : c % 2 ? -INFINITY : -40; /* 1e-16 in the longest row */
      reference_rows(x, 1, n, WF_MASKED_NAN, fast ? WF_FAST_EXP : 0);
      ck_assert(fabs(1 - out[last]) <= bound[last]);
      ck_assert(!(fabs(nextafterf(1, 0) - out[last]) <= bound[last]));
      ck_assert(!(fabs(nextafterf(1, 2) - out[last]) <= bound[last]));
    }
  for (int n = 2; n <= MAX_COLS; n += 1 + n / 3)
    for (int fast = 0; fast < 2; fast++) {
      for (int c = 0; c < n; c++)
        x[c] = 88.8f;
      reference_rows(x, 1, n, WF_MASKED_NAN, fast ? WF_FAST_EXP : 0);
      ck_assert(fabs(1.0f / (float)n - out[0]) <= bound[0] / 2);
      ck_assert(!(fabs(1.0 / (n + 1) - out[0]) <= bound[0]) && !(fabs(1.0 / (n - 1) - out[0]) <= bound[0]));
    }
}
END_TEST

START_TEST(masked_uniform_rows_are_exact_sums) {
  static float x[MAX_COLS];
  for (int c = 0; c < MAX_COLS; c++)
    x[c] = -INFINITY;
  reference_rows(x, 1, MAX_COLS, WF_MASKED_UNIFORM, 0);
  ck_assert(fabs(1.0f / MAX_COLS - out[7]) <= bound[7]);
  ck_assert(!(fabs(1.0 / (MAX_COLS - 1) - out[7]) <= bound[7]));
}
END_TEST

/* Weights just above what rounds away: a kernel's sum may be 1 or the float above, and both are right. */
START_TEST(nearly_exact_sums) {
  float x[2] = {0, 0};
  for (int i = 0; i < 400; i++) {
    x[1] = -15 - 0.01f * (float)i;
    reference_rows(x, 1, 2, WF_MASKED_NAN, 0);
    double w = exp((double)x[1]);
    ck_assert(fabs(1.0f / (float)(1 + w) - out[0]) <= bound[0]);
    if (w > 0x1p-26)
      ck_assert(fabs(1 - out[0]) <= bound[0] && fabs(nextafterf(1, 0) - out[0]) <= bound[0]);
    ck_assert(!(fabs(1 - 0x1p-20 - w - out[0]) <= bound[0]));
  }
}
END_TEST

/* Near FLT_MIN and below anything near zero is right, of either sign; zero for what is a little larger is not. */
START_TEST(flushing_is_right_near_flt_min_only) {
  const float x[] = {0, -84, -88, -90, -104, -200, -3e38f, -60, -80};
  enum { N = sizeof x / sizeof *x };
  reference_rows(x, 1, N, WF_MASKED_NAN, 0);
  for (int c = 0; c < N; c++) {
    int tiny = out[c] < 8 * FLT_MIN;
    ck_assert_int_eq(bound[c] >= out[c], tiny);                /* zero */
    ck_assert_int_eq(bound[c] >= out[c] + FLT_MIN, tiny);      /* -FLT_MIN */
    ck_assert(!(fabs(2e-36 - out[c]) <= bound[c])); /* too large, or too small */
    ck_assert(fabs((float)out[c] - out[c]) <= bound[c]);
  }
  ck_assert(out[1] > 8 * FLT_MIN && out[1] < 1e-36 && out[2] < FLT_MIN && out[2] > 0 && out[4] < 0x1p-149 && out[6] == 0);
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

/* A class and a sentence for each published form, the repaired kernel beside it, and beside each narrow form the published one
 * of the same number. */
START_TEST(variants_are_complete) {
  const WfOp *op = &wf_op_softmax;
  for (size_t i = 0; i < op->n_variants; i++) {
    const WfVariant *v = &op->variants[i];
    const char *form = strchr(v->name, '.');
    size_t stem = strcspn(v->name, ".");
    int published = form && strncmp(form, ".published", 10) == 0, narrow = form && strncmp(form, ".narrow", 7) == 0;
    ck_assert_msg(v->launch && strstr(v->launch, "softmax_") != NULL, "%s", v->name);
    ck_assert_msg(published == (v->expect != 0) && published == (v->fault != NULL), "%s", v->name);
    ck_assert_ptr_eq(wf_variant_find(op, v->name, strlen(v->name)), v);
    if (form) ck_assert_msg(wf_variant_find(op, v->name, stem) != NULL, "%s has no repaired form", v->name);
    if (!narrow) continue;
    char twin[64];
    snprintf(twin, sizeof twin, "%.*s.published%s", (int)stem, v->name, form + 7);
    ck_assert_msg(wf_variant_find(op, twin, strlen(twin)) != NULL, "%s has no %s", v->name, twin);
  }
}
END_TEST

/* NAME and NAME.fastmath: the same kernel under the same contract. Published and narrow forms have no twin, and those of the families
 * of faults need none. */
START_TEST(fastmath_twins) {
  const WfOp *op = &wf_op_softmax;
  for (size_t i = 0; i < op->n_variants; i++) {
    const WfVariant *v = &op->variants[i];
    const char *form = strchr(v->name, '.');
    ck_assert_int_eq(v->flavor, form && strcmp(form, ".fastmath") == 0 ? WF_FASTMATH : WF_PRECISE);
    if (form || v->family || v->dtype[0] != WF_F32) /* of 16 bits there are none */
      continue;
    char twin[128];
    snprintf(twin, sizeof twin, "%s.fastmath", v->name);
    const WfVariant *t = wf_variant_find(op, twin, strlen(twin));
    ck_assert_msg(t != NULL, "no %s", twin);
    ck_assert_str_eq(t->launch, v->launch);
    ck_assert(t->flags == v->flags && t->masked == v->masked && t->block == v->block && t->requires == v->requires);
  }
}
END_TEST

int main(void) {
  Suite *suite = suite_create("softmax");
  TCase *tc = tcase_create("reference");
  tcase_set_timeout(tc, 0);
  tcase_add_test(tc, reference_agrees_with_mpfr);
  tcase_add_test(tc, rows_of_several_inputs);
  tcase_add_test(tc, bound_admits_float_softmaxes);
  tcase_add_test(tc, bound_admits_fast_math);
  tcase_add_test(tc, fast_math_admits_what_precise_does_not);
  tcase_add_test(tc, lost_and_doubled_elements_are_rejected);
  tcase_add_test(tc, zeros_and_uniform_rows_are_rejected);
  tcase_add_test(tc, exact_sums);
  tcase_add_test(tc, masked_uniform_rows_are_exact_sums);
  tcase_add_test(tc, nearly_exact_sums);
  tcase_add_test(tc, flushing_is_right_near_flt_min_only);
  tcase_add_test(tc, special_rows);
  tcase_add_test(tc, masked_rows);
  tcase_add_test(tc, invariant_sees_wrong_sums_and_nan);
  tcase_add_test(tc, variants_are_complete);
  tcase_add_test(tc, fastmath_twins);
  suite_add_tcase(suite, tc);
  return suite_run(suite);
}
