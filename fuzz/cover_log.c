/* cover_log.c - coverage.jsonl: the lines that the workers have reached, with what earlier runs left there. */
#define _GNU_SOURCE
#include "cover.h"
#include "json_lines.h"
#include "textbuf.h"
#include "worker.h"
#include "../simt/simt.h"
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#define PERIOD_NS UINT64_C(60000000000)

enum { MAX_PATH = 4096 };

typedef struct Line {
  const char *file;
  uint32_t line;
  unsigned hits;
} Line;

static int out_of_memory(char *err, size_t err_size) {
  snprintf(err, err_size, "coverage.jsonl: out of memory");
  return -1;
}

/* ---- earlier runs ---- */

static int take_line(void *arg, json_t *line, const char *text, size_t len) {
  (void)text;
  (void)len;
  return json_array_append(arg, line);
}

static int read_before(WfCoverLog *log, const WfPlan *p, char *err, size_t err_size) {
  char path[MAX_PATH];
  json_t *all = json_array();
  log->before = all;
  if (!all) return out_of_memory(err, err_size);
  snprintf(path, sizeof path, "%s/coverage.jsonl", p->out);
  int rc = wf_json_lines(path, take_line, all, NULL);
  if (rc == 0) return 0;
  if (rc != WF_LINES_UNREADABLE) return out_of_memory(err, err_size);
  snprintf(err, err_size, "%s: cannot read: %s", path, strerror(errno));
  return -1;
}

static int has_text(const json_t *j, const char *key, const char *wanted) {
  const char *text = json_string_value(json_object_get(j, key));
  return text && strcmp(text, wanted) == 0;
}

/* The line about a file of a variant; NULL: none. */
static json_t *find_before(const json_t *all, const char *file, const WfTarget *t) {
  json_t *line;
  size_t i;
  json_array_foreach(all, i, line) {
    if (has_text(line, "file", file) && has_text(line, "op", t->op->name) && has_text(line, "variant", t->variant->name)) return line;
  }
  return NULL;
}

/* What was reached before counts on, as long as the same lines hold code: of a source that has changed, nothing is known. */
static void join_before(const json_t *before, Line *lines, size_t n) {
  const json_t *old = json_object_get(before, "lines"), *pair;
  size_t i;
  if (json_array_size(old) != n) return;
  json_array_foreach(old, i, pair) {
    if (json_integer_value(json_array_get(pair, 0)) != (json_int_t)lines[i].line) return;
  }
  json_array_foreach(old, i, pair) {
    json_int_t hits = json_integer_value(json_array_get(pair, 1));
    if (hits > (json_int_t)lines[i].hits && hits <= 255) lines[i].hits = (unsigned)hits;
  }
}

/* ---- this run ---- */

static int by_place(const void *a, const void *b) {
  const Line *p = a, *q = b;
  int d = strcmp(p->file, q->file);
  return d ? d : p->line < q->line ? -1 : p->line > q->line;
}

/* Of all workers. */
static unsigned hits_of(const WfPlan *p, const WfWorker *workers, size_t counter) {
  unsigned most = 0;
  for (unsigned i = 0; i < p->jobs; i++) {
    if (!workers[i].shared) continue;
    unsigned hits = wf_worker_cover(&workers[i], p->n_targets).hits[counter];
    if (hits > most) most = hits;
  }
  return most;
}

/* What wf-entry wrote, which calls the launcher: nobody's source. */
static int is_entry(const char *file) { return strncmp(file, "entry of ", 9) == 0; }

/* Sorts, and leaves each line of each source once. Their number. */
static size_t join_lines(Line *all, size_t n_all) {
  size_t n = 0;
  qsort(all, n_all, sizeof *all, by_place);
  for (size_t i = 0; i < n_all; i++) {
    if (n && by_place(&all[n - 1], &all[i]) == 0) {
      if (all[i].hits > all[n - 1].hits) all[n - 1].hits = all[i].hits;
    } else {
      all[n++] = all[i];
    }
  }
  return n;
}

/* Of one compiled file. malloc'ed; NULL: no memory. */
static Line *lines_of(const SimtCover *c, const WfPlan *p, const WfWorker *workers, size_t *n_out) {
  Line *all = malloc((c->n_lines + 1) * sizeof *all);
  size_t first = simt_cover_first(c), n = 0, n_counters;
  simt_coverage(&n_counters);
  for (size_t i = 0; all && i < c->n_lines; i++) {
    size_t counter = first + c->lines[i].counter;
    if (is_entry(c->lines[i].file)) continue;
    all[n++] = (Line){c->lines[i].file, c->lines[i].line, counter < n_counters ? hits_of(p, workers, counter) : 0};
  }
  if (all) *n_out = join_lines(all, n);
  return all;
}

static void put_source(WfText *t, const WfTarget *target, const Line *lines, size_t n) {
  wf_text_add(t, "{\"file\":");
  wf_text_add_json(t, lines->file);
  wf_text_add(t, ",\"op\":");
  wf_text_add_json(t, target->op->name);
  wf_text_add(t, ",\"variant\":");
  wf_text_add_json(t, target->variant->name);
  wf_text_add(t, ",\"lines\":[");
  for (size_t i = 0; i < n; i++) wf_text_add(t, "%s[%" PRIu32 ",%u]", i ? "," : "", lines[i].line, lines[i].hits);
  wf_text_add(t, "]}\n");
}

/* The sources of one compiled file. Lines of earlier runs about them are taken in, and out of the list of those that stay. */
static int put_file(WfText *t, json_t *stay, const SimtCover *c, const WfTarget *target, const WfPlan *p, const WfWorker *workers) {
  size_t n, i;
  Line *lines = lines_of(c, p, workers, &n);
  if (!lines) return -1;
  for (size_t from = 0, to; from < n; from = to) {
    for (to = from; to < n && strcmp(lines[to].file, lines[from].file) == 0;) to++;
    json_t *old = find_before(stay, lines[from].file, target), *line;
    if (old) join_before(old, lines + from, to - from);
    put_source(t, target, lines + from, to - from);
    json_array_foreach(stay, i, line) {
      if (line == old) json_array_remove(stay, i--);
    }
  }
  free(lines);
  return 0;
}

static int put_stay(WfText *t, const json_t *stay) {
  const json_t *line;
  size_t i;
  json_array_foreach(stay, i, line) {
    char *text = json_dumps(line, JSON_COMPACT);
    if (!text) return -1;
    wf_text_add(t, "%s\n", text);
    free(text);
  }
  return 0;
}

/* 1 + index of the target that ran the file; 0: none. */
static size_t owner_of(const WfPlan *p, const WfWorker *workers, size_t file) {
  size_t owner = 0;
  for (unsigned i = 0; i < p->jobs && !owner; i++)
    if (workers[i].shared) owner = wf_worker_cover(&workers[i], p->n_targets).owner[file];
  return owner <= p->n_targets ? owner : 0;
}

static int put_all(WfText *t, const json_t *before, const WfPlan *p, const WfWorker *workers) {
  size_t n_files;
  const SimtCover *files = simt_covers(&n_files);
  json_t *stay = json_copy((json_t *)before);
  int rc = stay ? 0 : -1;
  for (size_t f = 0; rc == 0 && f < n_files; f++) {
    size_t owner = owner_of(p, workers, f);
    if (owner) rc = put_file(t, stay, &files[f], &p->targets[owner - 1], p, workers);
  }
  if (rc == 0) rc = put_stay(t, stay);
  json_decref(stay);
  return rc;
}

int wf_cover_log(WfCoverLog *log, const WfPlan *p, const WfWorker *workers, uint64_t now, char *err, size_t err_size) {
  WfText t = {0};
  if (now < log->next_ns) return 0;
  if (!log->before && read_before(log, p, err, err_size) != 0) return -1;
  int is_first = log->next_ns == 0 && now != UINT64_MAX;
  log->next_ns = now == UINT64_MAX ? now : now + PERIOD_NS;
  if (is_first) return 0;
  int rc = put_all(&t, log->before, p, workers);
  size_t len = t.len;
  char *text = wf_text_take(&t);
  if (!text || rc != 0) rc = out_of_memory(err, err_size);
  else if (len) rc = wf_file_write(p->out, "coverage.jsonl", text, len, err, err_size);
  free(text);
  return rc;
}

void wf_cover_log_free(WfCoverLog *log) {
  json_decref(log->before);
  *log = (WfCoverLog){0};
}
