/* lazy.c - buffers whose contents come when they are touched: of tensors larger than memory a few rows are accessed.
 *
 * A bit a chunk says whether its contents are there. Which chunks these are is listed too, so that nobody ever walks over a
 * whole buffer. A chunk that was touched in an earlier run keeps its memory, and is filled anew. */
#include "engine.h"
#include <stdlib.h>
#include <sys/mman.h>

typedef struct SimtLazy {
  SimtLazyBuffer of;
  uint64_t *bits; /* by chunk */
  size_t bits_bytes, n;
  uint64_t offset[SIMT_MAX_CHUNKS]; /* of the chunks touched */
} SimtLazy;

static void *map(size_t bytes) {
  void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return p == MAP_FAILED ? NULL : p;
}

/* Of a huge page only some bytes would be used. */
static void small_pages(const Slot *o) {
  madvise((void *)(o->base & ~(uintptr_t)4095), o->size + 4096, MADV_NOHUGEPAGE);
  madvise(o->shadow.write, o->shadow.map_bytes, MADV_NOHUGEPAGE);
}

static SimtLazy *lazy_create(const SimtLazyBuffer *b) {
  SimtLazy *l = map(sizeof *l); /* most of the list is never used */
  if (!l) return NULL;
  l->of = *b;
  l->bits_bytes = (b->bytes / SIMT_CHUNK_BYTES / 64 + 1) * sizeof *l->bits;
  l->bits = map(l->bits_bytes);
  if (l->bits) return l;
  munmap(l, sizeof *l);
  return NULL;
}

int simt_alloc_lazy(Simt *s, const SimtLazyBuffer *b, void **out) {
  unsigned i = SIMT_FIRST_LAZY;
  while (i < SIMT_END_LAZY && s->slots[i].base) i++;
  Slot *o = &s->slots[i];
  if (i == SIMT_END_LAZY || simt_slot_map(s, i, b->name, b->bytes, b->base_offset_bytes, b->flags & SIMT_BUF_INIT)) return -1;
  o->lazy = lazy_create(b);
  if (!o->lazy) {
    simt_slot_unmap(o);
    return -1;
  }
  small_pages(o);
  *out = (void *)o->base;
  return 0;
}

void simt_lazy_free(Slot *o) {
  SimtLazy *l = o->lazy;
  o->lazy = NULL;
  if (!l) return;
  munmap(l->bits, l->bits_bytes);
  munmap(l, sizeof *l);
}

uint64_t simt_expected_bytes(const Slot *o) { return o->lazy ? o->lazy->of.expected_bytes : o->size; }

uint64_t simt_lazy_touched(const Slot *o) { return o->lazy->n; }

static int fill_chunk(Slot *o, uint64_t chunk) {
  SimtLazy *l = o->lazy;
  uint64_t off = chunk * SIMT_CHUNK_BYTES, left = o->size - off;
  if (l->n == SIMT_MAX_CHUNKS) return -1;
  l->bits[chunk / 64] |= 1ull << chunk % 64;
  l->offset[l->n++] = off;
  l->of.fill(l->of.ctx, off, left < SIMT_CHUNK_BYTES ? left : SIMT_CHUNK_BYTES, (void *)(o->base + off));
  return 0;
}

int simt_lazy_touch(Slot *o, uint64_t off, uint64_t bytes) {
  if (!bytes) return 0;
  for (uint64_t c = off / SIMT_CHUNK_BYTES; c <= (off + bytes - 1) / SIMT_CHUNK_BYTES; c++)
    if (!(o->lazy->bits[c / 64] >> c % 64 & 1) && fill_chunk(o, c)) return -1;
  return 0;
}

void simt_refresh(Simt *s, void *p) {
  SimtLazy *l = simt_slot_of(s, (uintptr_t)p)->lazy;
  for (size_t i = 0; i < l->n; i++) l->bits[l->offset[i] / SIMT_CHUNK_BYTES / 64] = 0;
  l->n = 0;
}

int simt_touch(Simt *s, void *q, size_t bytes) {
  Slot *o = simt_slot_of(s, (uintptr_t)q);
  return simt_lazy_touch(o, (uintptr_t)q - o->base, bytes);
}

const uint64_t *simt_touched(Simt *s, const void *p, size_t *n) {
  const SimtLazy *l = simt_slot_of(s, (uintptr_t)p)->lazy;
  *n = l->n;
  return l->offset;
}
