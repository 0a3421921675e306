/* balance.c - groups of variants, their weights, and who runs them. */
#include "balance.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  ARBITRARY_MAX_GROUP = 8,     /* variants */
  ARBITRARY_FINDING_WORTH = 20 /* features */
};
#define ARBITRARY_FADE 0.7

static size_t group_size(const WfPlan *p) {
  size_t n = p->n_targets / (2 * (size_t)p->jobs);
  return n < 1 ? 1 : n > ARBITRARY_MAX_GROUP ? ARBITRARY_MAX_GROUP : n;
}

static double load_of(const WfBalance *b, unsigned worker) {
  double load = 0;
  for (size_t i = 0; i < b->n_groups; i++)
    if (b->group[i].worker == worker) load += (double)b->group[i].weight * (double)b->group[i].n;
  return load;
}

static unsigned extreme(const WfBalance *b, unsigned jobs, int most) {
  unsigned best = 0;
  for (unsigned w = 1; w < jobs; w++) {
    double load = load_of(b, w), so_far = load_of(b, best);
    if (most ? load > so_far : load < so_far) best = w;
  }
  return best;
}

int wf_balance_init(WfBalance *b, const WfPlan *p) {
  const size_t most = group_size(p);
  *b = (WfBalance){calloc(p->n_targets, sizeof *b->group), 0, calloc(p->n_targets, sizeof *b->features)};
  if (!b->group || !b->features) return -1;
  for (size_t i = 0; i < p->n_targets; i++) {
    WfGroup *last = b->n_groups ? &b->group[b->n_groups - 1] : NULL;
    if (last && last->n < most && p->targets[last->first].op == p->targets[i].op) {
      last->n++;
      continue;
    }
    b->group[b->n_groups++] = (WfGroup){.first = i, .n = 1, .weight = 1, .worker = UINT32_MAX};
  }
  for (size_t i = 0; i < b->n_groups; i++) b->group[i].worker = extreme(b, p->jobs, 0);
  return 0;
}

void wf_balance_free(WfBalance *b) {
  free(b->group);
  free(b->features);
  *b = (WfBalance){0};
}

static int has_groups(const WfBalance *b, unsigned worker) {
  for (size_t i = 0; i < b->n_groups; i++)
    if (b->group[i].worker == worker) return 1;
  return 0;
}

/* Where there are fewer groups than workers, those that are left help with all of them. */
void wf_balance_tell(const WfBalance *b, const WfWorker *workers, unsigned jobs) {
  for (unsigned w = 0; w < jobs; w++) {
    const int helps = !has_groups(b, w);
    for (size_t i = 0; i < b->n_groups; i++) {
      const WfGroup *g = &b->group[i];
      for (size_t t = g->first; t < g->first + g->n; t++) workers[w].shared->counts[t].weight = helps || g->worker == w ? g->weight : 0;
    }
  }
}

/* What came since the last time. A group that has changed its worker reaches known features again, which is no growth. */
static void take_stock(WfBalance *b, WfGroup *g, const WfWorker *workers, unsigned jobs, const uint64_t *findings) {
  uint64_t features = 0, found = 0;
  for (size_t t = g->first; t < g->first + g->n; t++) {
    for (unsigned w = 0; w < jobs; w++)
      if (workers[w].shared->counts[t].features > b->features[t]) b->features[t] = workers[w].shared->counts[t].features;
    features += b->features[t];
    found += findings[t];
  }
  double came = (double)(features - g->features) + ARBITRARY_FINDING_WORTH * (double)(found - g->findings);
  g->growth = g->growth * ARBITRARY_FADE + came / (double)g->n;
  g->features = features;
  g->findings = found;
  g->weight = 1;
  for (double need = 1; g->weight < WF_MAX_WEIGHT && g->growth >= need; need *= 2) g->weight++;
}

/* One group a period, and only if the larger load becomes smaller: what moves has to make itself at home again. */
static void move_one(WfBalance *b, unsigned jobs) {
  unsigned from = extreme(b, jobs, 1), to = extreme(b, jobs, 0);
  double most = load_of(b, from), least = load_of(b, to), best = most * 0.9;
  WfGroup *chosen = NULL;
  for (size_t i = 0; i < b->n_groups; i++) {
    WfGroup *g = &b->group[i];
    double load = (double)g->weight * (double)g->n, after = most - load > least + load ? most - load : least + load;
    if (g->worker != from || after >= best) continue;
    best = after;
    chosen = g;
  }
  if (chosen) chosen->worker = to;
}

void wf_balance_move(WfBalance *b, const WfWorker *workers, unsigned jobs, const uint64_t *findings) {
  for (size_t i = 0; i < b->n_groups; i++) take_stock(b, &b->group[i], workers, jobs, findings);
  if (jobs > 1) move_one(b, jobs);
  wf_balance_tell(b, workers, jobs);
}

void wf_balance_describe(const WfBalance *b, const WfPlan *p, unsigned worker, char *out, size_t size) {
  const WfGroup *heaviest = NULL;
  char name[WF_NAME_MAX];
  int n = 0;
  for (size_t i = 0; i < b->n_groups; i++) {
    const WfGroup *g = &b->group[i];
    if (g->worker != worker) continue;
    n++;
    if (!heaviest || g->weight > heaviest->weight) heaviest = g;
  }
  snprintf(out, size, "%s", b->n_groups ? "all" : "");
  if (!heaviest) return;
  wf_target_name(&p->targets[heaviest->first], name);
  int used = snprintf(out, size, "%s%s", name, heaviest->n > 1 ? ".." : "");
  if (n > 1 && used > 0 && (size_t)used < size) snprintf(out + used, size - (size_t)used, " +%d", n - 1);
}
