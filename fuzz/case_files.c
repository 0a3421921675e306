/* case_files.c - collecting *.case files, making directories. */
#define _POSIX_C_SOURCE 200809L
#include "case_files.h"
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static int push(WfCaseFiles *list, char *path) {
  if (path && list->n == list->max) {
    size_t max = list->max ? 2 * list->max : 16;
    char **more = realloc(list->path, max * sizeof *more);
    if (more) {
      list->path = more;
      list->max = max;
    }
  }
  if (!path || list->n == list->max) {
    free(path);
    return -1;
  }
  list->path[list->n++] = path;
  return 0;
}

/* "dir/name", malloc'ed. */
static char *join(const char *dir, const char *name) {
  size_t len = strlen(dir);
  while (len > 1 && dir[len - 1] == '/') len--;
  char *path = malloc(len + strlen(name) + 2);
  if (path) sprintf(path, "%.*s/%s", (int)len, dir, name);
  return path;
}

static int is_case(const char *name) {
  size_t len = strlen(name);
  return len > 5 && strcmp(name + len - 5, ".case") == 0;
}

static int walk(WfCaseFiles *list, const char *dir, char *err, size_t err_size);

static int fail(char *err, size_t err_size, const char *path) {
  snprintf(err, err_size, "%s: %s", path, strerror(errno));
  return -1;
}

/* One directory entry; takes the path over. What is gone by now is none. */
static int visit(WfCaseFiles *list, char *path, const char *name, char *err, size_t err_size) {
  struct stat st;
  if (!path) {
    snprintf(err, err_size, "out of memory");
    return -1;
  }
  int is_there = lstat(path, &st) == 0, is_dir = is_there && S_ISDIR(st.st_mode);
  if (is_dir || !is_case(name)) {
    int rc = is_dir ? walk(list, path, err, err_size) : is_there || errno == ENOENT ? 0 : fail(err, err_size, path);
    free(path);
    return rc;
  }
  if (push(list, path) == 0) return 0;
  snprintf(err, err_size, "out of memory");
  return -1;
}

static int walk(WfCaseFiles *list, const char *dir, char *err, size_t err_size) {
  DIR *d = opendir(dir);
  if (!d) return fail(err, err_size, dir);
  int rc = 0;
  struct dirent *e;
  while (errno = 0, rc == 0 && (e = readdir(d)) != NULL)
    if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
      rc = visit(list, join(dir, e->d_name), e->d_name, err, err_size);
  if (rc == 0 && errno) rc = fail(err, err_size, dir); /* the rest of it is not known */
  closedir(d);
  return rc;
}

static int by_bytes(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

int wf_case_files_add(WfCaseFiles *list, const char *path, char *err, size_t err_size) {
  struct stat st;
  if (stat(path, &st) == 0 && S_ISDIR(st.st_mode)) {
    size_t first = list->n;
    int rc = walk(list, path, err, err_size);
    if (list->n > first) qsort(list->path + first, list->n - first, sizeof *list->path, by_bytes);
    return rc;
  }
  if (push(list, strdup(path)) == 0) return 0;
  snprintf(err, err_size, "out of memory");
  return -1;
}

void wf_case_files_free(WfCaseFiles *list) {
  for (size_t i = 0; i < list->n; i++) free(list->path[i]);
  free(list->path);
  *list = (WfCaseFiles){0};
}

int wf_dir_make(const char *path, char *err, size_t err_size) {
  char *copy = strdup(path);
  if (!copy) {
    snprintf(err, err_size, "out of memory");
    return -1;
  }
  int rc = 0;
  for (char *p = copy + 1; rc == 0; p++) {
    if (*p != '/' && *p != '\0') continue;
    char end = *p;
    *p = '\0';
    struct stat st;
    if (mkdir(copy, 0777) != 0 && (errno != EEXIST || stat(copy, &st) != 0 || !S_ISDIR(st.st_mode))) {
      snprintf(err, err_size, "%s: %s", copy, strerror(errno == EEXIST ? ENOTDIR : errno));
      rc = -1;
    }
    *p = end;
    if (end == '\0') break;
  }
  free(copy);
  return rc;
}

void wf_finding_file_name(const WfTarget *t, SimtClass cls, uint64_t key, char out[WF_FILE_NAME_MAX]) {
  snprintf(out, WF_FILE_NAME_MAX, "%s-%s-%s-%016llx.case", t->op->name, t->variant->name, simt_class_name(cls),
           (unsigned long long)key);
  for (char *p = out; *p; p++) /* "fault/F14" is the name of an op */
    if (*p == '/') *p = '-';
}
