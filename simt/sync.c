/* sync.c - segments, and the order that warp barriers, block barriers, fences and atomics make between them.
 *
 * Fences and atomics: PTX ISA, Memory Consistency Model, "Release and Acquire Patterns". A fence followed by a strong
 * write publishes what the thread knew at the fence; a strong read that observes it, followed by a fence, learns it. A
 * block barrier passes on what any thread of the block had published, learnt or seen: one thread reads the flag, a barrier
 * follows, then each thread's fence. A fence of block scope does so among the threads of its block. */
#include "races.h"
#include <stdlib.h>
#include <string.h>

typedef struct Known { uint64_t key; uint32_t below; } Known; /* of `key`, all segments in chunks below happened before */
struct SimtKnown {
  struct SimtKnown *next; /* all of the launch */
  uint32_t n, room, used; /* used: somebody refers to it; while sweeping */
  Known e[];
};
enum { SYNC_BUCKETS = 1024, FIRST_SWEEP_BYTES = 1 << 20 };
struct SimtSync {
  struct SimtSync *next;
  uintptr_t address;
  struct SimtKnown *known[2]; /* published by fences of block scope, within `block`; by wider ones */
  uint32_t block;
};

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

/* Frees what neither a thread nor an address refers to. Sets are shared, so nobody else can tell when one is done with. */
static void sweep(Simt *s) {
  SimtRaces *r = &s->races;
  if (r->known_bytes < r->known_limit) return;
  for (unsigned b = 0; b < s->top; b++)
    for (uint32_t i = 0; s->resident[b].active && i < s->resident[b].n_threads; i++) use_actor(&s->resident[b].threads[i].more);
  for (unsigned i = 0; r->sync && i < SYNC_BUCKETS; i++)
    for (const struct SimtSync *v = r->sync[i]; v; v = v->next) use(v->known[0]), use(v->known[1]);
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
  if (first + n_warps >= 1u << 27) { /* out of numbers: go on without detection rather than with false order */
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

static struct SimtSync *sync_at(Simt *s, uintptr_t address) {
  if (!s->races.sync) s->races.sync = calloc(SYNC_BUCKETS, sizeof *s->races.sync);
  if (!s->races.sync) return NULL;
  struct SimtSync **p = &s->races.sync[(address >> 2) * 0x9e3779b1u % SYNC_BUCKETS];
  for (struct SimtSync *v = *p; v; v = v->next)
    if (v->address == address) return v;
  struct SimtSync *v = malloc(sizeof *v);
  if (!v) return NULL;
  *v = (struct SimtSync){.next = *p, .address = address};
  return *p = v;
}

void simt_observe_strong(Thread *t, uintptr_t address, int reads, int writes, int scope) {
  SimtActorMore *m = &t->more;
  if (t->simt->races.released && reads && scope != SIMT_SCOPE_BLOCK) simt_stream_seen(t->simt, address);
  if (!m->fenced[0] && !t->simt->races.sync) return; /* nobody has published anything */
  sweep(t->simt);
  struct SimtSync *v = sync_at(t->simt, address);
  if (!v) return;
  uint32_t block = t->warp->block->ordinal;
  if (v->block != block) v->known[0] = NULL, v->block = block; /* what another block kept to itself */
  for (int i = 0; i < 2; i++) {
    if (reads && v->known[i] && v->known[i] != m->taken[i]) { /* a loop that waits takes the same over and over */
      m->taken[i] = v->known[i];
      m->pending[i] = join(t->simt, m->pending[i], v->known[i]);
      t->actor.learnt = 1;
      t->warp->block->fences = 1; /* barriers pass it on: the fence may be another thread's */
    }
    if (writes) v->known[i] = reads ? join(t->simt, v->known[i], m->fenced[i]) : m->fenced[i];
  }
}

/* What this launch has published between blocks, a concurrent one may see. */
static void tell_released(Simt *s) {
  const SimtRaces *r = &s->races;
  size_t n = 0, i = 0;
  for (unsigned b = 0; r->sync && b < SYNC_BUCKETS; b++)
    for (const struct SimtSync *v = r->sync[b]; v; v = v->next) n += v->known[1] != NULL;
  uintptr_t *address = n ? malloc(n * sizeof *address) : NULL;
  if (!address) return;
  for (unsigned b = 0; b < SYNC_BUCKETS; b++)
    for (const struct SimtSync *v = r->sync[b]; v; v = v->next)
      if (v->known[1]) address[i++] = v->address;
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
