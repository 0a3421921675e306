/* test_collect.c - which files of findings are there, and when: what is sent by workers, in any order, saved and printed. */
#define _POSIX_C_SOURCE 200809L
#include "../fuzz/collect.h"
#include "case_op.h"
#include "suite.h"
#include "work_dir.h"
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static char dir[WORK_DIR_MAX];
static const WfTarget target = {&softmax_op, &softmax_variants[1]};

static WfRecord a_record(const WfTarget *t, int64_t cols, uint64_t id, int is_pending, char *json, char *text) {
  WfRecord r = {.kind = WF_RECORD_FINDING, .cls = SIMT_RACE_SHARED, .severity = SIMT_ERROR, .id = id, .is_pending = is_pending};
  r.c = (WfCase){.op = &softmax_op, .dim = {1, cols}, .grid = {1, 1, 1}, .block = {32, 1, 1}, .fill[0].scale = 1};
  r.c.variant = t->variant;
  r.key = wf_case_key(&r.c);
  r.json = json;
  r.text = text;
  return r;
}

/* Whether the file of the record's case is there. */
static int is_saved(const WfTarget *t, const WfRecord *r) {
  char name[WF_FILE_NAME_MAX], path[400];
  wf_finding_file_name(t, r->cls, r->key, name);
  snprintf(path, sizeof path, "%s/%s", dir, name);
  return access(path, R_OK) == 0;
}

static int n_of(const char *text, FILE *f) {
  static char all[8192];
  int n = 0;
  rewind(f);
  all[fread(all, 1, sizeof all - 1, f)] = '\0';
  for (const char *at = all; (at = strstr(at, text)) != NULL; at++) n++;
  return n;
}

/* Two workers that meet two findings: what a line of findings.jsonl or anything printed names is there at any moment, and in the
 * end only that. */
START_TEST(files_are_there_while_they_are_named) {
  const WfTarget *t = &target;
  const WfPlan p = {.targets = t, .n_targets = 1, .jobs = 2, .out = dir};
  WfCollector c;
  char err[256];
  FILE *out = tmpfile(), *log = tmpfile();
  work_dir_make(dir);
  ck_assert_int_eq(wf_collector_init(&c, &p, out, log, err, sizeof err), 0);
  WfRecord earlier = a_record(t, 50, 3, 1, "{\"id\":\"c\"}\n", NULL); /* the same case as of an earlier campaign */
  char name[WF_FILE_NAME_MAX];
  wf_finding_file_name(t, earlier.cls, earlier.key, name);
  ck_assert_int_eq(wf_file_write(dir, name, "x", 1, err, sizeof err), 0);
  WfRecord later = a_record(t, 45, 3, 0, "{\"id\":\"c\"}\n", NULL);
  ck_assert_int_eq(wf_collect(&c, &earlier, err, sizeof err), 0);
  ck_assert_int_eq(wf_collect(&c, &later, err, sizeof err), 0);
  WfRecord a = a_record(t, 40, 1, 1, "{\"id\":\"a\"}\n", NULL), b = a_record(t, 40, 2, 1, "{\"id\":\"b\"}\n", NULL);
  ck_assert_int_eq(wf_collect(&c, &a, err, sizeof err), 0); /* pending: saved, not printed */
  ck_assert_int_eq(wf_collect(&c, &b, err, sizeof err), 0); /* another finding of the same case */
  ck_assert(is_saved(t, &a));
  ck_assert_int_eq(work_dir_lines(dir, "findings.jsonl"), 4); /* as found, and `later` once more: what is printed has a line first */
  ck_assert_int_eq(n_of("TEXT", out), 0);
  ck_assert_uint_eq(wf_collect_count(&c), 3);

  WfRecord a2 = a_record(t, 30, 1, 0, "{\"id\":\"a\"}\n", "TEXT a2"), a3 = a_record(t, 20, 1, 0, "{\"id\":\"a\"}\n", "TEXT a3");
  ck_assert_int_eq(wf_collect(&c, &a2, err, sizeof err), 0); /* one worker's smallest case is printed */
  ck_assert(is_saved(t, &a2) && is_saved(t, &a));
  ck_assert_int_eq(n_of("TEXT a2", out), 1);
  ck_assert_int_eq(wf_collect(&c, &a3, err, sizeof err), 0); /* the other's, which is smaller, takes its place in silence */
  ck_assert(is_saved(t, &a3) && is_saved(t, &a2) && is_saved(t, &a));
  ck_assert_int_eq(n_of("TEXT", out), 1);
  WfRecord a4 = a_record(t, 10, 1, 1, "{\"id\":\"a\"}\n", NULL);
  ck_assert_int_eq(wf_collect(&c, &a4, err, sizeof err), 0); /* and smaller still, before it is shrunk */
  ck_assert(is_saved(t, &a4) && !is_saved(t, &a3) && is_saved(t, &a2) && is_saved(t, &a));

  WfRecord b2 = a_record(t, 15, 2, 1, "{\"id\":\"b\"}\n", NULL), b3 = a_record(t, 25, 2, 0, "{\"id\":\"b\"}\n", "TEXT b3");
  ck_assert_int_eq(wf_collect(&c, &b2, err, sizeof err), 0);
  ck_assert_int_eq(wf_collect(&c, &b3, err, sizeof err), 0); /* printed with a case that is not the smallest: saved for that */
  ck_assert(is_saved(t, &b2) && is_saved(t, &b3));
  ck_assert_int_eq(n_of("race-shared in softmax/block_shuffle.published", log), 2); /* the second of its class: a line; so the one before */
  ck_assert_int_eq(work_dir_lines(dir, "findings.jsonl"), 6); /* a2 and b3 */

  ck_assert_int_eq(wf_collect_finish(&c, err, sizeof err), 0);
  ck_assert(!is_saved(t, &a) && is_saved(t, &a2) && is_saved(t, &a4) && is_saved(t, &b2) && is_saved(t, &b3));
  ck_assert(is_saved(t, &earlier) && is_saved(t, &later)); /* what it has not made, it does not remove */
  ck_assert_int_eq(work_dir_lines(dir, "findings.jsonl"), 3);
  wf_collector_free(&c);
  fclose(out);
  fclose(log);
  work_dir_remove(dir);
}
END_TEST

#define FINDING_7 "{\"id\":\"0000000000000007\",\"class\":\"race-shared\",\"op\":\"softmax\",\"variant\":\"block_shuffle.published\""

/* Loads a list of known findings of one line, from a file in dir. */
static void load_list(WfKnownList *list, const char *line) {
  char path[WORK_PATH_MAX], err[256];
  snprintf(path, sizeof path, "%s/list", dir);
  ck_assert_int_eq(wf_file_write(dir, "list", line, strlen(line), err, sizeof err), 0);
  ck_assert_int_eq(wf_known_load(list, path, err, sizeof err), 0);
}

/* Whoever reads findings.jsonl while the campaign runs, or after it was killed, is told what the list says from the first line on. */
START_TEST(what_is_known_is_so_in_its_first_line) {
  WfKnownList listed = {0};
  const WfPlan p = {.targets = &target, .n_targets = 1, .jobs = 1, .out = dir, .listed = &listed};
  WfCollector c;
  char err[256], path[WORK_PATH_MAX];
  FILE *out = tmpfile(), *log = tmpfile();
  work_dir_make(dir);
  load_list(&listed, "0000000000000007 as in the ticket\n");
  ck_assert_int_eq(wf_collector_init(&c, &p, out, log, err, sizeof err), 0);
  WfRecord known = a_record(&target, 8, 7, 0, (char *)FINDING_7 ",\"reason\":null}\n", NULL);
  WfRecord other = a_record(&target, 9, 8, 0, (char *)"{\"id\":\"0000000000000008\",\"reason\":null}\n", NULL);
  ck_assert_int_eq(wf_collect(&c, &known, err, sizeof err), 0);
  ck_assert_int_eq(wf_collect(&c, &other, err, sizeof err), 0);
  snprintf(path, sizeof path, "%s/findings.jsonl", dir);
  FILE *lines = fopen(path, "r");
  ck_assert_ptr_nonnull(lines);
  ck_assert_int_eq(n_of("\n", lines), 2);
  ck_assert_int_eq(n_of(FINDING_7 ",\"reason\":\"as in the ticket\"", lines), 1);
  ck_assert_int_eq(n_of("\"state\":\"known\"", lines), 1);
  ck_assert_int_eq(n_of("\"state\":\"new\"", lines), 1);
  fclose(lines);
  wf_collector_free(&c);
  wf_known_free(&listed);
  fclose(out);
  fclose(log);
  work_dir_remove(dir);
}
END_TEST

/* A list of known findings is about findings: what the source says is meant is none, until the source does not say so any more. */
START_TEST(what_is_meant_is_not_known) {
  static const char json[] = FINDING_7 "}\n";
  WfKnownList listed = {0};
  const WfPlan p = {.targets = &target, .n_targets = 1, .jobs = 1, .out = dir, .listed = &listed};
  WfCollector c;
  char err[256];
  FILE *out = tmpfile(), *log = tmpfile();
  work_dir_make(dir);
  load_list(&listed, "softmax/* race-shared as in the ticket\n");
  ck_assert_int_eq(wf_collector_init(&c, &p, out, log, err, sizeof err), 0);
  WfRecord meant = a_record(&target, 8, 7, 0, (char *)json, "on purpose"), found = a_record(&target, 8, 7, 0, (char *)json, NULL);
  meant.kind = WF_RECORD_MEANT;
  meant.severity = SIMT_MEANT;
  ck_assert_int_eq(wf_collect(&c, &meant, err, sizeof err), 0);
  ck_assert(c.n_kept == 1 && !c.kept[0].listed && wf_kept_state(&c.kept[0]) == WF_STATE_IS_NEW);
  ck_assert_int_eq(wf_collect(&c, &found, err, sizeof err), 0);
  ck_assert(c.n_kept == 1 && c.kept[0].listed && wf_kept_state(&c.kept[0]) == WF_STATE_IS_KNOWN && c.kept[0].severity == SIMT_ERROR);
  ck_assert_int_eq(wf_collect(&c, &meant, err, sizeof err), 0);
  ck_assert(c.n_kept == 1 && !c.kept[0].listed && c.kept[0].severity == SIMT_MEANT);
  wf_collector_free(&c);
  wf_known_free(&listed);
  fclose(out);
  fclose(log);
  work_dir_remove(dir);
}
END_TEST

/* ---- corpora ---- */

/* The corpus folder has more folders in each other than files may be open. */
START_TEST(a_corpus_that_cannot_be_read_is_named) {
  const WfPlan p = {.targets = &target, .n_targets = 1, .jobs = 1, .out = dir};
  const struct rlimit few = {24, 24};
  char path[WORK_PATH_MAX], err[512];
  WfCollector c;
  FILE *out = tmpfile(), *log = tmpfile();
  work_dir_make(dir);
  int n = snprintf(path, sizeof path, "%s/corpus/softmax", dir);
  for (int i = 0; i < 30; i++) n += snprintf(path + n, sizeof path - (size_t)n, "/d");
  ck_assert_int_eq(wf_dir_make(path, err, sizeof err), 0);
  ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &few), 0); /* of the process of this test alone */
  ck_assert_int_eq(wf_collector_init(&c, &p, out, log, err, sizeof err), -1);
  ck_assert_msg(strstr(err, "/corpus/softmax/d/d") && strstr(err, ": Too many open files"), "%s", err);
  wf_collector_free(&c);
  fclose(out);
  fclose(log);
  work_dir_remove(dir);
}
END_TEST

/* Folders in the place of cases: one cannot be written, which ends a campaign, and others not removed, which is told once. */
START_TEST(cases_that_cannot_be_written_are_named) {
  const WfPlan p = {.targets = &target, .n_targets = 1, .jobs = 1, .out = dir};
  char path[WORK_PATH_MAX], err[512];
  WfCollector c;
  FILE *out = tmpfile(), *log = tmpfile();
  work_dir_make(dir);
  ck_assert_int_eq(wf_collector_init(&c, &p, out, log, err, sizeof err), 0);
  WfRecord r = a_record(&target, 8, 7, 0, NULL, NULL);
  r.kind = WF_RECORD_CORPUS;
  r.key = 0x5;
  ck_assert_int_eq(wf_collect(&c, &r, err, sizeof err), 0);
  for (uint64_t key = 1; key <= 2; key++) {
    snprintf(path, sizeof path, "%s/corpus/softmax/%016llx.case", dir, (unsigned long long)key);
    ck_assert_int_eq(mkdir(path, 0777), 0);
  }
  r.key = 0x1;
  ck_assert_int_eq(wf_collect(&c, &r, err, sizeof err), -1);
  ck_assert_msg(strstr(err, "/corpus/softmax/0000000000000001.case: cannot write: Is a directory"), "%s", err);
  r.kind = WF_RECORD_DROP;
  for (r.key = 1; r.key <= 5; r.key++) ck_assert_int_eq(wf_collect(&c, &r, err, sizeof err), 0);
  ck_assert_int_eq(n_of("/corpus/softmax/0000000000000001.case: cannot remove: Is a directory\n", log), 1);
  ck_assert_int_eq(n_of("cannot remove", log), 1);
  snprintf(path, sizeof path, "%s/corpus/softmax/0000000000000005.case", dir);
  ck_assert_int_ne(access(path, F_OK), 0); /* what could be removed is */
  wf_collector_free(&c);
  fclose(out);
  fclose(log);
  work_dir_remove(dir);
}
END_TEST

int main(void) {
  Suite *s = suite_create("collect");
  TCase *t = tcase_create("collect");
  tcase_set_timeout(t, 0);
  tcase_add_test(t, files_are_there_while_they_are_named);
  tcase_add_test(t, what_is_known_is_so_in_its_first_line);
  tcase_add_test(t, what_is_meant_is_not_known);
  tcase_add_test(t, a_corpus_that_cannot_be_read_is_named);
  tcase_add_test(t, cases_that_cannot_be_written_are_named);
  suite_add_tcase(s, t);
  return suite_run(s);
}
