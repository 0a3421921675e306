/* suppress.c - reads suppressions, and says which finding falls under one. */
#define _POSIX_C_SOURCE 200809L
#include "suppress.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- reading ---- */

/* The next word of *s, ended; "": there is none. */
static char *take_word(char **s) {
  char *word = *s + strspn(*s, " \t");
  char *end = word + strcspn(word, " \t");
  *s = *end ? end + 1 : end;
  *end = '\0';
  return word;
}

static int add(WfSuppressions *s, SimtClass cls, const char *where, const char *reason) {
  WfSuppression *more = realloc(s->line, (s->n + 1) * sizeof *more);
  if (!more)
    return -1;
  s->line = more;
  WfSuppression *new = &s->line[s->n];
  *new = (WfSuppression){cls, strdup(where), strdup(reason)};
  s->n++;
  return new->where && new->reason ? 0 : -1;
}

/* The classes that a word stands for, as a set; 0: none. */
static uint32_t classes_of(const char *word) {
  SimtClass cls;
  if (strcmp(word, "*") == 0)
    return (1u << SIMT_CLASS_COUNT) - 1;
  if (strcmp(word, "race") == 0)
    return 1u << SIMT_RACE_WARP | 1u << SIMT_RACE_SHARED | 1u << SIMT_RACE_GLOBAL;
  return simt_class_parse(word, strlen(word), &cls) == 0 ? 1u << cls : 0;
}

/* NULL, or what is wrong with the line. */
static const char *take_line(WfSuppressions *s, char *line) {
  line[strcspn(line, "\r\n")] = '\0';
  const char *word = take_word(&line);
  if (*word == '\0' || *word == '#')
    return NULL;
  uint32_t classes = classes_of(word);
  if (!classes)
    return "no such class of findings (doc/CASE.md lists them)";
  const char *where = take_word(&line);
  if (*where == '\0')
    return "a kernel or FILE:LINE is missing";
  const char *reason = line + strspn(line, " \t");
  if (*reason == '\0')
    return "the reason is missing";
  for (int cls = 0; cls < SIMT_CLASS_COUNT; cls++)
    if (classes >> cls & 1 && add(s, (SimtClass)cls, where, reason) != 0)
      return "out of memory";
  return NULL;
}

int wf_suppressions_load(WfSuppressions *out, const char *path, char *err, size_t err_size) {
  *out = (WfSuppressions){0};
  errno = 0;
  FILE *f = fopen(path, "r");
  char *line = NULL;
  size_t room = 0;
  const char *wrong = NULL;
  int n = 0;
  while (f && !wrong && getline(&line, &room, f) >= 0) {
    n++;
    wrong = take_line(out, line);
    errno = 0;
  }
  int unreadable = !f || ferror(f);
  if (unreadable)
    snprintf(err, err_size, "%.300s: %s", path, strerror(errno));
  else if (wrong)
    snprintf(err, err_size, "%.300s:%d: %s", path, n, wrong);
  free(line);
  if (f)
    fclose(f);
  return unreadable || wrong ? -1 : 0;
}

void wf_suppressions_free(WfSuppressions *s) {
  for (size_t i = 0; i < s->n; i++) {
    free((char *)s->line[i].where);
    free((char *)s->line[i].reason);
  }
  free(s->line);
  *s = (WfSuppressions){0};
}

/* ---- applying ---- */

int wf_path_ends(const char *path, const char *end, size_t len) {
  size_t n = strlen(path);
  if (len == 0 || len > n || memcmp(path + n - len, end, len) != 0)
    return 0;
  return len == n || path[n - len - 1] == '/';
}

/* In any function of the call path: a helper's line stands in its report, and so does the line that calls it. */
static int is_at(const SimtSite *site, const char *file, size_t len, unsigned long line) {
  for (; site; site = site->caller)
    if (site->line == line && site->file && wf_path_ends(site->file, file, len))
      return 1;
  return 0;
}

/* "softmax" is the kernel softmax<256>(float const*) as well. */
static int is_kernel(const char *kernel, const char *name) {
  size_t n = strlen(name);
  return kernel && strncmp(kernel, name, n) == 0 && (kernel[n] == '\0' || kernel[n] == '<' || kernel[n] == '(');
}

static int matches(const WfSuppression *s, const WfFinding *f) {
  const char *colon = strrchr(s->where, ':');
  char *end = NULL;
  if (f->simt.cls != s->cls)
    return 0;
  if (is_kernel(f->simt.kernel, s->where))
    return 1;
  unsigned long line = colon ? strtoul(colon + 1, &end, 10) : 0;
  if (!line || *end)
    return 0;
  size_t len = (size_t)(colon - s->where);
  return is_at(f->simt.here.site, s->where, len, line) || is_at(f->simt.other.site, s->where, len, line) ||
         is_at(f->writer.site, s->where, len, line);
}

const char *wf_suppressed(const WfSuppression *list, size_t n, const WfFinding *f) {
  for (size_t i = 0; i < n; i++)
    if (matches(&list[i], f))
      return list[i].reason;
  return NULL;
}
