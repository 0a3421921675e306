/* durable.c - files that are whole or not there, even after a crash or on a full disk. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "finding.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static int fail(char *err, size_t err_size, const char *path, const char *what) {
  int e = errno; /* strerror() of a known number is a constant string */
  snprintf(err, err_size, "%s: %s: %s", path, what, strerror(e));
  return -1;
}

int wf_write_all(int fd, const void *data, size_t len) {
  const char *at = data;
  while (len) {
    ssize_t n = write(fd, at, len);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      return -1;
    at += n;
    len -= (size_t)n;
  }
  return 0;
}

static int sync_dir(const char *dir) {
  int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0)
    return -1;
  int rc = fsync(fd), e = errno;
  close(fd);
  errno = e;
  return rc;
}

/* A new file beside the one meant, so that the rename stays within a file system. Names left by a process that died are
 * stepped over. The name is cut, since the one meant may be as long as names can be. */
static int create_temporary(const char *dir, const char *name, char *path, size_t path_size) {
  for (int i = 0; i < 1000; i++) {
    int n = snprintf(path, path_size, "%s/.%.200s.%ld.%d", dir, name, (long)getpid(), i);
    if (n < 0 || (size_t)n >= path_size) {
      errno = ENAMETOOLONG;
      return -1;
    }
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd >= 0 || errno != EEXIST)
      return fd;
  }
  return -1;
}

static int fill_and_close(int fd, const void *data, size_t len, int sync) {
  int rc = wf_write_all(fd, data, len) || (sync && fsync(fd)) ? -1 : 0, e = errno;
  if (close(fd) && !rc)
    return -1;
  errno = e;
  return rc;
}

static int replace_file(const char *dir, const char *name, const void *data, size_t len, int sync, char *err, size_t err_size) {
  char path[PATH_MAX], temporary[PATH_MAX];
  int n = snprintf(path, sizeof path, "%s/%s", dir, name);
  if (n < 0 || (size_t)n >= sizeof path) {
    errno = ENAMETOOLONG;
    return fail(err, err_size, dir, "cannot write");
  }
  int fd = create_temporary(dir, name, temporary, sizeof temporary);
  if (fd < 0)
    return fail(err, err_size, path, "cannot write");
  if (fill_and_close(fd, data, len, sync) || rename(temporary, path)) {
    int rc = fail(err, err_size, path, "cannot write");
    unlink(temporary);
    return rc;
  }
  return sync && sync_dir(dir) ? fail(err, err_size, dir, "cannot sync") : 0;
}

int wf_file_write(const char *dir, const char *name, const void *data, size_t len, char *err, size_t err_size) {
  return replace_file(dir, name, data, len, 1, err, err_size);
}

int wf_file_write_soon(const char *dir, const char *name, const void *data, size_t len, char *err, size_t err_size) {
  return replace_file(dir, name, data, len, 0, err, err_size);
}

static int sync_parent(const char *path) {
  char dir[PATH_MAX];
  const char *slash = strrchr(path, '/');
  size_t n = slash ? (size_t)(slash - path) : 0;
  if (n >= sizeof dir) {
    errno = ENAMETOOLONG;
    return -1;
  }
  memcpy(dir, path, n);
  dir[n] = '\0';
  return sync_dir(n ? dir : slash ? "/" : ".");
}

/* One buffer for one write: [newline that a crash cut off] line newline. */
static char *frame_line(const char *line, int need_newline, size_t *len) {
  size_t n = strlen(line);
  int ends = n && line[n - 1] == '\n';
  char *s = malloc(n + 3);
  if (!s)
    return NULL;
  *len = 0;
  if (need_newline)
    s[(*len)++] = '\n';
  memcpy(s + *len, line, n);
  *len += n;
  if (!ends)
    s[(*len)++] = '\n';
  return s;
}

/* The lock makes size and restoring right while other processes append to the same file. */
static int append_locked(int fd, const char *path, const char *line) {
  struct stat st;
  char last = '\n';
  size_t len;
  if (fstat(fd, &st) || (st.st_size > 0 && pread(fd, &last, 1, st.st_size - 1) != 1))
    return -1;
  char *s = frame_line(line, last != '\n', &len);
  if (!s)
    return -1;
  int rc = wf_write_all(fd, s, len), e = errno;
  free(s);
  if (rc && ftruncate(fd, st.st_size) == 0) {
    errno = e;
    return -1;
  }
  errno = e;
  if (rc || fsync(fd))
    return -1;
  return st.st_size == 0 ? sync_parent(path) : 0;
}

int wf_file_append(const char *path, const char *line, char *err, size_t err_size) {
  int rc, fd = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (fd < 0)
    return fail(err, err_size, path, "cannot append");
  do
    rc = flock(fd, LOCK_EX);
  while (rc && errno == EINTR);
  if (!rc)
    rc = append_locked(fd, path, line);
  if (rc)
    fail(err, err_size, path, "cannot append");
  if (close(fd) && !rc)
    rc = fail(err, err_size, path, "cannot append");
  return rc;
}
