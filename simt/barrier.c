/* barrier.c - __syncthreads() and its reducing forms.
 *
 * A barrier is complete when every thread that has not exited has arrived, at whichever barrier instruction: that is what
 * hardware does. Whether it should be is judged at completion (report.c). */
#include "engine.h"

static void complete(Block *b, Thread *self) {
  Simt *s = b->threads->simt;
  if (b->mixed_site || b->n_exits) simt_report_barrier(b);
  if (s->launch.probe.is_on) simt_probe_barrier(b);
  b->epoch++;
  b->bar_arrivals = (int)b->arrived;
  b->arrived = 0;
  b->result = b->acc_count;
  b->acc_count = 0;
  b->bar_site = b->mixed_site = NULL;
  uint32_t chunk = simt_observe_chunks(s, b->ordinal << 5, b->n_warps, b->epoch);
  if (b->fences) simt_observe_block_barrier(b->threads, b->n_threads);
  b->bar_chunk = chunk;
  for (uint32_t i = 0; i < b->n_warps; i++) {
    b->warps[i].bar_seg = (chunk + i) << 5;
    simt_make_ready(&b->warps[i], b, b->warps[i].live);
  }
  s->stats.barriers++;
  if (!self) return;
  self->warp->ready &= ~(1u << (self->actor.index % SIMT_LANES)); /* it just goes on */
  if (!self->warp->ready) b->ready_warps &= ~(1u << self->warp->index);
}

void simt_barrier_maybe_complete(Block *b) {
  if (b->arrived && b->arrived == b->live) complete(b, NULL);
}

static __attribute__((noinline)) void first_or_other_site(Block *b, const Thread *t, const SimtSite *site) {
  if (!b->bar_site) {
    b->bar_site = site;
    b->bar_thread = t->actor.index;
  } else if (!b->mixed_site) {
    b->mixed_site = site;
    b->mixed_thread = t->actor.index;
  }
}

/* The next thread most likely waits here too, and its stack is as deep as this one. (Inlined always: else GCC takes the call
 * for one without effect and drops it.) */
static inline __attribute__((always_inline)) void fetch_ahead(const Thread *to, const void *sp) {
  const char *frame = (const char *)sp + 3 * simt_active->stack_step_bytes;
  __builtin_prefetch(frame);
  __builtin_prefetch(frame + 64);
  __builtin_prefetch(frame + 128);
  __builtin_prefetch(&to[3 * simt_active->stride]);
}

static __attribute__((noinline)) SimtResume complete_and_go_on(Block *b, Thread *t) {
  complete(b, t);
  return simt_make_current(t, simt_barrier_value(t));
}

/* All that follows is jumps to others, so that it needs no stack. */
static inline __attribute__((always_inline)) SimtResume arrive(Thread *t, Block *b, int kind, int pred, const SimtSite *site, void *sp) {
  t->sp = sp;
  t->site = site_bits(site);
  t->wait = WAIT_BARRIER;
  t->mode = (uint8_t)kind;
  if (pred) b->acc_count++;
  if (__builtin_expect(++b->arrived == b->live, 0)) return complete_and_go_on(b, t);
  Thread *next = simt_next_lane(t);
  if (__builtin_expect(!next, 0)) return simt_hand_over(t);
  fetch_ahead(next, sp);
  return simt_resume(next);
}

static __attribute__((noinline)) SimtResume arrive_elsewhere(int kind, int pred, const SimtSite *site, void *sp) {
  Thread *t = simt_current;
  Block *b = t->warp->block;
  first_or_other_site(b, t, site);
  return arrive(t, b, kind, pred, site, sp);
}

/* simt_op_barrier(kind, pred, site), from fiber.S. */
SimtResume simt_arrive_barrier(int kind, int pred, const SimtSite *site, void *sp) {
  Thread *t = simt_current;
  if (!t) return (SimtResume){sp, 0};
  Block *b = t->warp->block;
  if (__builtin_expect(b->bar_site != site, 0)) return arrive_elsewhere(kind, pred, site, sp);
  return arrive(t, b, kind, pred, site, sp);
}
