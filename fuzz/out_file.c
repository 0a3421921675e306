/* out_file.c - the file behind --output. */
#define _XOPEN_SOURCE 700 /* realpath() */
#include "out_file.h"
#include "finding.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The directory of a path, and the name in it. 0; -1: too long. */
static int split(const char *path, char dir[PATH_MAX], const char **name) {
  const char *slash = strrchr(path, '/');
  *name = slash ? slash + 1 : path;
  size_t n = slash ? (size_t)(slash - path) : 0;
  if (n >= PATH_MAX) return -1;
  memcpy(dir, slash ? path : ".", slash ? n : 1);
  dir[slash ? n : 1] = '\0';
  if (slash == path) strcpy(dir, "/");
  return 0;
}

static int is_written_to(const char *path) {
  struct stat st;
  return stat(path, &st) == 0 && !S_ISREG(st.st_mode);
}

/* Of a path that is no file yet. An errno, or 0. */
static int check_place(const char *path) {
  char dir[PATH_MAX];
  const char *name;
  struct stat st;
  if (lstat(path, &st) == 0) return ENOENT; /* a link to nowhere */
  if (split(path, dir, &name) != 0) return ENAMETOOLONG;
  if (access(dir, W_OK | X_OK) != 0) return errno;
  return *name == '\0' ? EISDIR : 0;
}

int wf_out_file_check(const char *path) {
  char real[PATH_MAX], dir[PATH_MAX];
  const char *name;
  struct stat st;
  if (stat(path, &st) != 0) return errno == ENOENT ? check_place(path) : errno;
  if (S_ISDIR(st.st_mode)) return EISDIR;
  if (access(path, W_OK) != 0) return errno;
  if (!S_ISREG(st.st_mode)) return 0;
  if (!realpath(path, real)) return errno;
  if (split(real, dir, &name) != 0) return ENAMETOOLONG;
  return access(dir, W_OK | X_OK) != 0 ? errno : 0;
}

/* To a device or a pipe; it does not wait for a reader of a named one. 0 or -1. */
static int write_to(const char *path, const char *text, char *err, size_t err_size) {
  int fd = open(path, O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
  int is_done = fd >= 0 && fcntl(fd, F_SETFL, 0) == 0 && wf_write_all(fd, text, strlen(text)) == 0;
  if (!is_done) snprintf(err, err_size, "%s: cannot write: %s", path, strerror(errno));
  if (fd >= 0) close(fd);
  return is_done ? 0 : -1;
}

int wf_out_file_write(const char *path, const char *text, char *err, size_t err_size) {
  char real[PATH_MAX], dir[PATH_MAX];
  const char *name;
  if (is_written_to(path)) return write_to(path, text, err, err_size);
  if (split(realpath(path, real) ? real : path, dir, &name) == 0) return wf_file_write(dir, name, text, strlen(text), err, err_size);
  snprintf(err, err_size, "%s: cannot write: %s", path, strerror(ENAMETOOLONG));
  return -1;
}
