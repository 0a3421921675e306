/* test_oracle.c - values against reference and bound, the picture of what is wrong, and the list of findings. */
#include "../fuzz/run.h"
#include "suite.h"
#include <check.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const WfOp op = {
  .name = "softmax",
  .n_dims = 2,
  .n_tensors = 2,
  .dims = {{"rows", 1, 64}, {"cols", 1, 64}},
  .tensors = {{"x", WF_IN, 2, {0, 1}}, {"y", WF_OUT, 2, {0, 1}}},
};
static const WfOp op_1d = {
  .name = "add",
  .n_dims = 1,
  .n_tensors = 2,
  .dims = {{"n", 1, 64}},
  .tensors = {{"a", WF_IN, 1, {0, 0}}, {"c", WF_OUT, 1, {0, 0}}},
};
static const WfVariant variant = {.name = "plain"};

static void judge(const WfOp *o, const int64_t *dim, int64_t n, const float *y, const double *ref, const double *bound,
                  double rtol, double atol, WfVerdict *out) {
  WfJudge j = {.op = o, .variant = &variant, .key = 42, .dim = dim, .y = y, .ref = ref, .bound = bound, .n_elems = n,
               .rtol = rtol, .atol = atol};
  memset(out, 0, sizeof *out);
  wf_judge(&j, out);
}

typedef struct Row { /* one element and what it must be called; SIMT_CLASS_COUNT: right */
  float y;
  double ref, bound, rtol, atol;
  SimtClass want;
} Row;

#define RIGHT SIMT_CLASS_COUNT
#define ULP1 0x1p-23 /* spacing of floats in [1, 2) */

static const Row rows[] = {
  {1.0f, 1.0, 0, 0, 0, RIGHT},
  {1.0f, 1.0 + ULP1, 0, 0, 0, SIMT_WRONG_RESULT},
  {1.0f, 1.0 + ULP1, ULP1, 0, 0, RIGHT}, /* the bound itself is allowed */
  {1.0f, 1.0 + 1.5 * ULP1, ULP1, 0, 0, SIMT_WRONG_RESULT},
  {100.0f, 101.0, 0, 0.01, 0, RIGHT},
  {100.0f, 101.0, 0, 0.001, 0, SIMT_WRONG_RESULT},
  {-100.0f, -101.0, 0, 0.01, 0, RIGHT},
  {0.0f, 0.5, 0.25, 0, 0.25, RIGHT},
  {-0.0f, 0.0, 0, 0, 0, RIGHT},
  {1.0f, -1.0, 0.5, 0, 0, SIMT_WRONG_RESULT},
  {NAN, NAN, 0, 0, 0, RIGHT},
  {-NAN, NAN, 0, 0, 0, RIGHT},
  {INFINITY, INFINITY, 0, 0, 0, RIGHT},
  {-INFINITY, -INFINITY, 1, 1, 1, RIGHT},
  {NAN, 1.0, 1e30, 0, 0, SIMT_WRONG_SPECIAL},
  {1.0f, NAN, 1e30, 0, 0, SIMT_WRONG_SPECIAL},
  {INFINITY, -INFINITY, 1e30, 0, 0, SIMT_WRONG_SPECIAL},
  {INFINITY, NAN, 0, 0, 0, SIMT_WRONG_SPECIAL},
  {1.0f, INFINITY, 0, 1, 1, SIMT_WRONG_SPECIAL},
  {INFINITY, 1.0, 0, 0, 1e300, SIMT_WRONG_SPECIAL},
  {INFINITY, 1e300, 0, 0, 0, RIGHT}, /* the reference, rounded to fp32, is inf */
  {FLT_MAX, 1e300, 0, 0, 0, SIMT_WRONG_SPECIAL},
  {FLT_MAX, 3.41e38, 1e37, 0, 0, RIGHT}, /* within the bound on either side of the edge */
  {INFINITY, 3.39e38, 1e37, 0, 0, RIGHT},
  {-INFINITY, 3.39e38, 1e37, 0, 0, SIMT_WRONG_SPECIAL},
  {INFINITY, 3.39e38, 1e35, 1, 0, SIMT_WRONG_SPECIAL}, /* a user's tolerance does not make infinities */
  {NAN, 1.0, INFINITY, 0, 0, RIGHT},
  {1.0f, NAN, INFINITY, 0, 0, RIGHT},
  {-INFINITY, 1e9, INFINITY, 0, 0, RIGHT},
  {1.0f, 1.0, NAN, 0, 0, SIMT_WRONG_RESULT}, /* a bound that is NaN accepts nothing */
};

START_TEST(each_class_and_bound) {
  const Row *r = &rows[_i];
  WfVerdict v;
  int64_t dim[] = {1, 1};
  judge(&op, dim, 1, &r->y, &r->ref, &r->bound, r->rtol, r->atol, &v);
  if (r->want == RIGHT) {
    ck_assert_uint_eq(v.n, 0);
    ck_assert_uint_eq(v.errors, 0);
    return;
  }
  ck_assert_uint_eq(v.n, 1);
  ck_assert_int_eq(v.finding[0].simt.cls, r->want);
  ck_assert_uint_eq(v.errors, 1u << r->want);
}
END_TEST

START_TEST(both_classes_with_first_index_and_count) {
  float y[6] = {1, 2, NAN, 4, 5.5f, 7};
  double ref[6] = {1, 2, 3, 4, 5, 6}, bound[6] = {0};
  int64_t dim[] = {2, 3};
  WfVerdict v;
  judge(&op, dim, 6, y, ref, bound, 0, 0.25, &v);
  ck_assert_uint_eq(v.n, 2);
  const WfFinding *s = &v.finding[0], *r = &v.finding[1];
  ck_assert_int_eq(s->simt.cls, SIMT_WRONG_SPECIAL);
  ck_assert_int_eq(s->index, 2);
  ck_assert_int_eq(s->n_bad, 1);
  ck_assert(isnan(s->ulp) && isnan(s->got));
  ck_assert_str_eq(s->simt.detail, "y[0,2] is nan where the reference is 3");
  ck_assert_str_eq(s->map[0], "..#");
  ck_assert_str_eq(s->map[1], "...");
  ck_assert_str_eq(s->map[2], "");
  ck_assert_int_eq(r->simt.cls, SIMT_WRONG_RESULT);
  ck_assert_int_eq(r->simt.severity, SIMT_ERROR);
  ck_assert_int_eq(r->index, 4);
  ck_assert_int_eq(r->n_bad, 2);
  ck_assert_int_eq(r->n_elems, 6);
  ck_assert(r->expected == 5 && r->got == 5.5f && r->bound == 0.25);
  ck_assert(r->ulp == 0.5 / 0x1p-21);
  ck_assert_str_eq(r->simt.detail, "y[1,1] is off by 0.5, allowed is 0.25");
  ck_assert_str_eq(r->map[0], "...");
  ck_assert_str_eq(r->map[1], ".##");
  ck_assert_ptr_eq(r->op, &op);
  ck_assert_ptr_eq(r->variant, &variant);
  ck_assert_uint_eq(r->key, 42);
}
END_TEST

START_TEST(ulp_is_in_spacings_at_the_reference) {
  static const struct {
    float y;
    double ref, ulp;
  } t[] = {
    {1.0f + 3 * 0x1p-23f, 1.0, 3},    {2.0f, 4.0, 2.0 / 0x1p-21},          {0x3p-149f, 0.0, 3},
    {0x1p-149f, 0x1p-148, 1},         {-0x1.fffffep127f, 0x1.fffffep127, 0x1.fffffep128 / 0x1p104},
    {0x1p-126f, 0x1.8p-126, 0x1p22},
  };
  for (size_t i = 0; i < sizeof t / sizeof t[0]; i++) {
    double bound = 0;
    int64_t dim[] = {1, 1};
    WfVerdict v;
    judge(&op, dim, 1, &t[i].y, &t[i].ref, &bound, 0, 0, &v);
    ck_assert_uint_eq(v.n, 1);
    ck_assert_msg(v.finding[0].ulp == t[i].ulp, "row %zu: %a, not %a", i, v.finding[0].ulp, t[i].ulp);
    ck_assert(v.has_worst && v.worst_ulp == t[i].ulp);
  }
}
END_TEST

/* Of all elements, right ones too; those that are not finite, or may be anything, say nothing. */
START_TEST(worst_error_of_all) {
  const float y[] = {1.0f + 2 * 0x1p-23f, 8.0f, INFINITY, NAN, 5.0f};
  const double ref[] = {1.0, 8.0 + 0x1p-20, INFINITY, NAN, 0}, bound[] = {0x1p-20, 0x1p-19, 0, 0, INFINITY};
  int64_t dim[] = {1, 5};
  WfVerdict v;
  judge(&op, dim, 5, y, ref, bound, 0, 0, &v);
  ck_assert_uint_eq(v.n, 0);
  ck_assert(v.has_worst && v.worst_ulp == 2 && v.worst_share == 0.5);
  judge(&op, dim, 2, y + 2, ref + 2, bound + 2, 0, 0, &v);
  ck_assert(!v.has_worst);
}
END_TEST

/* An output of rows x cols zeros with ones at the bad places. */
static void judge_at(const WfOp *o, int64_t n_rows, int64_t n_cols, const int64_t *bad, size_t n_bad, WfVerdict *v) {
  int64_t n = n_rows * n_cols, dim[] = {o == &op ? n_rows : n_cols, n_cols};
  float *y = calloc((size_t)n, sizeof *y);
  double *zero = calloc((size_t)n, sizeof *zero);
  ck_assert_ptr_nonnull(y);
  ck_assert_ptr_nonnull(zero);
  for (size_t i = 0; i < n_bad; i++)
    y[bad[i]] = 1;
  judge(o, dim, n, y, zero, zero, 0, 0, v);
  free(y);
  free(zero);
}

START_TEST(map_cells_stand_for_ranges) {
  WfVerdict v;
  /* 20 rows in 8 cells: the first four hold 3, the others 2; 130 columns in 64: the first two hold 3, the others 2. */
  int64_t bad[] = {2 * 130 + 0, 3 * 130 + 2, 11 * 130 + 3, 12 * 130 + 6, 19 * 130 + 129};
  judge_at(&op, 20, 130, bad, 5, &v);
  ck_assert_uint_eq(v.n, 1);
  const WfFinding *f = &v.finding[0];
  ck_assert_int_eq(f->n_bad, 5);
  for (int r = 0; r < 8; r++)
    ck_assert_uint_eq(strlen(f->map[r]), 64);
  ck_assert_int_eq(f->map[0][0], '#');
  ck_assert_int_eq(f->map[1][0], '#');
  ck_assert_int_eq(f->map[3][1], '#');
  ck_assert_int_eq(f->map[4][2], '#');
  ck_assert_int_eq(f->map[7][63], '#');
  ck_assert_int_eq(f->map[0][1], '.');
  ck_assert_int_eq(f->map[7][62], '.');
}
END_TEST

START_TEST(map_of_one_dimension_is_one_row) {
  WfVerdict v;
  int64_t bad[] = {999};
  judge_at(&op_1d, 1, 1000, bad, 1, &v);
  ck_assert_uint_eq(v.n, 1);
  ck_assert_uint_eq(strlen(v.finding[0].map[0]), 64);
  ck_assert_int_eq(v.finding[0].map[0][63], '#');
  ck_assert_str_eq(v.finding[0].map[1], "");
  ck_assert_str_eq(v.finding[0].simt.object, "c");
  ck_assert_ptr_nonnull(strstr(v.finding[0].simt.detail, "c[999] "));
}
END_TEST

static WfFinding race_at(const SimtSite *here, const SimtSite *other, SimtSeverity severity) {
  WfFinding f;
  memset(&f, 0, sizeof f);
  f.op = &op;
  f.variant = &variant;
  f.simt.cls = SIMT_RACE_SHARED;
  f.simt.severity = severity;
  f.simt.kernel = "k";
  f.simt.object = "";
  f.simt.here.site = here;
  f.simt.other.site = other;
  f.simt.count = 1;
  return f;
}

START_TEST(the_same_finding_is_listed_once) {
  static const SimtSite a = {.file = "k.cu", .func = "k", .line = 10}, b = {.file = "k.cu", .func = "k", .line = 20};
  WfVerdict v;
  memset(&v, 0, sizeof v);
  WfFinding ab = race_at(&a, &b, SIMT_ERROR), ba = race_at(&b, &a, SIMT_ERROR), aa = race_at(&a, &a, SIMT_ERROR);
  wf_verdict_add(&v, &ab);
  wf_verdict_add(&v, &ba);
  wf_verdict_add(&v, &aa);
  ck_assert_uint_eq(v.n, 2);
  ck_assert_uint_eq(v.finding[0].simt.count, 2);
  ck_assert_ptr_eq(v.finding[0].simt.here.site, &a);
  ck_assert_uint_eq(v.errors, 1u << SIMT_RACE_SHARED);
  ck_assert_uint_eq(v.warnings, 0);
}
END_TEST

START_TEST(an_error_takes_the_place_of_its_warning) {
  static const SimtSite a = {.file = "k.cu", .func = "k", .line = 10};
  WfVerdict v;
  memset(&v, 0, sizeof v);
  WfFinding warning = race_at(&a, &a, SIMT_WARNING), error = race_at(&a, &a, SIMT_ERROR);
  error.simt.offset_bytes = 4;
  wf_verdict_add(&v, &warning);
  ck_assert_uint_eq(v.errors, 0);
  ck_assert_uint_eq(v.warnings, 1u << SIMT_RACE_SHARED);
  wf_verdict_add(&v, &error);
  wf_verdict_add(&v, &warning);
  ck_assert_uint_eq(v.n, 1);
  ck_assert_int_eq(v.finding[0].simt.severity, SIMT_ERROR);
  ck_assert_uint_eq(v.finding[0].simt.offset_bytes, 4);
  ck_assert_uint_eq(v.finding[0].simt.count, 3);
  ck_assert_uint_eq(v.errors, 1u << SIMT_RACE_SHARED);
}
END_TEST

START_TEST(findings_beyond_the_room_are_counted) {
  static SimtSite site[WF_MAX_FINDINGS + 3];
  WfVerdict v;
  memset(&v, 0, sizeof v);
  for (uint32_t i = 0; i < WF_MAX_FINDINGS + 3; i++) {
    site[i] = (SimtSite){.file = "k.cu", .func = "k", .line = i + 1};
    WfFinding f = race_at(&site[i], NULL, SIMT_ERROR);
    if (i == WF_MAX_FINDINGS)
      f.simt.cls = SIMT_TRAP;
    wf_verdict_add(&v, &f);
  }
  ck_assert_uint_eq(v.n, WF_MAX_FINDINGS);
  ck_assert_uint_eq(v.n_dropped, 3);
  ck_assert_uint_eq(v.errors, 1u << SIMT_RACE_SHARED | 1u << SIMT_TRAP);
}
END_TEST

int main(void) {
  Suite *s = suite_create("oracle");
  TCase *t = tcase_create("oracle");
  tcase_add_loop_test(t, each_class_and_bound, 0, (int)(sizeof rows / sizeof rows[0]));
  tcase_add_test(t, both_classes_with_first_index_and_count);
  tcase_add_test(t, ulp_is_in_spacings_at_the_reference);
  tcase_add_test(t, worst_error_of_all);
  tcase_add_test(t, map_cells_stand_for_ranges);
  tcase_add_test(t, map_of_one_dimension_is_one_row);
  tcase_add_test(t, the_same_finding_is_listed_once);
  tcase_add_test(t, an_error_takes_the_place_of_its_warning);
  tcase_add_test(t, findings_beyond_the_room_are_counted);
  suite_add_tcase(s, t);
  return suite_run(s);
}
