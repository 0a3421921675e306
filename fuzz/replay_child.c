/* replay_child.c - the process that looks whether findings of earlier runs are still there: each in its smallest case, where the engine repeats
 * itself exactly. */
#define _GNU_SOURCE
#include "replay_gone.h"
#include "replay_match.h"
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Child {
  const WfPlan *plan;
  WfShared *shared;
  int fd;
  WfReplay *r;  /* the plan's, with what this process has seen */
  json_t **line;
  WfRunner *runner;
  WfVerdict *verdict;
} Child;

/* Was it meant in an earlier run, at these lines or others of the same functions? */
static int was_meant(const Child *c, uint32_t target, const WfFinding *f) {
  for (size_t i = 0; i < c->plan->n_replays; i++) {
    const char *severity = json_string_value(json_object_get(c->line[i], "severity"));
    int meant = severity && strcmp(severity, wf_severity_name(SIMT_MEANT)) == 0;
    if (meant && c->r[i].target == target && c->r[i].cls == f->simt.cls && wf_is_between_same(c->line[i], f)) return 1;
  }
  return 0;
}

/* The source, or a suppression, says by now that it is meant: it is there, and is no finding any more. A mark above it moves its line. */
static int is_meant(const Child *c, size_t i) {
  const WfReplay *r = &c->r[i];
  const WfVerdict *v = c->verdict;
  for (size_t k = 0; k < v->n_meant; k++) {
    const WfFinding *f = &v->meant_race[k];
    if (wf_finding_id(f) == r->site_id) return 1;
    if (f->simt.cls == r->cls && wf_is_between_same(c->line[i], f) && !was_meant(c, r->target, f)) return 1;
  }
  return 0;
}

/* Runs the case with all relations, and where that does not show it, as fuzzing does. 1: *seen is set; 0: nothing can be said; -1: no memory. */
static int replay(const Child *c, size_t i, int is_last, WfReplayed *seen, const WfFinding **at) {
  const WfPlan *p = c->plan;
  const WfReplay *r = &c->r[i];
  const WfMatching m = {c->r, c->line, p->n_replays};
  WfVerdict *v = c->verdict;
  const WfVariant *variant = p->targets[r->target].variant;
  WfRunOptions opt = {.detect = SIMT_DETECT_ALL, .rtol = p->rtol, .atol = p->atol, .outside = r->outside, .all_relations = 1};
  char err[256];
  *seen = WF_REPLAYED_GONE;
  for (; *seen == WF_REPLAYED_GONE; opt.all_relations = 0) {
    int rc = wf_run(c->runner, r->c, variant, &opt, v, err, sizeof err);
    if (rc != 0) return rc == -2 ? 0 : -1;
    *seen = wf_replay_match(&m, i, v, is_last, at);
    if (*seen == WF_REPLAYED_UNKNOWN || (*seen == WF_REPLAYED_GONE && (v->no_verdict || v->n_dropped || is_meant(c, i)))) return 0;
    if (!opt.all_relations) break;
  }
  return 1;
}

/* With its line as it is now, for the same case; and notes what was seen. 0; -1: no memory, or the pipe failed. */
static int tell(const Child *c, size_t i, WfReplayed seen, const WfFinding *at) {
  WfReplay *r = &c->r[i];
  WfRecord record = {.kind = WF_RECORD_REPLAYED, .target = r->target, .cls = r->cls, .id = r->id, .replayed = seen};
  const char *path = json_string_value(json_object_get(c->line[i], "case"));
  int rc = 0;
  r->seen = seen;
  if (seen == WF_REPLAYED_OPEN || seen == WF_REPLAYED_MOVED) {
    WfFinding f = *at;
    f.key = wf_case_key(r->c);
    f.program = c->plan->program;
    char *places = wf_finding_places(&f);
    snprintf(record.places, sizeof record.places, "%s", places ? places : "");
    free(places);
    record.site_id = r->site_id = wf_finding_id(&f);
    record.severity = f.simt.severity;
    record.json = wf_finding_line(&f, path, r->id);
    rc = record.json ? 0 : -1;
  }
  if (rc == 0) rc = wf_record_send(c->fd, &record);
  free(record.json);
  return rc;
}

static int replay_one(const Child *c, size_t i, int is_last) {
  const WfFinding *at = NULL;
  WfReplayed seen;
  c->shared->current = *c->r[i].c;
  c->shared->current_target = c->r[i].target;
  c->shared->busy = WF_REPLAYING;
  int rc = replay(c, i, is_last, &seen, &at);
  c->shared->busy = WF_IDLE;
  return rc > 0 ? tell(c, i, seen, at) : rc;
}

/* All, and then those again that had to wait for others. */
static int replay_all(const Child *c, size_t first) {
  const size_t n = c->plan->n_replays;
  int rc = 0;
  for (size_t k = first; k < 2 * n && rc == 0 && !c->shared->stop; k++) {
    const WfReplay *r = &c->r[k % n];
    c->shared->replayed = k + 1;
    if (r->c && (k < n || r->seen == WF_REPLAYED_LATER)) rc = replay_one(c, k % n, k >= n);
  }
  return rc;
}

static int prepare(Child *c) {
  const size_t n = c->plan->n_replays;
  c->r = malloc((n + 1) * sizeof *c->r);
  c->line = calloc(n + 1, sizeof *c->line);
  c->verdict = malloc(sizeof *c->verdict);
  if (!c->r || !c->line || !c->verdict) return -1;
  memcpy(c->r, c->plan->replays, n * sizeof *c->r);
  for (size_t i = 0; i < n; i++) c->line[i] = json_loads(c->r[i].json, 0, NULL);
  return wf_runner_create(&c->runner);
}

int wf_replay_child(const WfPlan *p, WfShared *shared, int fd, size_t first) {
  Child c = {.plan = p, .shared = shared, .fd = fd};
  int rc = prepare(&c) == 0 ? replay_all(&c, first) : -1;
  if (c.runner) wf_runner_destroy(c.runner);
  for (size_t i = 0; c.line && i < p->n_replays; i++) json_decref(c.line[i]);
  free(c.line);
  free(c.r);
  free(c.verdict);
  return rc;
}
