/* length.c - whether a launch that goes on and on hangs.
 *
 * Nobody can tell of every loop whether it ends. What is told a hang has used up a budget of steps in which no block began or ended, and in whose second
 * half nothing was seen that a loop without an end does not do:
 * - Blocks that do not wait for others are not held against each other: in the second half one of them has all the steps, its threads in short turns. With
 *   turns for all, whether one ends in time would depend on how many there are.
 * - Memory that the launch has not touched before is touched in its end, when all threads have had turns: it is at work. An endless loop comes to the end of a
 *   buffer, or to what it has touched.
 * A program (`cc`) does as much work as its author gave it, and there is nobody who could make less of it: its launches go on while memory changes, or no
 * thread waits for others, for many budgets, unless its blocks are seen to do the same for ever (recur.c). */
#define XXH_INLINE_ALL /* programs are linked to the engine, and to nothing else of ours */
#include "races.h"
#include <xxhash.h>

enum { MOST_BUDGETS = 300 }; /* of a program, with nothing more to be seen than that it may be at work */

static uint64_t touched_of(const Slot *o) {
  uint64_t n = 0, floor = (uint64_t)o->floor_seg << 32;
  for (uint64_t g = 0; g < (o->size + 3) / 4; g++) n += o->shadow.write[g] >= floor || o->shadow.read[g] >= floor;
  return n;
}

/* Granules of buffers that the launch has read or written; of a buffer whose contents come when they are touched, chunks. */
static uint64_t touched(const Simt *s) {
  uint64_t n = 0;
  for (unsigned i = SIMT_MAX_RESIDENT; i < SIMT_SLOTS; i++) {
    const Slot *o = &s->slots[i];
    if (o->base && o->shadow.write && o->size) n += o->lazy ? simt_lazy_touched(o) : touched_of(o);
  }
  return n;
}

uint64_t simt_hash_contents(const Simt *s) {
  uint64_t hash = s->launch.grid_turn; /* barriers of the grid are in no memory */
  for (unsigned i = 0; i < SIMT_SLOTS; i++) {
    const Slot *o = &s->slots[i];
    if (i < SIMT_MAX_RESIDENT && !s->resident[i].active) continue;
    if (o->base && o->size && !o->lazy) hash = XXH3_64bits_withSeed((const void *)o->base, o->size, hash);
  }
  return hash;
}

/* All residents wait, perhaps for blocks that a device would have begun by now and we cannot: no verdict. */
static int short_of_residents(const Simt *s) {
  return s->launch.n_active == SIMT_MAX_RESIDENT && s->launch.next_block < s->launch.n_blocks && simt_device_residency(s) > SIMT_MAX_RESIDENT;
}

static void report_hang(Thread *t, const SimtSite *site) {
  SimtFinding *f = simt_report(t->simt, SIMT_HANG, SIMT_ERROR, site, NULL);
  if (!f) return;
  simt_where(&f->here, t, site, "loop");
  f->rule = t->simt->launch.probe.is_proven ? "the threads of all blocks come back to what they were, and memory with them"
                                            : "the launch used up its budget of steps, and no block ended";
  simt_detail(f, "no end after %llu steps", (unsigned long long)t->simt->launch_steps);
}

static void give_up(Thread *t) {
  Simt *s = t->simt;
  s->launch.cut = s->stats.abandoned = 1;
  simt_abort_launch(t);
}

static void begin_second_half(Simt *s, Block *b) {
  SimtLength *h = &s->launch.length;
  h->is_late = 1;
  h->second_half = s->launch_steps;
  if (!h->alone) h->alone = b;
}

static void look(Simt *s) {
  SimtLength *h = &s->launch.length;
  h->was_looked_at = 1;
  h->touched = touched(s);
  if (!s->program) return;
  h->contents = simt_hash_contents(s);
  if (!s->launch.waits) simt_probe_begin(s);
}

/* The budget is used up: 1: the launch has another one. */
static int goes_on(Simt *s, int is_at_work) {
  SimtLength *h = &s->launch.length;
  if (!s->program) return 0;
  if (!is_at_work && (++h->budgets >= MOST_BUDGETS || (s->launch.waits && simt_hash_contents(s) == h->contents))) return 0;
  *h = (SimtLength){.began = s->launch_steps, .budgets = h->budgets, .was_late = 1, .alone = h->alone};
  return 1;
}

/* A block repeats itself as long as no other changes memory, and might wait for one in a way that nobody has recognised: all have to. Else the next is
 * looked at. */
static int all_repeat(Simt *s, Block *b) {
  Launch *l = &s->launch;
  b->repeats = 1;
  b->repeats_with = l->probe.contents;
  for (unsigned i = 0; i < s->top; i++) {
    Block *other = &s->resident[i];
    if (!other->active || (other->repeats && other->repeats_with == b->repeats_with)) continue;
    l->length.alone = other;
    simt_probe_begin(s);
    return 0;
  }
  return 1;
}

SIMT_ON_FIBER void simt_check_length(Thread *t, const SimtSite *site) {
  Simt *s = t->simt;
  Launch *l = &s->launch;
  SimtLength *h = &l->length;
  uint64_t steps = s->launch_steps - h->began;
  if (l->probe.is_proven && all_repeat(s, h->alone) && !short_of_residents(s)) {
    report_hang(t, site);
    simt_abort_launch(t);
  }
  if (l->probe.is_on || steps <= s->max_steps / 2) return;
  if (!s->program && l->done && s->launch_steps > (h->was_late ? 1 : 2) * s->max_steps) give_up(t); /* blocks end; there is too much to do */
  if (!h->is_late) begin_second_half(s, t->warp->block);
  steps = s->launch_steps - h->second_half;
  if (!h->was_looked_at) {
    if (steps > s->max_steps / 4) look(s);
    return;
  }
  if (steps <= s->max_steps / 2) return;
  int is_at_work = touched(s) > h->touched && (s->program || !l->waits);
  if (goes_on(s, is_at_work)) return;
  if (is_at_work) give_up(t);
  if (!l->cut && !short_of_residents(s)) report_hang(t, site);
  simt_abort_launch(t);
}
