/* fuzzer.c - choosing cases and running them. */
#include "arith.h"
#include "fuzzer.h"
#include "corpus.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  /* Of 100 choices with a corpus at hand. ARBITRARY_: no measurement behind them. */
  ARBITRARY_GENERATE = 25, /* fresh cases */
  ARBITRARY_CROSS = 10,    /* two corpus cases mixed; the rest are mutations of one */
  ARBITRARY_IMPORT = 4,    /* one in so many runs of a variant is of a case that another process found */
  MAX_REDRAWS = 8,
  /* Long cases: not among the first, and no more than one part in so many of all that is done. In steps of the engine, so that the same
   * seed gives the same cases; an execution costs so many, and a thread of it so many, whatever they do. */
  ARBITRARY_LONG_FIRST = 24,
  ARBITRARY_LONG_PART = 20,
  ARBITRARY_EXECUTION_STEPS = 5000,
  ARBITRARY_THREAD_STEPS = 4,
  ARBITRARY_LONG_STEPS = 1 << 22 /* after which a long case has no verdict: a kernel of quadratic time is slow, not hung */
};

struct WfQueued { /* without variant and expect lines; there may be thousands */
  size_t n_users;
  WfCase c; /* packed, and so the last member */
};

typedef struct Queue {
  WfQueued **cases;
  size_t n, at, max;
} Queue;

typedef struct Lane { /* one variant */
  WfCorpus *corpus;
  WfChoice choice;
  WfChoice long_choice;   /* of cases with a long dim: a stream of its own, so that the others are what they are without */
  Queue queue;   /* cases to be run first */
  Queue imports; /* and between others */
  uint64_t n_chosen; /* while there were imports */
  uint64_t n, done, long_done; /* executions, what they cost, and what long ones did of it */
  int is_long;            /* the case that was chosen last */
} Lane;

struct WfFuzzer {
  const WfTarget *targets;
  size_t n_targets, turn;
  Lane *lanes;
  WfRunner *runner;
  WfCase current;
  WfVerdict verdict;
  double rtol, atol;
};

static int queue_push(Queue *q, WfQueued *c) {
  if (q->at > 64 && q->at > q->n / 2) { /* the front is used up */
    memmove(q->cases, q->cases + q->at, (q->n - q->at) * sizeof *q->cases);
    q->n -= q->at;
    q->at = 0;
  }
  if (q->n == q->max) {
    size_t max = q->max ? 2 * q->max : 16;
    WfQueued **more = realloc(q->cases, max * sizeof *more);
    if (!more) return -1;
    q->cases = more;
    q->max = max;
  }
  q->cases[q->n++] = c;
  c->n_users++;
  return 0;
}

void wf_queued_release(WfQueued *c) {
  if (c && --c->n_users == 0) free(c);
}

static void queue_pop(Queue *q, WfCase *out) {
  WfQueued *c = q->cases[q->at++];
  wf_case_unpack(out, &c->c);
  wf_queued_release(c);
}

static void queue_free(Queue *q) {
  while (q->at < q->n) wf_queued_release(q->cases[q->at++]);
  free(q->cases);
}

WfQueued *wf_queued_create(const WfCase *c) {
  const size_t case_bytes = wf_case_packed_bytes(c);
  WfQueued *s = malloc(offsetof(WfQueued, c) + case_bytes);
  if (!s) return NULL;
  s->n_users = 1;
  memcpy(&s->c, c, case_bytes);
  s->c.variant = NULL;
  s->c.expect = 0;
  return s;
}

uint64_t wf_seed_derive(uint64_t seed, uint64_t part) { /* word `part` of the sequence that begins at the seed */
  uint64_t state = seed + part * UINT64_C(0x9e3779b97f4a7c15);
  return wf_split_mix(&state);
}

/* FNV-1a of "op/variant". */
static uint64_t name_hash(const WfTarget *t) {
  char name[WF_NAME_MAX];
  wf_target_name(t, name);
  uint64_t h = UINT64_C(0xcbf29ce484222325);
  for (const char *p = name; *p; p++) h = (h ^ (unsigned char)*p) * UINT64_C(0x100000001b3);
  return h;
}

int wf_fuzzer_create(WfFuzzer **out, const WfTarget *targets, size_t n_targets, uint64_t seed) {
  *out = NULL;
  WfFuzzer *f = calloc(1, sizeof *f);
  if (!f) return -1;
  f->targets = targets;
  f->n_targets = n_targets;
  f->lanes = calloc(n_targets, sizeof *f->lanes);
  if (!f->lanes || wf_runner_create(&f->runner) != 0) goto fail;
  for (size_t i = 0; i < n_targets; i++) {
    if (wf_corpus_create(&f->lanes[i].corpus) != 0) goto fail;
    f->lanes[i].choice.state = wf_seed_derive(seed, name_hash(&targets[i]));
    f->lanes[i].long_choice.state = wf_seed_derive(f->lanes[i].choice.state, 1);
  }
  *out = f;
  return 0;
fail:
  wf_fuzzer_destroy(f);
  return -1;
}

void wf_fuzzer_destroy(WfFuzzer *f) {
  if (!f) return;
  for (size_t i = 0; f->lanes && i < f->n_targets; i++) {
    wf_corpus_destroy(f->lanes[i].corpus);
    queue_free(&f->lanes[i].queue);
    queue_free(&f->lanes[i].imports);
  }
  if (f->runner) wf_runner_destroy(f->runner);
  free(f->lanes);
  free(f);
}

void wf_fuzzer_limit(WfFuzzer *f, const WfLimits *limits, double rtol, double atol) {
  for (size_t i = 0; i < f->n_targets; i++) f->lanes[i].choice.limits = f->lanes[i].long_choice.limits = limits ? &limits[i] : NULL;
  f->rtol = rtol;
  f->atol = atol;
}

/* May the variant be run on the case? why may be NULL, with why_size 0. */
static int is_allowed(const Lane *l, const WfVariant *v, const WfCase *c, WfGeometry *g, char *why, size_t why_size) {
  const WfLimits *limits = l->choice.limits;
  if (!wf_limits_hold(limits, c)) {
    if (why_size > 0) snprintf(why, why_size, "a length is outside --dims");
    return 0;
  }
  return limits && limits->outside ? wf_case_launch(c, v, g, why, why_size) : wf_case_admits(c, v, g, why, why_size);
}

/* Into one of the two queues of the variant, where it is admitted. 1; 0: it is not; -1: no memory. */
static int enqueue(WfFuzzer *f, size_t target, WfQueued *q, int is_import) {
  Lane *l = &f->lanes[target];
  WfCase c;
  WfGeometry g;
  char why[8];
  if (f->targets[target].op != q->c.op) return 0;
  wf_case_unpack(&c, &q->c);
  if (!is_allowed(l, f->targets[target].variant, &c, &g, why, sizeof why)) return 0;
  return queue_push(is_import ? &l->imports : &l->queue, q) == 0 ? 1 : -1;
}

int wf_fuzzer_add(WfFuzzer *f, const WfCase *c) {
  WfQueued *shared = wf_queued_create(c);
  int n = 0, rc = shared ? 0 : -1;
  for (size_t i = 0; rc >= 0 && i < f->n_targets; i++) {
    rc = enqueue(f, i, shared, 0);
    n += rc > 0;
  }
  wf_queued_release(shared);
  return rc < 0 ? -1 : n;
}

int wf_fuzzer_add_for(WfFuzzer *f, size_t target, const WfCase *c) {
  WfQueued *q = wf_queued_create(c);
  int rc = q ? enqueue(f, target, q, 0) : -1;
  wf_queued_release(q);
  return rc;
}

int wf_fuzzer_import(WfFuzzer *f, size_t target, WfQueued *c) { return enqueue(f, target, c, 1); }

static void draw_case(Lane *l, const WfTarget *t, WfCase *out) {
  WfChoice *ch = &l->choice;
  uint64_t way = wf_choice_below(ch, 100);
  WfCase base, other;
  if (way < ARBITRARY_GENERATE || !wf_corpus_pick(l->corpus, ch, &base)) {
    wf_case_generate(out, t->op, t->variant, ch);
  } else if (way < ARBITRARY_GENERATE + ARBITRARY_CROSS && wf_corpus_pick(l->corpus, ch, &other)) {
    wf_case_cross(out, &base, &other, t->variant, ch);
  } else {
    *out = base;
    for (uint64_t n = 1 + wf_choice_below(ch, 3); n; n--) wf_case_mutate(out, t->variant, ch);
  }
}

/* A device counts no steps: there are no long cases then. */
static int wants_long(const Lane *l) {
  const WfLimits *limits = l->choice.limits;
  return l->n >= ARBITRARY_LONG_FIRST && l->long_done <= l->done / ARBITRARY_LONG_PART && !(limits && limits->outside);
}

/* 0: the contract has none, or none that is not too dear. Looking for one costs, too. */
static int draw_long(Lane *l, const WfTarget *t, WfCase *out) {
  WfGeometry g;
  l->long_choice.longer++;
  wf_case_generate(out, t->op, t->variant, &l->long_choice);
  l->is_long = is_allowed(l, t->variant, out, &g, NULL, 0);
  l->long_done += ARBITRARY_EXECUTION_STEPS * ARBITRARY_LONG_PART;
  return l->is_long;
}

static void note_cost(Lane *l, const SimtStats *stats) {
  uint64_t cost = stats->steps + ARBITRARY_THREAD_STEPS * stats->threads + ARBITRARY_EXECUTION_STEPS;
  l->n++;
  l->done += cost;
  l->long_done += l->is_long ? cost : 0;
}

/* Limits and a contract together may leave little room, so that one drawing fails to get there. */
static void choose_case(Lane *l, const WfTarget *t, WfCase *out) {
  char why[8];
  WfGeometry g;
  if (l->queue.at < l->queue.n) {
    queue_pop(&l->queue, out);
    return;
  }
  if (l->imports.at < l->imports.n && l->n_chosen++ % ARBITRARY_IMPORT == 0) {
    queue_pop(&l->imports, out);
    return;
  }
  if (wants_long(l) && draw_long(l, t, out)) return;
  draw_case(l, t, out);
  for (int i = 0; i < MAX_REDRAWS && !is_allowed(l, t->variant, out, &g, why, sizeof why); i++)
    wf_case_generate(out, t->op, t->variant, &l->choice);
}

void wf_fuzzer_choose(WfFuzzer *f, WfStep *out) {
  size_t i = f->turn;
  f->turn = (f->turn + 1) % f->n_targets;
  wf_fuzzer_choose_for(f, i, out);
}

void wf_fuzzer_choose_for(WfFuzzer *f, size_t i, WfStep *out) {
  f->lanes[i].is_long = 0;
  choose_case(&f->lanes[i], &f->targets[i], &f->current);
  f->current.variant = NULL;
  f->current.expect = 0;
  *out = (WfStep){.target = i, .c = &f->current, .verdict = &f->verdict};
}

int wf_fuzzer_admits(const WfFuzzer *f, size_t target, const WfCase *c, WfGeometry *g) {
  return is_allowed(&f->lanes[target], f->targets[target].variant, c, g, NULL, 0);
}

/* A device counts no branches: what is new is what the verdict and the case say. */
int wf_fuzzer_offer(WfFuzzer *f, WfStep *step, const WfGeometry *g) {
  step->size = wf_case_size(step->c, g);
  step->new_features = wf_corpus_offer(f->lanes[step->target].corpus, step->c, step->size, NULL, 0, step->verdict->situations);
  return step->new_features < 0 ? -1 : 0;
}

int wf_fuzzer_execute(WfFuzzer *f, WfStep *step, char *err, size_t err_size) {
  const WfVariant *v = f->targets[step->target].variant;
  Lane *l = &f->lanes[step->target];
  WfRunOptions opt = {.detect = SIMT_DETECT_ALL, .rtol = f->rtol, .atol = f->atol};
  WfGeometry g;
  char why[160];
  opt.outside = l->choice.limits && l->choice.limits->outside;
  opt.max_steps = l->is_long ? ARBITRARY_LONG_STEPS : 0;
  opt.may_be_slow = l->is_long;
  if (!is_allowed(l, v, &f->current, &g, why, sizeof why)) {
    snprintf(err, err_size, "the generator left the contract: %s", why);
    return -1;
  }
  size_t n_counters;
  uint8_t *counters = simt_coverage(&n_counters);
  if (n_counters) memset(counters, 0, n_counters);
  if (wf_run(f->runner, &f->current, v, &opt, &f->verdict, err, err_size) != 0) return -1;
  note_cost(l, &f->verdict.stats);
  step->size = wf_case_size(&f->current, &g);
  step->new_features = wf_corpus_offer(f->lanes[step->target].corpus, &f->current, step->size, counters, n_counters,
                                       f->verdict.situations);
  if (step->new_features >= 0) return 0;
  snprintf(err, err_size, "out of memory for the corpus");
  return -1;
}

WfRunner *wf_fuzzer_runner(WfFuzzer *f) { return f->runner; }

size_t wf_fuzzer_features(const WfFuzzer *f, size_t target) { return wf_corpus_features(f->lanes[target].corpus); }

void wf_fuzzer_totals(const WfFuzzer *f, size_t *n_cases, size_t *n_features) {
  *n_cases = *n_features = 0;
  for (size_t i = 0; i < f->n_targets; i++) {
    *n_cases += wf_corpus_count(f->lanes[i].corpus);
    *n_features += wf_corpus_features(f->lanes[i].corpus);
  }
}
