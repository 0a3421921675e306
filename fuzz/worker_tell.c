/* worker_tell.c - what a worker's process tells of its executions: counts, and of each finding the smallest case it is shrunk to. */
#include "case_order.h"
#include "shrink.h"
#include "worker_child.h"
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

#define COUNTS_PERIOD_NS UINT64_C(2000000000)

typedef struct News { /* a finding of this execution that is new, or has a smaller case than before */
  size_t finding; /* index in the verdict */
  size_t seen;    /* and in WfChild.seen */
  int first;      /* no finding of its class, severity and variant came before */
} News;

/* ---- records ---- */

int wf_child_send(const WfChild *c, WfRecord *r) { return wf_record_send(c->fd, r); }

int wf_child_send_failure(const WfChild *c, const WfStep *s, const char *message) {
  WfRecord r = {.kind = WF_RECORD_FAILURE, .target = (uint32_t)s->target, .c = *s->c};
  r.c.variant = c->plan->targets[s->target].variant;
  r.text = (char *)message;
  return wf_child_send(c, &r);
}

int wf_child_send_corpus(WfChild *c, const WfStep *s) {
  WfRecord r = {.kind = WF_RECORD_CORPUS, .target = (uint32_t)s->target, .c = *s->c};
  r.key = wf_case_key(&r.c);
  if (c->plan->is_balanced && wf_import_note(&c->import, s->target, r.key) != 0) return -1;
  return wf_child_send(c, &r);
}

/* Notes the finding of a record. 1: worth reporting (new, or with a smaller case); 0; -1: no memory. */
static int note_finding(WfChild *c, const WfRecord *r, News *out) {
  out->first = 1;
  for (out->seen = 0; out->seen < c->n_seen; out->seen++) {
    WfSeen *s = &c->seen[out->seen];
    if (s->target == r->target && s->cls == r->cls && s->severity == r->severity && s->outside == r->outside) out->first = 0;
    if (s->id != r->id) continue;
    if (r->kind == WF_RECORD_MEANT || wf_case_compare(&r->c, &s->c, c->plan->targets[r->target].variant) >= 0) return 0;
    s->c = r->c;
    return 1;
  }
  WfSeen *more = realloc(c->seen, (c->n_seen + 1) * sizeof *more);
  if (!more) return -1;
  c->seen = more;
  c->seen[c->n_seen++] = (WfSeen){.id = r->id, .target = r->target, .cls = r->cls, .severity = r->severity, .outside = r->outside, .c = r->c};
  return 1;
}

/* What is sent of a finding, but for its texts; `expect` is what its case is to expect. */
static void describe(const WfChild *c, size_t target, const WfCase *kase, uint32_t expect, const WfFinding *f, WfRecord *r) {
  *r = (WfRecord){.target = (uint32_t)target, .cls = f->simt.cls, .severity = f->simt.severity};
  r->kind = f->simt.severity == SIMT_MEANT ? WF_RECORD_MEANT : WF_RECORD_FINDING;
  r->outside = f->outside[0] != '\0';
  r->site_id = wf_finding_id(f);
  r->id = wf_plan_id(c->plan, r->site_id);
  r->c = *kase;
  r->c.variant = c->plan->targets[target].variant;
  r->c.expect = expect;
  r->key = wf_case_key(&r->c); /* what a replay of the saved file will say */
  char *places = wf_finding_places(f);
  snprintf(r->places, sizeof r->places, "%s", places ? places : "");
  free(places);
}

/* Is the finding on the list of those that are known? */
static int is_listed(const WfChild *c, const WfFinding *f) {
  uint64_t id = wf_plan_id(c->plan, wf_finding_id(f));
  if (!c->plan->listed || c->plan->listed->n == 0) return 0;
  for (size_t i = 0; i < c->n_seen; i++)
    if (c->seen[i].id == id) return c->seen[i].is_listed;
  char *line = wf_finding_line(f, NULL, id);
  json_t *json = line ? json_loads(line, 0, NULL) : NULL;
  int yes = json && wf_known_find(c->plan->listed, json);
  json_decref(json);
  free(line);
  return yes;
}

/* A race that is meant: its reason goes in the place of the text, and no case is saved. */
static int send_meant(WfChild *c, const WfStep *s, const WfFinding *f) {
  WfRecord r;
  News news;
  describe(c, s->target, s->c, s->verdict->errors, f, &r);
  int worth = note_finding(c, &r, &news);
  if (worth >= 0) c->seen[news.seen].count++;
  if (worth <= 0) return worth;
  r.json = wf_finding_line(f, NULL, r.id);
  r.text = (char *)f->simt.reason;
  int rc = r.json ? wf_child_send(c, &r) : -1;
  free(r.json);
  return rc;
}

/* Sends a described finding with its texts. */
static int send_finding(const WfChild *c, const WfFinding *found, int with_text, WfRecord *r) {
  WfFinding f = *found;
  char name[WF_FILE_NAME_MAX], path[4096];
  wf_finding_file_name(&c->plan->targets[r->target], r->cls, r->key, name);
  snprintf(path, sizeof path, "%s/%s", c->plan->out, name);
  f.key = r->key;
  f.program = c->plan->program;
  r->json = wf_finding_line(&f, path, r->id);
  int is_told = f.simt.severity == SIMT_ERROR || (c->plan->tells_warnings && f.simt.severity == SIMT_WARNING);
  r->text = with_text && is_told ? wf_finding_text(&f, path) : NULL;
  int rc = r->json ? wf_child_send(c, r) : -1;
  free(r->json);
  free(r->text);
  r->json = r->text = NULL;
  return rc;
}

/* ---- shrinking ---- */

typedef struct Shrinking {
  WfChild *c;
  size_t target;
  uint64_t end_ns; /* 0: none */
} Shrinking;

/* WfShrinkOptions.before: notes what is run, and says when to end. */
static int shrink_ends(void *arg, const WfCase *next) {
  const Shrinking *s = arg;
  WfShared *shared = s->c->shared;
  uint64_t deadline_ns = s->c->plan->deadline_ns, now = wf_clock_ns();
  shared->current = *next;
  shared->current_target = (uint32_t)s->target;
  shared->busy = WF_SHRINKING;
  return shared->stop == WF_STOP_NOW || (s->end_ns && now >= s->end_ns) ||
         (deadline_ns && now >= deadline_ns + ARBITRARY_SHRINK_GRACE_NS);
}

/* Shrinks what was announced as pending and sends it: with its smallest case, or as it was where that is not to be had (it does
 * not show when all relations are run, there is no memory, or its time was spent on a larger case). */
static int send_shrunk(WfChild *c, const WfStep *s, const News *news) {
  const WfFinding *found = &s->verdict->finding[news->finding];
  const WfPlan *p = c->plan;
  WfSeen *seen = &c->seen[news->seen];
  const uint64_t start_ns = wf_clock_ns(), left_ns = p->shrink_ns > seen->shrink_ns ? p->shrink_ns - seen->shrink_ns : 0;
  Shrinking shrinking = {c, s->target, p->shrink_ns && !c->stop ? start_ns + left_ns : 0};
  const WfShrinkOptions opt = {.limits = p->limits ? &p->limits[s->target] : NULL,
                               .rtol = p->rtol,
                               .atol = p->atol,
                               .before = shrink_ends,
                               .arg = &shrinking};
  WfRecord r;
  WfShrunk out;
  int rc = wf_shrink(wf_fuzzer_runner(c->fuzzer), s->c, found, &opt, &out);
  c->shared->busy = WF_IDLE;
  seen->shrink_ns += wf_clock_ns() - start_ns;
  c->shared->shrunk++;
  c->shared->shrunk_in_part += !out.is_complete;
  c->shared->shrink_executions += out.executions;
  if (rc == 0)
    describe(c, s->target, &out.c, out.c.expect, &out.finding, &r);
  else
    describe(c, s->target, s->c, s->verdict->errors | 1u << found->simt.cls, found, &r);
  seen->c = r.c;
  return send_finding(c, rc == 0 ? &out.finding : found, news->first, &r);
}

static void add_set(_Atomic uint64_t *counts, unsigned n, uint32_t set) {
  for (unsigned i = 0; i < n; i++) counts[i] += set >> i & 1;
}

/* The classes of which every finding is known; where not all findings are there, nobody can tell. */
static uint32_t listed_classes(const WfChild *c, const WfVerdict *v) {
  uint32_t listed = 0, others = 0;
  for (size_t i = 0; i < v->n; i++) {
    uint32_t cls = 1u << v->finding[i].simt.cls;
    if (is_listed(c, &v->finding[i])) listed |= cls;
    else others |= cls;
  }
  return v->n_dropped ? 0 : listed & ~others;
}

void wf_child_count(const WfChild *c, const WfStep *s) {
  WfCounts *n = &c->shared->counts[s->target];
  const WfVerdict *v = s->verdict;
  const uint32_t listed = listed_classes(c, v);
  size_t corpus, features;
  n->executions++;
  add_set(n->situations, WF_SITUATION_COUNT, v->situations);
  add_set(n->meant, SIMT_CLASS_COUNT, v->meant);
  n->no_verdict += v->no_verdict != 0;
  wf_envelope_take(&n->envelope, s->c, &v->stats);
  wf_tried_take(&n->tried, s->c, v, c->batches ? 0 : wf_clock_ns() - c->began_ns);
  if (v->outside[0]) {
    n->outside++;
    add_set(n->outside_classes, SIMT_CLASS_COUNT, v->errors | v->warnings);
  } else {
    add_set(n->errors, SIMT_CLASS_COUNT, v->errors & ~listed);
    add_set(n->warnings, SIMT_CLASS_COUNT, v->warnings & ~listed);
    add_set(n->listed, SIMT_CLASS_COUNT, (v->errors | v->warnings) & listed);
  }
  if (s->new_features > 0 && !c->batches) {
    const WfCover cover = wf_cover_at(&c->shared->counts[c->plan->n_targets]);
    wf_cover_take(&cover, s->target);
  }
  wf_fuzzer_totals(c->fuzzer, &corpus, &features);
  n->features = wf_fuzzer_features(c->fuzzer, s->target);
  c->shared->corpus = corpus;
  c->shared->features = features;
}

/* Is it a reason to stop at the first error? */
static int stops(const WfPlan *p, const WfFinding *f) {
  if (f->outside[0] || !(p->strict || f->simt.severity == SIMT_ERROR)) return 0;
  return !wf_plan_knows(p, wf_plan_id(p, wf_finding_id(f)));
}

/* All findings go out before any is shrunk: nothing is lost, whatever happens then. */
int wf_child_send_verdict(WfChild *c, const WfStep *s) {
  const WfVerdict *v = s->verdict;
  News news[WF_MAX_FINDINGS];
  size_t n = 0;
  for (size_t i = 0; i < v->n; i++) {
    const WfFinding *f = &v->finding[i];
    WfRecord r;
    describe(c, s->target, s->c, v->errors | 1u << f->simt.cls, f, &r);
    int listed = is_listed(c, f); /* then nobody waits for it, and it is not shrunk */
    r.is_pending = !c->shared->no_shrinking && !listed;
    r.is_listed = listed;
    news[n].finding = i;
    int worth = note_finding(c, &r, &news[n]);
    if (worth < 0) return -1;
    c->seen[news[n].seen].is_listed = listed;
    c->seen[news[n].seen].count++;
    if (worth && send_finding(c, f, !listed && !r.is_pending && news[n].first, &r) != 0) return -1;
    n += worth && r.is_pending;
    c->stop |= c->plan->stop_on_first && !listed && stops(c->plan, f);
  }
  for (size_t i = 0; i < n; i++)
    if (send_shrunk(c, s, &news[i]) != 0) return -1;
  for (size_t i = 0; i < v->n_meant; i++)
    if (send_meant(c, s, &v->meant_race[i]) != 0) return -1;
  return 0;
}

int wf_child_send_counts(WfChild *c, int now) {
  uint64_t at_ns = wf_clock_ns();
  if (!now && at_ns < c->tell_ns) return 0;
  c->tell_ns = at_ns + COUNTS_PERIOD_NS;
  for (size_t i = 0; i < c->n_seen; i++) {
    WfSeen *s = &c->seen[i];
    WfRecord r = {.kind = WF_RECORD_COUNT, .target = s->target, .cls = s->cls, .id = s->id, .count = s->count};
    if (s->count && wf_child_send(c, &r) != 0) return -1;
    s->count = 0;
  }
  return 0;
}
