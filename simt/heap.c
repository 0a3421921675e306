/* heap.c - what the runtime's allocation functions give out. */
#include "heap.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
  FIRST_SLOT = SIMT_MAX_RESIDENT,
  PACKED_SLOT = SIMT_END_LAZY + 63, /* those behind it are for variables */
  PACKED_ALIGN_BYTES = 512, /* and as much between two at least */
  STEP_BYTES = 64 << 10,    /* objects in one slot begin at multiples of it */
  LARGE_BYTES = 8 << 20     /* such an object is mostly used from one end to the other */
};
#define SHIFT_LIMIT_BYTES (1ull << (SIMT_SLOT_BITS - 4))

static struct SimtHeap *heap_of(Simt *s) {
  if (!s->heap) s->heap = calloc(1, sizeof *s->heap);
  if (s->heap && !s->heap->next_slot) s->heap->next_slot = FIRST_SLOT;
  return s->heap;
}

/* ---- names ---- */

static const char *name_of(struct SimtHeap *h, const char *call, const SimtSite *site) {
  for (size_t i = 0; i < h->n_names; i++)
    if (h->name[i].call == call && h->name[i].site == site) return h->name[i].text;
  if (h->n_names == h->name_room) {
    size_t room = h->name_room ? 2 * h->name_room : 16;
    HeapName *p = realloc(h->name, room * sizeof *p);
    if (!p) return call;
    h->name = p;
    h->name_room = room;
  }
  enum { TEXT_BYTES = 192 };
  char where[96], *text = malloc(TEXT_BYTES);
  const char *variable = simt_place_variable();
  if (!text) return call;
  simt_site_text(site, where, sizeof where);
  snprintf(text, TEXT_BYTES, "%s%s%s%s%s%s", variable ? variable : "", variable ? " (" : "", call, site ? " at " : "", where, variable ? ")" : "");
  h->name[h->n_names++] = (HeapName){call, site, text};
  return text;
}

/* ---- the list ---- */

static size_t first_above(const struct SimtHeap *h, uintptr_t p) {
  size_t lo = 0, hi = h->n_live;
  while (lo < hi) {
    size_t mid = lo + (hi - lo) / 2;
    if (h->live[mid].base <= p) lo = mid + 1;
    else hi = mid;
  }
  return lo;
}

Allocation *simt_heap_find(Simt *s, uintptr_t p) {
  struct SimtHeap *h = s->heap;
  size_t i = h ? first_above(h, p) : 0;
  return i && p - h->live[i - 1].base < h->live[i - 1].bytes ? &h->live[i - 1] : NULL;
}

int simt_heap_inside(Simt *s, uintptr_t p, uint64_t bytes) {
  const Allocation *a = simt_heap_find(s, p);
  return a && a->bytes - (p - a->base) >= bytes;
}

static Allocation *insert(struct SimtHeap *h, const Allocation *a) {
  if (h->n_live == h->live_room) {
    size_t room = h->live_room ? 2 * h->live_room : 32;
    Allocation *p = realloc(h->live, room * sizeof *p);
    if (!p) return NULL;
    h->live = p;
    h->live_room = room;
  }
  size_t i = first_above(h, a->base);
  memmove(&h->live[i + 1], &h->live[i], (h->n_live++ - i) * sizeof *a);
  h->live[i] = *a;
  return &h->live[i];
}

static int is_packed(const Simt *s, uintptr_t p) { return (p - s->base) >> SIMT_SLOT_BITS == PACKED_SLOT; }

/* Of two neighbours, the one that a bad address is closer to. */
const Allocation *simt_heap_nearest(Simt *s, uintptr_t p) {
  struct SimtHeap *h = s->heap;
  size_t i = h ? first_above(h, p) : 0;
  const Allocation *below = i && is_packed(s, h->live[i - 1].base) ? &h->live[i - 1] : NULL;
  const Allocation *above = h && i < h->n_live && is_packed(s, h->live[i].base) ? &h->live[i] : NULL;
  if (!below || !above) return below ? below : above;
  return above->base - p < p - (below->base + below->bytes - 1) ? above : below;
}

const Allocation *simt_heap_gone(Simt *s, uintptr_t p) {
  const struct SimtHeap *h = s->heap;
  size_t n = !h ? 0 : h->n_gone < HEAP_REMEMBERED ? h->n_gone : HEAP_REMEMBERED;
  for (size_t i = 1; i <= n; i++) {
    const Allocation *a = &h->gone[(h->n_gone - i) % HEAP_REMEMBERED];
    if (p - a->base < a->bytes) return a;
  }
  return NULL;
}

/* ---- allocating ---- */

/* Round and round, so that a slot that was given back rests as long as it can. */
static unsigned free_slot(const Simt *s) {
  unsigned n = PACKED_SLOT - FIRST_SLOT;
  for (unsigned k = 0; k < n; k++) {
    unsigned i = FIRST_SLOT + (s->heap->next_slot - FIRST_SLOT + k) % n;
    if (!s->slots[i].base) return i;
  }
  return PACKED_SLOT;
}

static uint32_t slot_flags(HeapKind kind) { /* what host code writes to is not seen everywhere: it counts as written */
  return kind == HEAP_DEVICE ? SLOT_HEAP : SLOT_HEAP | SLOT_HOST | SIMT_BUF_INIT;
}

static uintptr_t alloc_slot(Simt *s, unsigned i, HeapKind kind, uint64_t bytes, const char *name) {
  struct SimtHeap *h = s->heap;
  if (simt_slot_map(s, i, name, bytes, 0, slot_flags(kind))) return 0;
  s->slots[i].base += h->shift[i];
  h->shift[i] += (bytes + STEP_BYTES) / STEP_BYTES * STEP_BYTES;
  if (h->shift[i] > SHIFT_LIMIT_BYTES) h->shift[i] = 0;
  h->next_slot = i + 1 < PACKED_SLOT ? i + 1 : FIRST_SLOT;
  if (bytes >= LARGE_BYTES) simt_slot_large_pages(&s->slots[i]);
  return s->slots[i].base;
}

/* In the slot that many share. Nobody knows what host code does there: what it may touch counts as written by allocation, by its kind. */
static uintptr_t alloc_packed(Simt *s, uint64_t bytes) {
  struct SimtHeap *h = s->heap;
  Slot *o = &s->slots[PACKED_SLOT];
  uint64_t room = (bytes + 2 * PACKED_ALIGN_BYTES - 1) / PACKED_ALIGN_BYTES * PACKED_ALIGN_BYTES;
  if (!o->base && simt_slot_map(s, PACKED_SLOT, "memory of the runtime's", simt_largest_buffer(), 0, SLOT_HEAP | SLOT_HOST | SLOT_PACKED))
    return 0;
  if (room > simt_largest_buffer() - h->packed_bytes) return 0;
  h->packed_bytes += room;
  o->size = h->packed_bytes; /* nobody looks further */
  return o->base + h->packed_bytes - room;
}

int simt_heap_alloc(Simt *s, HeapKind kind, uint64_t bytes, const char *call, const SimtSite *site, Allocation **out) {
  struct SimtHeap *h = heap_of(s);
  if (!h || bytes > simt_largest_buffer()) return -1;
  Allocation a = {.bytes = bytes, .kind = kind, .call = call, .site = site, .name = name_of(h, call, site)};
  unsigned i = free_slot(s);
  a.base = i < PACKED_SLOT ? alloc_slot(s, i, kind, bytes, a.name) : alloc_packed(s, bytes);
  *out = a.base ? insert(h, &a) : NULL;
  if (!*out) return -1;
  Slot *o = simt_slot_of(s, a.base);
  if (i == PACKED_SLOT && kind != HEAP_DEVICE) simt_mark_host(o, a.base - o->base, bytes, simt_host_segment(s, SIMT_HOST_SETS), site, 1);
  if (kind != HEAP_HOST) h->bytes_in_use += bytes;
  return 0;
}

/* Nothing is allocated there again. */
static void give_pages_back(const Allocation *a) {
  enum { PAGE_BYTES = 4096 };
  uintptr_t first = (a->base + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES, end = (a->base + a->bytes) / PAGE_BYTES * PAGE_BYTES;
  if (first < end) madvise((void *)first, end - first, MADV_DONTNEED);
}

void simt_heap_free(Simt *s, Allocation *a, const SimtSite *site) {
  struct SimtHeap *h = s->heap;
  Slot *o = simt_slot_of(s, a->base);
  Allocation *gone = &h->gone[h->n_gone++ % HEAP_REMEMBERED];
  *gone = *a;
  gone->freed = site;
  if (a->kind != HEAP_HOST) h->bytes_in_use -= a->bytes;
  size_t i = (size_t)(a - h->live);
  memmove(a, a + 1, (--h->n_live - i) * sizeof *a);
  if (o->flags & SLOT_PACKED) give_pages_back(gone);
  else simt_slot_unmap(o);
}

void simt_heap_clear(Simt *s) {
  struct SimtHeap *h = s->heap;
  while (h && h->n_live) simt_heap_free(s, &h->live[h->n_live - 1], NULL);
  if (h) h->n_registered = 0;
}

void simt_heap_destroy(Simt *s) {
  struct SimtHeap *h = s->heap;
  if (!h) return;
  for (size_t i = 0; i < h->n_names; i++) free(h->name[i].text);
  free(h->name);
  free(h->live);
  free(h->registered);
  free(h);
  s->heap = NULL;
}

/* ---- the host's own memory ---- */

const Registered *simt_heap_registered(Simt *s, uintptr_t p, uint64_t bytes) {
  const struct SimtHeap *h = s->heap;
  for (size_t i = 0; h && i < h->n_registered; i++) {
    const Registered *r = &h->registered[i];
    if (p >= r->base && p - r->base < r->bytes && r->bytes - (p - r->base) >= bytes) return r;
  }
  return NULL;
}

int simt_heap_register(Simt *s, uintptr_t p, uint64_t bytes, uint32_t flags) {
  struct SimtHeap *h = heap_of(s);
  if (!h) return -1;
  if (h->n_registered == h->registered_room) {
    size_t room = h->registered_room ? 2 * h->registered_room : 8;
    Registered *r = realloc(h->registered, room * sizeof *r);
    if (!r) return -1;
    h->registered = r;
    h->registered_room = room;
  }
  h->registered[h->n_registered++] = (Registered){p, bytes, flags};
  return 0;
}

int simt_heap_unregister(Simt *s, uintptr_t p) {
  struct SimtHeap *h = s->heap;
  for (size_t i = 0; h && i < h->n_registered; i++) {
    if (h->registered[i].base != p) continue;
    h->registered[i] = h->registered[--h->n_registered];
    return 0;
  }
  return -1;
}

/* ---- what was never freed ---- */

static const char rule_leak[] = "what cudaMalloc() and its kin return is to be freed (CUDA Runtime API, Memory Management; compute-sanitizer --leak-check)";

/* Of the allocations made at one place; those before `first` are of other places. */
static void report_leak(Simt *s, size_t first) {
  const struct SimtHeap *h = s->heap;
  const Allocation *a = &h->live[first];
  uint64_t n = 0, bytes = 0;
  for (size_t i = first; i < h->n_live; i++)
    if (h->live[i].name == a->name) n++, bytes += h->live[i].bytes;
  SimtFinding *f = simt_report_of(s, NULL, SIMT_LAUNCH_ERROR, SIMT_WARNING, a->site, NULL);
  if (!f) return;
  if (a->site) f->here = simt_host_where(a->site, "host code");
  f->rule = rule_leak;
  f->object = a->name;
  f->count = n;
  simt_detail(f, "%llu allocation%s of %llu bytes by %s %s never freed", (unsigned long long)n, n == 1 ? "" : "s", (unsigned long long)bytes,
              a->call, n == 1 ? "was" : "were");
}

void simt_heap_report_leaks(Simt *s) {
  const struct SimtHeap *h = s->heap;
  for (size_t i = 0; h && i < h->n_live; i++) {
    size_t k = 0;
    while (h->live[k].name != h->live[i].name) k++;
    if (k == i) report_leak(s, i);
  }
}
