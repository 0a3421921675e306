/* test_tried.c - what was tried of a variant: bins, counts, and tried.jsonl over several runs. */
#define _GNU_SOURCE
#include "../fuzz/worker.h"
#include "case_op.h"
#include "suite.h"
#include "work_dir.h"
#include <jansson.h>
#include <unistd.h>

static char dir[WORK_DIR_MAX];
static const WfTarget targets[] = {{&softmax_op, &softmax_variants[0]}, {&softmax_op, &softmax_variants[1]}, {&add_op, &add_variants[0]}};
static WfWorker workers[2];
static WfPlan plan;

static void set_up(void) {
  work_dir_make(dir);
  plan = (WfPlan){.targets = targets, .n_targets = 3, .jobs = 2, .out = dir};
  for (unsigned i = 0; i < 2; i++) ck_assert_int_eq(wf_worker_init(&workers[i], i, plan.n_targets), 0);
}

static void tear_down(void) {
  for (unsigned i = 0; i < 2; i++) wf_worker_free(&workers[i]);
  work_dir_remove(dir);
}

static WfCase a_case(int64_t rows, int64_t cols, uint32_t block) {
  return (WfCase){.op = &softmax_op, .dim = {rows, cols}, .grid = {1, 1, 1}, .block = {block, 1, 1}, .fill[0].scale = 1};
}

static void take(unsigned worker, size_t target, const WfCase *c, uint32_t errors, double ulp) {
  WfVerdict *v = calloc(1, sizeof *v);
  ck_assert_ptr_nonnull(v);
  v->errors = errors;
  v->has_worst = ulp >= 0;
  v->worst_ulp = ulp;
  v->worst_share = ulp / 100;
  wf_tried_take(&workers[worker].shared->counts[target].tried, c, v, 500000000);
  free(v);
}

static void write_log(void) {
  WfTriedLog log = {0};
  char err[256] = "";
  ck_assert_msg(wf_tried_log(&log, &plan, workers, UINT64_MAX, err, sizeof err) == 0, "%s", err);
  wf_tried_log_free(&log);
}

/* The line of a variant; NULL: none. */
static json_t *line_of(const char *variant) {
  char path[WORK_PATH_MAX], *text = NULL;
  size_t size = 0;
  json_t *found = NULL;
  snprintf(path, sizeof path, "%s/tried.jsonl", dir);
  FILE *f = fopen(path, "r");
  while (f && getline(&text, &size, f) > 0) {
    json_t *j = json_loads(text, 0, NULL);
    ck_assert_ptr_nonnull(j);
    if (!found && strcmp(json_string_value(json_object_get(j, "variant")), variant) == 0) found = j;
    else json_decref(j);
  }
  if (f) fclose(f);
  free(text);
  return found;
}

/* Executions (which 2) or failing ones (3) in one cell. */
static json_int_t cell(const json_t *line, size_t map, int x, int y, size_t which) {
  const json_t *cells = json_object_get(json_array_get(json_object_get(line, "maps"), map), "cells"), *c;
  size_t i;
  json_array_foreach(cells, i, c) {
    if (json_integer_value(json_array_get(c, 0)) == x && json_integer_value(json_array_get(c, 1)) == y) return json_integer_value(json_array_get(c, which));
  }
  return 0;
}

START_TEST(test_bins) {
  static const struct {
    int64_t v;
    int bin;
  } rows[] = {{-1, 0}, {0, 0}, {1, 1}, {2, 2}, {3, 2}, {4, 3}, {1023, 10}, {1024, 11}, {INT64_C(1) << 40, 41}, {INT64_MAX, WF_TRIED_BINS - 1}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) ck_assert_int_eq(wf_tried_bin(rows[i].v), rows[i].bin);
}
END_TEST

START_TEST(test_axes) {
  const char *x[WF_TRIED_MAPS], *y[WF_TRIED_MAPS];
  ck_assert_int_eq(wf_tried_axes(&softmax_op, x, y), 2);
  ck_assert_str_eq(x[0], "cols");
  ck_assert_str_eq(y[0], "rows");
  ck_assert_str_eq(x[1], "block");
  ck_assert_str_eq(y[1], "cols");
  ck_assert_int_eq(wf_tried_axes(&add_op, x, y), 1);
  ck_assert_str_eq(y[0], "n");
  ck_assert_int_eq(wf_tried_axes(&matmul_op, x, y), 3);
  ck_assert_str_eq(x[1], "k");
  ck_assert_str_eq(y[1], "n");
}
END_TEST

/* Two workers, two runs: counts add up, the worst error stays the worst, other variants' lines stay as they are, broken ones go. */
START_TEST(test_joined_over_workers_and_runs) {
  WfCase c = a_case(3, 1000, 64), d = a_case(3, 1023, 96);
  work_dir_append(dir, "tried.jsonl", "{\"op\":\"softmax\",\"variant\":\"other\",\"kept\":1}\n");
  work_dir_append(dir, "tried.jsonl", "{\"op\":\"softmax\",\"variant\":\"cut off\"}");
  take(0, 0, &c, 0, 1.5);
  take(0, 0, &d, 0, -1);
  take(1, 0, &d, 1u << SIMT_WRONG_RESULT, 7);
  write_log();
  write_log(); /* the same workers as a second run */
  json_t *j = line_of("free"), *other = line_of("other");
  ck_assert_int_eq(cell(j, 0, 9, 1, 2), 6);
  ck_assert_int_eq(cell(j, 0, 9, 1, 3), 2);
  ck_assert_int_eq(cell(j, 1, 6, 9, 2), 6);
  ck_assert(json_number_value(json_object_get(j, "seconds")) == 3);
  const json_t *ulp = json_object_get(j, "ulp"), *e = json_array_get(ulp, 0);
  char key[20];
  snprintf(key, sizeof key, "%016llx", (unsigned long long)wf_case_key(&d));
  ck_assert_uint_eq(json_array_size(ulp), 1); /* 3 * 1000 and 3 * 1023 elements are of one bin */
  ck_assert_int_eq(json_integer_value(json_object_get(e, "size_bin")), 11);
  ck_assert(json_number_value(json_object_get(e, "worst_ulp")) == 7);
  ck_assert(json_number_value(json_object_get(e, "worst_share_of_bound")) == 0.07);
  ck_assert_str_eq(json_string_value(json_object_get(e, "case_key")), key);
  ck_assert_ptr_nonnull(json_object_get(other, "kept"));
  ck_assert_int_eq(work_dir_lines(dir, "tried.jsonl"), 2);
  ck_assert_ptr_null(line_of("block_shuffle.published")); /* was not run */
  ck_assert_ptr_null(line_of("cut off"));
  json_decref(j);
  json_decref(other);
}
END_TEST

START_TEST(test_outside_does_not_count) {
  WfVerdict *v = calloc(1, sizeof *v);
  WfCase c = a_case(1, 1, 1);
  ck_assert_ptr_nonnull(v);
  strcpy(v->outside, "why");
  wf_tried_take(&workers[0].shared->counts[0].tried, &c, v, 1);
  free(v);
  write_log();
  ck_assert_int_eq(work_dir_lines(dir, "tried.jsonl"), 0);
}
END_TEST

/* The launch as it was, whatever the case says, where the run had a single one. */
START_TEST(test_the_block_is_the_launch_s) {
  WfVerdict *v = calloc(1, sizeof *v);
  WfCase c = a_case(1, 1, 1);
  ck_assert_ptr_nonnull(v);
  v->stats = (SimtStats){.launches = 1, .blocks = 4, .threads = 4 * 256};
  wf_tried_take(&workers[0].shared->counts[0].tried, &c, v, 1);
  free(v);
  write_log();
  json_t *j = line_of("free");
  ck_assert_int_eq(cell(j, 1, 8, 0, 2), 1);
  json_decref(j);
}
END_TEST

/* Once a minute, and not at the start. */
START_TEST(test_when_it_is_written) {
  WfTriedLog log = {0};
  char err[256] = "";
  WfCase c = a_case(1, 1, 1);
  const uint64_t second = 1000000000;
  take(0, 0, &c, 0, 1);
  ck_assert_int_eq(wf_tried_log(&log, &plan, workers, 5 * second, err, sizeof err), 0);
  ck_assert_int_eq(work_dir_lines(dir, "tried.jsonl"), 0);
  ck_assert_int_eq(wf_tried_log(&log, &plan, workers, 64 * second, err, sizeof err), 0);
  ck_assert_int_eq(work_dir_lines(dir, "tried.jsonl"), 0);
  ck_assert_int_eq(wf_tried_log(&log, &plan, workers, 65 * second, err, sizeof err), 0);
  ck_assert_int_eq(work_dir_lines(dir, "tried.jsonl"), 1);
  wf_tried_log_free(&log);
  plan.out = "/nowhere/at/all";
  ck_assert_int_eq(wf_tried_log(&log, &plan, workers, UINT64_MAX, err, sizeof err), -1);
  ck_assert_ptr_nonnull(strstr(err, "/nowhere/at/all/tried.jsonl: cannot write"));
  wf_tried_log_free(&log);
}
END_TEST

int main(void) {
  Suite *s = suite_create("tried");
  TCase *t = tcase_create("tried");
  tcase_add_checked_fixture(t, set_up, tear_down);
  tcase_add_test(t, test_bins);
  tcase_add_test(t, test_axes);
  tcase_add_test(t, test_joined_over_workers_and_runs);
  tcase_add_test(t, test_outside_does_not_count);
  tcase_add_test(t, test_the_block_is_the_launch_s);
  tcase_add_test(t, test_when_it_is_written);
  suite_add_tcase(s, t);
  return suite_run(s);
}
