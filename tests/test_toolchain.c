/* test_toolchain.c - the folder with the tools is found, and they run. */
#define _GNU_SOURCE
#include "../fuzz/toolchain.h"
#include "suite.h"
#include "work_dir.h"
#include <errno.h>
#include <unistd.h>

static char dir[WORK_DIR_MAX], err[1024];

static void setup(void) {
  work_dir_make(dir);
  unsetenv("WARPFUZZ_HOME");
}

static void teardown(void) { work_dir_remove(dir); }

static void path_in(char path[WORK_PATH_MAX], const char *name) { snprintf(path, WORK_PATH_MAX, "%s/%s", dir, name); }

static void conf_is(const char *text) {
  char path[WORK_PATH_MAX];
  path_in(path, "toolchain.conf");
  FILE *f = fopen(path, "w");
  ck_assert_ptr_nonnull(f);
  ck_assert_int_ge(fputs(text, f), 0);
  ck_assert_int_eq(fclose(f), 0);
  setenv("WARPFUZZ_HOME", dir, 1);
}

static void expect_file(const char *folder, const char *name) {
  char path[WF_TOOL_PATH + 64];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  ck_assert_msg(access(path, R_OK) == 0, "%s is not there", path);
}

/* From a folder of its own: a build tree is found by the place of the program. */
START_TEST(test_build_tree) {
  WfToolchain t;
  char before[4096];
  ck_assert_ptr_nonnull(getcwd(before, sizeof before));
  ck_assert_int_eq(chdir(dir), 0);
  ck_assert_msg(wf_toolchain_find(&t, err, sizeof err) == 0, "%s", err);
  ck_assert_int_eq(chdir(before), 0);
  expect_file(t.root, "simt/simt-cc");
  expect_file(t.root, "libwf.a");
  expect_file(t.sources, "fuzz/op.h");
  expect_file(t.sources, "simt/include/cuda_runtime.h");
  ck_assert_ptr_null(strstr(t.sources, ".."));
  ck_assert_msg(access(t.clang, X_OK) == 0, "%s is no program", t.clang);
}
END_TEST

START_TEST(test_home) {
  WfToolchain t;
  conf_is("# a comment\n\ncc cc -m64 \nclang /usr/bin/clang\nnvcc \nlibs -lm  -lpthread\n");
  ck_assert_msg(wf_toolchain_find(&t, err, sizeof err) == 0, "%s", err);
  ck_assert_str_eq(t.root, dir);
  ck_assert_str_eq(t.sources, dir); /* where the file does not say */
  ck_assert_str_eq(t.cc, "cc -m64");
  ck_assert_str_eq(t.nvcc, "");
  ck_assert_str_eq(t.libs, "-lm  -lpthread");
}
END_TEST

static void expect_refusal(const char *conf, const char *message) {
  WfToolchain t;
  conf_is(conf);
  ck_assert_int_eq(wf_toolchain_find(&t, err, sizeof err), -1);
  ck_assert_msg(strstr(err, message) != NULL, "'%s', not '%s'", err, message);
}

START_TEST(test_bad_home) {
  WfToolchain t;
  setenv("WARPFUZZ_HOME", "/nowhere", 1);
  ck_assert_int_eq(wf_toolchain_find(&t, err, sizeof err), -1);
  ck_assert_str_eq(err, "WARPFUZZ_HOME: no toolchain.conf in /nowhere");
  expect_refusal("cc cc\nclang clang\ncolour red\n", "toolchain.conf:3: cannot be understood");
  expect_refusal("cc cc\n", "names no compiler");
}
END_TEST

START_TEST(test_run) {
  WfArgs a = {0};
  char path[WORK_PATH_MAX];
  path_in(path, "output");
  wf_args_add_words(&a, "  sh -c ");
  wf_args_add(&a, "echo \"$1\"; echo two >&2; exit %d", 7);
  wf_args_add(&a, "name");
  wf_args_add(&a, "a  word");
  ck_assert_uint_eq(a.n, 5);
  ck_assert_int_eq(wf_args_run(&a, path), 7);
  wf_args_free(&a);
  ck_assert_int_eq(work_dir_lines(dir, "output"), 2);
  wf_args_add(&a, "sh");
  wf_args_add(&a, "-c");
  wf_args_add(&a, "kill -9 $$");
  ck_assert_int_eq(wf_args_run(&a, path), 128 + 9);
  wf_args_free(&a);
}
END_TEST

START_TEST(test_run_fails) {
  WfArgs a = {0};
  ck_assert_int_eq(wf_args_run(&a, NULL), -1);
  wf_args_add(&a, "/nowhere/tool");
  ck_assert_int_eq(wf_args_run(&a, NULL), -1);
  ck_assert_int_eq(errno, ENOENT);
  wf_args_free(&a);
}
END_TEST

int main(void) {
  Suite *s = suite_create("toolchain");
  TCase *tc = tcase_create("toolchain");
  tcase_add_checked_fixture(tc, setup, teardown);
  tcase_add_test(tc, test_build_tree);
  tcase_add_test(tc, test_home);
  tcase_add_test(tc, test_bad_home);
  tcase_add_test(tc, test_run);
  tcase_add_test(tc, test_run_fails);
  suite_add_tcase(s, tc);
  return suite_run(s);
}
