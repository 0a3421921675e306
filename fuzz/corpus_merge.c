/* corpus_merge.c - set cover, greedily. */
#define _POSIX_C_SOURCE 200809L
#include "corpus_merge.h"
#include "case_files.h"
#include "corpus.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ARBITRARY_MERGE_STEPS UINT64_C(1000000) /* of a launch: what hangs has shown what it reaches by then */

typedef struct Item { /* a case */
  WfCase *c;
  uint64_t key, size;
  uint32_t *feature; /* numbers, without doubles */
  size_t n, max;
  size_t at_most; /* features that nobody chosen reaches: there can only be fewer later */
  int is_ours, is_chosen;
} Item;

typedef struct Table { /* features by what they are */
  uint64_t *hash;      /* 0: free */
  uint32_t *number;
  size_t mask, n;
} Table;

typedef struct Merge {
  const WfOp *op;
  const WfTarget *targets;
  size_t n_targets;
  Item *item;
  size_t n_items;
  Table table;
  uint32_t *users; /* by feature: chosen cases that reach it */
  WfVerdict *verdict;
} Merge;

/* ---- features ---- */

static size_t place(const Table *t, uint64_t hash) {
  size_t at = (size_t)(hash ^ hash >> 32) & t->mask;
  while (t->hash[at] && t->hash[at] != hash) at = (at + 1) & t->mask;
  return at;
}

static int grow(Table *t) {
  Table larger = {.mask = t->hash ? 2 * t->mask + 1 : 4095, .n = t->n};
  larger.hash = calloc(larger.mask + 1, sizeof *larger.hash);
  larger.number = calloc(larger.mask + 1, sizeof *larger.number);
  if (!larger.hash || !larger.number) {
    free(larger.hash);
    free(larger.number);
    return -1;
  }
  for (size_t i = 0; t->hash && i <= t->mask; i++) {
    if (!t->hash[i]) continue;
    size_t at = place(&larger, t->hash[i]);
    larger.hash[at] = t->hash[i];
    larger.number[at] = t->number[i];
  }
  free(t->hash);
  free(t->number);
  *t = larger;
  return 0;
}

static int add_feature(Merge *m, Item *item, uint64_t what) {
  uint64_t hash = (what + 1) * UINT64_C(0x9e3779b97f4a7c15);
  if (2 * m->table.n >= m->table.mask && grow(&m->table) != 0) return -1;
  hash += hash == 0;
  size_t at = place(&m->table, hash);
  if (!m->table.hash[at]) {
    m->table.hash[at] = hash;
    m->table.number[at] = (uint32_t)m->table.n++;
  }
  if (item->n == item->max) {
    size_t max = item->max ? 2 * item->max : 64;
    uint32_t *more = realloc(item->feature, max * sizeof *more);
    if (!more) return -1;
    item->feature = more;
    item->max = max;
  }
  item->feature[item->n++] = m->table.number[at];
  return 0;
}

/* Those of one execution. Each is reached once in it: a counter is in one bucket. */
static int add_features(Merge *m, Item *item, size_t variant, const uint8_t *counters, size_t n, uint32_t situations) {
  for (size_t i = 0; i < n; i++)
    if (counters[i] && add_feature(m, item, (uint64_t)variant << 40 | (8 * (uint64_t)i + wf_corpus_bucket(counters[i]))) != 0) return -1;
  for (unsigned i = 0; i < 32; i++)
    if (situations >> i & 1 && add_feature(m, item, (uint64_t)variant << 40 | UINT64_C(1) << 39 | i) != 0) return -1;
  return 0;
}

/* The clean variants, and others that are fuzzed. */
static int takes_part(const Merge *m, size_t variant) {
  const WfVariant *v = &m->op->variants[variant];
  if (v->expect == 0) return 1;
  for (size_t i = 0; i < m->n_targets; i++)
    if (m->targets[i].variant == v) return 1;
  return 0;
}

static int can_run(const WfCase *c, const WfVariant *v, int outside, WfGeometry *g) {
  return outside ? wf_case_launch(c, v, g, NULL, 0) : wf_case_admits(c, v, g, NULL, 0);
}

/* 1; 0: it cannot be judged, or it is time to stop; -1: no memory. */
static int run_item(Merge *m, Item *item, WfRunner *runner, const WfMergeOptions *how) {
  const WfRunOptions opt = {.detect = SIMT_DETECT_ALL, .max_steps = ARBITRARY_MERGE_STEPS, .outside = how->outside};
  int n_run = 0;
  for (size_t v = 0; v < m->op->n_variants; v++) {
    WfGeometry g;
    char err[256];
    size_t n;
    if (how->stop && how->stop(how->arg)) return 0;
    if (!takes_part(m, v) || !can_run(item->c, &m->op->variants[v], how->outside, &g)) continue;
    if (n_run++ == 0) item->size = wf_case_size(item->c, &g);
    uint8_t *counters = simt_coverage(&n);
    if (n) memset(counters, 0, n);
    if (wf_run(runner, item->c, &m->op->variants[v], &opt, m->verdict, err, sizeof err) != 0) return 0;
    if (add_features(m, item, v, counters, n, m->verdict->situations) != 0) return -1;
  }
  item->at_most = item->n;
  return n_run > 0; /* outside all contracts nothing is known of it */
}

/* What could not be run stays. 1; -1: no memory. */
static int run_all(Merge *m, WfRunner *runner, const WfMergeOptions *opt) {
  for (size_t i = 0; i < m->n_items; i++) {
    int rc = run_item(m, &m->item[i], runner, opt);
    if (rc < 0) return -1;
    if (rc == 0) m->item[i].is_ours = 0;
  }
  return 1;
}

/* ---- the choice ---- */

static size_t n_new(const Merge *m, const Item *item) {
  size_t n = 0;
  for (size_t i = 0; i < item->n; i++) n += m->users[item->feature[i]] == 0;
  return n;
}

static void choose(Merge *m, Item *item) {
  item->is_chosen = 1;
  for (size_t i = 0; i < item->n; i++) m->users[item->feature[i]]++;
}

static int is_superfluous(const Merge *m, const Item *item) {
  for (size_t i = 0; i < item->n; i++)
    if (m->users[item->feature[i]] < 2) return 0;
  return 1;
}

static void cover(Merge *m) {
  for (size_t i = 0; i < m->n_items; i++)
    if (!m->item[i].is_ours) choose(m, &m->item[i]);
  for (;;) {
    Item *best = NULL;
    size_t most = 0;
    for (size_t i = 0; i < m->n_items; i++) {
      Item *item = &m->item[i];
      if (item->is_chosen || item->at_most == 0 || item->at_most < most) continue;
      size_t n = item->at_most = n_new(m, item);
      if (n == 0 || n < most || (n == most && item->size >= best->size)) continue;
      most = n;
      best = item;
    }
    if (!best) break;
    choose(m, best);
  }
  for (size_t i = 0; i < m->n_items; i++) {
    Item *item = &m->item[i];
    if (!item->is_ours || !item->is_chosen || !is_superfluous(m, item)) continue;
    item->is_chosen = 0;
    for (size_t k = 0; k < item->n; k++) m->users[item->feature[k]]--;
  }
}

/* ---- the whole ---- */

static int load_item(Merge *m, const char *path) {
  Item *more = realloc(m->item, (m->n_items + 1) * sizeof *more);
  if (!more) return -1;
  m->item = more;
  Item item = {.c = malloc(sizeof *item.c)};
  char err[WF_CASE_ERROR_MAX], name[32];
  const char *slash = strrchr(path, '/');
  if (!item.c) return -1;
  if (wf_case_load(item.c, path, err, sizeof err) != 0 || item.c->op != m->op) {
    free(item.c); /* not ours, or removed meanwhile */
    return 0;
  }
  item.key = wf_case_key(item.c);
  snprintf(name, sizeof name, "%016llx.case", (unsigned long long)item.key);
  item.is_ours = strcmp(slash ? slash + 1 : path, name) == 0;
  m->item[m->n_items++] = item;
  return 0;
}

static int load(Merge *m, const char *dir) {
  WfCaseFiles files = {0};
  char err[WF_CASE_ERROR_MAX];
  int rc = wf_case_files_add(&files, dir, err, sizeof err) == 0 ? 1 : 0;
  for (size_t i = 0; i < files.n && rc == 1; i++)
    if (load_item(m, files.path[i]) != 0) rc = -1;
  wf_case_files_free(&files);
  return rc;
}

static int list_dropped(const Merge *m, WfMerge *out) {
  out->drop = malloc((m->n_items + 1) * sizeof *out->drop);
  if (!out->drop) return -1;
  out->n_cases = m->n_items;
  for (size_t i = 0; i < m->n_items; i++)
    if (!m->item[i].is_chosen) out->drop[out->n_drop++] = m->item[i].key;
  return 1;
}

static void free_merge(Merge *m) {
  for (size_t i = 0; i < m->n_items; i++) {
    free(m->item[i].c);
    free(m->item[i].feature);
  }
  free(m->item);
  free(m->table.hash);
  free(m->table.number);
  free(m->users);
  free(m->verdict);
}

int wf_corpus_merge(const WfOp *op, const WfTarget *targets, size_t n_targets, const char *dir, WfRunner *runner, const WfMergeOptions *opt, WfMerge *out) {
  Merge m = {.op = op, .targets = targets, .n_targets = n_targets, .verdict = malloc(sizeof *m.verdict)};
  *out = (WfMerge){0};
  int rc = m.verdict ? load(&m, dir) : -1;
  if (rc == 1) rc = run_all(&m, runner, opt);
  if (rc == 1) {
    m.users = calloc(m.table.n + 1, sizeof *m.users);
    if (m.users) cover(&m);
    rc = m.users ? list_dropped(&m, out) : -1;
  }
  free_merge(&m);
  return rc;
}
