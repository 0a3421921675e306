/* program.c - warpfuzz as a user runs it. */
#define _DEFAULT_SOURCE
#include "program.h"
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_ARGS = 24 };

char dir[WORK_DIR_MAX], out[TEXT_BYTES], err[TEXT_BYTES];
const char *program_name = "warpfuzz";
int interrupted;

static void setup(void) { work_dir_make(dir); }

static void teardown(void) { work_dir_remove(dir); }

void path_in_dir(const char *name, char path[256]) { snprintf(path, 256, "%s/%s", dir, name); }

void read_file(const char *name, char *text) {
  char path[256];
  path_in_dir(name, path);
  FILE *f = fopen(path, "r");
  text[f ? fread(text, 1, TEXT_BYTES - 1, f) : 0] = '\0';
  if (f) fclose(f);
}

void write_file(const char *name, const char *text) {
  char path[256];
  path_in_dir(name, path);
  FILE *f = fopen(path, "w");
  ck_assert_ptr_nonnull(f);
  ck_assert_int_ge(fputs(text, f), 0);
  ck_assert_int_eq(fclose(f), 0);
}

static void interrupt_self(void) {
  sigset_t mask;
  sigemptyset(&mask);
  sigaddset(&mask, SIGINT);
  sigprocmask(SIG_BLOCK, &mask, NULL);
  raise(SIGINT);
}

pid_t start(const char *line) {
  static char program[4096], words[1024];
  char *args[MAX_ARGS] = {program};
  int n = 1;
  const char *build = getenv("WF_BUILDDIR");
  snprintf(program, sizeof program, "%s/%s", build ? build : ".", program_name);
  ck_assert_msg(access(program, X_OK) == 0, "%s: not built", program);
  snprintf(words, sizeof words, "%s", line);
  for (char *word = strtok(words, " "); word && n < MAX_ARGS - 1; word = strtok(NULL, " ")) args[n++] = word;
  fflush(NULL);
  pid_t pid = fork();
  if (pid == 0) {
    if (interrupted) interrupt_self();
    char *full = realpath(program, NULL);
    if (full && chdir(dir) == 0 && freopen("out", "w", stdout) && freopen("err", "w", stderr)) execv(full, args);
    _exit(126);
  }
  ck_assert_int_gt(pid, 0);
  return pid;
}

int finish(pid_t pid) {
  int status;
  ck_assert_int_eq(waitpid(pid, &status, 0), pid);
  read_file("out", out);
  read_file("err", err);
  ck_assert_msg(WIFEXITED(status), "ended by signal %d:\n%s", WTERMSIG(status), err);
  return WEXITSTATUS(status);
}

int warpfuzz(const char *line) { return finish(start(line)); }

void expect(const char *line, int status) {
  int got = warpfuzz(line);
  ck_assert_msg(got == status, "warpfuzz %s: status %d, not %d\n%.2000s\n%.2000s", line, got, status, out, err);
}

void says(const char *text, const char *wanted) {
  ck_assert_msg(strstr(text, wanted) != NULL, "'%s' is missing in:\n%.4000s", wanted, text);
}

TCase *new_tcase(Suite *s, const char *name) {
  TCase *t = tcase_create(name);
  tcase_add_checked_fixture(t, setup, teardown);
  tcase_set_timeout(t, 0);
  suite_add_tcase(s, t);
  return t;
}

/* ---- cases ---- */

const char good_case[] = "warpfuzz case 1\n"
                         "op softmax\n"
                         "rows 3\n"
                         "cols 5\n"
                         "grid 3 1 1\n"
                         "block 64 1 1\n"
                         "schedule 0x51f3\n"
                         "x normal seed=77 scale=30 offset=1\n"
                         "x[1,*] = -inf\n";

/* The fifth column is neither read nor written. */
const char faulty_case[] = "warpfuzz case 1\n"
                           "op softmax\n"
                           "variant warp_row_float4.published\n"
                           "expect unwritten-output\n"
                           "rows 1\n"
                           "cols 5\n"
                           "block 32 1 1\n"
                           "schedule 0x7\n"
                           "x normal seed=1 scale=1 offset=0\n";

/* Of three columns the published tree loses the last, which is exp(-10) of the sum. */
const char lossy_case[] = "warpfuzz case 1\n"
                          "op softmax\n"
                          "variant tree_shared.published\n"
                          "rows 1\n"
                          "cols 3\n"
                          "block 3 1 1\n"
                          "x constant\n"
                          "x[0,2] = -10\n";

/* softmax/warp_row_float4 with a grid of one block for two rows. */
const char outside_case[] = "warpfuzz case 1\n"
                            "op softmax\n"
                            "variant warp_row_float4\n"
                            "rows 2\n"
                            "cols 4\n"
                            "grid 1 1 1\n"
                            "block 32 1 1\n"
                            "x normal seed=1\n";

const char shrunk_race[] = "warpfuzz case 1\n"
                           "op softmax\n"
                           "variant block_shuffle.published\n"
                           "expect race-shared\n"
                           "rows 1\n"
                           "cols 1\n"
                           "block 64 1 1\n"
                           "schedule 0x0\n"
                           "x constant seed=0 scale=1 offset=0\n";
