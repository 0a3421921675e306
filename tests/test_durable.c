/* test_durable.c - files that are whole or not there: full disk, no permission, several writers. */
#define _GNU_SOURCE
#include "../fuzz/finding.h"
#include "suite.h"
#include <check.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct Folder {
  char path[64];
} Folder;

static Folder make_folder(void) {
  Folder d = {"/tmp/test_durable.XXXXXX"};
  ck_assert_ptr_nonnull(mkdtemp(d.path));
  return d;
}

static void put_file(const char *path, const char *text) {
  FILE *f = fopen(path, "w");
  ck_assert_ptr_nonnull(f);
  ck_assert_int_ge(fputs(text, f), 0);
  ck_assert_int_eq(fclose(f), 0);
}

static char *slurp(const char *path) {
  FILE *f = fopen(path, "r");
  ck_assert_msg(f != NULL, "%s", path);
  char *s = calloc(1, 1 << 20);
  ck_assert_ptr_nonnull(s);
  size_t n = fread(s, 1, (1 << 20) - 1, f);
  s[n] = '\0';
  fclose(f);
  return s;
}

static void check_file(const char *path, const char *want) {
  char *s = slurp(path);
  ck_assert_str_eq(s, want);
  free(s);
}

/* Runs with files limited to `bytes`, as a full disk would stop them. */
static struct rlimit saved_limit;
static void limit_files(rlim_t bytes) {
  signal(SIGXFSZ, SIG_IGN);
  ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &saved_limit), 0);
  ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &(struct rlimit){bytes, saved_limit.rlim_max}), 0);
}
static void unlimit_files(void) {
  ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &saved_limit), 0);
  signal(SIGXFSZ, SIG_DFL);
}

START_TEST(test_write) {
  Folder d = make_folder();
  char path[100], err[300] = "";
  snprintf(path, sizeof path, "%s/a.case", d.path);
  ck_assert_int_eq(wf_file_write(d.path, "a.case", "one", 3, err, sizeof err), 0);
  check_file(path, "one");
  ck_assert_int_eq(wf_file_write(d.path, "a.case", "", 0, err, sizeof err), 0);
  check_file(path, "");
  ck_assert_int_eq(wf_file_write(d.path, "a.case", "three", 5, err, sizeof err), 0);
  check_file(path, "three");
  unlink(path);
  ck_assert_msg(rmdir(d.path) == 0, "a temporary file was left");
}
END_TEST

START_TEST(test_write_fails) {
  Folder d = make_folder();
  char path[100], err[300] = "", big[5000];
  memset(big, 'x', sizeof big);
  snprintf(path, sizeof path, "%s/a.case", d.path);
  ck_assert_int_eq(wf_file_write(d.path, "a.case", "old", 3, err, sizeof err), 0);
  limit_files(1000);
  int rc = wf_file_write(d.path, "a.case", big, sizeof big, err, sizeof err);
  unlimit_files();
  ck_assert_int_eq(rc, -1);
  ck_assert_msg(strstr(err, path) && strstr(err, strerror(EFBIG)), "%s", err);
  check_file(path, "old");

  ck_assert_int_eq(wf_file_write(path, "b", "x", 1, err, sizeof err), -1); /* the folder is a file */
  ck_assert_msg(strstr(err, strerror(ENOTDIR)) != NULL, "%s", err);
  unlink(path);
  if (geteuid() != 0) { /* root may write anywhere */
    chmod(d.path, 0500);
    ck_assert_int_eq(wf_file_write(d.path, "b", "x", 1, err, sizeof err), -1);
    ck_assert_msg(strstr(err, strerror(EACCES)) != NULL, "%s", err);
    chmod(d.path, 0700);
  }
  ck_assert_msg(rmdir(d.path) == 0, "a temporary file was left");
  ck_assert_int_eq(wf_file_write(d.path, "b", "x", 1, err, sizeof err), -1); /* no folder */
  ck_assert_msg(strstr(err, strerror(ENOENT)) != NULL, "%s", err);
}
END_TEST

START_TEST(test_append) {
  Folder d = make_folder();
  char path[100], err[300] = "";
  snprintf(path, sizeof path, "%s/findings.jsonl", d.path);
  ck_assert_int_eq(wf_file_append(path, "{\"a\":1}\n", err, sizeof err), 0);
  ck_assert_int_eq(wf_file_append(path, "{\"a\":2}", err, sizeof err), 0);
  check_file(path, "{\"a\":1}\n{\"a\":2}\n");
  put_file(path, "{\"torn");
  ck_assert_int_eq(wf_file_append(path, "{\"a\":3}\n", err, sizeof err), 0);
  check_file(path, "{\"torn\n{\"a\":3}\n");
  unlink(path);
  rmdir(d.path);
}
END_TEST

START_TEST(test_append_fails) {
  Folder d = make_folder();
  char path[100], err[300] = "", big[5000];
  memset(big, 'x', sizeof big - 1);
  big[sizeof big - 1] = '\0';
  snprintf(path, sizeof path, "%s/findings.jsonl", d.path);
  put_file(path, "{}\n");
  limit_files(1000);
  int rc = wf_file_append(path, big, err, sizeof err);
  unlimit_files();
  ck_assert_int_eq(rc, -1);
  ck_assert_msg(strstr(err, strerror(EFBIG)) != NULL, "%s", err);
  check_file(path, "{}\n"); /* no half line */
  unlink(path);
  rmdir(d.path);
  ck_assert_int_eq(wf_file_append(path, "x", err, sizeof err), -1);
  ck_assert_msg(strstr(err, strerror(ENOENT)) != NULL, "%s", err);
}
END_TEST

static void append_many(const char *path, int who) {
  char line[200], err[300];
  memset(line, 'a' + who, sizeof line);
  line[sizeof line - 1] = '\0';
  for (int i = 0; i < 50; i++) {
    if (wf_file_append(path, line, err, sizeof err))
      _exit(1);
  }
  _exit(0);
}

/* Several processes: every line whole. */
START_TEST(test_append_together) {
  enum { WHO = 4 };
  Folder d = make_folder();
  char path[100];
  snprintf(path, sizeof path, "%s/findings.jsonl", d.path);
  pid_t pid[WHO];
  for (int i = 0; i < WHO; i++) {
    pid[i] = fork();
    ck_assert_int_ge(pid[i], 0);
    if (pid[i] == 0)
      append_many(path, i);
  }
  for (int i = 0, status; i < WHO; i++) {
    ck_assert_int_eq(waitpid(pid[i], &status, 0), pid[i]);
    ck_assert_int_eq(status, 0);
  }
  char *s = slurp(path);
  ck_assert_uint_eq(strlen(s), WHO * 50 * 200);
  for (size_t i = 0; s[i]; i++)
    ck_assert(i % 200 == 199 ? s[i] == '\n' : s[i] == s[i - i % 200]);
  free(s);
  unlink(path);
  rmdir(d.path);
}
END_TEST

static TCase *files(void) {
  TCase *tc = tcase_create("files");
  tcase_set_timeout(tc, 0);
  tcase_add_test(tc, test_write);
  tcase_add_test(tc, test_write_fails);
  tcase_add_test(tc, test_append);
  tcase_add_test(tc, test_append_fails);
  tcase_add_test(tc, test_append_together);
  return tc;
}

int main(void) {
  Suite *s = suite_create("durable");
  suite_add_tcase(s, files());
  return suite_run(s);
}
