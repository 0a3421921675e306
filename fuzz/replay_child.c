/* replay_child.c - the process that looks whether findings of earlier runs are still there: each in its smallest case, where the engine repeats
 * itself exactly. */
#define _GNU_SOURCE
#include "replay_gone.h"
#include "worker.h"
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int is_of_another(const WfPlan *p, uint64_t site_id) {
  for (size_t i = 0; i < p->n_replays; i++)
    if (p->replays[i].site_id == site_id) return 1;
  return 0;
}

/* Looks for the finding in a verdict; *at is where it is now. */
static WfReplayed look(const WfPlan *p, const WfReplay *r, const WfVerdict *v, const WfFinding **at) {
  WfReplayed seen = WF_REPLAYED_GONE;
  json_t *line = json_loads(r->json, 0, NULL);
  for (size_t i = 0; i < v->n && seen != WF_REPLAYED_OPEN; i++) {
    const WfFinding *f = &v->finding[i];
    uint64_t id = wf_finding_id(f);
    if (id == r->site_id) {
      seen = WF_REPLAYED_OPEN;
      *at = f;
    } else if (seen == WF_REPLAYED_GONE && f->simt.cls == r->cls && !f->outside[0] == !r->outside && wf_is_between_same(line, f) &&
               !is_of_another(p, id)) {
      seen = WF_REPLAYED_MOVED;
      *at = f;
    }
  }
  json_decref(line);
  return seen;
}

/* The source, or a suppression, says by now that it is meant: it is there, and is no finding any more. */
static int is_meant(const WfReplay *r, const WfVerdict *v) {
  for (size_t i = 0; i < v->n_meant; i++)
    if (wf_finding_id(&v->meant_race[i]) == r->site_id) return 1;
  return 0;
}

/* Runs the case with all relations, and where that does not show it, as fuzzing does. 1: *seen is set; 0: nothing can be said; -1: no memory. */
static int replay(const WfPlan *p, WfRunner *runner, const WfReplay *r, WfVerdict *v, WfReplayed *seen, const WfFinding **at) {
  const WfVariant *variant = p->targets[r->target].variant;
  WfRunOptions opt = {.detect = SIMT_DETECT_ALL, .rtol = p->rtol, .atol = p->atol, .outside = r->outside, .all_relations = 1};
  char err[256];
  *seen = WF_REPLAYED_GONE;
  for (; *seen == WF_REPLAYED_GONE; opt.all_relations = 0) {
    int rc = wf_run(runner, r->c, variant, &opt, v, err, sizeof err);
    if (rc != 0) return rc == -2 ? 0 : -1;
    *seen = look(p, r, v, at);
    if (*seen == WF_REPLAYED_GONE && (v->no_verdict || v->n_dropped || is_meant(r, v))) return 0;
    if (!opt.all_relations) break;
  }
  return 1;
}

/* With its line as it is now, for the same case. 0; -1: no memory, or the pipe failed. */
static int send(const WfPlan *p, int fd, const WfReplay *r, WfReplayed seen, const WfFinding *at) {
  WfRecord record = {.kind = WF_RECORD_REPLAYED, .target = r->target, .cls = r->cls, .id = r->id, .replayed = seen};
  json_t *line = json_loads(r->json, 0, NULL);
  const char *path = json_string_value(json_object_get(line, "case"));
  int rc = 0;
  if (seen != WF_REPLAYED_GONE) {
    WfFinding f = *at;
    f.key = wf_case_key(r->c);
    f.program = p->program;
    char *places = wf_finding_places(&f);
    snprintf(record.places, sizeof record.places, "%s", places ? places : "");
    free(places);
    record.site_id = wf_finding_id(&f);
    record.severity = f.simt.severity;
    record.json = wf_finding_line(&f, path, r->id);
    rc = record.json ? 0 : -1;
  }
  if (rc == 0) rc = wf_record_send(fd, &record);
  json_decref(line);
  free(record.json);
  return rc;
}

static int replay_all(const WfPlan *p, WfShared *shared, int fd, size_t first, WfRunner *runner, WfVerdict *v) {
  int rc = 0;
  for (size_t i = first; i < p->n_replays && rc >= 0 && !shared->stop; i++) {
    const WfReplay *r = &p->replays[i];
    const WfFinding *at = NULL;
    WfReplayed seen;
    shared->current = *r->c;
    shared->current_target = r->target;
    shared->replayed = i + 1;
    shared->busy = WF_REPLAYING;
    rc = replay(p, runner, r, v, &seen, &at);
    shared->busy = WF_IDLE;
    if (rc > 0) rc = send(p, fd, r, seen, at);
  }
  return rc < 0 ? -1 : 0;
}

int wf_replay_child(const WfPlan *p, WfShared *shared, int fd, size_t first) {
  WfVerdict *v = malloc(sizeof *v);
  WfRunner *runner = NULL;
  int rc = v && wf_runner_create(&runner) == 0 ? replay_all(p, shared, fd, first, runner, v) : -1;
  if (runner) wf_runner_destroy(runner);
  free(v);
  return rc;
}
