/* sched.c - which thread runs next. A thread runs until it must wait or its slice is used up; then it hands over directly to
 * the next ready one, of its own warp first. Everything follows from the run's seed. */
#include "flight.h"
#include <string.h>

__thread Thread *simt_current SIMT_TLS;
__thread Simt *simt_active SIMT_TLS;

static const SimtSite *nowhere; /* where host code that was compiled with the kernels leaves its marks */
__thread SimtHot simt_hot SIMT_TLS = {INT64_MAX, &nowhere, 0, simt_no_slots, 0, NULL, ~0u, {0}, {0}, NULL, SIMT_UNSET};

/* SplitMix64 (Steele, Lea, Flood 2014). */
uint64_t simt_random(Simt *s) {
  uint64_t z = s->rng += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

static Thread *pick_in(Simt *s, Block *b) {
  Warp *w = &b->warps[b->current_warp];
  if (!w->ready) {
    b->current_warp = simt_first_of(s, b->ready_warps);
    w = &b->warps[b->current_warp];
  }
  unsigned lane = simt_first_of(s, w->ready);
  w->ready &= ~(1u << lane);
  if (!w->ready) b->ready_warps &= ~(1u << w->index);
  return &b->threads[w->index * SIMT_LANES + lane];
}

static void drop_block(Simt *s, Block *b) {
  simt_flights_drop(b);
  b->active = 0;
  for (uint32_t i = 0; i < b->n_threads; i++)
    if (b->warps[i / SIMT_LANES].live >> (i % SIMT_LANES) & 1) simt_fiber_reset(&b->threads[i]);
  s->launch.n_active--;
  s->stats.abandoned = 1;
}

/* The next resident block that can run, after the current one; NULL: the launch is over. */
static Block *next_block(Simt *s) {
  unsigned at = (unsigned)(s->block - s->resident);
  for (;;) {
    for (unsigned k = 1; k <= s->top; k++) {
      Block *b = &s->resident[(at + k) % s->top];
      if (b->active && b->ready_warps) return b;
    }
    int progress = 0;
    for (unsigned k = 0; k < s->top && !progress; k++) {
      Block *b = &s->resident[k];
      if (!b->active) continue;
      if (simt_release_gathering(s, b, NULL)) progress = 1;
      else {
        simt_report_deadlock(s, b);
        drop_block(s, b);
        progress = simt_replace_block(s, b);
      }
    }
    if (!progress && !s->launch.n_active) return NULL;
  }
}

static Thread *pick(Simt *s) {
  if (!s->block->active || !s->block->ready_warps) {
    Block *b = next_block(s);
    if (!b) return NULL;
    simt_run_block(s, b);
  }
  return pick_in(s, s->block);
}

SimtResume simt_go_on(Thread *to) {
  switch ((Wait)to->wait) {
  case WAIT_NOTHING: return simt_make_current(to, 0);
  case WAIT_BARRIER: return simt_make_current(to, simt_barrier_value(to));
  case WAIT_SHUFFLE:
  case WAIT_GROUP: return simt_make_current(to, simt_group_value(to));
  case WAIT_GATHERING: return simt_make_current(to, to->gathered);
  }
  return simt_make_current(to, 0);
}

static SimtResume back_to_host(Simt *s) {
  simt_current = NULL;
  return (SimtResume){s->host_sp, 0};
}

/* The pick may give up self's block and begin another in its place: then its stack is set up anew, and nobody comes back
 * to where it is now. */
SimtResume simt_hand_over(Thread *self) {
  Thread *next = pick(self->simt);
  return next ? simt_go_on(next) : back_to_host(self->simt);
}

/* Suspends a thread inside the engine until it is picked again. It waits for nothing. */
static void suspend(Thread *self, Thread *next) {
  Simt *s = self->simt;
  if (next == self) return;
  self->wait = WAIT_NOTHING;
  SimtResume r = next ? simt_go_on(next) : back_to_host(s);
  simt_switch(&self->sp, r.sp, r.value);
}

static void leave(Thread *self) __attribute__((noreturn));
SIMT_ON_FIBER static void leave(Thread *self) {
  Simt *s = self->simt;
  void *unused;
  Thread *next = s->aborted ? NULL : pick(s);
  SimtResume r = next ? simt_go_on(next) : back_to_host(s);
  simt_switch(&unused, r.sp, r.value);
  __builtin_unreachable();
}

SIMT_ON_FIBER void simt_abandon_block(Thread *self) {
  drop_block(self->simt, self->warp->block);
  self->warp->block->ready_warps = 0;
  simt_replace_block(self->simt, self->warp->block);
  leave(self);
}

SIMT_ON_FIBER void simt_abort_launch(Thread *self) {
  Simt *s = self->simt;
  s->aborted = 1;
  for (unsigned i = 0; i < s->top; i++)
    if (s->resident[i].active) drop_block(s, &s->resident[i]);
  leave(self);
}

static void note_exit(Block *b, const Thread *t) {
  for (unsigned i = 0; i < b->n_exits; i++)
    if (b->exits[i].last == t->last) return;
  if (b->n_exits < sizeof b->exits / sizeof b->exits[0]) b->exits[b->n_exits++] = (Exit){t->last, t->actor.index};
}

/* From simt_fiber_start. */
void simt_thread_runs(void) {
  const Launch *l = &simt_active->launch;
  l->kernel->thunk(l->args);
}

static SimtResume end_of_block(Simt *s, Block *b) {
  simt_flights_drop(b);
  b->active = 0;
  s->launch.n_active--;
  s->stats.blocks++;
  simt_replace_block(s, b);
  Thread *next = pick(s);
  return next ? simt_go_on(next) : back_to_host(s);
}

/* The kernel's end for one thread, from simt_fiber_start. A later block may start it again from there. */
SimtResume simt_arrive_end(void *sp) {
  Thread *self = simt_current;
  Warp *w = self->warp;
  Block *b = w->block;
  self->sp = sp;
  self->wait = WAIT_NOTHING;
  if (self->flights) simt_flights_of_exit(self);
  w->live &= ~(1u << (self->actor.index % SIMT_LANES));
  if (!--b->live) return end_of_block(self->simt, b);
  if (!b->n_exits || b->exits[b->n_exits - 1].last != self->last) note_exit(b, self);
  if (w->open) simt_warp_exit(self);
  if (b->arrived) simt_barrier_maybe_complete(b);
  Thread *next = simt_next_lane(self);
  if (__builtin_expect(!next, 0)) return simt_hand_over(self);
  return next->wait == WAIT_NOTHING ? simt_make_current(next, 0) : simt_resume(next);
}

/* First frame of a fiber: six registers, where to continue, and a place to align the stack. */
void simt_fiber_reset(Thread *t) {
  void **sp = (void **)(t->stack_hi & ~(uintptr_t)15);
  *--sp = NULL;
  *--sp = (void *)(uintptr_t)simt_fiber_start;
  sp -= 6;
  memset(sp, 0, 6 * sizeof *sp);
  t->sp = sp;
  t->wait = WAIT_NOTHING;
}

void simt_enter_first(Simt *s) {
  Thread *next = pick(s);
  if (next) {
    SimtResume r = simt_go_on(next);
    simt_hot.slots = s->slots;
    memcpy(simt_hot.block_dim, s->launch.block, sizeof simt_hot.block_dim);
    memcpy(simt_hot.grid_dim, s->launch.grid, sizeof simt_hot.grid_dim);
    simt_switch(&s->host_sp, r.sp, r.value);
  }
  simt_current = NULL;
  simt_hot.last = &nowhere;
  simt_hot.slots = simt_no_slots;
  memset(simt_hot.block_dim, 0, sizeof simt_hot.block_dim);
  memset(simt_hot.grid_dim, 0, sizeof simt_hot.grid_dim);
}

/* Schedules that people try first, in a loop from 0: some of them preempt, with several blocks at a time. Read like the bits of a longer seed. */
static uint64_t choices(const Simt *s) {
  enum { OFTEN = 1 << 3, RESIDENTS = 1 << 5 };
  static const uint8_t first[8] = {0, 3 * OFTEN | 6 * RESIDENTS, 0, 2 * OFTEN | 4 * RESIDENTS, 0, 3 * OFTEN | 7 * RESIDENTS,
                                   1 * OFTEN | 6 * RESIDENTS, 2 * OFTEN};
  return s->run.schedule < 8 ? first[s->run.schedule] : s->run.schedule;
}

uint32_t simt_residents(const Simt *s) {
  static const uint8_t residents[8] = {1, 1, 1, 1, 2, 1, 3, 4};
  return residents[choices(s) >> 5 & 7];
}

/* Slices: long ones keep to the plain order; some schedules preempt often. */
static uint32_t mean_slice(const Simt *s) {
  static const uint32_t often[4] = {0, 1000, 60, 8};
  return often[choices(s) >> 3 & 3];
}

uint64_t simt_next_slice(Simt *s) {
  uint32_t mean = mean_slice(s);
  return mean ? 1 + simt_random(s) % (2 * mean) : 20000;
}

/* Blocks hand data to one another: where threads are preempted, several blocks are to be there, or one would do all the work
 * before another one looks. */
void simt_blocks_talk(Simt *s) {
  enum { COMPANY = 3 };
  if (s->launch.residents < COMPANY && mean_slice(s)) s->launch.residents = COMPANY;
}

/* More resident blocks: as many as the schedule wants, and twice as many when no block has ended for long, as the running
 * ones may wait for one that has not begun; for very long, where nothing looks like waiting (each block has memory of its own). Never more than a device
 * would hold. */
static void admit_more(Simt *s) {
  enum { LONG = 100000, VERY_LONG = 4000000 };
  Launch *l = &s->launch;
  uint64_t is_long = s->launch_steps - l->last_end > (l->waits ? LONG : VERY_LONG);
  uint64_t wanted = is_long ? 2 * l->n_active : l->residents, most = simt_device_residency(s);
  if (wanted > most) wanted = most;
  for (unsigned i = 0; i < SIMT_MAX_RESIDENT && l->n_active < wanted && l->next_block < l->n_blocks; i++)
    if (!s->resident[i].active && !simt_start_block(s, &s->resident[i])) return;
}

/* Who is next: a warp, and by s->rotate a lane. By turns, each lane of each warp; or by chance, one apart from the other: those that wait for
 * others in a loop would keep them from running if warp and lane went together. */
static void next_turn(Simt *s, Block *b) {
  uint32_t ready = b->ready_warps, later = ready & ~((2u << b->current_warp) - 1);
  if (s->run.schedule) {
    uint64_t chance = simt_random(s);
    s->rotate = chance & 31;
    for (uint32_t skip = ready ? (uint32_t)(chance >> 32) % (uint32_t)__builtin_popcount(ready) : 0; skip; skip--) ready &= ready - 1;
  } else if (later) {
    ready = later;
  } else {
    s->rotate = b->rotate = (s->rotate + 1) & 31;
  }
  if (ready) b->current_warp = (unsigned)__builtin_ctz(ready);
}

/* Preemption: anybody else first, in other blocks too. Lanes in __activemask get their answer now: the thread may wait for
 * one of them. */
static void preempt(Simt *s, Thread *t) {
  Block *b = t->warp->block;
  simt_release_gathering(s, b, t->warp);
  next_turn(s, b);
  uint32_t lane = 1u << (t->actor.index % SIMT_LANES);
  int alone = s->launch.n_active == 1 || simt_runs_alone(s, b);
  if (alone && !b->ready_warps) return;
  simt_make_ready(t->warp, b, lane);
  if (!alone) {
    Block *only = s->launch.waits ? NULL : s->launch.length.alone, *other = only && only->active && only->ready_warps ? only : next_block(s);
    if (other) simt_run_block(s, other);
  } else if (!(b->warps[b->current_warp].ready & ~(b->current_warp == t->warp->index ? lane : 0)))
    b->current_warp = simt_first_of(s, b->ready_warps);
  suspend(t, pick_in(s, s->block));
}

SIMT_ON_FIBER void simt_out_of_fuel(Thread *t, const SimtSite *site) {
  enum { LATE_SLICE = 32 }; /* all threads of a block have a turn in a small part of a budget */
  Simt *s = t->simt;
  s->launch_steps += s->slice;
  simt_hot.fuel = (int64_t)s->slice; /* of the next one nothing is spent */
  simt_check_length(t, site);
  s->slice = s->launch.probe.is_on ? 1 : s->launch.length.is_late ? LATE_SLICE : simt_next_slice(s);
  simt_hot.fuel = (int64_t)s->slice - 1;
  if (s->launch.probe.is_on) {
    Thread *next = simt_probe(t);
    if (next == t) return;
    if (next) {
      simt_make_ready(t->warp, t->warp->block, 1u << (t->actor.index % SIMT_LANES));
      suspend(t, next);
      return;
    }
  }
  admit_more(s);
  preempt(s, t);
}

void simt_distant_out_of_steps(const SimtSite *site, const void *state) {
  if (!simt_current) {
    simt_hot.fuel = INT64_MAX;
    return;
  }
  simt_active->launch.probe.state = state;
  simt_out_of_fuel(simt_current, site);
}
