/* warp.c - operations in which lanes of a warp meet: shuffles, votes, matches, reductions, __syncwarp, __activemask.
 *
 * Lanes meet by (mask, operation), several groups of one warp at a time (PTX ISA, shfl.sync, vote.sync, bar.warp.sync:
 * the thread waits until all non-exited threads of the mask have executed it with the same qualifiers and mask). The
 * last lane to arrive goes on at once; each other lane is switched to once, reads its result and goes on. */
#include "engine.h"
#include <string.h>

enum { OP_SHFL = 0, OP_VOTE = 8, OP_MATCH = 16, OP_REDUCE = 24, OP_SYNC = 40 };

static const char rule_self[] =
    "the calling thread must be named in its own mask (CUDA C++ Programming Guide, Warp Shuffle Functions)";
static const char rule_source[] =
    "a value may be read only from a thread that takes part: exited, absent and unnamed lanes give undefined values (CUDA C++ Programming Guide, Warp Shuffle Functions)";

static unsigned lane_of(const Thread *t) { return t->actor.index % SIMT_LANES; }

static uint64_t key_of(uint32_t mask, int op) { return (uint64_t)(op + 1) << 32 | mask; }

static void complete(Thread *any, Warp *w, Group *g, uint32_t self_bit) {
  g->arrived = simt_group_arrived(g);
  uint32_t gone = g->mask & ~g->arrived & w->born;
  g->key = 0;
  w->open--;
  any->simt->stats.warp_ops++;
  if (__builtin_expect(gone, 0)) simt_report_gone(w, g, gone);
  if (g->arrived == w->live) w->used = 1u << g->number; /* all have left their earlier groups */
  if (g->op == OP_SYNC && g->arrived) {
    Thread *lanes[SIMT_LANES];
    for (unsigned i = 0; i < SIMT_LANES; i++) lanes[i] = &any->warp->block->threads[w->index * SIMT_LANES + i];
    simt_observe_warp_barrier(lanes, g->arrived, g->arrived == w->live);
  }
  simt_make_ready(w, any->warp->block, g->arrived & ~self_bit);
}

/* Groups that no lane but `self` was in last have been read. Each lane is in one: that leaves room. */
static void reclaim(Warp *w, unsigned self) {
  const Thread *first = &w->block->threads[w->index * SIMT_LANES];
  w->used = 0;
  for (unsigned i = 0; i < SIMT_LANES; i++)
    if (i != self && w->live >> i & 1 && first[i].group < SIMT_LANES) w->used |= 1u << first[i].group;
}

/* Source lane, or the own lane where CUDA says that the value does not change (PTX ISA, shfl.sync). */
static inline unsigned source_lane(int mode, unsigned lane, uint32_t arg, uint32_t width) {
  unsigned segment = lane & ~(width - 1), last = segment + width - 1, src;
  switch ((SimtShuffle)mode) {
  case SIMT_SHFL_IDX: return segment | (arg & (width - 1));
  case SIMT_SHFL_UP: return lane - segment >= arg ? lane - arg : lane;
  case SIMT_SHFL_DOWN: src = lane + arg; return src <= last ? src : lane;
  case SIMT_SHFL_XOR: src = lane ^ arg; return src <= last ? src : lane;
  }
  return lane;
}

__attribute__((noinline)) uint64_t simt_absent_value(const Thread *t, const Group *g, unsigned src) {
  Simt *s = t->simt;
  if (!(s->detect & SIMT_DETECT_UNINIT)) return (uint64_t)s->fill << 32 | s->fill;
  SimtFinding *f;
  uint32_t fill = simt_poison(s, SIMT_SHUFFLE_MASK, thread_site(t), &f);
  if (f) {
    f->rule = rule_source;
    simt_where_itself(&f->here, t, thread_site(t), "shuffle");
    const char *why = !(g->mask >> src & 1)                                            ? "the mask does not name"
                      : t->warp->index * SIMT_LANES + src >= t->warp->block->n_threads ? "the block does not have"
                                                                                       : "has exited";
    simt_detail(f, "lane %u reads from lane %u, which %s (mask 0x%08x)", lane_of(t), src, why, g->mask);
  }
  return (uint64_t)fill << 32 | fill;
}

static uint32_t vote_value(const Group *g, int mode) {
  uint32_t yes = 0, in = g->arrived;
  for (uint32_t m = in; m; m &= m - 1) yes |= (uint32_t)g->value[__builtin_ctz(m)] << __builtin_ctz(m);
  switch ((SimtVote)mode) {
  case SIMT_VOTE_ALL: return yes == in;
  case SIMT_VOTE_ANY: return yes != 0;
  case SIMT_VOTE_UNI: return yes == in || !yes;
  case SIMT_VOTE_BALLOT: return yes;
  }
  return 0;
}

static uint32_t match_value(const Group *g, int all, uint64_t bits) {
  uint32_t same = 0, in = g->arrived;
  for (uint32_t m = in; m; m &= m - 1)
    if (g->value[__builtin_ctz(m)] == bits) same |= 1u << __builtin_ctz(m);
  return all ? (same == in ? g->mask : 0) : same;
}

static uint32_t fold(int mode, uint32_t a, uint32_t b) {
  switch ((SimtReduce)mode) {
  case SIMT_REDUCE_ADD: return a + b;
  case SIMT_REDUCE_MIN_U: return a < b ? a : b;
  case SIMT_REDUCE_MAX_U: return a > b ? a : b;
  case SIMT_REDUCE_MIN_S: return (int32_t)a < (int32_t)b ? a : b;
  case SIMT_REDUCE_MAX_S: return (int32_t)a > (int32_t)b ? a : b;
  case SIMT_REDUCE_AND: return a & b;
  case SIMT_REDUCE_OR: return a | b;
  case SIMT_REDUCE_XOR: return a ^ b;
  }
  return a;
}

static uint32_t reduce_value(const Group *g, int mode) {
  uint32_t m = g->arrived, r = (uint32_t)g->value[__builtin_ctz(m)];
  for (m &= m - 1; m; m &= m - 1) r = fold(mode, r, (uint32_t)g->value[__builtin_ctz(m)]);
  return r;
}

uint64_t simt_group_value(Thread *t) {
  const Group *g = &t->warp->group[t->group];
  if (g->op >= OP_SYNC) return 0;
  if (g->op >= OP_REDUCE) return reduce_value(g, g->op - OP_REDUCE);
  if (g->op >= OP_MATCH) return match_value(g, g->op - OP_MATCH, g->value[lane_of(t)]);
  if (g->op >= OP_VOTE) return vote_value(g, g->op - OP_VOTE);
  return simt_shuffle_value(t);
}

static Group *find_or_open(Thread *t, uint32_t mask, int op, const char *what, const SimtSite *site) {
  Warp *w = t->warp;
  for (uint32_t m = w->used; m; m &= m - 1) {
    Group *g = &w->group[__builtin_ctz(m)];
    if (g->key == key_of(mask, op)) return g;
  }
  if (w->used == ~0u) reclaim(w, lane_of(t));
  unsigned i = (unsigned)__builtin_ctz(~w->used);
  w->used |= 1u << i;
  Group *g = &w->group[i];
  g->mask = mask;
  g->op = op;
  g->site = site;
  g->what = what;
  g->missing = g->expected = mask & w->live;
  g->gone = 0;
  g->in_rounds = 0;
  g->key = key_of(mask, op);
  w->open++;
  g->number = (uint8_t)i;
  return w->filling = g;
}

/* ---- loops around one shuffle (SimtRounds): what threads do, in the order they would do it, without switching to them ---- */

/* t goes on in its fiber; `advanced` lanes wait in the group that fills, the others can run. */
static SimtResume end_rounds(Thread *t, Group *filling, uint32_t advanced, uint64_t value) {
  Warp *w = t->warp;
  w->ready = ~advanced & ~(1u << lane_of(t));
  if (!w->ready) w->block->ready_warps &= ~(1u << w->index);
  if (filling) {
    filling->round = w->rounds[lane_of(t)]->round;
    filling->missing = filling->expected & ~advanced;
    filling->in_rounds = (uint8_t)__builtin_popcount(advanced);
  }
  return simt_make_current(t, value);
}

/* All lanes of a whole warp wait in g, which is complete, and can go on; t does so first. One round after the other, until lanes
 * leave the loop, or have to stop in it. */
static SimtResume go_rounds(Thread *t, Group *g) {
  Warp *w = t->warp;
  int mode = (int)w->rounds[lane_of(t)]->mode;
  for (;;) {
    Group *next = NULL;
    Thread *last = t;
    for (uint32_t advanced = 0; ~advanced; last = t, t = t->neighbour) {
      if (simt_hot.fuel < 1) return end_rounds(t, next, advanced, g->value[t->source]);
      simt_make_current(t, 0);
      SimtAtShuffle at = g->round(w->rounds[lane_of(t)], g->value[t->source]);
      if (at.left) {
        w->rounds[lane_of(t)]->left = at.left;
        return end_rounds(t, next, advanced, 0);
      }
      if (!next) next = find_or_open(t, ~0u, OP_SHFL + mode, "shuffle", thread_site(t));
      unsigned lane = lane_of(t);
      next->value[lane] = at.bits;
      t->source = (uint8_t)source_lane(mode, lane, at.arg & (SIMT_LANES - 1), SIMT_LANES);
      t->group = next->number;
      advanced |= 1u << lane;
    }
    t = last;
    next->round = g->round;
    next->missing = 0;
    complete(t, w, next, 1u << lane_of(t));
    g = next;
  }
}

static __attribute__((noinline)) SimtResume complete_and_go_on(Thread *t, Group *g) {
  complete(t, t->warp, g, 1u << lane_of(t));
  if (g->in_rounds == SIMT_LANES && g->arrived == ~0u) return go_rounds(t, g);
  return simt_make_current(t, simt_group_value(t));
}

/* Arrives. When that completes the group the caller goes on with its value, else the next thread with its own: most often
 * the neighbour, which waits in the shuffle before this one. Everything else is a tail call: this is short. */
static inline __attribute__((always_inline)) SimtResume arrive(Thread *t, Group *g, uint64_t value, const SimtSite *site, void *sp) {
  unsigned lane = lane_of(t);
  uint32_t missing = g->missing & ~(1u << lane);
  g->value[lane] = value;
  g->missing = missing;
  t->group = g->number;
  t->site = site_bits(site);
  t->sp = sp;
  if (__builtin_expect(!missing, 0)) return complete_and_go_on(t, g);
  Thread *next = simt_next_lane(t);
  if (__builtin_expect(!next, 0)) return simt_hand_over(t);
  return simt_resume(next);
}

/* Any operation but the usual shuffle. */
static SimtResume meet(Thread *t, uint32_t mask, int op, uint64_t value, const char *what, const SimtSite *site, void *sp) {
  Group *g = t->warp->filling;
  if (g->key != key_of(mask, op)) g = find_or_open(t, mask, op, what, site);
  t->wait = WAIT_GROUP;
  return arrive(t, g, value, site, sp);
}

void simt_warp_exit(Thread *self) {
  Warp *w = self->warp;
  uint32_t bit = 1u << lane_of(self);
  for (uint32_t m = w->used; m; m &= m - 1) {
    Group *g = &w->group[__builtin_ctz(m)];
    if (!g->key || !(g->missing & bit)) continue;
    g->missing &= ~bit;
    g->gone |= bit;
    if (!g->missing) complete(self, w, g, 0);
  }
}

/* The caller is not in its own mask: reported, and it goes on alone. */
static int report_alone(Thread *t, uint32_t mask, const char *what, const SimtSite *site) {
  Simt *s = t->simt;
  SimtFinding *f = simt_report(s, SIMT_SHUFFLE_MASK, SIMT_ERROR, site, NULL);
  if (f) {
    simt_where(&f->here, t, site, what);
    f->rule = rule_self;
    simt_detail(f, "lane %u calls with mask 0x%08x, which does not name it", lane_of(t), mask);
  }
  return 1;
}

static inline int not_in_mask(Thread *t, uint32_t mask, const char *what, const SimtSite *site) {
  return __builtin_expect(!(mask >> lane_of(t) & 1), 0) && report_alone(t, mask, what, site);
}

/* ---- from fiber.S: simt_op_X(arguments) is simt_arrive_X(arguments, ..., sp) ---- */

static void report_width(Thread *t, uint32_t width, const SimtSite *site) {
  SimtFinding *f = simt_report(t->simt, SIMT_SHUFFLE_MASK, SIMT_ERROR, site, NULL);
  if (!f) return;
  simt_where(&f->here, t, site, "shuffle");
  f->rule = "width must be a power of two up to 32, or the result is undefined (CUDA C++ Programming Guide, Warp Shuffle Functions)";
  simt_detail(f, "shuffle with width %u, which is no power of two up to 32", width);
}

/* The first lane of a group, and all that is unusual. */
static __attribute__((noinline)) SimtResume shuffle_slowly(int mode, uint32_t mask, uint64_t bits, uint32_t arg, uint32_t width,
                                                           const SimtSite *site, void *sp) {
  Thread *t = simt_current;
  if (!t || not_in_mask(t, mask, "shuffle", site)) return (SimtResume){sp, bits};
  if (!width || width > SIMT_LANES || width & (width - 1)) {
    report_width(t, width, site);
    width = SIMT_LANES;
  }
  Group *g = find_or_open(t, mask, OP_SHFL + mode, "shuffle", site);
  t->wait = WAIT_SHUFFLE;
  t->source = (uint8_t)source_lane(mode, lane_of(t), arg & (SIMT_LANES - 1), width);
  return arrive(t, g, bits, site, sp);
}

/* Shuffles of whole warps, which most are: what simt_op_shfl() becomes where mode and width are constants. */
static inline __attribute__((always_inline)) SimtResume shuffle_whole(SimtShuffle mode, uint32_t mask, uint64_t bits, uint32_t arg,
                                                                      const SimtSite *site, void *sp) {
  Thread *t = simt_current;
  Group *g = t ? t->warp->filling : NULL;
  if (__builtin_expect(!t || g->key != key_of(mask, OP_SHFL + (int)mode) || !(mask >> lane_of(t) & 1), 0))
    return shuffle_slowly((int)mode, mask, bits, arg, SIMT_LANES, site, sp);
  t->wait = WAIT_SHUFFLE;
  t->source = (uint8_t)source_lane((int)mode, lane_of(t), arg & (SIMT_LANES - 1), SIMT_LANES);
  return arrive(t, g, bits, site, sp);
}

SimtResume simt_arrive_shfl_idx(uint32_t mask, uint64_t bits, uint32_t arg, const SimtSite *site, void *sp) {
  return shuffle_whole(SIMT_SHFL_IDX, mask, bits, arg, site, sp);
}
SimtResume simt_arrive_shfl_up(uint32_t mask, uint64_t bits, uint32_t arg, const SimtSite *site, void *sp) {
  return shuffle_whole(SIMT_SHFL_UP, mask, bits, arg, site, sp);
}
SimtResume simt_arrive_shfl_down(uint32_t mask, uint64_t bits, uint32_t arg, const SimtSite *site, void *sp) {
  return shuffle_whole(SIMT_SHFL_DOWN, mask, bits, arg, site, sp);
}
SimtResume simt_arrive_shfl_xor(uint32_t mask, uint64_t bits, uint32_t arg, const SimtSite *site, void *sp) {
  return shuffle_whole(SIMT_SHFL_XOR, mask, bits, arg, site, sp);
}

SimtResume simt_arrive_shfl(int mode, uint32_t mask, uint64_t bits, uint32_t arg, uint32_t width, const SimtSite *site, void *sp) {
  Thread *t = simt_current;
  Group *g = t ? t->warp->filling : NULL;
  if (__builtin_expect(!t || g->key != key_of(mask, OP_SHFL + mode) || !(mask >> lane_of(t) & 1) || width - 1 >= SIMT_LANES ||
                           width & (width - 1), 0))
    return shuffle_slowly(mode, mask, bits, arg, width, site, sp);
  t->wait = WAIT_SHUFFLE;
  t->source = (uint8_t)source_lane(mode, lane_of(t), arg & (SIMT_LANES - 1), width);
  return arrive(t, g, bits, site, sp);
}

/* A shuffle with all lanes of a warp, in a loop that go_rounds() knows. */
SimtResume simt_arrive_rounds(uint32_t mask, uint64_t bits, uint32_t arg, const SimtSite *site, SimtRounds *frame, void *sp) {
  Thread *t = simt_current;
  frame->left = 0;
  if (!t || mask != ~0u) return simt_arrive_shfl((int)frame->mode, mask, bits, arg, SIMT_LANES, site, sp);
  Group *g = t->warp->filling;
  if (g->key != key_of(mask, OP_SHFL + (int)frame->mode)) g = find_or_open(t, mask, OP_SHFL + (int)frame->mode, "shuffle", site);
  if (!g->in_rounds) g->round = frame->round;
  if (g->round == frame->round) g->in_rounds++;
  t->warp->rounds[lane_of(t)] = frame;
  t->wait = WAIT_SHUFFLE;
  t->source = (uint8_t)source_lane((int)frame->mode, lane_of(t), arg & (SIMT_LANES - 1), SIMT_LANES);
  return arrive(t, g, bits, site, sp);
}

SimtResume simt_arrive_syncwarp(uint32_t mask, const SimtSite *site, uint64_t u1, uint64_t u2, uint64_t u3, uint64_t u4, void *sp) {
  (void)u1, (void)u2, (void)u3, (void)u4;
  Thread *t = simt_current;
  if (!t || not_in_mask(t, mask, "__syncwarp", site)) return (SimtResume){sp, 0};
  return meet(t, mask, OP_SYNC, 0, "__syncwarp", site, sp);
}

SimtResume simt_arrive_vote(int mode, uint32_t mask, int pred, const SimtSite *site, uint64_t u1, uint64_t u2, void *sp) {
  (void)u1, (void)u2;
  Thread *t = simt_current;
  if (!t || not_in_mask(t, mask, "vote", site)) return (SimtResume){sp, pred != 0};
  return meet(t, mask, OP_VOTE + mode, pred != 0, "vote", site, sp);
}

SimtResume simt_arrive_match(int all, uint32_t mask, uint64_t bits, const SimtSite *site, uint64_t u1, uint64_t u2, void *sp) {
  (void)u1, (void)u2;
  Thread *t = simt_current;
  if (!t || not_in_mask(t, mask, "match", site)) return (SimtResume){sp, mask};
  return meet(t, mask, OP_MATCH + all, bits, "match", site, sp);
}

SimtResume simt_arrive_reduce(int mode, uint32_t mask, uint32_t value, const SimtSite *site, uint64_t u1, uint64_t u2, void *sp) {
  (void)u1, (void)u2;
  Thread *t = simt_current;
  if (!t || not_in_mask(t, mask, "reduce", site)) return (SimtResume){sp, value};
  return meet(t, mask, OP_REDUCE + mode, value, "reduce", site, sp);
}

/* Lanes wait until nothing else of the block can run, or the slice ends; those at the same call then get the same mask. */
static SimtResume gather(Thread *t, int together, const SimtSite *site, void *sp) {
  if (!t) return (SimtResume){sp, 1};
  simt_probe_blind();
  t->warp->gathering |= 1u << lane_of(t);
  t->sp = sp;
  t->site = site_bits(site);
  t->wait = WAIT_GATHERING;
  t->mode = (uint8_t)together;
  return simt_hand_over(t);
}

/* Any set of lanes that holds the caller is a legal answer: in some schedules there are two groups. */
SimtResume simt_arrive_activemask(const SimtSite *site, uint64_t u1, uint64_t u2, uint64_t u3, uint64_t u4, uint64_t u5, void *sp) {
  (void)u1, (void)u2, (void)u3, (void)u4, (void)u5;
  return gather(simt_current, 0, site, sp);
}

/* Who is in lock step: every lane that comes to the call before it waits for something else. */
SimtResume simt_arrive_together(const SimtSite *site, uint64_t u1, uint64_t u2, uint64_t u3, uint64_t u4, uint64_t u5, void *sp) {
  (void)u1, (void)u2, (void)u3, (void)u4, (void)u5;
  return gather(simt_current, 1, site, sp);
}

static void release_site(Simt *s, Block *b, Warp *w, uint32_t lanes) {
  Thread *first = &b->threads[w->index * SIMT_LANES];
  uint32_t part = lanes, split = s->run.schedule >> 8 & 3;
  int together = first[__builtin_ctz(lanes)].mode;
  if (s->run.schedule && split == 3 && !together) part = lanes & (uint32_t)simt_random(s);
  for (uint32_t m = lanes; m; m &= m - 1) {
    unsigned i = (unsigned)__builtin_ctz(m);
    first[i].gathered = part >> i & 1 ? part : lanes & ~part;
  }
  w->gathering &= ~lanes;
  simt_make_ready(w, b, lanes);
}

int simt_release_gathering(Simt *s, Block *b, const Warp *running) {
  int released = 0;
  for (uint32_t k = 0; k < b->n_warps; k++) {
    Warp *w = &b->warps[k];
    if (!w->gathering) continue;
    Thread *first = &b->threads[k * SIMT_LANES], *one = &first[__builtin_ctz(w->gathering)];
    if (running && one->mode && (w == running || w->ready)) continue; /* others may still come */
    uint32_t lanes = 0;
    for (uint32_t m = w->gathering; m; m &= m - 1)
      if (first[__builtin_ctz(m)].site == one->site) lanes |= 1u << __builtin_ctz(m);
    release_site(s, b, w, lanes);
    released = 1;
  }
  return released;
}
