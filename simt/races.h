/* races.h - shadow words and the order of segments. Internal to the race detector.
 *
 *  63            32 31            5 4      0
 * +----------------+---------------+--------+
 * | segment        | site          | flags  |
 * +----------------+---------------+--------+
 * Sites lie at multiples of 32 below 2^32: the middle is the address. Zero is older than everything. */
#ifndef SIMT_RACES_H
#define SIMT_RACES_H
#include "engine.h"

enum { /* flags */
  WORD_MORE = 1,      /* read word: read_far or read_near may hold something */
  WORD_STRONG = 2,    /* atomic */
  WORD_VOLATILE = 4,
  WORD_BLOCK_SCOPE = 8,
  WORD_GAP = SIMT_SHADOW_GAP, /* write word */
  WORD_BYTES = 16,    /* write word: the granule is kept byte by byte */
  WORD_COVERED = 16,  /* in read_far: no read, but an earlier write that an atomic one lies over */
  WORD_FLAGS = 31
};
_Static_assert((int)SIMT_ACCESS_STRONG == WORD_STRONG && (int)SIMT_ACCESS_VOLATILE == WORD_VOLATILE &&
                   (int)SIMT_ACCESS_BLOCK_SCOPE == WORD_BLOCK_SCOPE, "access kinds are stored as they are");

#define SIMT_HOST_UID (~0u) /* of chunks that are the host's: cudaMemset */

typedef struct Cell { uint64_t *write, *read, *far, *near; } Cell;
static inline Cell granule_cell(const SimtShadow *sh, uint64_t g) {
  return (Cell){sh->write + g, sh->read + g, sh->read_far + g, sh->read_near + g};
}
static inline Cell byte_cell(const SimtShadow *sh, uint64_t off) {
  uint64_t *p = sh->bytes + off * 4;
  return (Cell){p, p + 1, p + 2, p + 3};
}

static inline uint64_t word_make(uint32_t seg, const SimtSite *site, unsigned kind) {
  return (uint64_t)seg << 32 | site_bits(site) | (kind & (WORD_STRONG | WORD_VOLATILE | WORD_BLOCK_SCOPE));
}
static inline uint32_t word_seg(uint64_t w) { return (uint32_t)(w >> 32); }
static inline const SimtSite *word_site(uint64_t w) { return (const SimtSite *)(uintptr_t)((uint32_t)w & ~(uint32_t)WORD_FLAGS); }

static inline const SimtChunk *chunk_of(const Simt *s, uint32_t seg) {
  return &s->races.chunk[(seg >> 5) - s->races.origin];
}

/* Of the accesses that two shadow words are of, one of which writes: the rule by which they conflict; NULL: they do not. races.c */
const char *simt_conflict_rule(uint64_t mine, uint64_t old, int same_block);
/* The thread and place of a shadow word of launch l; or the host, if the word is its. */
void simt_word_where(const Simt *s, const Launch *l, SimtWhere *w, uint64_t word, int writes);

int simt_almost_learnt(const Thread *t, uint32_t seg); /* seen by an atomic, but no fence has followed */
int simt_learnt(const Thread *t, uint32_t seg); /* by partial warp barriers, fences and atomics. sync.c */

/* streams.c, of concurrent operations. An operation that ends has published something by strong writes to these addresses, which are
 * taken over; a thread reads one that may be among them; a fence follows, anywhere in the launch. */
void simt_stream_released(Simt *s, uintptr_t *address, size_t n);
void simt_stream_seen(Simt *s, uintptr_t address);
void simt_stream_acquired(Simt *s);

/* An atomic operation is about to read, or a volatile read has to do with more than data: notes in the block whether another one wrote it. */
void simt_observe_look(Thread *t, const Slot *o, uint64_t off);

/* A plain read that no write forbids, of a granule that others have read: notes it. 0: races.c has to look at the whole
 * access. */
int simt_observe_reader(Thread *t, Slot *o, uint64_t g, uint64_t mine);

/* Did segment `seg` (not history, not t's own) happen before what t does now? */
static inline int seg_ordered(const Simt *s, const Thread *th, uint32_t seg) {
  const SimtActor *t = &th->actor;
  uint32_t c = seg >> 5, uid = chunk_of(s, seg)->uid;
  if (uid >> 5 == t->uid >> 5 && c < t->block_base) return 1;
  if (uid == t->uid && ((seg & 31) == (t->seg & 31) || c < t->warp_base)) return 1;
  return t->learnt && simt_learnt(th, seg);
}

#endif
