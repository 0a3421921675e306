/* source_line.c - reads one line of a source file. */
#define _POSIX_C_SOURCE 200809L
#include "source_line.h"
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

enum { MAX_WIDTH_BYTES = 120, LEAD_BYTES = 60 /* shown in front of the column when the line is cut */ };

static void add_safe(WfText *t, const char *s, size_t len) {
  while (len) {
    size_t n = wf_utf8_len(s, len);
    unsigned char c = (unsigned char)*s;
    int c1 = n == 2 && c == 0xc2 && (unsigned char)s[1] < 0xa0; /* U+0080..9F: control characters as well */
    if (n == 0 || c1 || (c < 0x20 && c != '\t') || c == 0x7f)
      wf_text_put(t, "?", 1);
    else
      wf_text_put(t, s, n);
    s += n ? n : 1;
    len -= n ? n : 1;
  }
}

void wf_text_add_safe(WfText *t, const char *s) {
  if (s)
    add_safe(t, s, strlen(s));
}

/* A device or a pipe of that name could block for ever. */
static FILE *open_regular(const char *path) {
  struct stat st;
  int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0)
    return NULL;
  FILE *f = fstat(fd, &st) == 0 && S_ISREG(st.st_mode) ? fdopen(fd, "r") : NULL;
  if (!f)
    close(fd);
  return f;
}

/* A kernel of ours is named from the source directory. A fuzz target that was moved elsewhere has the sources beside it. */
static FILE *open_beside_program(const char *path) {
  char full[4096];
  ssize_t n = strncmp(path, "kernels/", 8) == 0 ? readlink("/proc/self/exe", full, sizeof full - 1) : -1;
  if (n < 0)
    return NULL;
  full[n] = '\0';
  char *slash = strrchr(full, '/');
  size_t dir = slash ? (size_t)(slash + 1 - full) : 0;
  if (dir + strlen(path) >= sizeof full)
    return NULL;
  strcpy(full + dir, path);
  return open_regular(full);
}

/* Line number `line` without its end, malloc'ed, *len bytes; NULL: there is none. */
static char *read_line(const char *path, uint32_t line, size_t *len) {
  FILE *f = path && line ? open_regular(path) : NULL;
  char *s = NULL;
  size_t cap = 0;
  ssize_t n = -1;
  if (!f && path && line)
    f = open_beside_program(path);
  if (!f)
    return NULL;
  for (uint32_t i = 0; i < line; i++) {
    if ((n = getline(&s, &cap, f)) < 0)
      break;
  }
  fclose(f);
  if (n < 0) {
    free(s);
    return NULL;
  }
  while (n && (s[n - 1] == '\n' || s[n - 1] == '\r'))
    n--;
  *len = (size_t)n;
  return s;
}

static int is_continuation(char c) { return ((unsigned char)c & 0xc0) == 0x80; }

/* Tabs are kept in both lines, so that the mark stands right whatever their width. */
static void add_mark(WfText *t, const char *s, size_t before) {
  for (size_t i = 0; i < before; i++) {
    if (!is_continuation(s[i]))
      wf_text_put(t, s[i] == '\t' ? "\t" : " ", 1);
  }
  wf_text_put(t, "^\n", 2);
}

void wf_source_line_add(WfText *t, const char *file, uint32_t line, uint32_t column) {
  size_t len, from = 0;
  char *s = read_line(file, line, &len);
  if (!s)
    return;
  size_t at = column ? column - 1 : 0;
  if (at >= len)
    column = 0;
  if (len > MAX_WIDTH_BYTES && column && at > LEAD_BYTES)
    from = at - LEAD_BYTES;
  while (from && is_continuation(s[from]))
    from--;
  size_t to = len - from > MAX_WIDTH_BYTES ? from + MAX_WIDTH_BYTES : len;
  while (to < len && is_continuation(s[to]))
    to++;
  wf_text_add(t, "    %6" PRIu32 " | %s", line, from ? "..." : "");
  add_safe(t, s + from, to - from);
  wf_text_add(t, "%s\n", to < len ? "..." : "");
  if (column) {
    wf_text_add(t, "           | %s", from ? "   " : "");
    add_mark(t, s + from, at - from);
  }
  free(s);
}
