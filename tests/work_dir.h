/* work_dir.h - a directory of a test's own, and what is in it. */
#ifndef WF_TESTS_WORK_DIR_H
#define WF_TESTS_WORK_DIR_H
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORK_DIR_MAX = 64, WORK_PATH_MAX = 1024 };

static inline void work_dir_make(char dir[WORK_DIR_MAX]) {
  strcpy(dir, "/tmp/warpfuzz-test-XXXXXX");
  ck_assert_ptr_nonnull(mkdtemp(dir));
}

static inline void work_dir_remove(const char *dir) {
  char command[WORK_DIR_MAX + 16];
  snprintf(command, sizeof command, "rm -r %s", dir);
  ck_assert_int_eq(system(command), 0);
}

/* Puts text at the end of a file, as a crash leaves it: with no newline but its own. */
static inline void work_dir_append(const char *dir, const char *name, const char *text) {
  char path[WORK_PATH_MAX];
  snprintf(path, sizeof path, "%s/%s", dir, name);
  FILE *f = fopen(path, "a");
  ck_assert_ptr_nonnull(f);
  ck_assert_int_ge(fputs(text, f), 0);
  ck_assert_int_eq(fclose(f), 0);
}

/* Lines of a file; 0: it is not there. */
static inline int work_dir_lines(const char *dir, const char *name) {
  char path[WORK_PATH_MAX];
  snprintf(path, sizeof path, "%s/%s", dir, name);
  FILE *f = fopen(path, "r");
  int n = 0;
  for (int ch; f && (ch = fgetc(f)) != EOF;) n += ch == '\n';
  if (f) fclose(f);
  return n;
}

#endif
