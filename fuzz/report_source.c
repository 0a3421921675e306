/* report_source.c - source files that findings name, as they are when the report is made. */
#define _GNU_SOURCE
#include "report_impl.h"
#include "textbuf.h"
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

enum { MAX_SOURCE_BYTES = 4 << 20 };

static int is_regular(const char *path) {
  struct stat st;
  return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

char *wf_report_source_path(const WfReport *r, const char *file) {
  char path[PATH_MAX];
  if (!file || !*file) return NULL;
  if (*file == '/') return is_regular(file) ? realpath(file, NULL) : NULL;
  for (int i = 0; r->sources[i]; i++) {
    int n = snprintf(path, sizeof path, "%s/%s", r->sources[i], file);
    if (n < (int)sizeof path && is_regular(path)) return realpath(path, NULL);
  }
  return NULL;
}

/* The whole file, NUL at the end; NULL. */
static char *read_whole(const char *path, size_t *len) {
  struct stat st;
  int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0) return NULL;
  int fits = fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size <= MAX_SOURCE_BYTES;
  char *text = fits ? malloc((size_t)st.st_size + 1) : NULL;
  *len = 0;
  for (ssize_t n = 1; text && n > 0 && *len < (size_t)st.st_size; *len += n > 0 ? (size_t)n : 0) n = read(fd, text + *len, (size_t)st.st_size - *len);
  close(fd);
  if (text) text[*len] = '\0';
  return text;
}

void wf_report_plain(char *s, size_t len) {
  while (len) {
    size_t n = wf_utf8_len(s, len);
    unsigned char c = (unsigned char)*s;
    if (n == 0 || (c < 0x20 && c != '\t' && c != '\n') || c == 0x7f) *s = c == '\r' && len > 1 && s[1] == '\n' ? ' ' : '?';
    s += n ? n : 1;
    len -= n ? n : 1;
  }
}

void wf_report_source_read(const WfReport *r, const char *file, WfReportSource *out) {
  size_t len = 0, n = 1;
  *out = (WfReportSource){0};
  char *path = wf_report_source_path(r, file), *text = path ? read_whole(path, &len) : NULL;
  free(path);
  if (!text) return;
  wf_report_plain(text, len);
  for (size_t i = 0; i < len; i++) n += text[i] == '\n';
  const char **line = malloc(n * sizeof *line);
  if (!line) {
    free(text);
    return;
  }
  *out = (WfReportSource){.text = text, .line = line};
  for (char *at = text; at < text + len;) {
    line[out->n_lines++] = at;
    at += strcspn(at, "\n");
    *at++ = '\0';
  }
}

void wf_report_source_free(WfReportSource *s) {
  free(s->text);
  free(s->line);
  *s = (WfReportSource){0};
}

const char *wf_report_source_line(const WfReportSource *s, int64_t n) { return n >= 1 && (uint64_t)n <= s->n_lines ? s->line[n - 1] : NULL; }

/* Function and text of a side's line, blanks left out; "" where there is no such side. 0; -1: its source is not here. */
static int describe(const WfReport *r, const WfReportSide *side, WfText *t) {
  WfReportSource source;
  wf_text_put(t, "", 0);
  if (!side->file || !side->line) return 0;
  wf_report_source_read(r, side->file, &source);
  const char *line = wf_report_source_line(&source, side->line);
  wf_text_add(t, "%s:", side->function ? side->function : "");
  for (const char *p = line; p && *p; p++)
    if (*p != ' ' && *p != '\t') wf_text_put(t, p, 1);
  int rc = line && !t->failed ? 0 : -1;
  wf_report_source_free(&source);
  return rc;
}

static const char *or_empty(const char *s) { return s ? s : ""; }

int wf_report_fingerprint(const WfReport *r, const WfReportFinding *f, char out[17]) {
  WfText side[2] = {{0}, {0}}, all = {0};
  int rc = !f->here.line && !f->other.line ? -1 : 0;
  if (rc == 0) rc = describe(r, &f->here, &side[0]) | describe(r, &f->other, &side[1]);
  if (rc == 0) {
    int swap = strcmp(side[0].s, side[1].s) > 0; /* which side came second depends on the schedule */
    wf_text_add(&all, "%s\n%s\n%s\n%s\n%s\n%s\n", f->class_name, or_empty(f->op ? f->op : f->program), or_empty(f->variant ? f->variant : f->kernel),
                or_empty(f->outside ? "outside" : ""), side[swap].s, side[!swap].s);
    rc = all.failed ? -1 : 0;
  }
  if (rc == 0) snprintf(out, 17, "%016" PRIx64, (uint64_t)XXH64(all.s, all.len, 0));
  free(side[0].s);
  free(side[1].s);
  free(all.s);
  return rc;
}
