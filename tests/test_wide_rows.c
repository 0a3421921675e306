/* test_wide_rows.c - rows of 393,216 columns, 1.5 MB: kernels that leave zeros there are rejected, right ones accepted, and
 * nothing is taken for a hang. The same faulty kernels are right at 4,096 columns. */
#include "../fuzz/run.h"
#include "suite.h"
#include <check.h>
#include <stdio.h>
#include <string.h>

#define BIT(c) (1u << (c))
#define COUNT(a) ((int)(sizeof(a) / sizeof(a)[0]))

enum { WIDE = 393216, USUAL = 4096, SCHEDULES = 2 };

extern const WfOp wf_op_softmax;

void wide_no_size_fits(const WfLaunchArgs *a);
void wide_some_way_fits(const WfLaunchArgs *a);
void wide_short_count(const WfLaunchArgs *a);
void wide_few_slices(const WfLaunchArgs *a);
void wide_all_slices(const WfLaunchArgs *a);

static const struct {
  WfVariant variant;
  int64_t first_bad; /* at WIDE columns; -1: right there too */
} launchers[] = {
    {{.name = "no_size_fits", .entry = wide_no_size_fits}, 0},
    {{.name = "some_way_fits", .entry = wide_some_way_fits}, -1},
    {{.name = "short_count", .entry = wide_short_count}, 0},
    {{.name = "few_slices", .entry = wide_few_slices, .scratch = "8"}, 4 * 65536},
    {{.name = "all_slices", .entry = wide_all_slices, .scratch = "8"}, -1},
};

/* The verdict on one row of normal numbers. */
static const WfVerdict *verdict_of(const WfVariant *v, int64_t cols, uint64_t schedule) {
  static WfVerdict verdict;
  const WfRunOptions plain = {.detect = SIMT_DETECT_ALL};
  WfCase c = {.op = &wf_op_softmax, .dim = {1, cols}, .grid = {0, 1, 1}, .block = {256, 1, 1}, .schedule = schedule};
  WfRunner *r;
  char err[200] = "";
  c.fill[0] = (WfFill){.dist = WF_DIST_NORMAL, .seed = 6, .scale = 1};
  ck_assert_int_eq(wf_runner_create(&r), 0);
  ck_assert_msg(wf_run(r, &c, v, &plain, &verdict, err, sizeof err) == 0, "%s: %s", v->name, err);
  wf_runner_destroy(r);
  return &verdict;
}

START_TEST(zeros_are_rejected) {
  const WfVariant *v = &launchers[_i].variant;
  int64_t first_bad = launchers[_i].first_bad;
  for (uint64_t schedule = 0; schedule < SCHEDULES; schedule++) {
    const WfVerdict *usual = verdict_of(v, USUAL, schedule);
    ck_assert_msg(!(usual->errors | usual->warnings), "%s: %#x at %d columns", v->name, usual->errors, USUAL);
    const WfVerdict *wide = verdict_of(v, WIDE, schedule);
    ck_assert_msg(wide->errors == (first_bad < 0 ? 0 : BIT(SIMT_WRONG_RESULT)), "%s: %#x", v->name, wide->errors);
    ck_assert_uint_eq(wide->warnings, 0);
    if (first_bad < 0)
      continue;
    ck_assert_int_eq(wide->finding[0].index, first_bad);
    ck_assert_int_eq(wide->finding[0].n_bad, WIDE - first_bad);
    ck_assert(wide->finding[0].got == 0);
  }
}
END_TEST

static const WfVariant *find(const char *name) {
  const WfVariant *v = wf_variant_find(&wf_op_softmax, name, strlen(name));
  ck_assert_msg(v != NULL, "no variant %s", name);
  return v;
}

/* One that writes nothing there at all, and its repaired form. */
START_TEST(unwritten_columns_are_rejected) {
  ck_assert_uint_eq(verdict_of(find("tree_shared.published-2"), WIDE, 1)->errors, BIT(SIMT_UNWRITTEN_OUTPUT));
  ck_assert_uint_eq(verdict_of(find("tree_shared"), WIDE, 1)->errors, 0);
}
END_TEST

/* A single thread takes the whole row: more steps than any other. */
START_TEST(slow_kernels_are_no_hangs) {
  ck_assert_uint_eq(verdict_of(find("naive"), WIDE, 1)->errors, 0);
  ck_assert_uint_eq(verdict_of(find("serial_row"), WIDE, 1)->errors, 0);
}
END_TEST

int main(void) {
  Suite *s = suite_create("wide_rows");
  TCase *t = tcase_create("softmax");
  tcase_set_timeout(t, 240);
  tcase_add_loop_test(t, zeros_are_rejected, 0, COUNT(launchers));
  tcase_add_test(t, unwritten_columns_are_rejected);
  tcase_add_test(t, slow_kernels_are_no_hangs);
  suite_add_tcase(s, t);
  return suite_run(s);
}
