/* report_read.c - opens what a campaign left, and reads its files line by line. */
#define _GNU_SOURCE
#include "report_impl.h"
#include "finding.h"
#include "json_lines.h"
#include "textbuf.h"
#include "toolchain.h"
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- memory ---- */

static int keep_block(WfReport *r, void *block) {
  WfReportStore *s = r->store;
  if (s->n_blocks == s->max_blocks) {
    size_t max = s->max_blocks ? 2 * s->max_blocks : 64;
    void **more = realloc(s->blocks, max * sizeof *more);
    if (!more) return -1;
    s->blocks = more;
    s->max_blocks = max;
  }
  s->blocks[s->n_blocks++] = block;
  return 0;
}

void *wf_report_alloc(WfReport *r, size_t n, size_t elem_bytes) {
  void *p = calloc(n ? n : 1, elem_bytes);
  if (p && keep_block(r, p) == 0) return p;
  free(p);
  return NULL;
}

/* Capacities are powers of two, so that an array moves when its number of elements is one. */
void *wf_report_grow(WfReport *r, void *array, size_t n, size_t elem_bytes) {
  if (n & (n - 1)) return array;
  void *more = wf_report_alloc(r, n ? 2 * n : 1, elem_bytes);
  if (more && n) memcpy(more, array, n * elem_bytes);
  return more;
}

void wf_report_free(WfReport *r) {
  for (size_t i = 0; r->store && i < r->store->n_blocks; i++) free(r->store->blocks[i]);
  if (r->store) {
    json_decref(r->store->values);
    free(r->store->blocks);
  }
  free(r->store);
  for (int i = 0; r->sources[i]; i++) free(r->sources[i]);
  free(r->dir);
  *r = (WfReport){0};
}

/* ---- JSON ---- */

static const json_t *member(const json_t *j, const char *prefix, const char *key) {
  char name[64];
  snprintf(name, sizeof name, "%s%s", prefix, key);
  return json_object_get(j, name);
}

const char *wf_json_text(const json_t *j, const char *prefix, const char *key) { return json_string_value(member(j, prefix, key)); }

int wf_json_int(const json_t *j, const char *prefix, const char *key, int64_t *out) {
  const json_t *v = member(j, prefix, key);
  *out = json_integer_value(v);
  return json_is_integer(v);
}

double wf_json_double(const json_t *j, const char *key) {
  const json_t *v = json_object_get(j, key);
  const char *text = json_string_value(v);
  if (json_is_number(v)) return json_number_value(v);
  if (text && strcmp(text, "inf") == 0) return INFINITY;
  return text && strcmp(text, "-inf") == 0 ? -INFINITY : NAN;
}

int wf_json_triple(const json_t *j, const char *prefix, const char *key, uint32_t out[3]) {
  const json_t *v = member(j, prefix, key);
  if (json_array_size(v) != 3) return 0;
  for (size_t i = 0; i < 3; i++) {
    const json_t *e = json_array_get(v, i);
    if (!json_is_integer(e) || json_integer_value(e) < 0 || json_integer_value(e) > UINT32_MAX) return 0;
    out[i] = (uint32_t)json_integer_value(e);
  }
  return 1;
}

/* ---- lines ---- */

typedef struct Lines {
  WfReport *report;
  int (*take)(WfReport *r, json_t *line);
} Lines;

/* The report's texts are those of its lines. */
static int take_line(void *arg, json_t *line, const char *text, size_t len) {
  const Lines *l = arg;
  (void)text;
  (void)len;
  return json_array_append(l->report->store->values, line) == 0 ? l->take(l->report, line) : -2;
}

int wf_report_lines(WfReport *r, const char *path, int (*take)(WfReport *r, json_t *line)) {
  Lines lines = {r, take};
  int rc = wf_json_lines(path, take_line, &lines, &r->n_bad_lines);
  return rc == WF_LINES_UNREADABLE ? -1 : rc;
}

/* ---- the whole ---- */

static int fail(char *err, size_t err_size, const char *path, const char *why) {
  snprintf(err, err_size, "%s: %s", path, why);
  return -1;
}

static int read_log(WfReport *r, const char *path, char *err, size_t err_size) {
  const size_t lines = r->n_finding_lines, bad = r->n_bad_lines;
  int rc = wf_report_lines(r, path, wf_report_take_finding);
  if (rc == -1) return fail(err, err_size, path, strerror(errno));
  if (rc == 0 && r->n_finding_lines == lines && r->n_bad_lines > bad) return fail(err, err_size, path, "no line of it is a finding of warpfuzz");
  return rc;
}

/* Did a campaign run there? Older ones that found nothing have left no more than a corpus. */
static int is_output(const char *dir) {
  static const char *const names[] = {"findings.jsonl", "runs.jsonl", "corpus"};
  char path[PATH_MAX];
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (snprintf(path, sizeof path, "%s/%s", dir, names[i]) < (int)sizeof path && access(path, F_OK) == 0) return 1;
  return 0;
}

static int read_dir(WfReport *r, char *err, size_t err_size) {
  static const struct {
    const char *name;
    int (*take)(WfReport *r, json_t *line);
  } files[] = {{"runs.jsonl", wf_report_take_run},      {"findings.jsonl", wf_report_take_finding}, {"progress.jsonl", wf_report_take_point},
               {"tried.jsonl", wf_report_take_tried}, {"coverage.jsonl", wf_report_take_cover}};
  if (!is_output(r->dir)) return fail(err, err_size, r->dir, "no output of warpfuzz fuzz or check is here (no findings.jsonl, runs.jsonl or corpus)");
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    char path[PATH_MAX];
    if (snprintf(path, sizeof path, "%s/%s", r->dir, files[i].name) >= (int)sizeof path) return fail(err, err_size, r->dir, strerror(ENAMETOOLONG));
    int rc = wf_report_lines(r, path, files[i].take);
    if (rc == -2) return rc;
    if (rc == -1) return fail(err, err_size, path, strerror(errno));
  }
  return 0;
}

/* Folders below which sources may lie: the one that was given, or the current one and that of this build. */
static int find_sources(WfReport *r, const char *given) {
  WfToolchain *t = malloc(sizeof *t);
  char err[256];
  int n = 0;
  r->sources[n++] = strdup(given ? given : ".");
  if (!given && t && wf_toolchain_find(t, err, sizeof err) == 0 && t->sources[0]) r->sources[n++] = strdup(t->sources);
  int rc = t && r->sources[n - 1] && r->sources[0] ? 0 : -2;
  free(t);
  return rc;
}

/* "a.jsonl, b.jsonl"; malloc'ed, or NULL. */
static char *names_of(const char *const *paths, size_t n) {
  WfText t = {0};
  for (size_t i = 0; i < n; i++) wf_text_add(&t, "%s%s", i ? ", " : "", paths[i]);
  return wf_text_take(&t);
}

static int read_path(WfReport *r, const char *path, size_t n, char *err, size_t err_size) {
  struct stat st;
  if (stat(path, &st) != 0) return fail(err, err_size, path, strerror(errno));
  if (S_ISDIR(st.st_mode)) return n == 1 ? read_dir(r, err, err_size) : fail(err, err_size, path, "is a directory: a report is of one directory, or of logs");
  r->is_log = 1;
  return read_log(r, path, err, err_size);
}

int wf_report_read(WfReport *r, const char *const *paths, size_t n, const WfReportOptions *opt, char *err, size_t err_size) {
  *r = (WfReport){.dir = names_of(paths, n), .store = calloc(1, sizeof *r->store)};
  if (r->store) r->store->values = json_array();
  int rc = r->dir && r->store && r->store->values ? find_sources(r, opt->sources) : -2;
  for (size_t i = 0; rc == 0 && i < n; i++) rc = read_path(r, paths[i], n, err, err_size);
  if (rc == 0 && (rc = wf_report_conclude(r, opt->strict)) == -1) fail(err, err_size, r->dir, strerror(errno));
  if (rc != 0) wf_report_free(r);
  return rc;
}
