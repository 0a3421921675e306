/* sync.c - segments, and the order that warp barriers, block barriers, fences and atomics make between them.
 *
 * Fences and atomics: PTX ISA, Memory Consistency Model, "Release and Acquire Patterns". A fence followed by a strong
 * write publishes what the thread knew at the fence; a strong read that observes it, followed by a fence, learns it. A release
 * publishes at its own address what the thread knows by then, an acquire learns at once. A block barrier passes on what any thread of the block had published, learnt or seen: one thread reads the flag, a barrier
 * follows, then each thread's fence. A fence of block scope does so among the threads of its block. */
#include "flight.h"
#include <stdlib.h>
#include <string.h>

typedef struct Known { uint64_t key; uint32_t below; } Known; /* of `key`, all segments in chunks below happened before */
struct SimtKnown {
  struct SimtKnown *next; /* all of the launch */
  uint32_t n, room, used; /* used: somebody refers to it; while sweeping */
  Known e[];
};
enum { SYNC_BUCKETS = 1024, FIRST_SWEEP_BYTES = 1 << 20 };
/* What strong writes to an address have published: between blocks, by wide fences and releases; within one block, by any. */
struct SimtSync {
  struct SimtSync *next;
  uintptr_t address;
  struct SimtKnown *known;
  uint32_t block; /* ordinal, or BETWEEN_BLOCKS */
};
#define BETWEEN_BLOCKS (~0u)

#define KEY_BLOCK(ordinal) (1ull << 62 | (ordinal))
#define KEY_WARP(uid) (2ull << 62 | (uid))
#define KEY_LANE(uid, lane) (3ull << 62 | (uint64_t)(uid) << 5 | (lane))

static uint32_t known_of(const struct SimtKnown *k, uint64_t key) {
  uint32_t lo = 0, hi = k->n;
  while (lo < hi) {
    uint32_t mid = (lo + hi) / 2;
    if (k->e[mid].key < key) lo = mid + 1;
    else hi = mid;
  }
  return lo < k->n && k->e[lo].key == key ? k->e[lo].below : 0;
}

static int known_has(const struct SimtKnown *k, uint32_t uid, uint32_t lane, uint32_t chunk) {
  return chunk < known_of(k, KEY_BLOCK(uid >> 5)) || chunk < known_of(k, KEY_WARP(uid)) ||
         chunk < known_of(k, KEY_LANE(uid, lane));
}

int simt_learnt(const Thread *t, uint32_t seg) {
  uint32_t c = seg >> 5, lane = seg & 31, uid = chunk_of(t->simt, seg)->uid;
  if (uid == t->actor.uid && t->more.row && c < t->more.row[lane]) return 1;
  return t->more.known && known_has(t->more.known, uid, lane, c);
}

int simt_almost_learnt(const Thread *t, uint32_t seg) {
  uint32_t uid = chunk_of(t->simt, seg)->uid;
  for (int i = 0; i < 2; i++)
    if (t->more.pending[i] && known_has(t->more.pending[i], uid, seg & 31, seg >> 5)) return 1;
  return 0;
}

static struct SimtKnown *known_new(Simt *s, uint32_t room) {
  struct SimtKnown *k = malloc(sizeof *k + room * sizeof k->e[0]);
  if (!k) return NULL;
  k->n = k->used = 0;
  k->room = room;
  k->next = s->races.all;
  s->races.all = k;
  s->races.known_bytes += sizeof *k + room * sizeof k->e[0];
  return k;
}

static void use(struct SimtKnown *k) {
  if (k) k->used = 1;
}

static void use_actor(const SimtActorMore *m) {
  use(m->known);
  for (int i = 0; i < 2; i++) use(m->fenced[i]), use(m->pending[i]), use(m->taken[i]);
  if (m->row) use((struct SimtKnown *)((char *)m->row - offsetof(struct SimtKnown, e)));
}

static int has_ended(const Simt *s, uint32_t block) {
  if (block == BETWEEN_BLOCKS) return 0;
  for (unsigned b = 0; b < s->top; b++)
    if (s->resident[b].active && s->resident[b].ordinal == block) return 0;
  return 1;
}

/* Nobody will ask any more for what a block that has ended kept to itself. */
static void sweep_addresses(Simt *s) {
  for (unsigned i = 0; s->races.sync && i < SYNC_BUCKETS; i++)
    for (struct SimtSync **p = &s->races.sync[i], *v; (v = *p);)
      if (has_ended(s, v->block)) {
        *p = v->next;
        s->races.known_bytes -= sizeof *v;
        free(v);
      } else {
        use(v->known);
        p = &v->next;
      }
}

/* Frees what neither a thread nor an address refers to. Sets are shared, so nobody else can tell when one is done with. */
static void sweep(Simt *s) {
  SimtRaces *r = &s->races;
  if (r->known_bytes < r->known_limit) return;
  for (unsigned b = 0; b < s->top; b++)
    for (uint32_t i = 0; s->resident[b].active && i < s->resident[b].n_threads; i++) use_actor(&s->resident[b].threads[i].more);
  sweep_addresses(s);
  for (struct SimtKnown **p = &r->all, *k; (k = *p);)
    if (k->used) {
      k->used = 0;
      p = &k->next;
    } else {
      *p = k->next;
      r->known_bytes -= sizeof *k + k->room * sizeof k->e[0];
      free(k);
    }
  r->known_limit = FIRST_SWEEP_BYTES + 2 * r->known_bytes;
}

static void put(struct SimtKnown *k, uint64_t key, uint32_t below) {
  if (k->n && k->e[k->n - 1].key == key) {
    if (k->e[k->n - 1].below < below) k->e[k->n - 1].below = below;
  } else
    k->e[k->n++] = (Known){key, below};
}

/* Nothing in b that is not in a. */
static int covers(const struct SimtKnown *a, const struct SimtKnown *b) {
  if (a->n < b->n) return 0;
  for (uint32_t i = 0, j = 0; j < b->n; i++) {
    if (i == a->n || a->e[i].key > b->e[j].key) return 0;
    if (a->e[i].key < b->e[j].key) continue;
    if (a->e[i].below < b->e[j++].below) return 0;
  }
  return 1;
}

/* The union. Without memory one side is lost: order is forgotten, never invented. */
static struct SimtKnown *join(Simt *s, struct SimtKnown *a, struct SimtKnown *b) {
  if (!a || a == b) return b;
  if (!b || covers(a, b)) return a;
  if (covers(b, a)) return b;
  struct SimtKnown *k = known_new(s, a->n + b->n);
  if (!k) return a;
  uint32_t i = 0, j = 0;
  while (i < a->n || j < b->n) {
    const Known *e = j == b->n || (i < a->n && a->e[i].key <= b->e[j].key) ? &a->e[i++] : &b->e[j++];
    put(k, e->key, e->below);
  }
  return k;
}

/* All that t knows by now, its own past included. */
static struct SimtKnown *snapshot(Thread *t) {
  SimtActor *a = &t->actor;
  struct SimtKnown *k = known_new(t->simt, 3 + SIMT_LANES);
  if (!k) return t->more.known;
  k->e[k->n++] = (Known){KEY_BLOCK(a->uid >> 5), a->block_base}; /* keys ascend */
  k->e[k->n++] = (Known){KEY_WARP(a->uid), a->warp_base};
  for (unsigned i = 0; i < SIMT_LANES; i++) {
    uint32_t below = i == (a->seg & 31) ? a->seg >> 5 : t->more.row ? t->more.row[i] : 0;
    if (below) k->e[k->n++] = (Known){KEY_LANE(a->uid, i), below};
  }
  return join(t->simt, k, t->more.known);
}

uint32_t simt_observe_chunks(Simt *s, uint32_t uid, uint32_t n_warps, uint32_t epoch) {
  uint32_t first = s->races.next_chunk;
  if (first + n_warps >= SIMT_FLIGHT_CHUNK) { /* out of numbers: go on without detection rather than with false order */
    s->detect = 0;
    return first;
  }
  s->races.next_chunk += n_warps;
  for (uint32_t i = 0; i < n_warps; i++) s->races.chunk[first + i - s->races.origin] = (SimtChunk){uid + i, epoch};
  return first;
}

static void new_segment(Thread *t) {
  uint32_t c = simt_observe_chunks(t->simt, t->actor.uid, 1, t->warp->block->epoch);
  t->actor.seg = c << 5 | (t->actor.seg & 31);
}

/* Rows live with the launch's other knowledge: a SimtKnown's room is borrowed for 32 numbers. */
static uint32_t *new_row(Simt *s) {
  struct SimtKnown *k = known_new(s, SIMT_LANES);
  if (!k) return NULL;
  memset(k->e, 0, SIMT_LANES * sizeof k->e[0]);
  return (uint32_t *)k->e;
}

static void join_actor(Simt *s, SimtActorMore *all, const SimtActorMore *one) {
  all->known = join(s, all->known, one->known);
  for (int i = 0; i < 2; i++) {
    all->fenced[i] = join(s, all->fenced[i], one->fenced[i]);
    all->pending[i] = join(s, all->pending[i], one->pending[i]);
  }
}

static void note_learnt(Thread *t) {
  const SimtActorMore *m = &t->more;
  t->actor.learnt = m->row || m->known || m->fenced[0] || m->fenced[1] || m->pending[0] || m->pending[1];
}

void simt_forget_row(Thread *t) {
  t->more.row = NULL;
  note_learnt(t);
}

void simt_observe_warp_barrier(Thread **lanes, uint32_t mask, int whole_warp) {
  Thread *one = lanes[__builtin_ctz(mask)];
  sweep(one->simt);
  uint32_t c = simt_observe_chunks(one->simt, one->actor.uid, 1, one->warp->block->epoch), base = 0;
  SimtActorMore all = {.row = whole_warp ? NULL : new_row(one->simt)};
  uint32_t *row = all.row;
  for (uint32_t m = mask; m; m &= m - 1) {
    const Thread *l = lanes[__builtin_ctz(m)];
    join_actor(one->simt, &all, &l->more);
    if (l->actor.warp_base > base) base = l->actor.warp_base;
    for (unsigned i = 0; row && l->more.row && i < SIMT_LANES; i++)
      if (l->more.row[i] > row[i]) row[i] = l->more.row[i];
  }
  for (uint32_t m = mask; m; m &= m - 1) {
    unsigned i = (unsigned)__builtin_ctz(m);
    SimtActor *a = &lanes[i]->actor;
    if (row) row[i] = c;
    lanes[i]->more = all;
    note_learnt(lanes[i]);
    a->warp_base = whole_warp ? c : base;
    a->seg = c << 5 | i;
  }
}

void simt_observe_block_barrier(Thread *threads, uint32_t n) {
  sweep(threads->simt);
  SimtActorMore all = {0};
  for (uint32_t i = 0; i < n; i++) join_actor(threads->simt, &all, &threads[i].more);
  for (uint32_t i = 0; i < n; i++) {
    all.row = threads[i].more.row;
    threads[i].more = all;
    note_learnt(&threads[i]);
  }
}

void simt_observe_fence(Thread *t, int scope) {
  SimtActorMore *m = &t->more;
  sweep(t->simt);
  if (t->simt->races.released && scope != SIMT_SCOPE_BLOCK) simt_stream_acquired(t->simt);
  for (int i = 0; i <= (scope != SIMT_SCOPE_BLOCK); i++) {
    m->known = join(t->simt, m->known, m->pending[i]);
    m->pending[i] = NULL;
  }
  new_segment(t);
  m->fenced[0] = snapshot(t);
  if (scope != SIMT_SCOPE_BLOCK) m->fenced[1] = m->fenced[0];
  note_learnt(t);
  t->warp->block->fences = 1;
}

static struct SimtSync **bucket_of(const Simt *s, uintptr_t address, uint32_t block) {
  return &s->races.sync[((address >> 2) * 0x9e3779b1u ^ (uint64_t)block * 0x85ebca6bu) % SYNC_BUCKETS];
}

static struct SimtSync *sync_at(const Simt *s, uintptr_t address, uint32_t block) {
  if (!s->races.sync) return NULL;
  for (struct SimtSync *v = *bucket_of(s, address, block); v; v = v->next)
    if (v->address == address && v->block == block) return v;
  return NULL;
}

static struct SimtSync *sync_new(Simt *s, uintptr_t address, uint32_t block) {
  if (!s->races.sync) s->races.sync = calloc(SYNC_BUCKETS, sizeof *s->races.sync);
  struct SimtSync *v = s->races.sync ? malloc(sizeof *v) : NULL;
  if (!v) return NULL;
  struct SimtSync **p = bucket_of(s, address, block);
  *v = (struct SimtSync){.next = *p, .address = address, .block = block};
  s->races.known_bytes += sizeof *v;
  return *p = v;
}

/* A strong read has seen a set. An acquire makes it known at once, otherwise the next fence does. */
static void take(Thread *t, int i, struct SimtKnown *set, int acquires) {
  SimtActorMore *m = &t->more;
  if (acquires)
    m->known = join(t->simt, m->known, set);
  else if (set == m->taken[i]) /* a loop that waits takes the same over and over */
    return;
  else {
    m->taken[i] = set;
    m->pending[i] = join(t->simt, m->pending[i], set);
  }
  t->actor.learnt = 1;
  t->warp->block->fences = 1; /* barriers pass it on: the fence may be another thread's */
}

/* A write takes the place of what was published there; an atomic operation passes it on (PTX ISA, Observation Order). */
static void publish(Simt *s, struct SimtSync *v, const SimtStrongAccess *a, uint32_t block, struct SimtKnown *set) {
  if (!v && set) v = sync_new(s, a->address, block);
  if (v) v->known = a->reads ? join(s, v->known, set) : set;
}

void simt_observe_strong(Thread *t, const SimtStrongAccess *a) {
  SimtActorMore *m = &t->more;
  Simt *s = t->simt;
  int releases = a->writes && a->order >= SIMT_RELEASE, acquires = a->reads && a->order != SIMT_RELAXED && a->order != SIMT_RELEASE;
  int wide = a->scope != SIMT_SCOPE_BLOCK;
  if (a->order == SIMT_SEQ_CST) simt_observe_fence(t, a->scope);
  if (s->races.released && a->reads && wide) {
    simt_stream_seen(s, a->address);
    if (acquires) simt_stream_acquired(s);
  }
  if (!releases && !m->fenced[0] && !s->races.sync) return; /* nobody has published anything */
  sweep(s);
  uint32_t block[2] = {t->warp->block->ordinal, BETWEEN_BLOCKS};
  struct SimtSync *v[2];
  for (int i = 0; i < 2; i++) {
    v[i] = sync_at(s, a->address, block[i]);
    if (a->reads && v[i] && v[i]->known) take(t, i, v[i]->known, acquires && i <= wide);
  }
  if (!a->writes) return;
  struct SimtKnown *set[2] = {m->fenced[0], m->fenced[1]};
  if (releases) {
    new_segment(t);
    set[0] = snapshot(t);
    if (wide) set[1] = set[0];
  }
  for (int i = 0; i < 2; i++) publish(s, v[i], a, block[i], set[i]);
}

/* What this launch has published between blocks, a concurrent one may see. */
static void tell_released(Simt *s) {
  const SimtRaces *r = &s->races;
  size_t n = 0, i = 0;
  for (unsigned b = 0; r->sync && b < SYNC_BUCKETS; b++)
    for (const struct SimtSync *v = r->sync[b]; v; v = v->next) n += v->block == BETWEEN_BLOCKS && v->known;
  uintptr_t *address = n ? malloc(n * sizeof *address) : NULL;
  if (!address) return;
  for (unsigned b = 0; b < SYNC_BUCKETS; b++)
    for (const struct SimtSync *v = r->sync[b]; v; v = v->next)
      if (v->block == BETWEEN_BLOCKS && v->known) address[i++] = v->address;
  simt_stream_released(s, address, n);
}

static void forget(SimtRaces *r) {
  for (unsigned i = 0; r->sync && i < SYNC_BUCKETS; i++)
    for (struct SimtSync *v = r->sync[i], *next; v; v = next) next = v->next, free(v);
  free(r->sync);
  r->sync = NULL;
  for (struct SimtKnown *k = r->all, *next; k; k = next) next = k->next, free(k);
  r->all = NULL;
  r->known_bytes = 0;
  r->known_limit = FIRST_SWEEP_BYTES;
}

/* What came before is history; where it is concurrent instead, streams.c looks behind the launch. */
void simt_observe_launch(Simt *s, int begins) {
  if (!begins && s->races.sync) tell_released(s);
  forget(&s->races);
  if (!begins) return;
  s->races.first_chunk = s->races.next_chunk;
}
