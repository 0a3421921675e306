/* simt_access.h - the usual access, inlined into kernels: an aligned 4-byte scalar inside an object, whose shadow words allow it at a
 * glance. Everything else, and every finding, is the business of access.c, by way of a call that keeps all registers.
 *
 * The same rules as in races_quick.h, less what is seldom. Put in front of accesses by simt-instrument. */
#ifndef SIMT_ACCESS_H
#define SIMT_ACCESS_H
#include "simt_hot.h"
#ifdef __cplusplus
extern "C" {
#endif

#ifdef SIMT_VALGRIND
#define SIMT_SLOT_SHIFT 24 /* valgrind keeps books about every page, touched or not */
#else
#define SIMT_SLOT_SHIFT 35 /* 32 GiB of addresses for each object: an index that is off by 2^32 elements either way stays there */
#endif
#define SIMT_SLOT_COUNT 512

/* The beginnings of Slot and Thread (engine.h), which say what the fields are. */
typedef struct SimtHotSlot {
  uint64_t base;
  uint64_t quick;
  uint64_t floor; /* shadow words of history are below it */
  uint32_t clean, flags;
  uint64_t *write, *read, *far, *near; /* of its SimtShadow */
} __attribute__((aligned(128))) SimtHotSlot;
typedef struct SimtHotActor {
  uint64_t word;
  uint32_t uid, block_base, warp_base;
  uint16_t index, learnt;
} SimtHotActor;

#ifdef __cplusplus /* kernels, which clang compiles */
extern __thread SimtHotActor *simt_current __attribute__((tls_model("local-exec"))); /* a Thread; NULL on the host */

/* fiber.S; the address to use is in simt_hot.address then. */
void simt_far_load_4(void *p, const SimtSite *s) SIMT_KEEPS;
void simt_far_store_4(void *p, uint64_t value, const SimtSite *s) SIMT_KEEPS;

#define SIMT_QUICK __attribute__((always_inline, nothrow)) inline

/* Before t's block passed its last barrier, and in t's block. No history. */
SIMT_QUICK bool simt_is_before_barrier(const SimtHotActor *t, uint64_t word) {
  uint32_t chunk = (uint32_t)(word >> 37);
  return chunk < t->block_base && (chunk >= simt_hot.sole_chunk || simt_hot.chunk[chunk].uid >> 5 == t->uid >> 5);
}

SIMT_QUICK bool simt_is_ordered(const SimtHotActor *t, uint64_t word) {
  return (word ^ t->word) >> 32 == 0 || simt_is_before_barrier(t, word);
}

enum { SIMT_WORD_MORE = 1, SIMT_WORD_COVERED = 16, SIMT_WORD_ODD = 1 | 16 }; /* races.h; odd: WORD_GAP or WORD_BYTES */

SIMT_QUICK bool simt_write_allows(const SimtHotActor *t, const SimtHotSlot *o, uint64_t g) {
  if (o->clean) return true;
  uint64_t w = o->write[g];
  if (w & SIMT_WORD_ODD) return false;
  return w < o->floor ? o->flags & SIMT_BUF_INIT : simt_is_ordered(t, w);
}

SIMT_QUICK bool simt_may_read(SimtHotSlot *o, uint64_t g, uint64_t site) {
  const SimtHotActor *t = simt_current;
  if (!simt_write_allows(t, o, g)) return false;
  uint64_t r = o->read[g];
  if (r >= o->floor) {
    if (r & SIMT_WORD_MORE) return false;
    if ((r ^ t->word) >> 32 == 0) return true;
    if (!simt_is_before_barrier(t, r)) return false;
  }
  o->read[g] = t->word | site;
  return true;
}

SIMT_QUICK bool simt_may_write(SimtHotSlot *o, uint64_t g, uint64_t site) {
  const SimtHotActor *t = simt_current;
  uint64_t w = o->write[g], r = o->read[g];
  if (w & SIMT_WORD_ODD || (w >= o->floor && !simt_is_ordered(t, w))) return false;
  if (r >= o->floor) {
    if (r & SIMT_WORD_MORE || !simt_is_ordered(t, r)) return false;
    o->read[g] = 0;
  }
  o->write[g] = t->word | site;
  o->clean = 0;
  return true;
}

/* Of another lane, and since the last barriers: not ordered before what t does now, whatever t has learnt from fences. (Of the same
 * lane of another warp as well, but that is seldom.) */
SIMT_QUICK bool simt_is_beside(const SimtHotActor *t, const SimtHotSlot *o, uint64_t word) {
  uint32_t chunk = (uint32_t)(word >> 37);
  return word >= o->floor && chunk >= t->block_base && chunk >= t->warp_base && (word ^ t->word) >> 32 & 31;
}

/* A granule that several threads have read, as all of a block do with a result: nothing has to be noted when neither the first of
 * them nor the other one that is kept for threads like this is ordered before it. */
SIMT_QUICK bool simt_is_noted(const SimtHotSlot *o, uint64_t g) {
  const SimtHotActor *t = simt_current;
  uint64_t r = o->read[g], far = o->far[g];
  if (!(r & SIMT_WORD_MORE) || t->learnt || !simt_is_beside(t, o, r) || far & SIMT_WORD_COVERED) return false;
  uint64_t kept = simt_hot.chunk[r >> 37].uid == t->uid ? o->near[g] : far;
  return simt_is_beside(t, o, kept) && simt_write_allows(t, o, g);
}

/* The slot that the address names by its upper bits: any other address is out of its range. An offset that is no multiple
 * of four becomes a huge number. */
SIMT_QUICK SimtHotSlot *simt_slot_named(void *p) {
  uint64_t at = (uint64_t)(uintptr_t)p >> (SIMT_SLOT_SHIFT - 7) & (SIMT_SLOT_COUNT - 1) << 7; /* of 128 bytes each */
  return (SimtHotSlot *)((char *)simt_hot.slots + at);
}
SIMT_QUICK uint64_t simt_granule(const SimtHotSlot *o, void *p) {
  uint64_t off = (uint64_t)(uintptr_t)p - o->base;
  return off >> 2 | off << 62;
}

/* What is not quite so usual, in a function of its own. */
__attribute__((preserve_all, noinline, nothrow, used)) inline void simt_further_load_4(void *p, const SimtSite *s) {
  SimtHotSlot *o = simt_slot_named(p);
  uint64_t g = simt_granule(o, p);
  if (g < o->quick && simt_is_noted(o, g)) simt_hot.address = p;
  else simt_far_load_4(p, s);
}

__attribute__((always_inline, nothrow, used)) inline void *simt_load_4(void *p, const SimtSite *s) {
  SimtHotSlot *o = simt_slot_named(p);
  uint64_t g = simt_granule(o, p);
  if (__builtin_expect(g < o->quick && (!simt_hot.detect || simt_may_read(o, g, (uint64_t)(uintptr_t)s)), 1)) return p;
  simt_further_load_4(p, s);
  return simt_hot.address;
}

__attribute__((always_inline, nothrow, used)) inline void *simt_store_4(void *p, uint64_t value, const SimtSite *s) {
  SimtHotSlot *o = simt_slot_named(p);
  uint64_t g = simt_granule(o, p);
  if (__builtin_expect(g < o->quick && (!simt_hot.detect || simt_may_write(o, g, (uint64_t)(uintptr_t)s)), 1)) return p;
  simt_far_store_4(p, value, s);
  return simt_hot.address;
}
#undef SIMT_QUICK
}
#endif
#endif
