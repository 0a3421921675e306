/* json_lines.c - reads files of JSON objects, a line each. */
#define _GNU_SOURCE
#include "json_lines.h"
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A device or a pipe of that name could block for ever. NULL, with errno. */
static FILE *open_regular(const char *path) {
  struct stat st;
  int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0) return NULL;
  int known = fstat(fd, &st) == 0, regular = known && S_ISREG(st.st_mode);
  FILE *f = regular ? fdopen(fd, "r") : NULL;
  if (f) return f;
  close(fd);
  if (known && !regular) errno = S_ISDIR(st.st_mode) ? EISDIR : EINVAL;
  return NULL;
}

/* With a name twice it would be two objects, and readers would differ in which they see. NUL is not JSON, but jansson passes over some. */
static int take_line(const char *text, size_t len, WfTakeLine *take, void *arg, size_t *n_bad) {
  int is_text = text[len - 1] == '\n' && strlen(text) == len;
  json_t *line = is_text ? json_loadb(text, len, JSON_REJECT_DUPLICATES, NULL) : NULL;
  int rc = 0;
  if (json_is_object(line)) rc = take(arg, line, text, len);
  else ++*n_bad;
  json_decref(line);
  return rc;
}

int wf_json_lines(const char *path, WfTakeLine *take, void *arg, size_t *n_bad) {
  FILE *f = open_regular(path);
  char *text = NULL;
  size_t size = 0, unasked = 0;
  ssize_t len;
  int rc = 0;
  if (!f) return errno == ENOENT ? 0 : WF_LINES_UNREADABLE;
  while (rc == 0 && (len = getline(&text, &size, f)) > 0)
    if (strspn(text, " \t\r\n") < (size_t)len) rc = take_line(text, (size_t)len, take, arg, n_bad ? n_bad : &unasked);
  if (rc == 0 && !feof(f)) rc = WF_LINES_UNREADABLE; /* or no memory for a line: getline() has set errno */
  free(text);
  fclose(f);
  return rc;
}
