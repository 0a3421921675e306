/* test_cover.c - which lines of a kernel were reached: marks in cover_lines.cu against the counters, and coverage.jsonl over several runs. */
#define _GNU_SOURCE
#include "../fuzz/worker.h"
#include "suite.h"
#include "work_dir.h"
#include <jansson.h>

void cover_run(float *x, int n); /* cover_lines.cu */

enum { MAX_LINES = 64, PATH_BYTES = 1024 };

static const WfOp op = {.name = "op"};
static const WfVariant variant = {.name = "v"};
static const WfTarget targets[] = {{&op, &variant}};
static char dir[WORK_DIR_MAX];
static WfWorker worker;
static WfPlan plan;

static void set_up(void) {
  work_dir_make(dir);
  plan = (WfPlan){.targets = targets, .n_targets = 1, .jobs = 1, .out = dir};
  ck_assert_int_eq(wf_worker_init(&worker, 0, 1), 0);
}

static void tear_down(void) {
  wf_worker_free(&worker);
  work_dir_remove(dir);
}

static void run_kernel(int n) {
  const SimtRun how = {.schedule = 1};
  Simt *s;
  void *x;
  size_t counters;
  ck_assert_int_eq(simt_create(&s), 0);
  ck_assert_int_eq(simt_alloc(s, "x", 128, 0, SIMT_BUF_INIT, &x), 0);
  uint8_t *counts = simt_coverage(&counters);
  memset(counts, 0, counters);
  simt_begin(s, &how);
  cover_run(x, n);
  ck_assert_uint_eq(simt_end(s, NULL), 0);
  simt_destroy(s);
  const WfCover c = wf_worker_cover(&worker, 1);
  wf_cover_take(&c, 0);
}

static void write_log(void) {
  WfCoverLog log = {0};
  char err[256] = "";
  ck_assert_msg(wf_cover_log(&log, &plan, &worker, UINT64_MAX, err, sizeof err) == 0, "%s", err);
  wf_cover_log_free(&log);
}

/* Hits by line, of the first line of coverage.jsonl that is about the file; -1: it holds no code. Its number of lines of code. */
static int read_hits(const char *file, int hits[MAX_LINES]) {
  char path[PATH_BYTES], *text = NULL;
  size_t size = 0, i;
  int n = 0;
  const json_t *pair;
  for (int k = 0; k < MAX_LINES; k++) hits[k] = -1;
  snprintf(path, sizeof path, "%s/coverage.jsonl", dir);
  FILE *f = fopen(path, "r");
  ck_assert_ptr_nonnull(f);
  while (!n && getline(&text, &size, f) > 0) {
    json_t *j = json_loads(text, 0, NULL);
    ck_assert_ptr_nonnull(j);
    const char *name = json_string_value(json_object_get(j, "file"));
    if (name && strcmp(name, file) == 0) {
      json_array_foreach(json_object_get(j, "lines"), i, pair) {
        hits[json_integer_value(json_array_get(pair, 0))] = (int)json_integer_value(json_array_get(pair, 1));
        n++;
      }
    }
    json_decref(j);
  }
  free(text);
  fclose(f);
  return n;
}

/* The mark of each line, "" where there is none. */
static void read_marks(char marks[MAX_LINES][64]) {
  char path[PATH_BYTES], line[256];
  const char *srcdir = getenv("WF_SRCDIR");
  memset(marks, 0, MAX_LINES * sizeof *marks);
  snprintf(path, sizeof path, "%s/tests/cover_lines.cu", srcdir ? srcdir : "..");
  FILE *f = fopen(path, "r");
  ck_assert_msg(f != NULL, "%s", path);
  for (int n = 1; n < MAX_LINES && fgets(line, sizeof line, f); n++) {
    char *mark = strstr(line, "  // ");
    if (mark) sscanf(mark + 5, "%63[^\n]", marks[n]);
  }
  fclose(f);
}

static int holds(const char *mark, int n) {
  int than;
  if (strcmp(mark, "always") == 0) return 1;
  if (strcmp(mark, "never") == 0) return 0;
  if (sscanf(mark, "n > %d", &than) == 1) return n > than;
  if (sscanf(mark, "n <= %d", &than) == 1) return n <= than;
  if (sscanf(mark, "n == %d", &than) == 1) return n == than;
  ck_abort_msg("%s", mark);
  return 0;
}

START_TEST(test_marks) {
  static const int lengths[] = {0, 2, 4, 5, 100};
  char marks[MAX_LINES][64];
  int hits[MAX_LINES], n = lengths[_i], marked = 0;
  read_marks(marks);
  run_kernel(n);
  write_log();
  ck_assert_int_gt(read_hits("tests/cover_lines.cu", hits), 12);
  for (int i = 1; i < MAX_LINES; i++) {
    if (!*marks[i]) continue;
    marked++;
    ck_assert_msg(hits[i] >= 0, "line %d holds code", i);
    ck_assert_msg((hits[i] > 0) == holds(marks[i], n), "n %d: line %d (%s) has %d", n, i, marks[i], hits[i]);
  }
  ck_assert_int_ge(marked, 12);
}
END_TEST

/* What any run has reached counts on, lines of other variants stay, and a source that has changed starts anew. */
START_TEST(test_over_runs) {
  static const char changed[] = "{\"file\":\"tests/cover_lines.cu\",\"op\":\"op\",\"variant\":\"v\",\"lines\":[[3,255],[11,255]]}\n";
  char marks[MAX_LINES][64], err[256];
  int hits[MAX_LINES];
  read_marks(marks);
  run_kernel(100);
  write_log();
  work_dir_append(dir, "coverage.jsonl", "{\"file\":\"other.cu\",\"op\":\"op\",\"variant\":\"w\",\"lines\":[[1,2]]}\n"
                                         "{\"file\":\"cut.cu\",\"op\":\"op\",\"variant\":\"w\",\"lines\":[[1,2]]}");
  wf_worker_free(&worker); /* the next run */
  ck_assert_int_eq(wf_worker_init(&worker, 0, 1), 0);
  run_kernel(0);
  write_log();
  read_hits("tests/cover_lines.cu", hits);
  for (int i = 1; i < MAX_LINES; i++)
    if (*marks[i]) ck_assert_msg((hits[i] > 0) == (holds(marks[i], 100) || holds(marks[i], 0)), "line %d has %d", i, hits[i]);
  ck_assert_int_eq(read_hits("other.cu", hits), 1);
  ck_assert_int_eq(hits[1], 2);
  ck_assert_int_eq(work_dir_lines(dir, "coverage.jsonl"), 2); /* of the file that was cut off, nothing */
  ck_assert_int_eq(wf_file_write(dir, "coverage.jsonl", changed, strlen(changed), err, sizeof err), 0);
  write_log();
  read_hits("tests/cover_lines.cu", hits);
  for (int i = 1; i < MAX_LINES; i++)
    if (*marks[i]) ck_assert_msg((hits[i] > 0) == holds(marks[i], 0), "line %d has %d", i, hits[i]);
  ck_assert_int_eq(work_dir_lines(dir, "coverage.jsonl"), 1);
}
END_TEST

/* A file that no target ran is not told. */
START_TEST(test_not_run) {
  write_log();
  ck_assert_int_eq(work_dir_lines(dir, "coverage.jsonl"), 0);
}
END_TEST

int main(void) {
  Suite *s = suite_create("cover");
  TCase *t = tcase_create("cover");
  tcase_add_checked_fixture(t, set_up, tear_down);
  tcase_add_loop_test(t, test_marks, 0, 5);
  tcase_add_test(t, test_over_runs);
  tcase_add_test(t, test_not_run);
  suite_add_tcase(s, t);
  return suite_run(s);
}
