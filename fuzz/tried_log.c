/* tried_log.c - tried.jsonl: what the workers have counted, with what earlier runs left there. */
#define _GNU_SOURCE
#include "tried.h"
#include "json_lines.h"
#include "number.h"
#include "textbuf.h"
#include "worker.h"
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PERIOD_NS UINT64_C(60000000000)

enum { MAX_PATH = 4096 };

typedef struct Sum { /* of one map */
  uint64_t tried[WF_TRIED_BINS][WF_TRIED_BINS], failing[WF_TRIED_BINS][WF_TRIED_BINS];
} Sum;

typedef struct WorstError {
  double ulp, share;
  uint64_t key;
} WorstError;

/* A target's counts of all workers, or of earlier runs; NULL in WfTriedLog.before's maps where there are none. */
typedef struct WfTriedSum {
  double seconds;
  Sum *map; /* WF_TRIED_MAPS, malloc'ed; NULL: nothing was tried */
  WorstError error[WF_TRIED_BINS];
} WfTriedSum;

static int out_of_memory(char *err, size_t err_size) {
  snprintf(err, err_size, "tried.jsonl: out of memory");
  return -1;
}

static int need_maps(WfTriedSum *s) {
  if (!s->map) s->map = calloc(WF_TRIED_MAPS, sizeof *s->map);
  return s->map ? 0 : -1;
}

static void take_error(WorstError *to, double ulp, double share, uint64_t key) {
  if (share > to->share) to->share = share;
  if (!key || (to->key && ulp <= to->ulp)) return;
  to->ulp = ulp;
  to->key = key;
}

/* ---- earlier runs ---- */

static int bin_of(const json_t *v) { return json_is_integer(v) ? (int)json_integer_value(v) + 1 : -1; }

static void read_map(const json_t *map, Sum *to) {
  const json_t *cells = json_object_get(map, "cells"), *cell;
  size_t i;
  json_array_foreach(cells, i, cell) {
    int x = bin_of(json_array_get(cell, 0)), y = bin_of(json_array_get(cell, 1));
    if (x < 0 || y < 0 || x >= WF_TRIED_BINS || y >= WF_TRIED_BINS) continue;
    to->tried[x][y] += (uint64_t)json_integer_value(json_array_get(cell, 2));
    to->failing[x][y] += (uint64_t)json_integer_value(json_array_get(cell, 3));
  }
}

static int has_text(const json_t *j, const char *key, const char *wanted) {
  const char *text = json_string_value(json_object_get(j, key));
  return text && strcmp(text, wanted) == 0;
}

/* Maps by the names of their axes: an op may have got others since. */
static void read_maps(const json_t *maps, const WfOp *op, WfTriedSum *to) {
  const char *x[WF_TRIED_MAPS], *y[WF_TRIED_MAPS];
  int n = wf_tried_axes(op, x, y);
  const json_t *map;
  size_t i;
  json_array_foreach(maps, i, map) {
    for (int k = 0; k < n; k++)
      if (has_text(map, "x", x[k]) && has_text(map, "y", y[k])) read_map(map, &to->map[k]);
  }
}

static int read_target(const json_t *line, const WfOp *op, WfTriedSum *to) {
  const json_t *list = json_object_get(line, "ulp"), *e;
  size_t i;
  if (need_maps(to) != 0) return -1;
  to->seconds += json_number_value(json_object_get(line, "seconds"));
  read_maps(json_object_get(line, "maps"), op, to);
  json_array_foreach(list, i, e) {
    int bin = bin_of(json_object_get(e, "size_bin"));
    const char *key = json_string_value(json_object_get(e, "case_key"));
    if (bin >= 0 && bin < WF_TRIED_BINS && key)
      take_error(&to->error[bin], json_number_value(json_object_get(e, "worst_ulp")), json_number_value(json_object_get(e, "worst_share_of_bound")),
                 strtoull(key, NULL, 16));
  }
  return 0;
}

typedef struct Before {
  WfTriedLog *log;
  const WfPlan *plan;
  WfText others;
} Before;

/* Lines of variants that are none of the plan's stay as they are. */
static int take_line(void *arg, json_t *line, const char *text, size_t len) {
  Before *b = arg;
  for (size_t t = 0; t < b->plan->n_targets; t++) {
    const WfTarget *target = &b->plan->targets[t];
    if (has_text(line, "op", target->op->name) && has_text(line, "variant", target->variant->name))
      return read_target(line, target->op, &b->log->before[t]);
  }
  wf_text_put(&b->others, text, len);
  return 0;
}

static int read_before(WfTriedLog *log, const WfPlan *p, char *err, size_t err_size) {
  char path[MAX_PATH];
  Before b = {.log = log, .plan = p};
  log->before = calloc(p->n_targets + 1, sizeof *log->before); /* one more: the number of targets ends there, for free() */
  if (!log->before) return out_of_memory(err, err_size);
  log->before[p->n_targets].seconds = -1;
  snprintf(path, sizeof path, "%s/tried.jsonl", p->out);
  int rc = wf_json_lines(path, take_line, &b, NULL);
  if (rc == WF_LINES_UNREADABLE) snprintf(err, err_size, "%s: cannot read: %s", path, strerror(errno));
  log->others = wf_text_take(&b.others);
  if (rc == WF_LINES_UNREADABLE) return -1;
  return rc == 0 && log->others ? 0 : out_of_memory(err, err_size);
}

void wf_tried_log_free(WfTriedLog *log) {
  for (size_t t = 0; log->before && log->before[t].seconds >= 0; t++) free(log->before[t].map);
  free(log->before);
  free(log->others);
  *log = (WfTriedLog){0};
}

/* ---- writing ---- */

static void add_worker(WfTriedSum *s, const WfTried *t, int n_maps) {
  s->seconds += (double)t->elapsed_ns / 1e9;
  for (int m = 0; m < n_maps; m++)
    for (int x = 0; x < WF_TRIED_BINS; x++)
      for (int y = 0; y < WF_TRIED_BINS; y++) {
        s->map[m].tried[x][y] += t->map[m].tried[x][y];
        s->map[m].failing[x][y] += t->map[m].failing[x][y];
      }
  for (int b = 0; b < WF_TRIED_BINS; b++) take_error(&s->error[b], t->error[b].ulp, t->error[b].share, t->error[b].key);
}

static void put_map(WfText *t, const Sum *m, const char *x, const char *y) {
  const char *lead = "";
  wf_text_add(t, "{\"x\":\"%s\",\"y\":\"%s\",\"cells\":[", x, y);
  for (int i = 0; i < WF_TRIED_BINS; i++)
    for (int k = 0; k < WF_TRIED_BINS; k++) {
      if (!m->tried[i][k]) continue;
      wf_text_add(t, "%s[%d,%d,%" PRIu64 ",%" PRIu64 "]", lead, i - 1, k - 1, m->tried[i][k], m->failing[i][k]);
      lead = ",";
    }
  wf_text_add(t, "]}");
}

static void put_errors(WfText *t, const WfTriedSum *s) {
  const char *lead = "";
  char ulp[WF_NUMBER_SIZE], share[WF_NUMBER_SIZE];
  for (int b = 0; b < WF_TRIED_BINS; b++) {
    if (!s->error[b].key) continue;
    wf_text_add(t, "%s{\"size_bin\":%d,\"worst_ulp\":%s,\"worst_share_of_bound\":%s,\"case_key\":\"%016" PRIx64 "\"}", lead, b - 1,
                wf_number_print_double(ulp, s->error[b].ulp), wf_number_print_double(share, s->error[b].share), s->error[b].key);
    lead = ",";
  }
}

static void put_target(WfText *t, const WfTarget *target, const WfTriedSum *s) {
  const char *x[WF_TRIED_MAPS], *y[WF_TRIED_MAPS];
  int n = wf_tried_axes(target->op, x, y);
  wf_text_add(t, "{\"op\":");
  wf_text_add_json(t, target->op->name);
  wf_text_add(t, ",\"variant\":");
  wf_text_add_json(t, target->variant->name);
  wf_text_add(t, ",\"seconds\":%.3f,\"maps\":[", s->seconds);
  for (int i = 0; i < n; i++) {
    wf_text_add(t, "%s", i ? "," : "");
    put_map(t, &s->map[i], x[i], y[i]);
  }
  wf_text_add(t, "],\"ulp\":[");
  put_errors(t, s);
  wf_text_add(t, "]}\n");
}

/* A target's line, from earlier runs and all workers; `s` is room for the sum, with maps. */
static void put_joined(WfText *t, const WfTriedLog *log, const WfPlan *p, const WfWorker *workers, size_t target, WfTriedSum *s) {
  Sum *maps = s->map;
  const WfTriedSum *before = &log->before[target];
  uint64_t n = 0;
  *s = *before;
  s->map = maps;
  if (before->map) memcpy(maps, before->map, WF_TRIED_MAPS * sizeof *maps);
  else memset(maps, 0, WF_TRIED_MAPS * sizeof *maps);
  for (unsigned i = 0; i < p->jobs; i++) {
    const WfTried *w = workers[i].shared ? &workers[i].shared->counts[target].tried : NULL;
    if (!w || !w->n) continue;
    n += w->n;
    add_worker(s, w, WF_TRIED_MAPS);
  }
  if (n || before->map) put_target(t, &p->targets[target], s);
}

int wf_tried_log(WfTriedLog *log, const WfPlan *p, const WfWorker *workers, uint64_t now, char *err, size_t err_size) {
  WfText t = {0};
  WfTriedSum room = {0};
  if (now < log->next_ns) return 0;
  if (!log->before && read_before(log, p, err, err_size) != 0) return -1;
  int is_first = log->next_ns == 0 && now != UINT64_MAX;
  log->next_ns = now == UINT64_MAX ? now : now + PERIOD_NS;
  if (is_first) return 0;
  if (need_maps(&room) != 0) return out_of_memory(err, err_size);
  wf_text_add(&t, "%s", log->others);
  for (size_t i = 0; i < p->n_targets; i++) put_joined(&t, log, p, workers, i, &room);
  free(room.map);
  size_t len = t.len;
  char *text = wf_text_take(&t);
  int rc = text ? 0 : out_of_memory(err, err_size);
  if (rc == 0 && len) rc = wf_file_write(p->out, "tried.jsonl", text, len, err, err_size);
  free(text);
  return rc;
}
