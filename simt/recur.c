/* recur.c - whether a block does the same for ever.
 *
 * A thread is its registers, its stack, and memory. When it comes to the head of a loop and all are what they were there before, it will come there
 * again, and so on. The threads of a block that runs alone are looked at one after the other, a step at a time: each runs until it comes back to a
 * state, by Brent's way of finding cycles (An improved Monte Carlo factorization algorithm, BIT 20, 1980: the state to compare with is taken
 * anew after 1, 2, 4, ... states), with no turn for others. Once all that wait for nobody have done so, and memory is what it was a whole pass before, the
 * block never ends. So it is when all come to a barrier as they came to one before. Hashes of 64 bits are compared in place of states.
 *
 * Blocks whose threads are known to wait for those of others are not looked at, nor are those that ask for the time, for memory, or who is active: they
 * have the budget of length.c. */
#define XXH_INLINE_ALL
#include "engine.h"
#include <xxhash.h>

enum { MOST_STATES = 1 << 16, MOST_IN_ALL = 1 << 21 }; /* of a thread; of a probe */

static uint64_t hash_thread(const Thread *t, const void *state, uint64_t seed) {
  return XXH3_64bits_withSeed(state, t->stack_hi - (uintptr_t)state, seed);
}

void simt_probe_begin(Simt *s) {
  s->pass++;
  s->launch.probe = (SimtProbe){.is_on = 1, .epoch_renew = 1, .contents = simt_hash_contents(s)};
}

static Thread *end_probe(SimtProbe *p) {
  p->is_on = 0;
  return NULL;
}

void simt_probe_blind(void) { simt_active->launch.probe.is_on = 0; }

/* One that waits for nobody and has not been seen to repeat itself; it is taken from those that are ready. NULL: there is none. */
static Thread *next_of(Block *b, uint32_t pass) {
  for (uint32_t w = 0; w < b->n_warps; w++)
    for (uint32_t m = b->warps[w].ready; m; m &= m - 1) {
      uint32_t lane = (uint32_t)__builtin_ctz(m);
      Thread *t = &b->threads[w * SIMT_LANES + lane];
      if (t->repeats == pass) continue;
      b->warps[w].ready &= ~(1u << lane);
      if (!b->warps[w].ready) b->ready_warps &= ~(1u << w);
      return t;
    }
  return NULL;
}

/* t has come back to a state. */
static Thread *after_repeat(Thread *t) {
  Simt *s = t->simt;
  SimtProbe *p = &s->launch.probe;
  Block *b = t->warp->block;
  t->repeats = s->pass;
  p->thread = NULL;
  Thread *next = next_of(b, s->pass);
  if (next) return next;
  if (simt_release_gathering(s, b, t->warp)) return t;
  uint64_t contents = simt_hash_contents(s);
  p->is_proven = contents == p->contents;
  p->contents = contents;
  s->pass++;
  return t;
}

Thread *simt_probe(Thread *t) {
  Simt *s = t->simt;
  SimtProbe *p = &s->launch.probe;
  const void *state = p->state;
  p->state = NULL;
  if (s->launch.waits || ++p->spent > MOST_IN_ALL) return end_probe(p);
  if (t->warp->block != s->launch.length.alone) return NULL; /* that block's turn comes */
  if (t->repeats == s->pass) return after_repeat(t);
  if (!state) return t;
  uint64_t hash = hash_thread(t, state, 0);
  if (p->thread != t) {
    p->thread = t;
    p->anchor = hash;
    p->steps = 0;
    p->renew = 1;
    return t;
  }
  if (hash == p->anchor) return after_repeat(t);
  if (++p->steps == p->renew) {
    if (p->renew >= MOST_STATES) return end_probe(p);
    p->anchor = hash;
    p->steps = 0;
    p->renew *= 2;
  }
  return t;
}

static uint64_t hash_block(const Block *b) {
  uint64_t hash = simt_hash_contents(b->threads->simt);
  for (uint32_t i = 0; i < b->n_threads; i++)
    if (b->warps[i / SIMT_LANES].live >> (i % SIMT_LANES) & 1) hash = hash_thread(&b->threads[i], b->threads[i].sp, hash + i);
  return hash;
}

void simt_probe_barrier(Block *b) {
  Launch *l = &b->threads->simt->launch;
  SimtProbe *p = &l->probe;
  if (b != l->length.alone || !b->warps[0].live) return;
  const Thread *one = &b->threads[__builtin_ctz(b->warps[0].live)];
  p->thread = NULL;
  uint64_t hash = hash_thread(one, one->sp, 0);
  if (p->epochs && hash == p->one_anchor && hash_block(b) == p->epoch_anchor) p->is_proven = 1;
  if (++p->epochs < p->epoch_renew) return;
  p->one_anchor = hash;
  p->epoch_anchor = hash_block(b);
  p->epoch_renew *= 2;
}
