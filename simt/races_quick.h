/* races_quick.h - the race check for the common case, inlined into the access callbacks: a whole granule, nobody else's
 * unordered access in its words. Says 0 when the long way (races.c) has to look. */
#ifndef SIMT_RACES_QUICK_H
#define SIMT_RACES_QUICK_H
#include "races.h"

/* Before t's block passed its last barrier, and in t's block. */
static inline int before_barrier(const Simt *s, const SimtActor *t, uint32_t seg) {
  uint32_t c = seg >> 5;
  return c < t->block_base && (c >= simt_hot.sole_chunk || chunk_of(s, seg)->uid >> 5 == t->uid >> 5);
}

static inline int own_or_ordered(const Simt *s, const SimtActor *t, uint32_t seg, uint32_t floor) {
  return seg < floor || seg == t->seg || before_barrier(s, t, seg);
}

/* Does the last write of the granule allow a read? */
static inline int write_allows(const Simt *s, const SimtActor *t, const Slot *o, uint64_t g) {
  if (o->clean) return 1;
  uint64_t w = o->shadow.write[g];
  uint32_t ws = word_seg(w);
  if (w & (WORD_BYTES | WORD_GAP)) return 0;
  return ws < o->floor_seg ? (int)(o->flags & SIMT_BUF_INIT) : ws == t->seg || before_barrier(s, t, ws);
}

static inline int quick_read(const Simt *s, Thread *thread, Slot *o, uint64_t g, uint64_t mine) {
  const SimtActor *t = &thread->actor;
  if (!write_allows(s, t, o, g)) return 0;
  uint64_t r = o->shadow.read[g];
  uint32_t rs = word_seg(r);
  if (rs == t->seg) return !(r & WORD_MORE);
  if (r & WORD_MORE || !own_or_ordered(s, t, rs, o->floor_seg)) return simt_observe_reader(thread, o, g, mine);
  o->shadow.read[g] = mine;
  return 1;
}

static inline int quick_write(const Simt *s, const SimtActor *t, Slot *o, uint64_t g, uint64_t mine) {
  uint64_t w = o->shadow.write[g], r = o->shadow.read[g];
  uint32_t ws = word_seg(w), rs = word_seg(r);
  if (w & (WORD_BYTES | WORD_GAP) || !own_or_ordered(s, t, ws, o->floor_seg)) return 0;
  if (rs >= o->floor_seg) {
    if (r & WORD_MORE || !(rs == t->seg || before_barrier(s, t, rs))) return 0;
    o->shadow.read[g] = 0;
  }
  o->shadow.write[g] = mine;
  o->clean = 0;
  return 1;
}

/* A plain access to granule g of an object. */
static inline int simt_observe_quick(Thread *t, Slot *o, uint64_t g, int is_write, const SimtSite *site) {
  uint64_t mine = t->actor.word | site_bits(site);
  return is_write ? quick_write(simt_active, &t->actor, o, g, mine) : quick_read(simt_active, t, o, g, mine);
}

#endif
