/* test_launch_text.c - launch statements taken apart; suppressions read and applied. */
#include "../fuzz/launch_text.h"
#include "../fuzz/suppress.h"
#include "suite.h"
#include "work_dir.h"

typedef struct Statement {
  const char *text, *name;
  int n_launches, n_config;
  const char *grid[3], *block[3];
  int uses_grid, uses_block, uses_shared;
} Statement;

static const Statement statements[] = {
    {"k<<<rows, 256>>>(x, y)", "k", 1, 2, {"rows"}, {"256"}, 0, 0, 0},
    {"ns::k<float, 4> <<<(n + 255) / 256, block, shared, stream>>>(x, y)", "k", 1, 4, {"(n + 255) / 256"}, {"block"}, 0, 1, 1},
    {"k<<<dim3((n + 15) / 16, m), dim3(16, 8)>>>(x)", "k", 1, 2, {"(n + 15) / 16", "m"}, {"16", "8"}, 0, 0, 0},
    {"k<<<{1, 2, 3}, dim3 ( 4 )>>>(x)", "k", 1, 2, {"1", "2", "3"}, {"4"}, 0, 0, 0},
    {"k<<<min(rows, 64), max(32, 64)>>>(x)", "k", 1, 2, {"min(rows, 64)"}, {"max(32, 64)"}, 0, 0, 0},
    {"k<<<dim3(2).x * 3, (64)>>>(x)", "k", 1, 2, {"dim3(2).x * 3"}, {"(64)"}, 0, 0, 0},
    {"launch_k(x, y, rows, grid.x)", "launch_k", 0, 0, {""}, {""}, 1, 0, 0},
    {"launch<128>(x, blocks, my.block)", "launch", 0, 0, {""}, {""}, 0, 0, 0},
    {"a<<<1, 2>>>(x); b<<<3, 4>>>(x)", "a", 2, 2, {"1"}, {"2"}, 0, 0, 0},
    {"k<<<", "k", 1, 1, {""}, {""}, 0, 0, 0},
    {"", "", 0, 0, {""}, {""}, 0, 0, 0},
};

START_TEST(test_statement) {
  const Statement *s = &statements[_i];
  WfLaunchText t;
  wf_launch_text_read(&t, s->text);
  ck_assert_str_eq(t.name, s->name);
  ck_assert_int_eq(t.n_launches, s->n_launches);
  ck_assert_int_eq(t.n_config, s->n_config);
  for (int axis = 0; axis < 3; axis++) {
    ck_assert_str_eq(t.grid[axis], s->grid[axis] ? s->grid[axis] : "");
    ck_assert_str_eq(t.block[axis], s->block[axis] ? s->block[axis] : "");
  }
  ck_assert_int_eq(t.uses_grid, s->uses_grid);
  ck_assert_int_eq(t.uses_block, s->uses_block);
  ck_assert_int_eq(t.uses_shared, s->uses_shared);
}
END_TEST

/* ---- suppressions ---- */

static char dir[WORK_DIR_MAX], path[WORK_PATH_MAX], err[512];

static void setup(void) {
  work_dir_make(dir);
  snprintf(path, sizeof path, "%s/known", dir);
}

static void teardown(void) { work_dir_remove(dir); }

static int load(WfSuppressions *s, const char *text) {
  FILE *f = fopen(path, "w");
  ck_assert_ptr_nonnull(f);
  ck_assert_int_ge(fputs(text, f), 0);
  ck_assert_int_eq(fclose(f), 0);
  return wf_suppressions_load(s, path, err, sizeof err);
}

static const SimtSite outer = {.file = "src/k.cu", .func = "k", .line = 9}, inner = {.file = "src/h.cuh", .func = "h", .line = 3, .caller = &outer};

static const char *reason_of(const WfSuppressions *s, SimtClass cls, const char *kernel, const SimtSite *other) {
  WfFinding f = {.simt = {.cls = cls, .kernel = kernel, .other = {.site = other}}};
  return wf_suppressed(s->line, s->n, &f);
}

START_TEST(test_suppressions) {
  WfSuppressions s;
  ck_assert_int_eq(load(&s, "# known\n\nrace-global hist counts are approximate\nrace h.cuh:3 a  flag \n* src/k.cu:9 all\n"), 0);
  ck_assert_uint_eq(s.n, 4 + SIMT_CLASS_COUNT);
  ck_assert_str_eq(reason_of(&s, SIMT_RACE_GLOBAL, "hist", NULL), "counts are approximate");
  ck_assert_str_eq(reason_of(&s, SIMT_RACE_GLOBAL, "hist<4>(int*)", NULL), "counts are approximate");
  ck_assert_ptr_null(reason_of(&s, SIMT_RACE_SHARED, "hist", NULL));
  ck_assert_ptr_null(reason_of(&s, SIMT_RACE_GLOBAL, "histogram", NULL));
  ck_assert_str_eq(reason_of(&s, SIMT_RACE_WARP, "k", &inner), "a  flag ");
  ck_assert_str_eq(reason_of(&s, SIMT_OOB_GLOBAL, "k", &inner), "all"); /* the line that calls */
  ck_assert_ptr_null(reason_of(&s, SIMT_OOB_GLOBAL, "k", NULL));
  wf_suppressions_free(&s);
}
END_TEST

static void expect_error(const char *text, const char *message) {
  WfSuppressions s;
  ck_assert_int_eq(load(&s, text), -1);
  ck_assert_msg(strstr(err, message) != NULL, "%s", err);
  wf_suppressions_free(&s);
}

START_TEST(test_bad_suppressions) {
  WfSuppressions s;
  expect_error("race-global k\n", "known:1: the reason is missing");
  expect_error("# x\nrace-globul k why\n", "known:2: no such class");
  expect_error("race-global\n", "a kernel or FILE:LINE is missing");
  ck_assert_int_eq(wf_suppressions_load(&s, "/nowhere", err, sizeof err), -1);
  ck_assert_str_eq(err, "/nowhere: No such file or directory");
  wf_suppressions_free(&s);
}
END_TEST

int main(void) {
  Suite *s = suite_create("launch_text");
  TCase *tc = tcase_create("statements"), *known = tcase_create("suppressions");
  tcase_add_loop_test(tc, test_statement, 0, sizeof statements / sizeof *statements);
  tcase_add_checked_fixture(known, setup, teardown);
  tcase_add_test(known, test_suppressions);
  tcase_add_test(known, test_bad_suppressions);
  suite_add_tcase(s, tc);
  suite_add_tcase(s, known);
  return suite_run(s);
}
