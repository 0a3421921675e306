/* replay_match.c - places that have moved. Cases show several findings as a rule, and lines put in above two findings may bring one of them to
 * where the other was: so each is given the nearest place that is nobody's, and who could be at another's place waits until that one is found. */
#include "replay_match.h"
#include "replay_gone.h"
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How far lines are from each other; a column counts for more than most moves, another function for more than all of them. */
enum { COLUMN = 1000, FUNCTION = 1000000 };

/* ---- distances ---- */

static uint64_t step_between(long long line, long long column, const char *function, const SimtSite *s) {
  uint64_t d = (uint64_t)llabs(line - (long long)s->line);
  if (column != s->column) d += COLUMN;
  if (!function || strcmp(function, s->func ? s->func : "") != 0) d += FUNCTION;
  return d;
}

static uint64_t step_of(const json_t *frame, const SimtSite *s) {
  return step_between(json_integer_value(json_object_get(frame, "line")), json_integer_value(json_object_get(frame, "column")),
                      json_string_value(json_object_get(frame, "function")), s);
}

/* Of one side: its place and those it was called from. */
static uint64_t side_distance(const json_t *line, const char *prefix, const SimtSite *s) {
  char key[4][32];
  static const char *const names[] = {"line", "column", "function", "call_path"};
  for (int k = 0; k < 4; k++) snprintf(key[k], sizeof key[k], "%s%s", prefix, names[k]);
  const char *function = json_string_value(json_object_get(line, key[2]));
  const json_t *path = json_object_get(line, key[3]);
  if (!s || !function) return !s == !function ? 0 : FUNCTION;
  uint64_t d = step_between(json_integer_value(json_object_get(line, key[0])), json_integer_value(json_object_get(line, key[1])), function, s);
  size_t n = 0;
  for (s = s->caller; s; s = s->caller, n++) {
    const json_t *frame = json_array_get(path, n);
    d += frame ? step_of(frame, s) : FUNCTION;
  }
  return d + (json_array_size(path) > n ? FUNCTION : 0);
}

/* The two sides may have changed places. */
static uint64_t distance(const json_t *line, const WfFinding *f) {
  const SimtSite *a = f->simt.here.site, *b = f->simt.other.site;
  uint64_t as_is = side_distance(line, "", a) + side_distance(line, "other_", b);
  uint64_t turned = side_distance(line, "", b) + side_distance(line, "other_", a);
  return as_is < turned ? as_is : turned;
}

/* ---- whose a place is ---- */

static int is_found(const WfReplay *r) { return r->seen == WF_REPLAYED_OPEN || r->seen == WF_REPLAYED_MOVED; }

/* It will be looked for, or nothing could be said of it; where it was is not known to be free. */
static int is_unsettled(const WfReplay *r) { return r->c && r->seen == WF_REPLAYED_UNKNOWN; }

static int is_of_another(const WfMatching *m, size_t i, uint64_t site_id) {
  for (size_t k = 0; k < m->n; k++)
    if (k != i && m->r[k].site_id == site_id && (is_found(&m->r[k]) || !m->r[k].c)) return 1;
  return 0;
}

static int was_of_unsettled(const WfMatching *m, size_t i, uint64_t site_id) {
  for (size_t k = 0; k < m->n; k++)
    if (k != i && m->r[k].site_id == site_id && is_unsettled(&m->r[k])) return 1;
  return 0;
}

/* Could it be the finding k, with other lines? */
static int is_like(const WfMatching *m, size_t k, const WfFinding *f) {
  return f->simt.cls == m->r[k].cls && !f->outside[0] == !m->r[k].outside && wf_is_between_same(m->line[k], f);
}

/* Is it nearer to a finding that was not looked for yet? */
static int is_nearer_to_another(const WfMatching *m, size_t i, const WfFinding *f) {
  for (size_t k = 0; k < m->n; k++)
    if (k != i && is_unsettled(&m->r[k]) && m->r[k].target == m->r[i].target && is_like(m, k, f) && distance(m->line[k], f) < distance(m->line[i], f))
      return 1;
  return 0;
}

/* ---- the choice ---- */

/* The nearest that may be finding i; with `free`, but for those where unsettled ones were. NULL: none. */
static const WfFinding *nearest(const WfMatching *m, size_t i, const WfVerdict *v, int free) {
  const WfFinding *best = NULL;
  for (size_t k = 0; k < v->n; k++) {
    const WfFinding *f = &v->finding[k];
    const uint64_t id = wf_finding_id(f);
    if (!is_like(m, i, f) || is_of_another(m, i, id) || (free && was_of_unsettled(m, i, id))) continue;
    if (!best || distance(m->line[i], f) < distance(m->line[i], best)) best = f;
  }
  return best;
}

static const WfFinding *in_place(const WfMatching *m, size_t i, const WfVerdict *v) {
  for (size_t k = 0; k < v->n; k++)
    if (wf_finding_id(&v->finding[k]) == m->r[i].site_id) return is_of_another(m, i, m->r[i].site_id) ? NULL : &v->finding[k];
  return NULL;
}

WfReplayed wf_replay_match(const WfMatching *m, size_t i, const WfVerdict *v, int is_last, const WfFinding **at) {
  *at = in_place(m, i, v);
  if (*at) return WF_REPLAYED_OPEN;
  *at = nearest(m, i, v, 0);
  if (!*at) return WF_REPLAYED_GONE;
  if (!is_last && (was_of_unsettled(m, i, wf_finding_id(*at)) || is_nearer_to_another(m, i, *at))) return WF_REPLAYED_LATER;
  *at = nearest(m, i, v, 1);
  return *at ? WF_REPLAYED_MOVED : WF_REPLAYED_UNKNOWN;
}
