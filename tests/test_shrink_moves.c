/* test_shrink_moves.c - the order of cases, and shrinking over the engine's stand-in: kernels that are plain C and report a
 * finding under conditions made so that single changes get stuck. */
#include "../fuzz/case_order.h"
#include "../fuzz/shrink.h"
#include "fake_simt.h"
#include "suite.h"
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the op, y = x over n elements, under a second length that no tensor has ---- */

static int reference(const WfRefArgs *a, double *out, double *bound) {
  for (int64_t i = 0; i < a->dim[1]; i++) {
    out[i] = a->in[0][i];
    bound[i] = 0;
  }
  return 0;
}

static const SimtSite site_a = {.file = "k.cu", .func = "k", .line = 10, .column = 3};
static const SimtSite site_b = {.file = "k.cu", .func = "k", .line = 20, .column = 3};
static const SimtSite site_c = {.file = "k.cu", .func = "k", .line = 30, .column = 3};

static const float *copy(const WfLaunchArgs *a) {
  const float *x = a->tensor[0];
  for (int64_t i = 0; i < a->dim[1]; i++) fake_store((float *)a->tensor[1] + i, x[i]);
  return x;
}

static void race_if(int holds) {
  if (holds) fake_finding(SIMT_RACE_SHARED, SIMT_ERROR, &site_a, &site_b);
}

static void threshold(const WfLaunchArgs *a) {
  copy(a);
  race_if(a->dim[1] > 37);
}

static void remainder_of_4(const WfLaunchArgs *a) {
  copy(a);
  race_if(a->dim[1] % 4 == 3 && a->dim[1] > 8);
}

static void far_threshold(const WfLaunchArgs *a) {
  copy(a);
  race_if(a->dim[0] > (INT64_C(1) << 31) + 12345);
}

static void as_many_as_threads(const WfLaunchArgs *a) {
  copy(a);
  race_if(a->dim[1] == a->block[0]);
}

/* Fewer elements need more blocks. */
static void elements_for_blocks(const WfLaunchArgs *a) {
  copy(a);
  race_if((a->grid[0] == 1 && a->dim[1] >= 60) || (a->grid[0] == 2 && a->dim[1] >= 40));
}

static void last_element(const WfLaunchArgs *a) {
  const float *x = copy(a);
  race_if(a->dim[1] >= 5 && isnan(x[a->dim[1] - 1]) && !isnan(x[0]));
}

static void two_elements(const WfLaunchArgs *a) {
  const float *x = copy(a);
  race_if(a->dim[1] >= 2 && isnan(x[0]) && isinf(x[1]));
}

static void schedules(const WfLaunchArgs *a) {
  copy(a);
  race_if(fake_schedule() % 8 == 5);
}

static void spread(const WfLaunchArgs *a) {
  const float *x = copy(a);
  float min = x[0], max = x[0];
  for (int64_t i = 0; i < a->dim[1]; i++) {
    min = x[i] < min ? x[i] : min;
    max = x[i] > max ? x[i] : max;
  }
  race_if(max - min > 50);
}

static void scaled(const WfLaunchArgs *a) {
  copy(a);
  race_if(a->scalar[0] > 2.5);
}

/* A small case shows the same class at another place, and with less severity. */
static void elsewhere(const WfLaunchArgs *a) {
  copy(a);
  if (a->dim[1] > 20)
    fake_finding(SIMT_RACE_SHARED, SIMT_ERROR, &site_b, &site_a);
  else if (a->dim[1] > 10)
    fake_finding(SIMT_RACE_SHARED, SIMT_ERROR, &site_a, &site_c);
  else
    fake_finding(SIMT_RACE_SHARED, SIMT_WARNING, &site_a, &site_b);
}

static void always(const WfLaunchArgs *a) {
  copy(a);
  race_if(1);
}

static void wide_block(const WfLaunchArgs *a) {
  copy(a);
  race_if(a->block[0] % 32 != 0 || a->dim[1] > 30);
}

static void odd_base(const WfLaunchArgs *a) {
  copy(a);
  race_if(((size_t)a->tensor[0] / sizeof(float) + (size_t)a->dim[1]) % 4 == 2 && a->dim[1] % 4 != 0);
}

enum {
  THRESHOLD,
  REMAINDER,
  FAR,
  AS_MANY,
  BLOCKS,
  LAST,
  TWO,
  SCHEDULES,
  SPREAD,
  SCALED,
  ELSEWHERE,
  ALWAYS,
  WIDE,
  ODD_BASE
};
static const WfVariant variants[] = {
    [THRESHOLD] = {.name = "threshold", .entry = threshold, .grid = "rows"},
    [REMAINDER] = {.name = "remainder", .entry = remainder_of_4, .grid = "rows"},
    [FAR] = {.name = "far", .entry = far_threshold, .grid = "1"},
    [AS_MANY] = {.name = "as_many", .entry = as_many_as_threads, .block = "32..1024 multiple of 32", .grid = "rows"},
    [BLOCKS] = {.name = "blocks", .entry = elements_for_blocks},
    [LAST] = {.name = "last", .entry = last_element, .grid = "rows"},
    [TWO] = {.name = "two", .entry = two_elements, .grid = "rows"},
    [SCHEDULES] = {.name = "schedules", .entry = schedules, .grid = "rows"},
    [SPREAD] = {.name = "spread", .entry = spread, .grid = "rows"},
    [SCALED] = {.name = "scaled", .entry = scaled, .grid = "rows"},
    [ELSEWHERE] = {.name = "elsewhere", .entry = elsewhere, .grid = "rows"},
    [ALWAYS] = {.name = "always", .entry = always},
    [WIDE] = {.name = "wide", .entry = wide_block, .block = "32..1024 multiple of 32", .grid = "rows"},
    [ODD_BASE] = {.name = "odd_base", .entry = odd_base, .grid = "rows"},
};
static const WfOp op = {
    .name = "copy",
    .n_dims = 2,
    .n_tensors = 2,
    .n_scalars = 1,
    .dims = {{"rows", 1, 64}, {"n", 1, 512}},
    .tensors = {{"x", WF_IN, 1, {1}}, {"y", WF_OUT, 1, {1}}},
    .scalars = {{"factor", WF_REAL, {1}, 1}},
    .reference = reference,
    .variants = variants,
    .n_variants = sizeof variants / sizeof *variants,
};
const WfOp *const wf_ops[] = {&op, NULL};

/* ---- helpers ---- */

static WfCase parse(const char *lines) {
  char text[4096], err[256];
  WfCase c;
  snprintf(text, sizeof text, "warpfuzz case 1\nop copy\n%s", lines);
  ck_assert_msg(wf_case_parse(&c, text, strlen(text), "case", err, sizeof err) == 0, "%s", err);
  return c;
}

/* The first error of the case, or its first finding. */
static WfFinding finding_of(WfRunner *r, const WfCase *c, const WfVariant *v, int outside) {
  static WfVerdict verdict;
  const WfRunOptions opt = {.detect = SIMT_DETECT_ALL, .outside = outside};
  char err[256] = "";
  ck_assert_msg(wf_run(r, c, v, &opt, &verdict, err, sizeof err) == 0, "%s: %s", v->name, err);
  ck_assert_msg(verdict.n > 0, "%s shows nothing", v->name);
  return verdict.finding[0];
}

/* Shrinks the case of the variant. Twice gives the same, once more nothing smaller. */
static WfShrunk shrink(int variant, const char *lines, WfShrinkOptions opt) {
  static WfShrunk out, again;
  const WfVariant *v = &variants[variant];
  const WfCase c = parse(lines);
  WfRunner *r;
  ck_assert_int_eq(wf_runner_create(&r), 0);
  WfFinding f = finding_of(r, &c, v, 1);
  ck_assert_int_eq(wf_shrink(r, &c, &f, &opt, &out), 0);
  ck_assert_int_eq(wf_shrink(r, &c, &f, &opt, &again), 0);
  ck_assert_uint_eq(again.finding.key, out.finding.key);
  ck_assert_uint_eq(again.executions, out.executions);
  if (out.is_complete) {
    ck_assert_int_eq(wf_shrink(r, &out.c, &out.finding, &opt, &again), 0);
    ck_assert_uint_eq(again.finding.key, out.finding.key);
  }
  ck_assert(wf_shrink_keeps(&f, &out.finding));
  ck_assert_int_le(wf_case_compare(&out.c, &c, v), 0);
  ck_assert_uint_lt(out.executions, 2000);
  ck_assert_ptr_eq(out.c.variant, v);
  wf_runner_destroy(r);
  return out;
}

/* The text behind the op's line. */
static void expect_case(const WfCase *c, const char *wanted) {
  char *text = wf_case_print(c);
  ck_assert_ptr_nonnull(text);
  ck_assert_str_eq(strchr(strstr(text, "\nvariant") + 1, '\n') + 1, wanted);
  free(text);
}

#define TAIL "x constant seed=0 scale=1 offset=0\n"
#define RACE "expect race-shared\n"

static const struct {
  int variant;
  const char *lines, *result;
} moves[] = {
    {THRESHOLD, "rows 9\nn 500\nscalars 0.3\nblock 100\nschedule 77\nx huge seed=4 scale=2 align=3\ny align=2\nx[3] = nan\n",
     RACE "rows 1\nn 38\nscalars 0\nblock 1 1 1\nschedule 0x0\n" TAIL},
    {REMAINDER, "rows 3\nn 507\nscalars 1\nblock 33\nx normal seed=1\n",
     RACE "rows 1\nn 11\nscalars 0\nblock 1 1 1\nschedule 0x0\n" TAIL},
    {FAR, "rows 1000000000000\nn 3\nscalars 0\nblock 1\nx constant\n", /* beyond what any array could hold */
     RACE "rows 2147495994\nn 1\nscalars 0\nblock 1 1 1\nschedule 0x0\n" TAIL},
    {AS_MANY, "rows 2\nn 480\nscalars 0\nblock 480\nx constant\n", /* both at once */
     RACE "rows 1\nn 32\nscalars 0\nblock 32 1 1\nschedule 0x0\n" TAIL},
    {BLOCKS, "rows 7\nn 300\nscalars 0\ngrid 1\nblock 64\nx constant\n", /* a second block pays */
     RACE "rows 1\nn 40\nscalars 0\ngrid 2 1 1\nblock 1 1 1\nschedule 0x0\n" TAIL},
    {LAST, "rows 1\nn 200\nscalars 0\nblock 8\nx uniform seed=9\nx[199] = nan\nx[5..50:3] = 7\n", /* the edit comes along */
     RACE "rows 1\nn 5\nscalars 0\nblock 1 1 1\nschedule 0x0\n" TAIL "x[4] = nan\n"},
    {TWO, "rows 1\nn 90\nscalars 0\nblock 8\nx normal seed=2\nx[*] = 5\nx[7] = nan\nx[0..40:4] = nan\nx[3..*] = 1e9\nx[1..9] = -inf\n"
          "x[50] = 1\nx[51] = 2\nx[52] = 3\n",
     RACE "rows 1\nn 2\nscalars 0\nblock 1 1 1\nschedule 0x0\n" TAIL "x[*] = nan\nx[1] = inf\n"},
    /* The second schedule of 3 is one that shows it. */
    {SCHEDULES, "rows 4\nn 4\nscalars 0\nblock 32\nschedule 0xfffffffffffffffd\nx constant\n",
     RACE "rows 1\nn 1\nscalars 0\nblock 1 1 1\nschedule 0x3\n" TAIL},
    {SPREAD, "rows 1\nn 100\nscalars 0\nblock 1\nx mixed seed=8 scale=40\n",
     RACE "rows 1\nn 2\nscalars 0\nblock 1 1 1\nschedule 0x0\nx ramp seed=0 scale=100 offset=0\n"},
    {SCALED, "rows 1\nn 1\nscalars 3.14159\nblock 1\nx constant\n",
     RACE "rows 1\nn 1\nscalars 3\nblock 1 1 1\nschedule 0x0\n" TAIL},
    {ELSEWHERE, "rows 5\nn 300\nscalars 0\nblock 1\nx constant\n", /* class, severity and sites stay */
     RACE "rows 1\nn 21\nscalars 0\nblock 1 1 1\nschedule 0x0\n" TAIL},
    {ELSEWHERE, "rows 5\nn 7\nscalars 0\nblock 1\nx constant\n",
     RACE "rows 1\nn 1\nscalars 0\nblock 1 1 1\nschedule 0x0\n" TAIL},
    {ALWAYS, "rows 5\nn 7\nscalars 0\ngrid 5 2 3\nblock 7 3 2\nx constant\n", /* outside, and stays there */
     RACE "rows 1\nn 1\nscalars 0\nblock 1 1 2\nschedule 0x0\n" TAIL},
    {WIDE, "rows 5\nn 7\nscalars 0\nblock 77\nx constant\n", /* likewise */
     RACE "rows 1\nn 1\nscalars 0\nblock 1 1 1\nschedule 0x0\n" TAIL},
    {WIDE, "rows 5\nn 70\nscalars 0\nblock 96\nx constant\n", /* inside */
     RACE "rows 1\nn 31\nscalars 0\nblock 32 1 1\nschedule 0x0\n" TAIL},
    {ODD_BASE, "rows 5\nn 70\nscalars 0\nblock 96\nx constant\n", /* one element more in front of the tensor saves one in it */
     RACE "rows 1\nn 1\nscalars 0\nblock 1 1 1\nschedule 0x0\nx constant seed=0 scale=1 offset=0 align=1\n"},
};

START_TEST(moves_reach_the_smallest_case) {
  WfShrunk out = shrink(moves[_i].variant, moves[_i].lines, (WfShrinkOptions){0});
  ck_assert_int_eq(out.is_complete, 1);
  expect_case(&out.c, moves[_i].result);
}
END_TEST

/* ---- limits and ends ---- */

START_TEST(limits_of_the_user_hold) {
  const WfOp *ops[] = {&op};
  WfLimits limits;
  char err[256];
  ck_assert_int_eq(wf_limits_parse("n=100..400 multiple of 8, rows=2..9, block=7..70", ops, 1, &limits, err, sizeof err), 0);
  WfShrunk out = shrink(THRESHOLD, "rows 9\nn 304\nscalars 0\nblock 64\nx constant\n", (WfShrinkOptions){.limits = &limits});
  expect_case(&out.c, RACE "rows 2\nn 104\nscalars 0\nblock 7 1 1\nschedule 0x0\n" TAIL);
}
END_TEST

START_TEST(a_budget_ends_it) {
  static const char lines[] = "rows 9\nn 500\nscalars 0.3\nblock 100\nschedule 77\nx huge seed=4 scale=2\n";
  for (uint64_t max = 2; max < 30; max++) {
    WfShrunk out = shrink(THRESHOLD, lines, (WfShrinkOptions){.max_executions = max});
    ck_assert_uint_le(out.executions, max);
    ck_assert_int_gt(out.c.dim[1], 37);
    ck_assert_int_eq(out.is_complete, 0);
  }
}
END_TEST

typedef struct Told {
  int n, stop_at;
  WfCase last;
} Told;

static int stop_later(void *arg, const WfCase *next) {
  Told *t = arg;
  t->last = *next;
  return ++t->n > t->stop_at;
}

START_TEST(it_can_be_stopped) {
  Told told = {.stop_at = 6};
  WfShrunk out;
  WfRunner *r;
  WfCase c = parse("rows 9\nn 500\nscalars 0.3\nblock 100\nx constant\n");
  ck_assert_int_eq(wf_runner_create(&r), 0);
  WfFinding f = finding_of(r, &c, &variants[THRESHOLD], 0);
  ck_assert_int_eq(wf_shrink(r, &c, &f, &(WfShrinkOptions){.before = stop_later, .arg = &told}, &out), 0);
  ck_assert_int_eq(out.is_complete, 0);
  ck_assert_int_eq(told.n, 7);
  ck_assert_uint_eq(out.executions, 7); /* six, and one to tell what was reached */
  ck_assert_int_eq(out.c.dim[0], 1);    /* the number of rows went first */
  ck_assert_ptr_null(told.last.variant);
  told = (Told){.stop_at = 0};
  ck_assert_int_eq(wf_shrink(r, &c, &f, &(WfShrinkOptions){.before = stop_later, .arg = &told}, &out), 1);
  ck_assert_uint_eq(out.executions, 0);
  wf_runner_destroy(r);
}
END_TEST

START_TEST(a_case_that_does_not_show_it) {
  WfShrunk out;
  WfRunner *r;
  WfCase c = parse("rows 9\nn 500\nscalars 0.3\nblock 100\nx constant\n"), small = c;
  ck_assert_int_eq(wf_runner_create(&r), 0);
  WfFinding f = finding_of(r, &c, &variants[THRESHOLD], 0);
  small.dim[1] = 5;
  ck_assert_int_eq(wf_shrink(r, &small, &f, &(WfShrinkOptions){0}, &out), 1);
  ck_assert_uint_eq(out.executions, 1);
  wf_runner_destroy(r);
}
END_TEST

/* ---- the order ---- */

static const char *const ascending[] = {
    /* each smaller than the next, for the variant `always`, whose grid is free */
    "rows 1\nn 1\nscalars 0\nblock 1\nx constant\n",
    "rows 1\nn 1\nscalars 0\nblock 1\nx constant\ny align=1\n",           /* align */
    "rows 1\nn 1\nscalars 0\nblock 1\nx ramp\n",                          /* distributions, over align */
    "rows 1\nn 1\nscalars 0\nblock 1\nx integers\n",
    "rows 1\nn 1\nscalars 0\nblock 1\nx uniform\n",
    "rows 1\nn 1\nscalars 0\nblock 1\nx normal\n",
    "rows 1\nn 1\nscalars 0\nblock 1\nx normal seed=99999\n",             /* one parameter, two */
    "rows 1\nn 1\nscalars 0\nblock 1\nx normal seed=1 scale=2\n",
    "rows 1\nn 1\nscalars 0.5\nblock 1\nx normal seed=1 scale=2\n",       /* text, its length */
    "rows 1\nn 1\nscalars 0.7\nblock 1\nx normal seed=1 scale=2\n",       /* its bytes */
    "rows 1\nn 1\nscalars 0\nblock 1\nx hash\n",
    "rows 1\nn 1\nscalars 0\nblock 1\nx mean\n",
    "rows 1\nn 1\nscalars 0\nblock 1\nx huge\n",
    "rows 1\nn 1\nscalars 0\nblock 1\nx mixed\n",
    "rows 1\nn 1\nscalars 0\nblock 1\nx denormal\n",
    "rows 1\nn 1\nscalars 0\nblock 1\nschedule 1\nx constant\n",          /* schedule, over the values */
    "rows 1\nn 1\nscalars 0\nblock 1\nschedule 99\nx constant\n",
    "rows 2\nn 1\nscalars 0\ngrid 1\nblock 1\nx constant\n",              /* dims, over the schedule */
    "rows 1\nn 1\nscalars 0\nblock 1\nx constant\nx[0] = 1\n",            /* edits, over the dims */
    "rows 1\nn 1\nscalars 0\nblock 2\nx constant\n",                      /* threads, over the edits */
    "rows 1\nn 1\nscalars 0\ngrid 2\nblock 1\nx constant\n",              /* as many, in more blocks */
    "rows 1\nn 1\nscalars 0\ngrid 3\nblock 1\nx constant\n",
    "rows 1\nn 2\nscalars 0\nblock 1\nx constant\n",                      /* elements, over all */
    "rows 1\nn 16777216\nscalars 0\nblock 1\nx constant\n",
    "rows 0\nn 1\nscalars 0\nblock 1\nx constant\n", /* no launch at all */
};
enum { N_ASCENDING = sizeof ascending / sizeof *ascending };

START_TEST(parts_of_the_order) {
  for (int i = 0; i < N_ASCENDING; i++)
    for (int k = 0; k < N_ASCENDING; k++) {
      const WfCase a = parse(ascending[i]), b = parse(ascending[k]);
      int order = wf_case_compare(&a, &b, &variants[ALWAYS]);
      ck_assert_msg((order > 0) - (order < 0) == (i > k) - (i < k), "%d and %d: %d", i, k, order);
    }
  WfCase named = parse(ascending[3]), plain = named;
  named.variant = &variants[ALWAYS];
  named.expect = 1u << SIMT_HANG;
  ck_assert_int_eq(wf_case_compare(&named, &plain, &variants[ALWAYS]), 0);
}
END_TEST

/* Total, whatever the cases: no two different ones are equal, and no three go round. */
START_TEST(it_is_an_order) {
  enum { N = 60 };
  static WfCase c[N];
  WfChoice ch = {.state = 5};
  for (int i = 0; i < N; i++) {
    if (i % 3 == 0) wf_case_generate(&c[i], &op, &variants[ALWAYS], &ch);
    if (i % 3 == 0) continue;
    c[i] = c[i - 1];
    wf_case_mutate(&c[i], &variants[ALWAYS], &ch);
  }
  for (int i = 0; i < N; i++)
    for (int k = 0; k < N; k++) {
      int order = wf_case_compare(&c[i], &c[k], &variants[ALWAYS]);
      ck_assert_int_eq(order == 0, wf_case_key(&c[i]) == wf_case_key(&c[k]));
      ck_assert_int_eq(order < 0, wf_case_compare(&c[k], &c[i], &variants[ALWAYS]) > 0);
      for (int m = 0; m < N; m++)
        if (order < 0 && wf_case_compare(&c[k], &c[m], &variants[ALWAYS]) < 0)
          ck_assert_int_lt(wf_case_compare(&c[i], &c[m], &variants[ALWAYS]), 0);
    }
}
END_TEST

int main(void) {
  Suite *s = suite_create("shrink_moves");
  TCase *t = tcase_create("shrinking");
  tcase_set_timeout(t, 0);
  tcase_add_loop_test(t, moves_reach_the_smallest_case, 0, (int)(sizeof moves / sizeof *moves));
  tcase_add_test(t, limits_of_the_user_hold);
  tcase_add_test(t, a_budget_ends_it);
  tcase_add_test(t, it_can_be_stopped);
  tcase_add_test(t, a_case_that_does_not_show_it);
  tcase_add_test(t, parts_of_the_order);
  tcase_add_test(t, it_is_an_order);
  suite_add_tcase(s, t);
  return suite_run(s);
}
