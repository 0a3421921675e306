/* report.c - findings of a run: one per (class, kernel, unordered pair of sites), the first in schedule order. */
#include "engine.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* A functor that one of the engine's own kernels calls at two places, of which the user sees none, has a site for each. */
static int same_site(const SimtSite *a, const SimtSite *b) {
  if (a == b) return 1;
  return a && b && a->size_log2 & b->size_log2 & SIMT_SITE_OWN_KERNEL && a->line == b->line && a->column == b->column && !strcmp(a->file, b->file) &&
         same_site(a->caller, b->caller);
}

static int same_pair(const SimtFinding *f, const SimtSite *a, const SimtSite *b) {
  return (same_site(f->here.site, a) && same_site(f->other.site, b)) || (same_site(f->here.site, b) && same_site(f->other.site, a));
}

static int is_race(SimtClass c) { return c == SIMT_RACE_WARP || c == SIMT_RACE_SHARED || c == SIMT_RACE_GLOBAL; }

/* The same conflict: one missing barrier often shows between warps and within one, which is one finding. */
static SimtFinding *find(Simt *s, SimtClass cls, const char *kernel, const SimtSite *here, const SimtSite *other) {
  for (size_t i = 0; i < s->n_findings; i++) {
    SimtFinding *f = &s->finding[i];
    if (f->kernel == kernel && (f->cls == cls || (is_race(cls) && is_race(f->cls))) && same_pair(f, here, other)) return f;
  }
  return NULL;
}

extern const SimtMeantSite __start_simt_meant[] __attribute__((weak)), __stop_simt_meant[] __attribute__((weak));

const char *simt_meant_reason(const SimtSite *a, const SimtSite *b) {
  for (const SimtMeantSite *m = __start_simt_meant; m < __stop_simt_meant; m++)
    if (m->site == a || m->site == b) return m->reason;
  return NULL;
}

static void note_launch(const Simt *s, const SimtKernel *k, SimtFinding *f) {
  if (!k || k != s->launch.kernel) return;
  memcpy(f->grid, s->launch.grid, sizeof f->grid);
  memcpy(f->launch_block, s->launch.block, sizeof f->launch_block);
  f->shared_bytes = s->launch.shared_bytes;
}

/* The record to fill in, or NULL when this is known already. An error takes the place of the same finding as a warning, a
 * race between warps that of one within a warp. */
SimtFinding *simt_report_of(Simt *s, const SimtKernel *k, SimtClass cls, SimtSeverity sev, const SimtSite *here, const SimtSite *other) {
  const char *kernel = k ? k->name : "";
  uint64_t count = 1;
  SimtFinding *f = find(s, cls, kernel, here, other);
  if (f) {
    count = ++f->count;
    if (sev < f->severity || (sev == f->severity && cls <= f->cls)) return NULL;
  } else {
    /* Races that are meant must not crowd out what is not. */
    if (s->n_findings >= (sev == SIMT_MEANT ? SIMT_MAX_FINDINGS / 4 : SIMT_MAX_FINDINGS)) return NULL;
    f = &s->finding[s->n_findings++];
  }
  memset(f, 0, sizeof *f);
  f->cls = cls;
  f->severity = sev;
  f->kernel = kernel;
  f->here.site = here;
  f->other.site = other;
  f->object = "";
  f->here.access = f->other.access = "";
  f->rule = "";
  f->count = count;
  note_launch(s, k, f);
  return f;
}

SimtFinding *simt_report(Simt *s, SimtClass cls, SimtSeverity sev, const SimtSite *here, const SimtSite *other) {
  return simt_report_of(s, s->launch.kernel, cls, sev, simt_call_of(&s->launch, here), simt_call_of(&s->launch, other));
}

static SimtFinding *new_poison(Simt *s, SimtClass cls, const SimtSite *site) {
  for (int i = 0; i < s->stats.poison_read; i++)
    if (s->stats.poison[i].here.site == site && s->stats.poison[i].cls == cls) return NULL;
  if (s->stats.poison_read == SIMT_MAX_POISON) return NULL;
  SimtFinding *f = &s->stats.poison[s->stats.poison_read++];
  memset(f, 0, sizeof *f);
  f->cls = cls;
  f->severity = SIMT_ERROR;
  f->kernel = s->launch.kernel->name;
  f->count = 1;
  f->object = f->other.access = f->rule = "";
  note_launch(s, s->launch.kernel, f);
  return f;
}

uint32_t simt_poison(Simt *s, SimtClass cls, const SimtSite *site, SimtFinding **f) {
  *f = new_poison(s, cls, site);
  return s->run.fill_site && s->run.fill_site != site ? s->run.other_fill : s->fill;
}

SimtIssued simt_issued(const Launch *l) { return (SimtIssued){l->kernel ? l->kernel->name : NULL, l->number, l->site}; }

static int is_own(const SimtSite *site) { return site && site->size_log2 & SIMT_SITE_OWN; }

const SimtSite *simt_call_of(const Launch *l, const SimtSite *site) { return is_own(site) && l->site ? l->site : site; }

void simt_where_call(SimtWhere *w) {
  if (is_own(w->site) && w->launch.site) w->site = w->launch.site;
}

static void say_launch(SimtWhere *w, const Launch *l) {
  if (w->site && w->site->size_log2 & (SIMT_SITE_OWN | SIMT_SITE_OWN_KERNEL)) w->launch = simt_issued(l);
}

void simt_where_issued(SimtWhere *w, const Launch *l) {
  say_launch(w, l);
  simt_where_call(w);
}

void simt_where_itself(SimtWhere *w, const Thread *t, const SimtSite *site, const char *access) {
  w->site = site;
  memcpy(w->block, t->warp->block->idx, sizeof w->block);
  memcpy(w->thread, t->idx, sizeof w->thread);
  w->epoch = t->warp->block->epoch;
  w->access = access;
  say_launch(w, &t->simt->launch);
}

void simt_where(SimtWhere *w, const Thread *t, const SimtSite *site, const char *access) {
  simt_where_itself(w, t, site, access);
  simt_where_call(w);
}

void simt_detail(SimtFinding *f, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(f->detail, sizeof f->detail, fmt, ap);
  va_end(ap);
}

/* ---- barriers ---- */

extern const SimtBarrierInfo __start_simt_barriers[] __attribute__((weak)), __stop_simt_barriers[] __attribute__((weak));

static const SimtBarrierInfo *barrier_info(const SimtSite *site) {
  const SimtBarrierInfo *lo = __start_simt_barriers, *hi = __stop_simt_barriers;
  while (lo < hi) {
    const SimtBarrierInfo *mid = lo + (hi - lo) / 2;
    if (mid->barrier == site) return mid;
    if (mid->barrier < site) lo = mid + 1;
    else hi = mid;
  }
  for (const SimtBarrierInfo *i = __start_simt_barriers; i < __stop_simt_barriers; i++)
    if (i->barrier == site) return i;
  return NULL;
}

static int listed(const SimtSite *const *list, uint32_t n, const SimtSite *site) {
  for (uint32_t i = 0; i < n; i++)
    if (list[i] == site) return 1;
  return 0;
}

/* Arms of one branch: neither barrier lies ahead of the other. */
static int in_two_arms(const SimtSite *a, const SimtSite *b) {
  const SimtBarrierInfo *x = barrier_info(a), *y = barrier_info(b);
  return x && y && !listed(x->ahead, x->n_ahead, b) && !listed(y->ahead, y->n_ahead, a);
}

static const char rule_barrier[] =
    "every thread of the block that has not exited must reach the same __syncthreads() (CUDA C++ Programming Guide, Synchronization Functions)";
static const char rule_arms[] =
    "__syncthreads() in conditional code is allowed only if the condition is the same for the whole block; here barriers of two arms pair up (CUDA C++ Programming Guide, Synchronization Functions)";
static const char rule_exit[] =
    "since Volta a barrier waits for threads that have not exited; earlier devices and the C++ rule want every thread (CUDA C++ Programming Guide, Independent Thread Scheduling)";

static void report_mixed(Block *b) {
  Simt *s = b->threads->simt;
  int arms = in_two_arms(b->bar_site, b->mixed_site);
  SimtFinding *f = simt_report(s, SIMT_BARRIER_DIVERGENCE, arms ? SIMT_WARNING : SIMT_ERROR, b->mixed_site, b->bar_site);
  if (!f) return;
  simt_where(&f->here, &b->threads[b->mixed_thread], b->mixed_site, "barrier");
  simt_where(&f->other, &b->threads[b->bar_thread], b->bar_site, "barrier");
  f->rule = arms ? rule_arms : rule_barrier;
  simt_detail(f, arms ? "barriers in two arms of a branch pair up" : "a thread goes past a barrier that others wait at and meets another one");
}

static void report_exit(Block *b, const Exit *e) {
  Simt *s = b->threads->simt;
  const SimtBarrierInfo *info = barrier_info(b->bar_site);
  int went_on = info && e->last && listed(info->after, info->n_after, e->last);
  const SimtSite *other = went_on ? e->last : NULL;
  SimtFinding *f = simt_report(s, SIMT_BARRIER_DIVERGENCE, went_on ? SIMT_ERROR : SIMT_WARNING, b->bar_site, other);
  if (!f) return;
  simt_where(&f->here, &b->threads[b->bar_thread], b->bar_site, "barrier");
  if (went_on) simt_where(&f->other, &b->threads[e->thread], e->last, "code after it");
  f->rule = went_on ? rule_barrier : rule_exit;
  const unsigned *x = b->threads[e->thread].idx;
  simt_detail(f, went_on ? "thread (%u,%u,%u) ran the code after a barrier that others wait at, without it"
                         : "thread (%u,%u,%u) had left the kernel when others wait at the barrier", x[0], x[1], x[2]);
}

void simt_report_barrier(Block *b) {
  if (b->mixed_site) report_mixed(b);
  for (unsigned i = 0; i < b->n_exits; i++) report_exit(b, &b->exits[i]);
}

/* ---- lanes that are missed ---- */

static const char rule_lanes[] =
    "every live thread named in the mask must execute the operation with the same mask (CUDA C++ Programming Guide, Warp Shuffle Functions)";

/* Lanes that left early may be named; those that skipped the operation and ran on may not. */
void simt_report_gone(Warp *w, const Group *g, uint32_t lanes) {
  Thread *first = &w->block->threads[w->index * SIMT_LANES];
  const SimtBarrierInfo *info = barrier_info(g->site);
  const SimtSite *checked = NULL;
  for (uint32_t m = info ? lanes : 0; m; m &= m - 1) {
    const Thread *t = &first[__builtin_ctz(m)];
    if (!t->last || t->last == checked) continue;
    checked = t->last;
    if (!listed(info->after, info->n_after, t->last)) continue;
    SimtFinding *f = simt_report(t->simt, SIMT_SHUFFLE_MASK, SIMT_ERROR, g->site, t->last);
    if (!f) continue;
    simt_where(&f->here, &first[__builtin_ctz(g->arrived)], g->site, g->what);
    simt_where(&f->other, t, t->last, "code after it");
    f->rule = rule_lanes;
    simt_detail(f, "mask 0x%08x names lane %u, which ran the code after the %s without it", g->mask, (unsigned)__builtin_ctz(m), g->what);
  }
}

/* ---- deadlock ---- */

/* What a lane waits in. Its place is thread_site(). */
static const char *waits_in(const Warp *w, const Thread *t) {
  switch ((Wait)t->wait) {
  case WAIT_NOTHING: return "running";
  case WAIT_BARRIER: return "barrier";
  case WAIT_SHUFFLE:
  case WAIT_GROUP: return w->group[t->group].what;
  case WAIT_GATHERING: return "__activemask";
  }
  return "";
}

static void report_group(Simt *s, Block *b, Warp *w, const Group *g) {
  uint32_t missing = g->missing;
  if (!missing) return;
  Thread *first = &b->threads[w->index * SIMT_LANES], *absent = first + __builtin_ctz(missing);
  Thread *waits = first + __builtin_ctz(simt_group_arrived(g));
  const SimtSite *elsewhere = absent->wait == WAIT_NOTHING ? NULL : thread_site(absent);
  SimtFinding *f = simt_report(s, SIMT_SHUFFLE_MASK, SIMT_ERROR, g->site, elsewhere);
  if (!f) return;
  simt_where(&f->here, waits, g->site, g->what);
  if (elsewhere) simt_where(&f->other, absent, elsewhere, waits_in(w, absent));
  f->rule = rule_lanes;
  simt_detail(f, "mask 0x%08x names lane %u, which never arrives", g->mask, (unsigned)__builtin_ctz(missing));
}

/* Nothing can run: some lanes wait for lanes that wait elsewhere. */
void simt_report_deadlock(Simt *s, Block *b) {
  for (uint32_t i = 0; i < b->n_warps; i++)
    for (uint32_t m = b->warps[i].used; m; m &= m - 1) {
      const Group *g = &b->warps[i].group[__builtin_ctz(m)];
      if (g->key) report_group(s, b, &b->warps[i], g);
    }
}
