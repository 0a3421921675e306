/* report.c - findings of a run: one per (class, kernel, unordered pair of sites), the first in schedule order. */
#include "engine.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static int same_pair(const SimtFinding *f, const SimtSite *a, const SimtSite *b) {
  return (f->here.site == a && f->other.site == b) || (f->here.site == b && f->other.site == a);
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

/* The record to fill in, or NULL when this is known already. An error takes the place of the same finding as a warning, a
 * race between warps that of one within a warp. */
SimtFinding *simt_report(Simt *s, SimtClass cls, SimtSeverity sev, const SimtSite *here, const SimtSite *other) {
  const char *kernel = s->launch.kernel ? s->launch.kernel->name : "";
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
  return f;
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
  return f;
}

uint32_t simt_poison(Simt *s, SimtClass cls, const SimtSite *site, SimtFinding **f) {
  *f = new_poison(s, cls, site);
  return s->run.fill_site && s->run.fill_site != site ? s->run.other_fill : s->fill;
}

void simt_where(SimtWhere *w, const Thread *t, const SimtSite *site, const char *access) {
  w->site = site;
  memcpy(w->block, t->warp->block->idx, sizeof w->block);
  memcpy(w->thread, t->idx, sizeof w->thread);
  w->epoch = t->warp->block->epoch;
  w->access = access;
}

void simt_detail(SimtFinding *f, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(f->detail, sizeof f->detail, fmt, ap);
  va_end(ap);
}

/* ---- what an address lies in ---- */

static int64_t floor_div(int64_t a, int64_t b) { return a / b - (a % b < 0); }

/* The element of v at byte `off` of it, which may lie outside. */
static void name_element(SimtFinding *f, const SimtVar *v, int64_t off) {
  if (!v->elem_bytes) return;
  int64_t bytes = v->elem_bytes, i = floor_div(off, bytes), rest = off - i * bytes, index[3] = {0};
  unsigned n = 1 + (v->inner[0] != 0) + (v->inner[1] != 0);
  for (unsigned k = n; k-- > 1;) { /* the last dimension first */
    int64_t row = v->inner[k - 1];
    index[k] = i - floor_div(i, row) * row;
    i = floor_div(i, row);
  }
  index[0] = i;
  size_t used = 0;
  for (unsigned k = 0; k < n && used < sizeof f->element; k++)
    used += (size_t)snprintf(f->element + used, sizeof f->element - used, "[%lld]", (long long)index[k]);
  if (rest && used < sizeof f->element)
    snprintf(f->element + used, sizeof f->element - used, " + %lld byte%s", (long long)rest, rest == 1 ? "" : "s");
}

static void set_dynamic(SimtFinding *f, const SimtModule *m, int64_t off) {
  f->object = m->dynamic.name ? m->dynamic.name : "dynamic shared memory";
  f->offset_bytes = off - (int64_t)m->shared_bytes;
  if (m->dynamic.name) name_element(f, &m->dynamic, f->offset_bytes);
}

static void set_variable(SimtFinding *f, const SimtVar *v, int64_t off) {
  f->object = v->name;
  f->offset_bytes = off - (int64_t)v->offset_bytes;
  name_element(f, v, f->offset_bytes);
}

void simt_object(Simt *s, SimtFinding *f, const Slot *o, uint64_t off) {
  f->object = o->name ? o->name : "";
  f->offset_bytes = (int64_t)off;
  if (!(o->flags & SLOT_SHARED) || !s->launch.kernel) return;
  const SimtModule *m = s->launch.kernel->module;
  for (uint64_t i = 0; i < m->n_shared; i++)
    if (off >= m->shared[i].offset_bytes && off < m->shared[i].offset_bytes + m->shared[i].size_bytes) {
      set_variable(f, &m->shared[i], (int64_t)off);
      return;
    }
  set_dynamic(f, m, (int64_t)off);
}

/* The shared variable nearest to an offset outside of all; NULL: dynamic shared memory is. */
static const SimtVar *nearest(const SimtModule *m, int64_t off) {
  const SimtVar *best = NULL;
  int64_t least = off < (int64_t)m->shared_bytes ? (int64_t)m->shared_bytes - off : off - (int64_t)m->shared_bytes;
  for (uint64_t i = 0; i < m->n_shared; i++) {
    int64_t begin = (int64_t)m->shared[i].offset_bytes, end = begin + (int64_t)m->shared[i].size_bytes;
    int64_t d = off < begin ? begin - off : off < end ? 0 : off - end;
    if (d <= least) best = &m->shared[i], least = d;
  }
  return best;
}

void simt_outside(Simt *s, SimtFinding *f, const Slot *o, int64_t off) {
  uint64_t size = o->size;
  f->object = o->name ? o->name : "";
  f->offset_bytes = off;
  if (o->flags & SLOT_SHARED && s->launch.kernel) {
    const SimtModule *m = s->launch.kernel->module;
    const SimtVar *v = nearest(m, off);
    size = v ? v->size_bytes : size - m->shared_bytes;
    if (v) set_variable(f, v, off);
    else set_dynamic(f, m, off);
  }
  off = f->offset_bytes;
  if (off < 0) simt_detail(f, "%s of %u bytes, %lld bytes before the start of %s", f->here.access, f->size_bytes, -(long long)off, f->object);
  else simt_detail(f, "%s of %u bytes at byte %lld of %s, which has %llu", f->here.access, f->size_bytes, (long long)off, f->object, (unsigned long long)size);
}

extern const SimtLocalSite __start_simt_locals[] __attribute__((weak)), __stop_simt_locals[] __attribute__((weak));

void simt_outside_local(SimtFinding *f, int64_t off, uint64_t size) {
  f->object = "local array";
  f->offset_bytes = off;
  for (const SimtLocalSite *l = __start_simt_locals; l < __stop_simt_locals; l++)
    if (l->site == f->here.site) set_variable(f, &l->var, off);
  const char *name = strcmp(f->object, "local array") ? f->object : "";
  simt_detail(f, "%s of %u bytes at byte %lld of %s%sa local array of %llu bytes", f->here.access, f->size_bytes, (long long)off,
              name, *name ? ", " : "", (unsigned long long)size);
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
