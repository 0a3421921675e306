/* test_killed.c - warpfuzz fuzz killed with SIGKILL, processes and all, at many moments: what was printed is on the disk, whole,
 * and replays; nothing torn is taken for a case; --resume goes on from it.
 *
 * Half of the moments are numbers of bytes printed, so that the kill follows a report at once; the others are fractions of the
 * time that a whole run takes, and fall anywhere: into writing a file, into the summary. WF_KILLS sets their number. */
#define _DEFAULT_SOURCE
#include "../fuzz/arith.h"
#include "../fuzz/case.h"
#include "suite.h"
#include "work_dir.h"
#include <check.h>
#include <dirent.h>
#include <jansson.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MAX_PRINTED = 256, TEXT_BYTES = 1 << 20, LINE_BYTES = 512, N_SEEDS = 3, DEFAULT_KILLS = 12 };

static char dir[WORK_DIR_MAX]; /* working directory of the program */
static char text[TEXT_BYTES];

static double now_s(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Starts "warpfuzz LINE" as a process group of its own, with both streams in the file `log`. */
static pid_t start(const char *line, const char *log) {
  static char command[MAX_PRINTED * 512 + 4096];
  const char *build = getenv("WF_BUILDDIR");
  snprintf(command, sizeof command, "exec '%s/warpfuzz' %s >%s 2>&1", build ? build : ".", line, log);
  fflush(NULL);
  pid_t pid = fork();
  if (pid == 0) {
    setpgid(0, 0);
    if (chdir(dir) == 0) execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    _exit(126);
  }
  ck_assert_int_gt(pid, 0);
  setpgid(pid, pid); /* whoever comes first */
  return pid;
}

static int run(const char *line, const char *log) {
  int status;
  pid_t pid = start(line, log);
  ck_assert_int_eq(waitpid(pid, &status, 0), pid);
  ck_assert(WIFEXITED(status));
  return WEXITSTATUS(status);
}

static const char *path_of(const char *name) {
  static char path[4096];
  snprintf(path, sizeof path, "%s/%s", dir, name);
  return path;
}

static size_t slurp(const char *name) {
  FILE *f = fopen(path_of(name), "r");
  size_t n = f ? fread(text, 1, TEXT_BYTES - 1, f) : 0;
  text[n] = '\0';
  if (f) fclose(f);
  return n;
}

static struct stat stat_of(const char *name) {
  struct stat st;
  if (stat(path_of(name), &st) != 0) memset(&st, 0, sizeof st);
  return st;
}

/* ---- the campaign ---- */

typedef struct Moment {
  unsigned seed, jobs;
  long bytes;   /* printed; 0: by time */
  double delay_s;
} Moment;

static void campaign_line(char line[LINE_BYTES], const Moment *m, const char *more) {
  snprintf(line, LINE_BYTES, "fuzz 'softmax/tree*' 'softmax/block*' 'softmax/warp*' 'softmax/online*' --published --runs 60 --seed %u --jobs %u --out out %s", m->seed, m->jobs, more);
}

static int is_before(const Moment *m, double elapsed_s) {
  return m->bytes ? stat_of("log").st_size < m->bytes : elapsed_s < m->delay_s;
}

/* Kills the whole group at the moment, or finds it ended. 1: findings.jsonl was written anew, as it is at the end. */
static int run_until(const Moment *m) {
  char line[LINE_BYTES];
  int status;
  ino_t first = 0;
  campaign_line(line, m, "");
  double began = now_s();
  pid_t pid = start(line, "log"), ended = 0;
  while (is_before(m, now_s() - began) && (ended = waitpid(pid, &status, WNOHANG)) == 0) {
    if (!first) first = stat_of("out/findings.jsonl").st_ino;
    usleep(100);
  }
  kill(-pid, SIGKILL);
  if (ended == 0) ck_assert_int_eq(waitpid(pid, &status, 0), pid);
  return first && stat_of("out/findings.jsonl").st_ino != first;
}

/* ---- what is left ---- */

static int is_case_name(const char *name) {
  size_t n = strlen(name);
  return n > 5 && strcmp(name + n - 5, ".case") == 0;
}

/* The case file is whole: it parses, and its key is the one in its name (KEY.case at the end). */
static void check_case_file(const char *name) {
  WfCase c;
  char err[WF_CASE_ERROR_MAX] = "", key[32];
  ck_assert_msg(wf_case_load(&c, path_of(name), err, sizeof err) == 0, "%s", err);
  snprintf(key, sizeof key, "%016llx.case", (unsigned long long)wf_case_key(&c));
  const char *end = name + strlen(name) - strlen(key);
  ck_assert_msg(end >= name && strcmp(end, key) == 0, "%s: the key is %s", name, key);
}

/* Every file below that bears a case's name is one. */
static void check_tree(const char *folder) {
  DIR *d = opendir(path_of(folder));
  if (!d) return; /* killed before it was made */
  for (struct dirent *e; (e = readdir(d)) != NULL;) {
    char below[2048];
    struct stat st;
    if (e->d_name[0] == '.' && !is_case_name(e->d_name)) continue;
    snprintf(below, sizeof below, "%s/%s", folder, e->d_name);
    if (stat(path_of(below), &st) == 0 && S_ISDIR(st.st_mode)) check_tree(below);
    else if (is_case_name(e->d_name)) check_case_file(below);
  }
  closedir(d);
}

/* The case files named in whole lines of the log, each once. */
static size_t printed_cases(char names[MAX_PRINTED][512]) {
  size_t n = 0;
  slurp("log");
  char *end = strrchr(text, '\n');
  if (end) *end = '\0';
  for (char *at = end ? text : NULL; at && (at = strstr(at, "out/")) != NULL;) {
    size_t len = strcspn(at, " \n\"'"), known = 0;
    while (known < n && (strlen(names[known]) != len || memcmp(names[known], at, len) != 0)) known++;
    if (known == n && len < 512 && len > 5 && memcmp(at + len - 5, ".case", 5) == 0) {
      ck_assert_uint_lt(n, MAX_PRINTED);
      snprintf(names[n++], 512, "%.*s", (int)len, at);
    }
    at += len;
  }
  return n;
}

/* The lines of findings.jsonl, all whole but perhaps the last. */
static json_t *saved_lines(void) {
  json_t *all = json_array();
  slurp("out/findings.jsonl");
  for (char *at = text, *end; (end = strchr(at, '\n')) != NULL; at = end + 1) {
    json_t *line = json_loadb(at, (size_t)(end - at), JSON_REJECT_DUPLICATES, NULL);
    ck_assert_msg(line != NULL, "not whole: %.*s", (int)(end - at), at);
    json_array_append_new(all, line);
  }
  return all;
}

/* Is there a line whose case begins with these characters of the path? */
static int has_line(const json_t *lines, const char *path, size_t len) {
  size_t i;
  json_t *line;
  json_array_foreach(lines, i, line) {
    const char *saved = json_string_value(json_object_get(line, "case"));
    if (saved && strncmp(saved, path, len) == 0) return 1;
  }
  return 0;
}

/* At the end each finding's line names its smallest case: of the others the class and variant must be there, all but the key. */
static void check_printed(const char *name, const json_t *lines, int written_anew) {
  check_case_file(name);
  ck_assert_msg(strncmp(name, "out/harness-", 12) != 0, "a failure of the harness: %s", name);
  size_t len = strlen(name) - (written_anew ? strlen("0123456789abcdef.case") : 0);
  ck_assert_msg(has_line(lines, name, len), "%s is printed, but not in findings.jsonl", name);
}

/* Replays what no earlier moment's replay has covered: seeds come again, and with them names. */
static void replay(char names[MAX_PRINTED][512], size_t n, char *done) {
  static char line[MAX_PRINTED * 512];
  strcpy(line, "replay --expected");
  size_t none = strlen(line);
  for (size_t i = 0; i < n; i++) {
    if (strstr(done, names[i])) continue;
    strcat(strcat(line, " "), names[i]);
    strcat(strcat(done, " "), names[i]);
  }
  if (line[none] == '\0') return;
  int status = run(line, "replay");
  slurp("replay");
  ck_assert_msg(status == 0, "status %d of %s\n%.4000s", status, line, text);
}

static void check_resumed(const Moment *m) {
  char line[LINE_BYTES];
  campaign_line(line, m, "--resume --runs 5 --expected");
  int status = run(line, "resumed");
  slurp("resumed");
  ck_assert_msg(status == 0 || status == 1, "status %d when resumed:\n%.4000s", status, text); /* 5 executions may miss a fault */
  ck_assert_msg(strstr(text, "left out") == NULL, "%.4000s", text);
  json_decref(saved_lines());
}

/* ---- moments ---- */

static void clear(void) {
  char command[192];
  snprintf(command, sizeof command, "rm -rf %s/out %s/log", dir, dir);
  ck_assert_int_eq(system(command), 0);
}

static size_t check_moment(const Moment *m, char *done) {
  static char names[MAX_PRINTED][512];
  int written_anew = run_until(m);
  size_t n = printed_cases(names);
  json_t *lines = saved_lines();
  for (size_t i = 0; i < n; i++) check_printed(names[i], lines, written_anew);
  json_decref(lines);
  check_tree("out");
  replay(names, n, done);
  check_resumed(m);
  clear();
  return n;
}

START_TEST(everything_printed_is_on_the_disk) {
  const char *wanted = getenv("WF_KILLS");
  int kills = wanted ? atoi(wanted) : DEFAULT_KILLS;
  uint64_t random = 20250101;
  char *done = calloc(1, 1 << 20);
  size_t printed = 0, partial = 0;
  ck_assert_ptr_nonnull(done);
  ck_assert_int_gt(kills, 3);
  Moment whole = {.seed = 1, .jobs = 1, .bytes = 1L << 40};
  double began = now_s();
  run_until(&whole);
  double length_s = now_s() - began;
  long length_bytes = (long)stat_of("log").st_size;
  clear();
  ck_assert_int_gt(length_bytes, 5000);
  for (int i = 0; i < kills; i++) {
    uint64_t r = wf_split_mix(&random);
    Moment m = {.seed = 1 + (unsigned)(r >> 8) % N_SEEDS, .jobs = 1 + (unsigned)(i & 1)};
    double fraction = (double)(r >> 40) / (double)(1u << 24);
    if (i & 2) m.bytes = 1 + (long)(fraction * (double)length_bytes);
    else m.delay_s = fraction * length_s;
    size_t n = check_moment(&m, done);
    printed += n;
    partial += n > 0;
  }
  printf("# killed %d times: %zu case files printed, all whole; a whole run takes %.2f s and prints %ld bytes\n", kills, printed,
         length_s, length_bytes);
  ck_assert_uint_gt(partial, (size_t)kills / 4); /* else the kills came too early to show anything */
  free(done);
}
END_TEST

static void setup(void) { work_dir_make(dir); }

static void teardown(void) { work_dir_remove(dir); }

int main(void) {
  Suite *s = suite_create("killed");
  TCase *t = tcase_create("killed");
  tcase_set_timeout(t, 0);
  tcase_add_unchecked_fixture(t, setup, teardown);
  tcase_add_test(t, everything_printed_is_on_the_disk);
  suite_add_tcase(s, t);
  return suite_run(s);
}
