/* sanitizer_run.c - one case under one tool. The tool and what it watches are a process group of their own: a tool that hangs
 * leaves nothing behind. */
#define _GNU_SOURCE
#include "sanitizer_run.h"
#include "textbuf.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

enum { MAX_LOG_BYTES = 16 << 20, ERROR_STATUS = 42, MAX_ARGS = 32, PATH_BYTES = WF_SANITIZER_DIR_MAX + 16 };

/* ---- where it is ---- */

static int is_program(const char *path) {
  struct stat st;
  return stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, X_OK) == 0;
}

static int try_path(const char *dir, size_t dir_len, const char *below, char *out, size_t out_size) {
  int n = snprintf(out, out_size, "%.*s/%scompute-sanitizer", (int)dir_len, dir, below);
  return n > 0 && (size_t)n < out_size && is_program(out);
}

/* bin/nvcc, bin/compute-sanitizer; before CUDA 11.3, and in some packages, compute-sanitizer/compute-sanitizer. */
static int find_beside(const char *nvcc, char *out, size_t out_size) {
  const char *slash = strrchr(nvcc, '/');
  if (!slash) return 0;
  size_t len = (size_t)(slash - nvcc);
  return try_path(nvcc, len, "", out, out_size) || try_path(nvcc, len, "../compute-sanitizer/", out, out_size);
}

int wf_sanitizer_find(const char *nvcc, char *out, size_t out_size) {
  const char *path = getenv("PATH");
  for (const char *dir = path; dir && *dir;) {
    size_t len = strcspn(dir, ":");
    if (len && try_path(dir, len, "", out, out_size)) return 1;
    dir += len + (dir[len] == ':');
  }
  if (!nvcc || !*nvcc) return 0;
  char *real = realpath(nvcc, NULL); /* behind links such as /usr/local/bin/nvcc */
  int found = find_beside(nvcc, out, out_size) || (real && find_beside(real, out, out_size));
  free(real);
  return found;
}

/* ---- the directory ---- */

int wf_sanitizer_dir_make(char dir[WF_SANITIZER_DIR_MAX], char *err, size_t err_size) {
  const char *tmp = getenv("TMPDIR");
  int n = snprintf(dir, WF_SANITIZER_DIR_MAX, "%s/warpfuzz-sanitize-XXXXXX", tmp && *tmp ? tmp : "/tmp");
  if (n < WF_SANITIZER_DIR_MAX && mkdtemp(dir)) return 0;
  snprintf(err, err_size, "%.300s: no directory for logs: %s", dir, strerror(n < WF_SANITIZER_DIR_MAX ? errno : ENAMETOOLONG));
  return -1;
}

static void path_in(const char *dir, const char *name, char out[PATH_BYTES]) { snprintf(out, PATH_BYTES, "%s/%s", dir, name); }

static void remove_files(const char *dir) {
  char path[PATH_BYTES];
  path_in(dir, "log", path);
  unlink(path);
  path_in(dir, "out", path);
  unlink(path);
}

void wf_sanitizer_dir_remove(const char *dir) {
  remove_files(dir);
  rmdir(dir);
}

/* ---- the process ---- */

/* In --log-file, "%" begins an escape. */
static void escape_percent(const char *path, char *out) {
  for (; *path; path++) {
    if (*path == '%') *out++ = '%';
    *out++ = *path;
  }
  *out = '\0';
}

typedef struct Command {
  char log[2 * PATH_BYTES], path[PATH_MAX + 2];
  const char *args[MAX_ARGS];
  int n;
} Command;

static void add(Command *c, const char *arg) { c->args[c->n++] = arg; }

static void make_command(const WfToolJob *job, Command *c) {
  char log[PATH_BYTES];
  path_in(job->dir, "log", log);
  escape_percent(log, c->log);
  /* A name must not be taken for an option. */
  snprintf(c->path, sizeof c->path, "%s%s", job->case_path[0] == '-' ? "./" : "", job->case_path);
  const char *const args[] = {job->sanitizer, "--tool", job->tool, "--error-exitcode", "42", "--target-processes", "all",
                              "--print-limit", "20", "--log-file", c->log, job->program, "replay", c->path, "--variant",
                              job->variant, "--backend", "gpu", "--plain"};
  c->n = 0;
  for (size_t i = 0; i < sizeof args / sizeof *args; i++) add(c, args[i]);
  if (job->flavor) {
    add(c, "--flavor");
    add(c, job->flavor);
  }
  add(c, NULL);
}

/* 0, or an errno. */
static int start(const WfToolJob *job, pid_t *pid) {
  Command c;
  char out[PATH_BYTES];
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attr;
  sigset_t none;
  make_command(job, &c);
  path_in(job->dir, "out", out);
  sigemptyset(&none);
  if (posix_spawn_file_actions_init(&files) != 0) return ENOMEM;
  if (posix_spawnattr_init(&attr) != 0) {
    posix_spawn_file_actions_destroy(&files);
    return ENOMEM;
  }
  int rc = posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  if (!rc) rc = posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, out, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (!rc) rc = posix_spawn_file_actions_adddup2(&files, STDOUT_FILENO, STDERR_FILENO);
  posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
  posix_spawnattr_setpgroup(&attr, 0);
  posix_spawnattr_setsigmask(&attr, &none);
  if (!rc) rc = posix_spawn(pid, job->sanitizer, &files, &attr, (char *const *)c.args, environ);
  posix_spawnattr_destroy(&attr);
  posix_spawn_file_actions_destroy(&files);
  return rc;
}

static uint64_t now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* An interrupt that this process ignores stays ignored. */
static void add_unless_ignored(sigset_t *set, int sig) {
  struct sigaction a;
  if (sigaction(sig, NULL, &a) == 0 && a.sa_handler != SIG_IGN) sigaddset(set, sig);
}

/* Not yet reaped: its number stands for its group until then. */
static int has_ended(pid_t pid) {
  siginfo_t info = {0};
  return waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == pid;
}

/* Waits for the process, for the time to be over, or for an interrupt; the group is gone afterwards. */
static WfToolEnd wait_for(pid_t pid, uint64_t timeout_ns, int *status) {
  const uint64_t begin = now_ns();
  sigset_t set, before;
  WfToolEnd end = WF_TOOL_RAN;
  sigemptyset(&set);
  sigaddset(&set, SIGCHLD);
  add_unless_ignored(&set, SIGINT);
  add_unless_ignored(&set, SIGTERM);
  add_unless_ignored(&set, SIGHUP);
  pthread_sigmask(SIG_BLOCK, &set, &before);
  while (!has_ended(pid)) {
    uint64_t past = now_ns() - begin;
    if (end == WF_TOOL_INTERRUPTED) break;
    if (past >= timeout_ns) {
      end = WF_TOOL_TIMEOUT;
      break;
    }
    uint64_t left = timeout_ns - past;
    struct timespec t = {(time_t)(left / 1000000000u), (long)(left % 1000000000u)};
    int sig = sigtimedwait(&set, NULL, &t);
    if (sig > 0 && sig != SIGCHLD) end = WF_TOOL_INTERRUPTED;
  }
  kill(-pid, SIGKILL); /* and what the tool left of what it watched */
  while (waitpid(pid, status, 0) < 0 && errno == EINTR) continue;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return end;
}

/* ---- what came of it ---- */

/* A file's beginning, malloc'ed with a NUL behind it; NULL: it cannot be read, or no memory (errno). */
static char *read_file(const char *dir, const char *name, size_t max, size_t *len) {
  char path[PATH_BYTES];
  path_in(dir, name, path);
  FILE *f = fopen(path, "re");
  if (!f) return NULL;
  struct stat st;
  size_t size = fstat(fileno(f), &st) == 0 && st.st_size > 0 ? (size_t)st.st_size : 0;
  if (size > max) size = max;
  char *text = malloc(size + 1);
  *len = text ? fread(text, 1, size, f) : 0;
  if (text) text[*len] = '\0';
  fclose(f);
  if (!text) errno = ENOMEM;
  return text;
}

/* The last line that is not empty of what was printed, at most as long as fits; "": there is none. */
static void last_line(const char *dir, char *out, size_t out_size) {
  size_t len;
  char *text = read_file(dir, "out", 1 << 20, &len);
  *out = '\0';
  if (!text) return;
  while (len && (text[len - 1] == '\n' || text[len - 1] == ' ' || text[len - 1] == '\r')) text[--len] = '\0';
  size_t at = len;
  while (at && text[at - 1] != '\n') at--;
  snprintf(out, out_size, "%s", text + at);
  wf_text_plain(out);
  free(text);
}

static void fail(WfToolResult *out, const char *brief, const char *what, int status, const char *dir) {
  char line[160], how[48];
  int is_signal = WIFSIGNALED(status), code = is_signal ? WTERMSIG(status) : WEXITSTATUS(status);
  last_line(dir, line, sizeof line);
  snprintf(how, sizeof how, is_signal ? "died of signal %d" : "ended with status %d", code);
  out->end = WF_TOOL_FAILED;
  if (brief)
    snprintf(out->brief, sizeof out->brief, "%s", brief);
  else
    snprintf(out->brief, sizeof out->brief, "%s %d", is_signal ? "signal" : "status", code);
  snprintf(out->why, sizeof out->why, "%s%s%s%s", what, how, *line ? ": " : "", line);
}

/* Statuses with which the replay itself, or the tool, says that what was to be watched took place. */
static int is_usual(int status) {
  return WIFEXITED(status) && (WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == 1 || WEXITSTATUS(status) == ERROR_STATUS);
}

static void judge(const WfToolJob *job, int status, WfToolResult *out) {
  const WfSanitizerLog *l = &out->log;
  if (l->failure) {
    out->end = WF_TOOL_FAILED;
    snprintf(out->brief, sizeof out->brief, "its own error");
    snprintf(out->why, sizeof out->why, "%s", l->failure);
  } else if (!l->has_summary) {
    fail(out, WIFSIGNALED(status) ? NULL : "cut log", "its log ends early; it ", status, job->dir);
  } else if (!is_usual(status) && !l->errors && !l->n_other) {
    fail(out, NULL, "what it watched ", status, job->dir);
  }
}

int wf_sanitizer_run(const WfToolJob *job, WfToolResult *out) {
  pid_t pid;
  int status = 0;
  size_t len;
  *out = (WfToolResult){.end = WF_TOOL_FAILED};
  remove_files(job->dir);
  int rc = start(job, &pid);
  if (rc != 0) {
    snprintf(out->brief, sizeof out->brief, "not started");
    snprintf(out->why, sizeof out->why, "cannot be started: %s", strerror(rc));
    return rc == ENOMEM ? -1 : 0;
  }
  out->end = wait_for(pid, job->timeout_ns, &status);
  char *log = read_file(job->dir, "log", MAX_LOG_BYTES, &len);
  if (!log && errno == ENOMEM) return -1;
  if (!log && out->end == WF_TOOL_RAN) fail(out, WIFSIGNALED(status) ? NULL : "no log", "wrote no log; it ", status, job->dir);
  if (!log) return 0;
  rc = wf_sanitizer_log_parse(&out->log, log, len, job->full_name);
  free(log);
  if (rc == 0 && out->end == WF_TOOL_RAN) judge(job, status, out);
  return rc;
}
