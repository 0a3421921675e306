/* campaign_balance.c - the parent's part of sharing work: time by groups, and corpora on the disk. */
#define _POSIX_C_SOURCE 200809L
#include "campaign_impl.h"
#include <stdlib.h>

enum {
  MERGE_FIRST_S = 300,      /* a merge runs every case on every variant: it is for long campaigns */
  MERGE_PERIOD_S = 60,      /* one op at a time */
  MERGE_PAUSE = 10,         /* times as long as the last one took */
  ARBITRARY_MERGE_NEW = 32, /* cases beyond half of what was left the last time */
  ARBITRARY_MERGE_REST_S = 300 /* nothing is begun so late */
};

int wf_campaign_share(WfCampaign *m) {
  if (!m->plan->is_balanced) return 0;
  if (wf_balance_init(&m->balance, m->plan) != 0) return -1;
  wf_balance_tell(&m->balance, m->workers, m->plan->jobs);
  return 0;
}

static void move_time(WfCampaign *m) {
  const WfCollector *c = m->collector;
  uint64_t *findings = calloc(m->plan->n_targets, sizeof *findings);
  if (!findings) return; /* another time */
  for (size_t i = 0; i < c->n_kept; i++) findings[c->kept[i].target] += c->kept[i].is_found && c->kept[i].severity != SIMT_MEANT;
  wf_balance_move(&m->balance, m->workers, m->plan->jobs, findings);
  free(findings);
}

static unsigned owner_of(const WfCampaign *m, size_t target) {
  for (size_t i = 0; i < m->balance.n_groups; i++) {
    const WfGroup *g = &m->balance.group[i];
    if (target >= g->first && target < g->first + g->n) return g->worker;
  }
  return 0;
}

/* The op whose corpus has grown most, by what it had; its first target, or SIZE_MAX: none needs it. */
static size_t most_grown(const WfCampaign *m) {
  size_t best = SIZE_MAX;
  double most = 1;
  for (size_t t = 0; t < m->plan->n_targets; t++) {
    const WfCorpusCount *n = &m->collector->corpus[t];
    double grown = (double)n->n / (ARBITRARY_MERGE_NEW + 1.5 * (double)n->n_merged);
    if (grown <= most) continue;
    most = grown;
    best = t;
  }
  return best;
}

static int is_merging(const WfCampaign *m) {
  for (unsigned i = 0; i < m->plan->jobs; i++)
    if (m->workers[i].shared->merge) return 1;
  return 0;
}

static void merge_one(WfCampaign *m, uint64_t now) {
  uint64_t deadline_ns = m->plan->deadline_ns;
  if (deadline_ns && now + ARBITRARY_MERGE_REST_S * WF_SECOND_NS > deadline_ns) return;
  size_t target = most_grown(m);
  if (target == SIZE_MAX) return;
  m->collector->corpus[target].n_merged = m->collector->corpus[target].n; /* whatever comes of it */
  m->workers[owner_of(m, target)].shared->merge = (uint32_t)target + 1;
}

void wf_campaign_balance(WfCampaign *m, uint64_t now) {
  if (!m->balance.n_groups || m->stopping || m->workers[0].is_replaying) return;
  if (!m->balance_ns) {
    m->balance_ns = now + WF_BALANCE_PERIOD_S * WF_SECOND_NS;
    m->merge_ns = now + MERGE_FIRST_S * WF_SECOND_NS;
  }
  if (now >= m->balance_ns) {
    m->balance_ns = now + WF_BALANCE_PERIOD_S * WF_SECOND_NS;
    move_time(m);
  }
  if (is_merging(m)) m->merge_ns = now + MERGE_PERIOD_S * WF_SECOND_NS + MERGE_PAUSE * (now - m->merging_ns);
  if (now < m->merge_ns || m->plan->backend != WF_BACKEND_SIMT) return;
  m->merge_ns = now + MERGE_PERIOD_S * WF_SECOND_NS;
  m->merging_ns = now;
  merge_one(m, now);
}
