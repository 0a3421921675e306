/* resume.c - reads our own JSON lines back (finding_json.c): flat objects whose strings escape every quote, so that
 * "key": is found by searching. A line that is not whole, after a crash, is left out. */
#define _POSIX_C_SOURCE 200809L
#include "resume.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Behind "prefixkey":, NULL: there is no such key. */
static const char *value_of(const char *line, const char *prefix, const char *key) {
  char wanted[64];
  snprintf(wanted, sizeof wanted, "\"%s%s\":", prefix, key);
  const char *at = strstr(line, wanted);
  return at ? at + strlen(wanted) : NULL;
}

/* One character of a string at *s, which is stepped over. */
static char take_char(const char **s) {
  if (**s != '\\') return *(*s)++;
  const char *escape = *s + 1;
  unsigned code = 0;
  if (*escape != 'u') {
    *s += 2;
    return *escape;
  }
  sscanf(escape + 1, "%4x", &code);
  *s += 6;
  return code < 0x80 ? (char)code : '?';
}

/* The string, malloc'ed; NULL: null, no such key, or no memory. */
static char *text_of(const char *line, const char *prefix, const char *key) {
  const char *s = value_of(line, prefix, key);
  if (!s || *s++ != '"') return NULL;
  char *text = malloc(strlen(s) + 1), *end = text;
  while (text && *s && *s != '"') *end++ = take_char(&s);
  if (text) *end = '\0';
  return text;
}

static int text_is(const char *line, const char *key, const char *wanted) {
  char *text = text_of(line, "", key);
  int same = text && strcmp(text, wanted) == 0;
  free(text);
  return same;
}

static unsigned number_of(const char *line, const char *prefix, const char *key) {
  const char *s = value_of(line, prefix, key);
  return s ? (unsigned)strtoul(s, NULL, 10) : 0;
}

/* "k.cu:3:5 in f", as wf_finding_places() has it. */
static void add_place(FILE *out, const char *line, const char *prefix, const char *lead) {
  char *file = text_of(line, prefix, "file"), *function = text_of(line, prefix, "function");
  if (file)
    fprintf(out, "%s%s:%u:%u in %s", lead, file, number_of(line, prefix, "line"), number_of(line, prefix, "column"),
            function ? function : "?");
  free(file);
  free(function);
}

static char *places_of(const char *line) {
  char *text = NULL;
  size_t len;
  FILE *f = open_memstream(&text, &len);
  if (!f) return NULL;
  add_place(f, line, "", "");
  add_place(f, line, "other_", ftell(f) > 0 ? " and " : "");
  if (fclose(f) == 0) return text;
  free(text);
  return NULL;
}

/* Where the file is gone, any case is smaller. */
static int read_case(WfKept *k) {
  char err[256];
  return k->path && wf_case_load(&k->c, k->path, err, sizeof err) == 0;
}

static int find_target(const WfPlan *p, const char *line, uint32_t *out) {
  for (size_t i = 0; i < p->n_targets; i++) {
    if (!text_is(line, "op", p->targets[i].op->name) || !text_is(line, "variant", p->targets[i].variant->name)) continue;
    *out = (uint32_t)i;
    return 0;
  }
  return -1;
}

static int read_severity(const char *line, SimtSeverity *out) {
  for (*out = SIMT_MEANT; *out <= SIMT_ERROR; ++*out)
    if (text_is(line, "severity", wf_severity_name(*out))) return 0;
  return -1;
}

static int read_head(const WfPlan *p, const char *line, WfKept *k) {
  char *id = text_of(line, "", "id"), *cls = text_of(line, "", "class"), *outside = text_of(line, "", "outside");
  int rc = id && sscanf(id, "%16" SCNx64, &k->id) == 1 ? 0 : -1;
  if (rc == 0) rc = cls ? simt_class_parse(cls, strlen(cls), &k->cls) : -1;
  if (rc == 0) rc = read_severity(line, &k->severity);
  if (rc == 0) rc = find_target(p, line, &k->target);
  k->outside = outside != NULL;
  free(id);
  free(cls);
  free(outside);
  return rc;
}

/* Keeps the finding of one line; a line that is not one of ours, or of another target, is passed over. 0 or -1: no memory. */
static int keep_line(WfCollector *c, const char *line) {
  WfKept k = {0};
  if (!strchr(line, '\n') || read_head(c->plan, line, &k) != 0) return 0;
  WfKept *more = realloc(c->kept, (c->n_kept + 1) * sizeof *more);
  if (!more) return -1;
  c->kept = more;
  k.json = strdup(line);
  k.places = places_of(line);
  k.reason = text_of(line, "", "reason");
  k.path = text_of(line, "", "case");
  k.logged = text_of(line, "", "case");
  k.shown = text_of(line, "", "case");
  k.has_case = read_case(&k);
  c->kept[c->n_kept++] = k;
  int whole = k.severity == SIMT_MEANT ? k.reason != NULL : k.path && k.logged && k.shown;
  return k.json && k.places && whole ? 0 : -1;
}

int wf_collect_resume(WfCollector *c, uint64_t **ids, size_t *n, char *err, size_t err_size) {
  char path[4096], *line = NULL;
  size_t size = 0;
  int rc = 0;
  *ids = NULL;
  *n = 0;
  snprintf(path, sizeof path, "%s/findings.jsonl", c->plan->out);
  FILE *f = fopen(path, "r");
  if (!f && errno == ENOENT) return 0;
  if (!f) {
    snprintf(err, err_size, "%s: %s", path, strerror(errno));
    return -1;
  }
  while (rc == 0 && getline(&line, &size, f) > 0) rc = keep_line(c, line);
  if (ferror(f)) rc = -1;
  free(line);
  fclose(f);
  *ids = rc == 0 ? malloc((c->n_kept + 1) * sizeof **ids) : NULL;
  if (!*ids) {
    snprintf(err, err_size, "%s: cannot be read, or no memory", path);
    return -1;
  }
  for (size_t i = 0; i < c->n_kept; i++) (*ids)[(*n)++] = c->kept[i].id;
  return 0;
}
