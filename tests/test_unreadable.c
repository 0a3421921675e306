/* test_unreadable.c - folders that cannot be read to their end, and a findings.jsonl that cannot be read: that is told, and is not taken for less than there is. */
#define _GNU_SOURCE
#include "../fuzz/case_files.h"
#include "../fuzz/replay_gone.h"
#include "../fuzz/report.h"
#include "../fuzz/resume.h"
#include "case_op.h"
#include "suite.h"
#include "work_dir.h"
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

static char dir[WORK_DIR_MAX], err[512];
static int entries_left; /* until a folder fails with EIO; -1: none does */

/* In place of libc's, for all of the program. */
struct dirent *readdir(DIR *d) {
  static struct dirent *(*libc)(DIR *);
  if (!libc) *(void **)&libc = dlsym(RTLD_NEXT, "readdir");
  if (entries_left < 0) return libc(d);
  if (entries_left-- > 0) return libc(d);
  entries_left = 0;
  errno = EIO;
  return NULL;
}

static void set_up(void) {
  work_dir_make(dir);
  entries_left = -1;
}

static void tear_down(void) {
  entries_left = -1;
  work_dir_remove(dir);
}

static void make(const char *name) {
  char path[WORK_PATH_MAX];
  snprintf(path, sizeof path, "%s/%s", dir, name);
  ck_assert_int_eq(mkdir(path, 0777), 0);
}

/* After each number of entries, "." and ".." and one in a folder below among them. */
START_TEST(a_folder_that_breaks_off) {
  make("below");
  work_dir_append(dir, "a.case", "x");
  work_dir_append(dir, "below/b.case", "x");
  work_dir_append(dir, "c.case", "x");
  for (int n = -1; n < 8; n++) {
    WfCaseFiles files = {0};
    entries_left = n;
    *err = '\0';
    int rc = wf_case_files_add(&files, dir, err, sizeof err);
    ck_assert_int_eq(rc, n < 0 ? 0 : -1);
    ck_assert_msg(n < 0 ? files.n == 3 : strncmp(err, dir, strlen(dir)) == 0 && strstr(err, ": Input/output error") && !strchr(err, '\n'), "%d: %s", n, err);
    wf_case_files_free(&files);
  }
}
END_TEST

/* Harness failures are case files: a report without them would say that there were none. */
START_TEST(a_report_of_a_folder_that_breaks_off) {
  const WfReportOptions opt = {.sources = dir};
  const char *path = dir;
  WfReport r;
  work_dir_append(dir, "runs.jsonl", "");
  work_dir_append(dir, "harness-a.case", "x");
  ck_assert_int_eq(wf_report_read(&r, &path, 1, &opt, err, sizeof err), 0);
  ck_assert_uint_eq(r.n_failures, 1);
  wf_report_free(&r);
  entries_left = 0;
  ck_assert_int_eq(wf_report_read(&r, &path, 1, &opt, err, sizeof err), -1);
  ck_assert_msg(strncmp(err, dir, strlen(dir)) == 0 && strcmp(err + strlen(dir), ": Input/output error") == 0, "%s", err);
}
END_TEST

/* Its contents are there, and cannot be read. */
static void put_unreadable(void) {
  char path[WORK_PATH_MAX];
  snprintf(path, sizeof path, "%s/findings.jsonl", dir);
  ck_assert_int_eq(symlink("/proc/self/mem", path), 0);
}

START_TEST(nothing_is_gone_from_what_cannot_be_read) {
  WfGone gone = {0};
  char file[WORK_PATH_MAX];
  work_dir_append(dir, "a.case", "x");
  snprintf(file, sizeof file, "%s/a.case", dir);
  ck_assert_int_eq(wf_gone_load(&gone, dir, err, sizeof err), 0); /* no such file */
  ck_assert_int_eq(wf_gone_load(&gone, file, err, sizeof err), 0);
  ck_assert_int_eq(wf_gone_load(&gone, "/nowhere", err, sizeof err), 0); /* whoever loads the case says so */
  put_unreadable();
  ck_assert_int_eq(wf_gone_load(&gone, dir, err, sizeof err), -2);
  ck_assert_msg(strstr(err, "/findings.jsonl: Input/output error"), "%s", err);
  ck_assert_uint_eq(gone.n, 0);
  wf_gone_free(&gone);
}
END_TEST

/* A campaign neither begins without its history nor writes over it. */
START_TEST(a_history_that_cannot_be_read) {
  const WfTarget target = {&softmax_op, &softmax_variants[0]};
  const WfPlan plan = {.targets = &target, .n_targets = 1, .out = dir};
  WfKept kept = {.json = (char *)"{\"id\":\"a\"}\n", .history.count = 1};
  WfCollector c = {.plan = &plan, .out = stderr, .log = stderr};
  char path[WORK_PATH_MAX];
  struct stat st;
  uint64_t *ids;
  size_t n;
  put_unreadable();
  ck_assert_int_eq(wf_collect_resume(&c, 1, &ids, &n, err, sizeof err), -1);
  ck_assert_msg(strstr(err, "/findings.jsonl: Input/output error"), "%s", err);
  c.kept = &kept;
  c.n_kept = 1;
  ck_assert_int_eq(wf_collect_save(&c, err, sizeof err), -1);
  ck_assert_msg(strstr(err, "/findings.jsonl: Input/output error"), "%s", err);
  snprintf(path, sizeof path, "%s/findings.jsonl", dir);
  ck_assert(lstat(path, &st) == 0 && S_ISLNK(st.st_mode));
}
END_TEST

int main(void) {
  Suite *s = suite_create("unreadable");
  TCase *t = tcase_create("unreadable");
  tcase_add_checked_fixture(t, set_up, tear_down);
  tcase_add_test(t, a_folder_that_breaks_off);
  tcase_add_test(t, a_report_of_a_folder_that_breaks_off);
  tcase_add_test(t, nothing_is_gone_from_what_cannot_be_read);
  tcase_add_test(t, a_history_that_cannot_be_read);
  suite_add_tcase(s, t);
  return suite_run(s);
}
