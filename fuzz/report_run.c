/* report_run.c - runs, their progress, what they tried and which lines they reached, for a report. */
#define _GNU_SOURCE
#include "report_impl.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

const WfReportRun *wf_report_latest(const WfReport *r) { return r->n_runs ? &r->runs[r->n_runs - 1] : NULL; }

WfReportVariant *wf_report_variant(WfReport *r, const char *op, const char *variant) {
  for (size_t i = 0; i < r->n_variants; i++)
    if (strcmp(r->variants[i].op, op) == 0 && strcmp(r->variants[i].variant, variant) == 0) return &r->variants[i];
  WfReportVariant *more = wf_report_grow(r, r->variants, r->n_variants, sizeof *more);
  if (!more) return NULL;
  r->variants = more;
  WfReportVariant *v = &more[r->n_variants++];
  *v = (WfReportVariant){.op = op, .variant = variant};
  return v;
}

/* ---- runs.jsonl ---- */

static double or_zero(double v) { return isfinite(v) && v > 0 ? v : 0; }

/* "2026-11-30T18:43:00Z" as seconds; 0 or -1. */
static int parse_time(const char *text, double *out) {
  struct tm tm = {0};
  const char *end = text ? strptime(text, "%Y-%m-%dT%H:%M:%S", &tm) : NULL;
  if (!end) return -1;
  *out = (double)timegm(&tm);
  return 0;
}

static int take_classes(WfReport *r, const json_t *classes, WfReportCount **out, size_t *n_out) {
  const char *name;
  json_t *n;
  *n_out = 0;
  *out = wf_report_alloc(r, json_object_size(classes), sizeof **out);
  if (!*out) return -2;
  json_object_foreach((json_t *)classes, name, n) {
    if (json_integer_value(n) > 0) (*out)[(*n_out)++] = (WfReportCount){name, json_integer_value(n)};
  }
  return 0;
}

static int take_variant_counts(WfReport *r, const json_t *v) {
  const char *op = wf_json_text(v, "", "op"), *name = wf_json_text(v, "", "variant");
  if (!op || !name) return 0;
  WfReportVariant *to = wf_report_variant(r, op, name);
  if (!to) return -2;
  to->has_counts = wf_json_int(v, "", "executions", &to->executions);
  to->seconds = or_zero(wf_json_double(v, "seconds"));
  wf_json_int(v, "", "outside", &to->outside);
  wf_json_int(v, "", "no_verdict", &to->no_verdict);
  if (take_classes(r, json_object_get(v, "errors"), &to->errors, &to->n_errors) != 0) return -2;
  return take_classes(r, json_object_get(v, "warnings"), &to->warnings, &to->n_warnings);
}

static int take_arguments(WfReport *r, const json_t *list, WfReportRun *run) {
  run->arguments = wf_report_alloc(r, json_array_size(list), sizeof *run->arguments);
  if (!run->arguments) return -2;
  for (size_t i = 0; i < json_array_size(list); i++) {
    const char *text = json_string_value(json_array_get(list, i));
    if (text) run->arguments[run->n_arguments++] = text;
  }
  return 0;
}

static int take_contract(WfReport *r, const json_t *list, WfReportRun *run) {
  run->contract = wf_report_alloc(r, json_array_size(list), sizeof *run->contract);
  if (!run->contract) return -2;
  for (size_t i = 0; i < json_array_size(list); i++) {
    const json_t *pair = json_array_get(list, i);
    const WfReportTerm term = {json_string_value(json_array_get(pair, 0)), json_string_value(json_array_get(pair, 1))};
    if (term.name && term.value) run->contract[run->n_contract++] = term;
  }
  return 0;
}

/* JSON readers take integers of 63 bits; a larger seed is a string. */
static int take_seed(const json_t *line, uint64_t *out) {
  const json_t *seed = json_object_get(line, "seed");
  const char *text = json_string_value(seed);
  char *end = NULL;
  errno = 0;
  *out = text ? strtoull(text, &end, 10) : (uint64_t)json_integer_value(seed);
  return text ? *text >= '0' && *text <= '9' && !*end && !errno : json_is_integer(seed);
}

/* The later line of a run replaces the earlier. */
static WfReportRun *place_of(WfReport *r, const char *id) {
  for (size_t i = 0; i < r->n_runs; i++)
    if (strcmp(r->runs[i].id, id) == 0) return &r->runs[i];
  WfReportRun *more = wf_report_grow(r, r->runs, r->n_runs, sizeof *more);
  if (!more) return NULL;
  r->runs = more;
  return &more[r->n_runs++];
}

int wf_report_take_run(WfReport *r, json_t *line) {
  WfReportRun run = {.id = wf_json_text(line, "", "run"), .started = wf_json_text(line, "", "started"), .ended = wf_json_text(line, "", "ended")};
  double from, to;
  if (!run.id) {
    r->n_bad_lines++;
    return 0;
  }
  run.backend = wf_json_text(line, "", "backend");
  run.dtype = wf_json_text(line, "", "dtype");
  run.build = wf_json_text(line, "", "build");
  run.host = wf_json_text(line, "", "host");
  run.has_seed = take_seed(line, &run.seed);
  run.has_status = wf_json_int(line, "", "status", &run.status);
  wf_json_int(line, "", "jobs", &run.jobs);
  wf_json_int(line, "", "executions", &run.executions);
  wf_json_int(line, "", "deaths", &run.deaths);
  wf_json_int(line, "", "time_limit_s", &run.time_limit_s);
  run.resumed = json_is_true(json_object_get(line, "resumed"));
  run.interrupted = json_is_true(json_object_get(line, "interrupted"));
  run.elapsed_s = or_zero(wf_json_double(line, "elapsed_s"));
  if (run.elapsed_s == 0 && parse_time(run.started, &from) == 0 && parse_time(run.ended, &to) == 0 && to >= from) run.elapsed_s = to - from;
  run.command = wf_json_text(line, "", "command");
  if (take_arguments(r, json_object_get(line, "arguments"), &run) != 0 || take_contract(r, json_object_get(line, "contract"), &run) != 0) return -2;
  WfReportRun *place = place_of(r, run.id);
  if (!place) return -2;
  run.order = (size_t)(place - r->runs);
  *place = run;
  return 0;
}

int wf_report_take_latest_counts(WfReport *r) {
  const WfReportRun *run = wf_report_latest(r);
  const json_t *line, *variants = NULL, *v;
  size_t i;
  json_array_foreach(r->store->values, i, line) {
    const char *id = wf_json_text(line, "", "run");
    const json_t *list = json_object_get(line, "variants");
    if (run && id && list && strcmp(id, run->id) == 0) variants = list;
  }
  for (i = 0; i < json_array_size(variants); i++) {
    v = json_array_get(variants, i);
    if (take_variant_counts(r, v) != 0) return -2;
  }
  return 0;
}

/* ---- progress.jsonl ---- */

static int take_workers(WfReport *r, const json_t *list, WfReportPoint *p) {
  p->workers = wf_report_alloc(r, json_array_size(list), sizeof *p->workers);
  if (!p->workers) return -2;
  for (size_t i = 0; i < json_array_size(list); i++) {
    const json_t *w = json_array_get(list, i);
    double kb = wf_json_double(w, "rss_kb");
    WfReportWorker *to = &p->workers[p->n_workers];
    if (!wf_json_int(w, "", "index", &to->index) || isnan(kb)) continue;
    wf_json_int(w, "", "generation", &to->generation);
    to->rss_mb = kb / 1024;
    p->n_workers++;
  }
  return 0;
}

int wf_report_take_point(WfReport *r, json_t *line) {
  const WfReportRun *run = wf_report_latest(r);
  const char *id = wf_json_text(line, "", "run");
  const json_t *findings = json_object_get(line, "findings");
  WfReportPoint p = {.t_s = wf_json_double(line, "t_s")};
  if (!isfinite(p.t_s) || p.t_s < 0) {
    r->n_bad_lines++;
    return 0;
  }
  if (run && id && strcmp(id, run->id) != 0) return 0;
  p.executions = or_zero(wf_json_double(line, "executions"));
  p.rate = or_zero(wf_json_double(line, "rate"));
  p.features = or_zero(wf_json_double(line, "features"));
  p.corpus = or_zero(wf_json_double(line, "corpus"));
  p.errors = or_zero(wf_json_double(findings, "error"));
  p.warnings = or_zero(wf_json_double(findings, "warning"));
  WfReportPoint *more = wf_report_grow(r, r->points, r->n_points, sizeof *more);
  if (!more || take_workers(r, json_object_get(line, "workers"), &p) != 0) return -2;
  r->points = more;
  r->points[r->n_points++] = p;
  return 0;
}

/* ---- tried.jsonl ---- */

static int take_map(WfReport *r, const json_t *j, WfReportMap *m) {
  const json_t *cells = json_object_get(j, "cells");
  m->x = wf_json_text(j, "", "x");
  m->y = wf_json_text(j, "", "y");
  m->cells = wf_report_alloc(r, json_array_size(cells), sizeof *m->cells);
  if (!m->cells) return -2;
  for (size_t i = 0; i < json_array_size(cells); i++) {
    const json_t *cell = json_array_get(cells, i);
    int64_t *to = m->cells[m->n_cells];
    int whole = json_array_size(cell) == 4;
    for (size_t k = 0; whole && k < 4; k++) {
      to[k] = json_integer_value(json_array_get(cell, k));
      whole &= json_is_integer(json_array_get(cell, k)) && to[k] >= (k < 2 ? -1 : 0) && (k >= 2 || to[k] < 63);
    }
    m->n_cells += whole;
  }
  return 0;
}

static int take_maps(WfReport *r, const json_t *maps, WfReportVariant *v) {
  v->n_maps = 0;
  v->maps = wf_report_alloc(r, json_array_size(maps), sizeof *v->maps);
  if (!v->maps) return -2;
  for (size_t i = 0; i < json_array_size(maps); i++) {
    WfReportMap *m = &v->maps[v->n_maps];
    if (take_map(r, json_array_get(maps, i), m) != 0) return -2;
    v->n_maps += m->x && m->y && m->n_cells;
  }
  return 0;
}

static int by_size(const void *a, const void *b) {
  const WfReportUlp *p = a, *q = b;
  return p->size_bin < q->size_bin ? -1 : p->size_bin > q->size_bin;
}

static int take_ulp(WfReport *r, const json_t *list, WfReportVariant *v) {
  v->n_ulp = 0;
  v->ulp = wf_report_alloc(r, json_array_size(list), sizeof *v->ulp);
  if (!v->ulp) return -2;
  for (size_t i = 0; i < json_array_size(list); i++) {
    const json_t *j = json_array_get(list, i);
    WfReportUlp *u = &v->ulp[v->n_ulp];
    u->worst_ulp = wf_json_double(j, "worst_ulp");
    u->worst_share = wf_json_double(j, "worst_share_of_bound");
    u->case_key = wf_json_text(j, "", "case_key");
    v->n_ulp += wf_json_int(j, "", "size_bin", &u->size_bin) && u->size_bin >= -1 && u->size_bin < 63 && isfinite(u->worst_ulp);
  }
  qsort(v->ulp, v->n_ulp, sizeof *v->ulp, by_size);
  return 0;
}

int wf_report_take_tried(WfReport *r, json_t *line) {
  const char *op = wf_json_text(line, "", "op"), *name = wf_json_text(line, "", "variant");
  if (!op || !name) {
    r->n_bad_lines++;
    return 0;
  }
  WfReportVariant *v = wf_report_variant(r, op, name);
  if (!v) return -2;
  if (take_maps(r, json_object_get(line, "maps"), v) != 0) return -2;
  return take_ulp(r, json_object_get(line, "ulp"), v);
}

/* ---- coverage.jsonl ---- */

static int by_line(const void *a, const void *b) {
  const WfReportLine *p = a, *q = b;
  return p->line < q->line ? -1 : p->line > q->line;
}

static WfReportCover *cover_of(WfReport *r, const char *file) {
  for (size_t i = 0; i < r->n_covers; i++)
    if (strcmp(r->covers[i].file, file) == 0) return &r->covers[i];
  WfReportCover *more = wf_report_grow(r, r->covers, r->n_covers, sizeof *more);
  if (!more) return NULL;
  r->covers = more;
  more[r->n_covers] = (WfReportCover){.file = file};
  return &more[r->n_covers++];
}

/* Several variants may be made of one file: a line is reached if any of them reached it. */
static void join_lines(WfReportCover *c) {
  size_t n = 0;
  qsort(c->lines, c->n_lines, sizeof *c->lines, by_line);
  for (size_t i = 0; i < c->n_lines; i++) {
    if (n && c->lines[n - 1].line == c->lines[i].line) {
      if (c->lines[n - 1].hits < c->lines[i].hits) c->lines[n - 1].hits = c->lines[i].hits;
    } else {
      c->lines[n++] = c->lines[i];
    }
  }
  c->n_lines = n;
  c->n_hit = 0;
  for (size_t i = 0; i < n; i++) c->n_hit += c->lines[i].hits > 0;
}

int wf_report_take_cover(WfReport *r, json_t *line) {
  const char *file = wf_json_text(line, "", "file");
  const json_t *lines = json_object_get(line, "lines");
  if (!file || !json_is_array(lines)) {
    r->n_bad_lines++;
    return 0;
  }
  WfReportCover *c = cover_of(r, file);
  WfReportLine *all = c ? wf_report_alloc(r, c->n_lines + json_array_size(lines), sizeof *all) : NULL;
  if (!all) return -2;
  if (c->n_lines) memcpy(all, c->lines, c->n_lines * sizeof *all);
  c->lines = all;
  for (size_t i = 0; i < json_array_size(lines); i++) {
    const json_t *pair = json_array_get(lines, i), *at = json_array_get(pair, 0), *hits = json_array_get(pair, 1);
    if (json_is_integer(at) && json_is_integer(hits) && json_integer_value(at) > 0)
      all[c->n_lines++] = (WfReportLine){json_integer_value(at), json_integer_value(hits)};
  }
  join_lines(c);
  return 0;
}

