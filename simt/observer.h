/* observer.h - where the engine and the detectors meet. The engine tells what threads do; a detector keeps its own shadow
 * state and knows nothing of fibers and schedules. */
#ifndef SIMT_OBSERVER_H
#define SIMT_OBSERVER_H
#include "include/simt_hot.h"

/* A thread as detectors see it. Time is counted in segments: a segment is what one thread does between two
 * synchronisations. Its number is chunk * 32 + lane; chunks are given to warps in order, so that of two segments of the
 * same warp the later has the larger chunk. */
typedef struct SimtActor {
  union {
    struct {
      uint32_t zero;
      uint32_t seg;    /* running segment */
    };
    uint64_t word;     /* its shadow words, but for place and kind */
  };
  uint32_t uid;        /* block ordinal * 32 + warp: same uid, same warp */
  uint32_t block_base; /* segments of this block in chunks below happened before (block barrier) */
  uint32_t warp_base;  /* segments of this warp in chunks below happened before (warp barrier) */
  uint16_t index;      /* of the thread in its block, linear */
  uint16_t learnt;     /* 1: SimtActorMore holds something */
} SimtActor;

/* What few threads have. NULL: nothing. Of pairs, [0] is among threads of the block (any fence), [1] is between blocks
 * (__threadfence() and wider). */
typedef struct SimtActorMore {
  uint32_t *row;             /* per lane: its chunks below happened before (warp barriers with partial masks) */
  struct SimtKnown *known;   /* what was learnt from other blocks and warps by fences and atomics */
  struct SimtKnown *fenced[2];  /* what was known at the last fence: later strong writes publish it */
  struct SimtKnown *pending[2]; /* what strong reads have seen: the next fence makes it known */
  struct SimtKnown *taken[2];   /* the set that the last strong read saw: in pending, or in known by now */
} SimtActorMore;

enum { SIMT_SHADOW_GAP = 1 }; /* flag of a write word: some of the granule belongs to no variable */

/* Shadow of one object: per 4-byte granule one word for the last write and up to three for reads since. */
typedef struct SimtShadow {
  uint64_t *write, *read; /* last write, a reader */
  uint64_t *read_far, *read_near; /* a reader of another warp, and another lane of the same warp */
  uint64_t *bytes;        /* four such words per byte, for granules that are accessed in parts; NULL: none yet */
  uint64_t granules;      /* room */
  const void *gaps_of;    /* module whose gaps between shared variables are marked */
  size_t map_bytes;
} SimtShadow;

typedef struct SimtRaces {
  SimtChunk *chunk;     /* by chunk - origin; also in SimtHot */
  uint32_t origin;      /* first chunk of the run */
  uint32_t first_chunk; /* of the launch */
  uint32_t next_chunk;
  struct SimtSync **sync; /* addresses with strong writes of this launch: hash table */
  struct SimtKnown *all;  /* to free at the end of the launch */
  int released;           /* 1: something that a concurrent operation has published may be seen: streams.c */
  size_t known_bytes, known_limit; /* taken; when to look for what nobody refers to any more */
} SimtRaces;

enum { SIMT_ACCESS_WRITE = 1, SIMT_ACCESS_STRONG = 2, SIMT_ACCESS_VOLATILE = 4, SIMT_ACCESS_BLOCK_SCOPE = 8 };

/* races.c, on every access of `bytes` at offset `off` of an object (checked, inside it). value: what is written, or NULL. */
struct Thread;
struct Slot;
void simt_observe_access(struct Thread *t, struct Slot *o, uint64_t off, uint32_t bytes, unsigned kind, const void *value,
                         const SimtSite *site);

/* Time passes. */
uint32_t simt_observe_chunks(Simt *s, uint32_t uid, uint32_t n_warps, uint32_t epoch); /* first of n new chunks */
void simt_observe_warp_barrier(struct Thread **lanes, uint32_t mask, int whole_warp);
void simt_observe_block_barrier(struct Thread *threads, uint32_t n); /* joins what its threads know */
void simt_forget_row(struct Thread *t); /* after a block barrier: what partial warp barriers taught is covered by it */
void simt_observe_fence(struct Thread *t, int scope);
/* An atomic operation, or a volatile access; seen or not, as SimtOrder says, besides fences. */
typedef struct SimtStrongAccess {
  uintptr_t address;
  int reads, writes;
  int scope, order; /* SimtScope, SimtOrder */
} SimtStrongAccess;
void simt_observe_strong(struct Thread *t, const SimtStrongAccess *a);
void simt_observe_launch(Simt *s, int begins);

/* Operations of the host's: a segment for one, what it is shown as; and its accesses, in that segment. */
enum { SIMT_HOST_SETS, SIMT_HOST_COPIES, SIMT_HOST_BLAS };
uint32_t simt_host_segment(Simt *s, unsigned what);
void simt_mark_host(struct Slot *o, uint64_t off, uint64_t bytes, uint32_t seg, const SimtSite *site, int writes);
/* Of what was copied from one object to another, the bytes that nobody had written are not written in the other either. */
void simt_mark_unwritten(Simt *s, struct Slot *to, uint64_t to_off, const struct Slot *from, uint64_t from_off, uint64_t bytes);

uint32_t simt_write_age(const struct Slot *o, uint64_t off); /* segment in which this byte was written last */
void simt_unwrite(struct Slot *o, uint64_t off); /* nobody has written this byte */

/* Between launches, the host wrote `bytes` at `off` of a buffer: older than whatever the next launch does. */
void simt_observe_host_write(Simt *s, struct Slot *o, uint64_t off, uint64_t bytes, const SimtSite *site);

#endif
