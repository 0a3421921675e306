/* case_load.c - reads case files. Whatever a path may be, it neither hangs nor fills the memory. */
#define _GNU_SOURCE
#include "case.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_FILE_BYTES ((size_t)1 << 20)

static int fail(char *err, size_t err_size, const char *path, const char *why) {
  snprintf(err, err_size, "%s: %s", path, why);
  return -1;
}

/* How long a pipe is waited for whose writer may be about to open it. ARBITRARY_: two commands of a script start together. */
enum { ARBITRARY_WRITER_MS = 1000 };

/* A named pipe that nobody writes to would be waited for without end. Opened without waiting, one with a writer has data by then,
 * or no end of file yet. */
static int is_dead_pipe(int fd) {
  struct stat st;
  struct pollfd p = {.fd = fd, .events = POLLIN};
  char byte;
  if (fstat(fd, &st) != 0 || !S_ISFIFO(st.st_mode) || (poll(&p, 1, ARBITRARY_WRITER_MS) > 0 && p.revents & POLLIN)) return 0;
  return read(fd, &byte, 1) == 0; /* with a writer: EAGAIN */
}

/* At most `room` bytes. Their number, or -1 with errno. */
static ssize_t read_most(int fd, char *text, size_t room) {
  size_t n = 0;
  while (n < room) {
    ssize_t got = read(fd, text + n, room - n);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return -1;
    if (got == 0) break;
    n += (size_t)got;
  }
  return (ssize_t)n;
}

static int too_large(char *err, size_t err_size, const char *path, const char *text) {
  unsigned line = 1;
  for (size_t i = 0; i < MAX_FILE_BYTES; i++) line += text[i] == '\n';
  snprintf(err, err_size, "%s:%u: the file goes on past 1 MiB: that is no case", path, line);
  return -1;
}

static int load(WfCase *out, int fd, const char *path, char *err, size_t err_size) {
  if (is_dead_pipe(fd)) return fail(err, err_size, path, "a pipe that nobody writes to");
  if (fcntl(fd, F_SETFL, O_RDONLY) != 0) return fail(err, err_size, path, strerror(errno));
  char *text = malloc(MAX_FILE_BYTES + 1);
  if (!text) return fail(err, err_size, path, strerror(ENOMEM));
  ssize_t n = read_most(fd, text, MAX_FILE_BYTES + 1);
  int rc;
  if (n < 0)
    rc = fail(err, err_size, path, strerror(errno));
  else if ((size_t)n > MAX_FILE_BYTES)
    rc = too_large(err, err_size, path, text);
  else
    rc = wf_case_parse(out, text, (size_t)n, path, err, err_size);
  free(text);
  return rc;
}

int wf_case_load(WfCase *out, const char *path, char *err, size_t err_size) {
  int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (fd < 0) return fail(err, err_size, path, strerror(errno));
  int rc = load(out, fd, path, err, err_size);
  close(fd);
  return rc;
}
