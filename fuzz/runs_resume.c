/* runs_resume.c - reads the last line of runs.jsonl back: what a run that goes on has done so far. */
#include "json_lines.h"
#include "runs_log.h"
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#define SECOND_NS UINT64_C(1000000000)

static int keep_last(void *arg, json_t *line, const char *text, size_t len) {
  json_t **last = arg;
  (void)text;
  (void)len;
  json_decref(*last);
  *last = json_incref(line);
  return 0;
}

static const char *text_of(const json_t *j, const char *key) {
  const char *text = json_string_value(json_object_get(j, key));
  return text ? text : "";
}

static uint64_t count_of(const json_t *j, const char *key) {
  json_int_t n = json_integer_value(json_object_get(j, key));
  return n > 0 ? (uint64_t)n : 0;
}

static void read_classes(const json_t *row, const char *key, uint64_t *counts) {
  for (unsigned i = 0; i < SIMT_CLASS_COUNT; i++) counts[i] = count_of(json_object_get(row, key), simt_class_name((SimtClass)i));
}

static void read_axis(const json_t *j, const char *name, WfEnvelope *e, int axis) {
  const json_t *pair = json_object_get(json_object_get(j, "envelope"), name);
  if (json_array_size(pair) != 2) return;
  e->n[axis] = 1;
  e->least[axis] = json_integer_value(json_array_get(pair, 0));
  e->most[axis] = json_integer_value(json_array_get(pair, 1));
}

static void read_row(const json_t *j, WfRow *row) {
  row->executions = count_of(j, "executions");
  row->seconds = json_number_value(json_object_get(j, "seconds"));
  row->outside = count_of(j, "outside");
  row->no_verdict = count_of(j, "no_verdict");
  read_classes(j, "errors", row->errors);
  read_classes(j, "warnings", row->warnings);
  read_classes(j, "listed", row->listed);
  read_classes(j, "meant", row->meant);
  read_classes(j, "outside_classes", row->outside_classes);
  for (unsigned i = 0; i < WF_SITUATION_COUNT; i++)
    row->situations[i] = count_of(json_object_get(j, "situations"), wf_situation_name((WfSituation)i));
  for (int i = 0; i < row->target.op->n_dims; i++) read_axis(j, row->target.op->dims[i].name, &row->envelope, i);
  read_axis(j, "threads_a_block", &row->envelope, WF_ENVELOPE_BLOCK);
  read_axis(j, "blocks", &row->envelope, WF_ENVELOPE_GRID);
}

/* The rows of the line, which has the plan's variants in their order. 1; 0: others; -1: no memory. */
static int read_rows(const json_t *line, const WfPlan *p, WfRow **out) {
  const json_t *variants = json_object_get(line, "variants");
  if (json_array_size(variants) != p->n_targets) return 0;
  WfRow *rows = calloc(p->n_targets, sizeof *rows);
  if (!rows) return -1;
  for (size_t i = 0; i < p->n_targets; i++) {
    const json_t *j = json_array_get(variants, i);
    rows[i].target = p->targets[i];
    if (strcmp(text_of(j, "op"), p->targets[i].op->name) != 0 || strcmp(text_of(j, "variant"), p->targets[i].variant->name) != 0) {
      free(rows);
      return 0;
    }
    read_row(j, &rows[i]);
  }
  *out = rows;
  return 1;
}

/* By the same program: another one's counts say nothing about this one. */
static int can_go_on(const WfRunLog *r, const json_t *line) {
  return *text_of(line, "run") && (!json_is_string(json_object_get(line, "ended")) || json_is_true(json_object_get(line, "interrupted"))) &&
         strcmp(text_of(line, "build"), r->build) == 0;
}

static uint64_t seed_of(const json_t *line) {
  const json_t *seed = json_object_get(line, "seed");
  return json_is_string(seed) ? strtoull(json_string_value(seed), NULL, 10) : (uint64_t)json_integer_value(seed);
}

static void read_run(WfRunLog *r, const json_t *line) {
  snprintf(r->id, sizeof r->id, "%s", text_of(line, "run"));
  snprintf(r->started, sizeof r->started, "%s", text_of(line, "started"));
  double elapsed_s = json_number_value(json_object_get(line, "elapsed_s"));
  r->elapsed_ns = elapsed_s > 0 && elapsed_s < 1e9 ? (uint64_t)(elapsed_s * (double)SECOND_NS) : 0;
  r->time_limit_ns = count_of(line, "time_limit_s") * SECOND_NS;
  r->runs_limit = count_of(line, "runs_limit");
  r->deaths = (unsigned)count_of(line, "deaths");
  r->generations = (unsigned)count_of(line, "generations");
  r->seed = seed_of(line);
  r->resumed = 1;
}

int wf_run_log_resume(WfRunLog *r, const WfPlan *p) {
  char path[4096];
  json_t *last = NULL;
  snprintf(path, sizeof path, "%s/runs.jsonl", p->out);
  int rc = wf_json_lines(path, keep_last, &last, NULL) == 0 && last && can_go_on(r, last) ? read_rows(last, p, &r->before) : 0;
  if (rc == 1) read_run(r, last);
  json_decref(last);
  return rc;
}
