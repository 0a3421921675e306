/* toolchain.c - finds the root, reads toolchain.conf, runs tools. */
#define _GNU_SOURCE
#include "toolchain.h"
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

#define CONF "toolchain.conf"

/* ---- where ---- */

/* Without . and .. and links. 0: there is no such folder, or its name is too long. */
static int take_folder(const char *path, char out[WF_TOOL_PATH]) {
  char *real = realpath(path, NULL);
  int fits = real && strlen(real) < WF_TOOL_PATH;
  if (fits)
    strcpy(out, real);
  free(real);
  return fits;
}

static int try_root(const char *dir, const char *below, char root[WF_TOOL_PATH]) {
  char path[2 * WF_TOOL_PATH];
  int n = snprintf(path, sizeof path, "%s%s/" CONF, dir, below);
  if (n < 0 || (size_t)n >= sizeof path || access(path, R_OK) != 0)
    return 0;
  path[n - (int)sizeof CONF] = '\0';
  return take_folder(path, root);
}

/* The folder of the running program, without / at the end. 0 or -1. */
static int own_folder(char out[WF_TOOL_PATH]) {
  ssize_t n = readlink("/proc/self/exe", out, WF_TOOL_PATH - 1);
  if (n <= 0)
    return -1;
  out[n] = '\0';
  char *slash = strrchr(out, '/');
  if (!slash)
    return -1;
  *slash = '\0';
  return 0;
}

static int find_root(char root[WF_TOOL_PATH], char *err, size_t err_size) {
  static const char *const below[] = {"", "/..", "/../lib/warpfuzz"};
  const char *home = getenv("WARPFUZZ_HOME");
  char dir[WF_TOOL_PATH];
  if (home && *home) {
    if (try_root(home, "", root))
      return 0;
    snprintf(err, err_size, "WARPFUZZ_HOME: no " CONF " in %.300s", home);
    return -1;
  }
  if (own_folder(dir) == 0)
    for (size_t i = 0; i < sizeof below / sizeof *below; i++)
      if (try_root(dir, below[i], root))
        return 0;
  snprintf(err, err_size, "no " CONF " beside this program or in ../lib/warpfuzz (WARPFUZZ_HOME may name its folder)");
  return -1;
}

/* ---- toolchain.conf ---- */

typedef struct Field {
  const char *name;
  char *value;
  size_t size;
} Field;

/* One line; 0 or -1: it is neither empty nor a comment nor NAME VALUE, or too long. */
static int take_line(char *line, const Field *field, size_t n_fields) {
  line[strcspn(line, "\n")] = '\0';
  if (*line == '#' || *line == '\0')
    return 0;
  size_t len = strcspn(line, " ");
  const char *value = line + len + strspn(line + len, " ");
  for (size_t i = 0; i < n_fields; i++) {
    if (strlen(field[i].name) != len || memcmp(line, field[i].name, len) != 0)
      continue;
    size_t n = strlen(value);
    while (n > 0 && value[n - 1] == ' ')
      n--;
    if (n >= field[i].size)
      return -1;
    memcpy(field[i].value, value, n);
    field[i].value[n] = '\0';
    return 0;
  }
  return -1;
}

static int read_conf(WfToolchain *t, char *err, size_t err_size) {
  const Field field[] = {
      {"sources", t->sources, sizeof t->sources}, {"cc", t->cc, sizeof t->cc},       {"clang", t->clang, sizeof t->clang},
      {"nvcc", t->nvcc, sizeof t->nvcc},          {"ld", t->ld, sizeof t->ld},       {"objcopy", t->objcopy, sizeof t->objcopy},
      {"flags", t->flags, sizeof t->flags},       {"libs", t->libs, sizeof t->libs}, {"cuda_libs", t->cuda_libs, sizeof t->cuda_libs},
  };
  char path[WF_TOOL_PATH + sizeof CONF + 1], *line = NULL;
  size_t room = 0;
  int n = 0, bad = 0;
  snprintf(path, sizeof path, "%s/" CONF, t->root);
  FILE *f = fopen(path, "r");
  if (!f) {
    snprintf(err, err_size, "%.300s: %s", path, strerror(errno));
    return -1;
  }
  while (!bad && getline(&line, &room, f) > 0) {
    n++;
    bad = take_line(line, field, sizeof field / sizeof *field) != 0;
  }
  free(line);
  fclose(f);
  if (!bad)
    return 0;
  snprintf(err, err_size, "%.300s:%d: cannot be understood", path, n);
  return -1;
}

int wf_toolchain_find(WfToolchain *out, char *err, size_t err_size) {
  *out = (WfToolchain){0};
  if (find_root(out->root, err, err_size) != 0 || read_conf(out, err, err_size) != 0)
    return -1;
  const char *sources = out->sources[0] ? out->sources : out->root;
  char found[WF_TOOL_PATH];
  if (!take_folder(sources, found)) {
    snprintf(err, err_size, "%.300s/" CONF ": no sources in %.300s", out->root, sources);
    return -1;
  }
  strcpy(out->sources, found);
  if (out->cc[0] && out->clang[0])
    return 0;
  snprintf(err, err_size, "%.300s/" CONF ": names no compiler", out->root);
  return -1;
}

/* ---- tools ---- */

static void push(WfArgs *a, char *text) {
  if (text && a->n + 1 >= a->max) {
    size_t max = a->max ? 2 * a->max : 32;
    char **more = realloc(a->arg, max * sizeof *more);
    if (more) {
      a->arg = more;
      a->max = max;
    } else {
      free(text);
      text = NULL;
    }
  }
  a->failed |= !text;
  if (!text)
    return;
  a->arg[a->n++] = text;
  a->arg[a->n] = NULL;
}

void wf_args_add(WfArgs *a, const char *format, ...) {
  char *text = NULL;
  va_list args;
  va_start(args, format);
  if (vasprintf(&text, format, args) < 0)
    text = NULL;
  va_end(args);
  push(a, text);
}

void wf_args_add_words(WfArgs *a, const char *words) {
  for (words += strspn(words, " "); *words; words += strspn(words, " ")) {
    size_t n = strcspn(words, " ");
    push(a, strndup(words, n));
    words += n;
  }
}

void wf_args_free(WfArgs *a) {
  for (size_t i = 0; i < a->n; i++)
    free(a->arg[i]);
  free(a->arg);
  *a = (WfArgs){0};
}

/* 0 or an errno. */
static int spawn(const WfArgs *a, const char *output, pid_t *pid) {
  posix_spawn_file_actions_t actions;
  int rc = posix_spawn_file_actions_init(&actions);
  if (rc)
    return rc;
  if (output) {
    rc = posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (!rc)
      rc = posix_spawn_file_actions_adddup2(&actions, 1, 2);
  }
  if (!rc)
    rc = posix_spawnp(pid, a->arg[0], &actions, NULL, a->arg, environ);
  posix_spawn_file_actions_destroy(&actions);
  return rc;
}

int wf_args_run(const WfArgs *a, const char *output) {
  pid_t pid;
  int status, rc = a->failed || a->n == 0 ? ENOMEM : spawn(a, output, &pid);
  if (rc) {
    errno = rc;
    return -1;
  }
  while (waitpid(pid, &status, 0) < 0)
    if (errno != EINTR)
      return -1;
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
