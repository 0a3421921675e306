/* test_json_lines.c - what is a line of a JSON Lines file, and that all who read such files follow the same rule. */
#define _POSIX_C_SOURCE 200809L
#include "../fuzz/json_lines.h"
#include "../fuzz/replay_gone.h"
#include "../fuzz/resume.h"
#include "case_op.h"
#include "suite.h"
#include "work_dir.h"
#include <errno.h>
#include <jansson.h>
#include <sys/stat.h>

static char dir[WORK_DIR_MAX];

static const char *path_of(const char *name) {
  static char path[WORK_PATH_MAX];
  snprintf(path, sizeof path, "%s/%s", dir, name);
  return path;
}

static void put(const char *name, const char *text, size_t len) {
  FILE *f = fopen(path_of(name), "w");
  ck_assert_ptr_nonnull(f);
  ck_assert_uint_eq(fwrite(text, 1, len, f), len);
  ck_assert_int_eq(fclose(f), 0);
}

/* The values of "n", a digit each. */
typedef struct Digits {
  char text[16];
  int stop_at; /* 0: nowhere */
} Digits;

static int take(void *arg, json_t *line, const char *text, size_t len) {
  Digits *d = arg;
  json_int_t n = json_integer_value(json_object_get(line, "n"));
  ck_assert_uint_eq(strlen(text), len);
  ck_assert_int_eq(text[len - 1], '\n');
  snprintf(d->text + strlen(d->text), 2, "%d", (int)n);
  return n == d->stop_at ? -7 : 0;
}

#define TEXT(s) s, sizeof s - 1

static const struct {
  const char *text;
  size_t len;
  const char *read;
  size_t n_bad;
} rows[] = {
    {TEXT(""), "", 0},
    {TEXT("{\"n\":1}\n{\"n\":2}\n"), "12", 0},
    {TEXT("{\"n\":1}\n{\"n\":2}"), "1", 1}, /* whole, it seems, but nobody knows that it is */
    {TEXT("{\"n\":1}\n{\"n\":"), "1", 1},
    {TEXT("{\"n\":1}\r\n\n \t\n{\"n\":2} \n"), "12", 0},
    {TEXT("[1]\n5\n\"n\"\nnull\nnonsense\n{\"n\":1}\n"), "1", 5},
    {TEXT("{\"n\":1,\"n\":2}\n{\"n\":3}{\"n\":4}\n{\"n\":5}\n"), "5", 2},
    {TEXT("{\"n\":1\0}\n{\"n\":2}\n"), "2", 1},
    {TEXT("{\"n\":1,\"s\":\"\xff\"}\n{\"n\":2}\n"), "2", 1},
    {TEXT("   "), "", 0},
};

START_TEST(what_is_a_line) {
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Digits d = {"", 0};
    size_t n_bad = 0;
    put("a.jsonl", rows[i].text, rows[i].len);
    ck_assert_int_eq(wf_json_lines(path_of("a.jsonl"), take, &d, &n_bad), 0);
    ck_assert_msg(strcmp(d.text, rows[i].read) == 0 && n_bad == rows[i].n_bad, "row %zu: %s, %zu bad", i, d.text, n_bad);
  }
}
END_TEST

START_TEST(who_reads_may_stop) {
  Digits d = {"", 2};
  put("a.jsonl", TEXT("{\"n\":1}\n{\"n\":2}\n{\"n\":3}\n"));
  ck_assert_int_eq(wf_json_lines(path_of("a.jsonl"), take, &d, NULL), -7);
  ck_assert_str_eq(d.text, "12");
}
END_TEST

/* Nobody waits for who may write to a pipe of that name. */
START_TEST(what_is_no_file) {
  Digits d = {"", 0};
  ck_assert_int_eq(wf_json_lines(path_of("none.jsonl"), take, &d, NULL), 0);
  ck_assert_int_eq(wf_json_lines(dir, take, &d, NULL), WF_LINES_UNREADABLE);
  ck_assert_int_eq(errno, EISDIR);
  ck_assert_int_eq(mkfifo(path_of("pipe"), 0600), 0);
  ck_assert_int_eq(wf_json_lines(path_of("pipe"), take, &d, NULL), WF_LINES_UNREADABLE);
  ck_assert_int_eq(errno, EINVAL);
  ck_assert_str_eq(d.text, "");
}
END_TEST

#define FINDING(id, end)                                                                                                                  \
  "{\"id\":\"00000000000000" id "\",\"severity\":\"error\",\"class\":\"race-shared\",\"op\":\"softmax\",\"variant\":\"free\",\"case\":\"x/a.case\"}" end

/* `replay DIR` and a campaign that goes on, of the same file. */
START_TEST(all_readers_of_findings) {
  const WfTarget target = {&softmax_op, &softmax_variants[0]};
  const WfPlan plan = {.targets = &target, .n_targets = 1, .out = dir};
  WfCollector c = {.plan = &plan, .out = stderr, .log = stderr};
  WfGone gone = {0};
  uint64_t *ids;
  size_t n;
  char err[256];
  put("findings.jsonl", TEXT(FINDING("01", "\n") FINDING("02", "")));
  ck_assert_int_eq(wf_gone_load(&gone, dir, err, sizeof err), 0);
  ck_assert_uint_eq(gone.n, 1);
  wf_gone_free(&gone);
  ck_assert_int_eq(wf_collect_resume(&c, 0, &ids, &n, err, sizeof err), 0);
  ck_assert_uint_eq(n, 1);
  ck_assert_uint_eq(ids[0], 1);
  free(ids);
  wf_collector_free(&c);
}
END_TEST

static void set_up(void) { work_dir_make(dir); }
static void tear_down(void) { work_dir_remove(dir); }

int main(void) {
  Suite *s = suite_create("json_lines");
  TCase *t = tcase_create("json_lines");
  tcase_add_checked_fixture(t, set_up, tear_down);
  tcase_add_test(t, what_is_a_line);
  tcase_add_test(t, who_reads_may_stop);
  tcase_add_test(t, what_is_no_file);
  tcase_add_test(t, all_readers_of_findings);
  suite_add_tcase(s, t);
  return suite_run(s);
}
