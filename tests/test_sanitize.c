/* test_sanitize.c - warpfuzz sanitize as a user runs it, with a device on the engine, and with a compute-sanitizer that is a script
 * of this test: it writes the log that it is told to, hangs, or dies. */
#define _GNU_SOURCE
#include "../fuzz/sanitizer_run.h"
#include "program.h"
#include "suite.h"
#include <dirent.h>
#include <errno.h>
#include <jansson.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef WF_NVCC
#define WF_NVCC ""
#endif

/* ---- the script ---- */

/* TOOL-CASE.log or TOOL.log is the log, by default a clean one; TOOL.sh is run after it was written. */
static const char script[] =
    "#!/bin/sh\n"
    "printf '%s\\n' \"$@\" > args\n"
    "while [ $# -gt 0 ]; do\n"
    "  case $1 in\n"
    "  --tool) tool=$2 ;;\n"
    "  --log-file) log=$(echo \"$2\" | sed 's/%%/%/g') ;;\n"
    "  replay) name=$(basename \"$2\" .case) ;;\n"
    "  esac\n"
    "  shift\n"
    "done\n"
    "if [ -f $tool-$name.log ]; then cp $tool-$name.log \"$log\"\n"
    "elif [ -f $tool.log ]; then cp $tool.log \"$log\"\n"
    "elif [ $tool = racecheck ]; then\n"
    "  echo '========= RACECHECK SUMMARY: 0 hazards displayed (0 errors, 0 warnings)' > \"$log\"\n"
    "else echo '========= ERROR SUMMARY: 0 errors' > \"$log\"\n"
    "fi\n"
    "[ -f $tool.sh ] && . ./$tool.sh\n"
    "exit 0\n";

static char real_path[4096];

/* softmax/block_shuffle, which is right. */
static const char named_case[] = "warpfuzz case 1\nop softmax\nvariant block_shuffle\nrows 3\ncols 5\nblock 64 1 1\nx normal seed=77 scale=30 offset=1\n";

/* In a new directory: the script first in PATH, logs in tmp, two cases. */
static void install(void) {
  char path[256], all[8192];
  path_in_dir("bin", path);
  ck_assert_int_eq(mkdir(path, 0700), 0);
  snprintf(all, sizeof all, "%s:%s", path, real_path);
  ck_assert_int_eq(setenv("PATH", all, 1), 0);
  write_file("bin/compute-sanitizer", script);
  path_in_dir("bin/compute-sanitizer", path);
  ck_assert_int_eq(chmod(path, 0700), 0);
  path_in_dir("tmp", path);
  ck_assert_int_eq(mkdir(path, 0700), 0);
  ck_assert_int_eq(setenv("TMPDIR", path, 1), 0);
  ck_assert_int_eq(setenv("WARPFUZZ_FAKE_DEVICES", "1", 1), 0);
  write_file("race.case", shrunk_race);
  write_file("good.case", named_case);
}

static void restore_path(void) { ck_assert_int_eq(setenv("PATH", real_path, 1), 0); }

static void log_from_data(const char *to, const char *name) {
  char path[1024], *text = malloc(TEXT_BYTES);
  const char *source = getenv("WF_SRCDIR");
  snprintf(path, sizeof path, "%s/tests/sanitizer/%s.log", source ? source : ".", name);
  FILE *f = fopen(path, "r");
  ck_assert_msg(f != NULL, "%s: not there", path);
  text[fread(text, 1, TEXT_BYTES - 1, f)] = '\0';
  fclose(f);
  write_file(to, text);
  free(text);
}

static int n_files(const char *name) {
  char path[256];
  int n = 0;
  path_in_dir(name, path);
  DIR *d = opendir(path);
  ck_assert_ptr_nonnull(d);
  while (readdir(d)) n++;
  closedir(d);
  return n - 2;
}

/* What racecheck says of the race of block_shuffle.published; the lines are those of the kernel. */
static const char race_log[] =
    "========= COMPUTE-SANITIZER\n"
    "========= Error: Race reported between Read access at block_max(float, float *)+0x250 in block_shuffle.published.cu:25\n"
    "=========     and Write access at block_sum(float, float *)+0x430 in block_shuffle.published.cu:31 [124 hazards]\n"
    "========= \n"
    "========= RACECHECK SUMMARY: 1 hazard displayed (1 error, 0 warnings)\n";

/* ---- tables ---- */

/* The table of the last run has the cell in the row of the case, and nothing else beside it. */
static void row_is(const char *row) { says(out, row); }

START_TEST(side_by_side) {
  install();
  write_file("racecheck-race.log", race_log);
  expect("sanitize race.case good.case", 1);
  says(out, "case and variant                           engine       memcheck  racecheck    synccheck  initcheck\n");
  says(out, "\nWhere both saw something:\n");
  row_is("race.case softmax/block_shuffle.published  race-shared  -         race-shared  -          -\n");
  row_is("good.case softmax/block_shuffle            -            -         -            -          -\n");
  says(out, "softmax/block_shuffle.published: error: race-shared\n  a read and a write of shared memory race, in 124 hazards\n");
  says(out, "  seen by    compute-sanitizer racecheck\n");
  says(out, "sanitize race.case --variant softmax/block_shuffle.published --tools racecheck\n");
  ck_assert_int_eq(n_files("tmp"), 0);
}
END_TEST

START_TEST(places_are_compared) {
  install();
  write_file("racecheck.log", race_log);
  expect("sanitize race.case --tools racecheck", 1);
  says(out, "race-shared at block_shuffle.published.cu:25 and :31  racecheck  race-shared at block_shuffle.published.cu:25 and :31  same\n");
  write_file("racecheck.log",
             "========= Error: Race reported between Write access at k+0x10 in /d/block_shuffle.published.cu:31\n"
             "=========     and Write access at k+0x20 in /d/block_shuffle.published.cu:30 [1 hazard]\n"
             "========= RACECHECK SUMMARY: 1 hazard displayed (1 error, 0 warnings)\n");
  expect("sanitize race.case --tools racecheck", 1);
  says(out, "race-shared at block_shuffle.published.cu:31 and :30  one of two\n");
  write_file("racecheck.log",
             "========= Error: Race reported between Write access at k+0x10 in other.cu:31\n"
             "=========     and Read access at k+0x20 in other.cu:25 [1 hazard]\n"
             "========= RACECHECK SUMMARY: 1 hazard displayed (1 error, 0 warnings)\n");
  expect("sanitize race.case --tools racecheck", 1);
  says(out, "racecheck  race-shared at other.cu:31 and :25  other\n");
}
END_TEST

/* Each tool has a log of its own, of classes that the engine does not see here. */
START_TEST(one_column_a_tool) {
  install();
  log_from_data("memcheck.log", "memcheck-oob-after");
  log_from_data("racecheck.log", "racecheck-warp");
  log_from_data("synccheck.log", "synccheck-shuffle");
  log_from_data("initcheck.log", "initcheck-global");
  expect("sanitize good.case", 1);
  row_is("good.case softmax/block_shuffle  -       oob-global  (race-shared)  shuffle-mask  uninit-global\n");
  ck_assert_ptr_null(strstr(out, "Where both saw something"));
  expect("sanitize good.case --tools initcheck,memcheck", 1);
  row_is("case and variant                 engine  initcheck      memcheck\n"
         "good.case softmax/block_shuffle  -       uninit-global  oob-global\n");
}
END_TEST

START_TEST(what_is_not_understood_is_told) {
  install();
  log_from_data("memcheck.log", "memcheck-unknown-words");
  expect("sanitize good.case --tools memcheck", 1);
  row_is("good.case softmax/block_shuffle  -       oob-global, other\n");
  says(out, "\nThe tools also said:\ngood.case softmax/block_shuffle: memcheck: 1 error of a kind that is not known\n");
  says(out, "good.case softmax/block_shuffle: memcheck: Something quite new happened\n");
  log_from_data("memcheck.log", "memcheck-driver-noise");
  expect("sanitize good.case --tools memcheck", 0);
  row_is("good.case softmax/block_shuffle  -       -\n");
  says(out, "on CUDA API call to cuGetProcAddress_v2.\n");
}
END_TEST

/* ---- statuses ---- */

static const struct {
  const char *log, *sh; /* of memcheck: a file of tests/sanitizer, or NULL; what it does then */
  int status;
  const char *cell, *note; /* note: NULL, or below the table */
} ends[] = {
    {"memcheck-clean", NULL, 0, "-", NULL},
    {"memcheck-status-1", "exit 1", 0, "-", NULL}, /* the replay has findings of its own */
    {"memcheck-oob-after", "exit 42", 1, "oob-global", NULL},
    {"memcheck-oob-after", "exit 99", 1, "oob-global", NULL},
    {"memcheck-oob-after", "kill -9 $$", 1, "oob-global", NULL},
    {"memcheck-driver-noise", "exit 42", 0, "-", "cuGetProcAddress_v2"},
    {"memcheck-not-shown", "exit 42", 1, "other", "5 errors of a kind that is not known"},
    {"memcheck-clean", "echo no room; exit 99", 99, "failed: status 99", "what it watched ended with status 99: no room\n"},
    {"memcheck-clean", "exit 77", 99, "failed: status 77", NULL},
    {"memcheck-clean", "kill -9 $$", 99, "failed: signal 9", "what it watched died of signal 9\n"},
    {"failed-no-call", "exit 255", 99, "failed: its own error", "Target application terminated before first instrumented API call\n"},
    {"failed-inside", NULL, 99, "failed: its own error", "Internal Sanitizer Error"},
    {NULL, "echo unrecognised option >&2; rm \"$log\"; exit 255", 99, "failed: no log", "wrote no log; it ended with status 255: unrecognised option\n"},
    {NULL, "rm \"$log\"; kill -11 $$", 99, "failed: signal 11", NULL},
    {NULL, ": > \"$log\"", 99, "failed: cut log", "its log ends early; it ended with status 0\n"},
    {NULL, "head -c 300000 /dev/urandom > \"$log\"", 99, "failed: cut log", NULL},
    {NULL, "rm \"$log\"; mkdir \"$log\"; exit 0", 99, "failed: cut log", NULL},
};

START_TEST(how_a_tool_ends) {
  char row[256];
  install();
  if (ends[_i].log) log_from_data("memcheck.log", ends[_i].log);
  if (ends[_i].sh) write_file("memcheck.sh", ends[_i].sh);
  expect("sanitize good.case --tools memcheck", ends[_i].status);
  snprintf(row, sizeof row, "good.case softmax/block_shuffle  -       %s\n", ends[_i].cell);
  row_is(row);
  if (ends[_i].note) says(out, ends[_i].note);
}
END_TEST

/* The engine's error counts alone; a warning of the tool does not. */
START_TEST(whose_findings_count) {
  install();
  expect("sanitize race.case --tools racecheck", 1);
  row_is("race.case softmax/block_shuffle.published  race-shared  -\n");
  log_from_data("racecheck.log", "racecheck-warp");
  expect("sanitize good.case --tools racecheck", 0);
  row_is("good.case softmax/block_shuffle  -       (race-shared)\n");
}
END_TEST

/* ---- time limit and interrupts ---- */

/* Gone, or waiting for somebody to ask for its status. */
static int is_gone(long pid) {
  char path[64], state = 'X';
  snprintf(path, sizeof path, "/proc/%ld/stat", pid);
  FILE *f = fopen(path, "r");
  if (!f) return 1;
  if (fscanf(f, "%*d %*s %c", &state) != 1) state = 'X';
  fclose(f);
  return state == 'Z' || state == 'X';
}

static void children_are_gone(void) {
  static char text[TEXT_BYTES];
  read_file("pids", text);
  long pid[2];
  ck_assert_int_eq(sscanf(text, "%ld %ld", &pid[0], &pid[1]), 2);
  for (int i = 0; i < 2; i++)
    while (!is_gone(pid[i])) usleep(1000); /* the signal has been sent */
}

static const char hangs[] = "sleep 100000 &\necho $$ $! > pids.new; mv pids.new pids\nwait\n";

START_TEST(a_tool_that_hangs_is_killed_with_its_children) {
  install();
  log_from_data("memcheck.log", "memcheck-oob-after");
  write_file("memcheck.sh", hangs);
  expect("sanitize good.case --tools memcheck,racecheck --time 1s", 1);
  row_is("good.case softmax/block_shuffle  -       oob-global, timeout  -\n");
  children_are_gone();
  write_file("memcheck.log", "");
  expect("sanitize good.case --tools memcheck --time 1s", 0);
  row_is("good.case softmax/block_shuffle  -       timeout\n");
  ck_assert_int_eq(n_files("tmp"), 0);
}
END_TEST

/* What a tool leaves behind is gone, too. */
START_TEST(nothing_outlives_a_tool) {
  install();
  write_file("memcheck.sh", "sleep 100000 &\necho $$ $! > pids\nexit 0\n");
  expect("sanitize good.case --tools memcheck", 0);
  children_are_gone();
}
END_TEST

START_TEST(an_interrupt_ends_with_what_is_there) {
  char path[256];
  install();
  log_from_data("memcheck.log", "memcheck-oob-after");
  write_file("racecheck.sh", hangs);
  path_in_dir("pids", path);
  pid_t pid = start("sanitize good.case race.case --json all.jsonl");
  while (access(path, F_OK) != 0) usleep(1000);
  ck_assert_int_eq(kill(pid, SIGINT), 0);
  ck_assert_int_eq(finish(pid), 99);
  says(err, "warpfuzz: interrupted\n");
  row_is("good.case softmax/block_shuffle  -       oob-global  interrupted  interrupted  interrupted\n");
  ck_assert_ptr_null(strstr(out, "race.case"));
  children_are_gone();
  ck_assert_int_eq(n_files("tmp"), 0);
  ck_assert_int_eq(work_dir_lines(dir, "all.jsonl"), 1 + 4);
}
END_TEST

/* ---- the command line of the tool ---- */

START_TEST(what_is_watched) {
  static char args[TEXT_BYTES];
  char wanted[4096];
  install();
  expect("sanitize good.case --tools synccheck --flavor nofmad", 0);
  read_file("args", args);
  ck_assert_int_eq(strncmp(args, "--tool\nsynccheck\n--error-exitcode\n42\n--target-processes\nall\n--print-limit\n20\n--log-file\n", 88), 0);
  char *program = realpath(getenv("WF_BUILDDIR") ? getenv("WF_BUILDDIR") : ".", NULL);
  snprintf(wanted, sizeof wanted, "/log\n%s/%s\nreplay\ngood.case\n--variant\nsoftmax/block_shuffle\n--backend\ngpu\n--plain\n--flavor\nnofmad\n",
           program, program_name);
  says(args, wanted);
  free(program);
}
END_TEST

/* A path that looks like an option, and a directory for logs with what is an escape in --log-file. */
START_TEST(awkward_names) {
  static char args[TEXT_BYTES];
  char path[256];
  install();
  write_file("-x.case", named_case);
  path_in_dir("tmp/50%p", path);
  ck_assert_int_eq(mkdir(path, 0700), 0);
  ck_assert_int_eq(setenv("TMPDIR", path, 1), 0);
  log_from_data("memcheck.log", "memcheck-oob-after");
  expect("sanitize --tools memcheck -- -x.case", 1);
  row_is("-x.case softmax/block_shuffle  -       oob-global\n");
  read_file("args", args);
  says(args, "\nreplay\n./-x.case\n");
  says(args, "/tmp/50%%p/warpfuzz-sanitize-");
}
END_TEST

/* ---- JSON ---- */

START_TEST(json_has_all_of_it) {
  static char text[TEXT_BYTES];
  install();
  write_file("racecheck.log", race_log);
  log_from_data("memcheck.log", "memcheck-unknown-words");
  log_from_data("initcheck.log", "initcheck-global");
  write_file("synccheck.sh", "rm \"$log\"; echo 'no \377 device'; exit 3");
  expect("sanitize race.case --json all.jsonl --flavor fastmath", 99);
  read_file("all.jsonl", text);
  int n_engine = 0, n_tool = 0, n_runs = 0;
  for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
    json_t *j = json_loads(line, JSON_REJECT_DUPLICATES, NULL);
    ck_assert_msg(j != NULL, "no JSON: %s", line);
    const char *tool = json_string_value(json_object_get(j, "tool")), *run = json_string_value(json_object_get(j, "run"));
    ck_assert_str_eq(json_string_value(json_object_get(j, "case")), "race.case");
    ck_assert_str_eq(json_string_value(json_object_get(j, "op")), "softmax");
    ck_assert_str_eq(json_string_value(json_object_get(j, "variant")), "block_shuffle.published");
    if (run) {
      int is_memory = strcmp(run, "compute-sanitizer memcheck") == 0, is_sync = strcmp(run, "compute-sanitizer synccheck") == 0;
      ck_assert_str_eq(json_string_value(json_object_get(j, "gpu_flavor")), "fastmath");
      ck_assert_str_eq(json_string_value(json_object_get(j, "status")), is_sync ? "failed" : "ran");
      ck_assert_int_eq(json_is_null(json_object_get(j, "why")), !is_sync);
      if (is_sync) ck_assert_str_eq(json_string_value(json_object_get(j, "why")), "wrote no log; it ended with status 3: no \357\277\275 device");
      ck_assert_int_eq(json_integer_value(json_object_get(j, "other_errors")), is_memory);
      ck_assert_int_eq(json_integer_value(json_object_get(j, "told_errors")), is_memory ? 2 : strstr(run, "race") ? 1 : is_sync ? 0 : 64);
      ck_assert_int_eq(json_integer_value(json_object_get(j, "not_printed")), strstr(run, "initcheck") ? 61 : 0);
      ck_assert_uint_eq(json_array_size(json_object_get(j, "lines")), is_memory ? 4 : 0);
      n_runs++;
    } else if (tool) {
      int is_race = strcmp(tool, "compute-sanitizer racecheck") == 0;
      ck_assert_str_eq(json_string_value(json_object_get(j, "class")),
                       is_race ? "race-shared" : strstr(tool, "initcheck") ? "uninit-global" : "oob-global");
      ck_assert_int_eq(json_is_null(json_object_get(j, "thread")), is_race);
      ck_assert_int_eq(json_is_null(json_object_get(j, "column")), 1);
      n_tool++;
    } else {
      ck_assert_str_eq(json_string_value(json_object_get(j, "class")), "race-shared");
      n_engine++;
    }
    json_decref(j);
  }
  ck_assert_int_eq(n_engine, 1);
  ck_assert_int_eq(n_tool, 3);
  ck_assert_int_eq(n_runs, 4);
}
END_TEST

/* ---- usage, and nothing to run ---- */

static const struct {
  const char *line;
  int status;
  const char *says;
} usage[] = {
    {"sanitize", 2, "too few operands"},
    {"sanitize good.case --tools memchek", 2, "--tools takes memcheck, racecheck, synccheck and initcheck, each at most once, not 'memchek'\n"},
    {"sanitize good.case --tools memcheck,", 2, "not ''\n"},
    {"sanitize good.case --tools memcheck,initcheck,memcheck", 2, "not 'memcheck'\n"},
    {"sanitize good.case --flavor slow", 2, "default, fastmath, nofmad or debug"},
    {"sanitize good.case --time soon", 2, "--time takes a time"},
    {"sanitize good.case --json no/such/dir/f", 2, "--json: no/such/dir/f: No such file or directory\n"},
    {"sanitize good.case --variant softmax/none", 2, "no variant matches"},
    {"sanitize good.case --repeat 2", 2, "unknown option '--repeat'"},
    {"sanitize no/such.case", 2, "no/such.case: No such file or directory\n"},
    {"sanitize bad.case", 2, "bad.case:1: "},
    {"sanitize tmp", 77, "nothing to run\n"},
    {"sanitize good.case --variant add/*", 77, "nothing to run\n"},
};

START_TEST(wrong_usage) {
  install();
  write_file("bad.case", "no case\n");
  expect(usage[_i].line, usage[_i].status);
  says(err, usage[_i].says);
  ck_assert_str_eq(out, "");
}
END_TEST

START_TEST(a_bad_case_does_not_hide_others) {
  install();
  write_file("bad.case", "no case\n");
  expect("sanitize bad.case good.case --tools memcheck", 2);
  row_is("good.case softmax/block_shuffle  -       -\n");
}
END_TEST

START_TEST(no_device) {
  install();
  ck_assert_int_eq(setenv("WARPFUZZ_FAKE_DEVICES", "0", 1), 0);
  expect("sanitize good.case", 77);
  ck_assert_str_eq(err, "warpfuzz: no device to run on: WARPFUZZ_FAKE_DEVICES says that there is no device\n");
  ck_assert_str_eq(out, "");
}
END_TEST

START_TEST(no_sanitizer) {
  char path[4096];
  install();
  ck_assert_int_eq(setenv("PATH", "/nonexistent", 1), 0);
  if (!wf_sanitizer_find(WF_NVCC, path, sizeof path)) { /* else it is this machine's toolkit that has one */
    expect("sanitize good.case", 77);
    ck_assert_str_eq(err, "warpfuzz: compute-sanitizer is neither in PATH nor beside nvcc\n");
  }
  restore_path();
}
END_TEST

static void make_program(const char *name) {
  char path[256];
  write_file(name, "#!/bin/sh\n");
  path_in_dir(name, path);
  ck_assert_int_eq(chmod(path, 0700), 0);
}

START_TEST(a_sanitizer_beside_nvcc) {
  char found[4096], nvcc[256], wanted[256], link[256];
  install();
  static const char *const dirs[] = {"cuda", "cuda/bin", "cuda/compute-sanitizer"};
  for (size_t i = 0; i < 3; i++) {
    path_in_dir(dirs[i], wanted);
    ck_assert_int_eq(mkdir(wanted, 0700), 0);
  }
  make_program("cuda/bin/nvcc");
  path_in_dir("cuda/bin/nvcc", nvcc);
  path_in_dir("nvcc", link);
  ck_assert_int_eq(symlink(nvcc, link), 0);
  path_in_dir("bin/compute-sanitizer", wanted);
  ck_assert_int_eq(wf_sanitizer_find(nvcc, found, sizeof found), 1); /* PATH goes first */
  ck_assert_str_eq(found, wanted);
  ck_assert_int_eq(setenv("PATH", "/nonexistent::", 1), 0);
  ck_assert_int_eq(wf_sanitizer_find(nvcc, found, sizeof found), 0);
  ck_assert_int_eq(wf_sanitizer_find("", found, sizeof found), 0);
  make_program("cuda/compute-sanitizer/compute-sanitizer");
  ck_assert_int_eq(wf_sanitizer_find(nvcc, found, sizeof found), 1);
  path_in_dir("cuda/bin/../compute-sanitizer/compute-sanitizer", wanted);
  ck_assert_str_eq(found, wanted);
  make_program("cuda/bin/compute-sanitizer");
  path_in_dir("cuda/bin/compute-sanitizer", wanted);
  ck_assert_int_eq(wf_sanitizer_find(link, found, sizeof found), 1);
  ck_assert_str_eq(found, wanted);
  ck_assert_int_eq(chmod(wanted, 0600), 0); /* not to be run */
  ck_assert_int_eq(wf_sanitizer_find(nvcc, found, sizeof found), 1);
  path_in_dir("cuda/bin/../compute-sanitizer/compute-sanitizer", wanted);
  ck_assert_str_eq(found, wanted);
  restore_path();
}
END_TEST

/* ---- the manual ---- */

/* The indented lines behind the command are its tables. */
START_TEST(the_manual_s_example) {
  static char manual[TEXT_BYTES], printed[2 * TEXT_BYTES];
  char path[1024];
  const char *source = getenv("WF_SRCDIR");
  install();
  write_file("racecheck.log", race_log);
  expect("sanitize race.case", 1);
  size_t n = 0;
  char *table = strstr(out, "case and variant");
  ck_assert_ptr_nonnull(table);
  for (char *c = table; *c; c++) {
    if ((c == table || c[-1] == '\n') && *c != '\n') n += (size_t)sprintf(printed + n, "    ");
    printed[n++] = *c;
  }
  printed[n] = '\0';
  snprintf(path, sizeof path, "%s/doc/SANITIZE.md", source ? source : ".");
  FILE *f = fopen(path, "r");
  ck_assert_msg(f != NULL, "%s: not there", path);
  manual[fread(manual, 1, TEXT_BYTES - 1, f)] = '\0';
  fclose(f);
  char *example = strstr(manual, "    $ warpfuzz sanitize race.case\n");
  ck_assert_ptr_nonnull(example);
  example = strchr(example, '\n') + 1;
  ck_assert_msg(strncmp(example, printed, n) == 0 && example[n] == '\n', "doc/SANITIZE.md has not this:\n%.2000s", printed);
}
END_TEST

int main(void) {
  const char *path = getenv("PATH");
  snprintf(real_path, sizeof real_path, "%s", path ? path : "/usr/bin:/bin");
  program_name = "tests/fake_warpfuzz";
  Suite *s = suite_create("sanitize");
  TCase *t = new_tcase(s, "tables");
  tcase_add_test(t, side_by_side);
  tcase_add_test(t, places_are_compared);
  tcase_add_test(t, one_column_a_tool);
  tcase_add_test(t, what_is_not_understood_is_told);
  tcase_add_test(t, the_manual_s_example);
  t = new_tcase(s, "statuses");
  tcase_add_loop_test(t, how_a_tool_ends, 0, (int)(sizeof ends / sizeof *ends));
  tcase_add_test(t, whose_findings_count);
  tcase_add_test(t, a_tool_that_hangs_is_killed_with_its_children);
  tcase_add_test(t, nothing_outlives_a_tool);
  tcase_add_test(t, an_interrupt_ends_with_what_is_there);
  t = new_tcase(s, "command lines");
  tcase_add_test(t, what_is_watched);
  tcase_add_test(t, awkward_names);
  tcase_add_test(t, json_has_all_of_it);
  tcase_add_loop_test(t, wrong_usage, 0, (int)(sizeof usage / sizeof *usage));
  tcase_add_test(t, a_bad_case_does_not_hide_others);
  tcase_add_test(t, no_device);
  tcase_add_test(t, no_sanitizer);
  tcase_add_test(t, a_sanitizer_beside_nvcc);
  return suite_run(s);
}
