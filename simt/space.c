/* space.c - the device address space: one range of addresses, cut into slots of 32 GiB, an object each.
 *
 * The range is reserved without backing, so untouched memory costs nothing and an address far outside every object still
 * says by its slot which object it was computed from. */
#include "races.h"
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { ALIGN_BYTES = 256, FIRST_BUFFER = SIMT_MAX_RESIDENT, BIG_BYTES = 1 << 20 };
#define SPACE_BYTES ((size_t)SIMT_SLOTS << SIMT_SLOT_BITS)
/* The same addresses in every run; clear of AddressSanitizer's shadow. Further contexts follow. A multiple of the size, so
 * that bits of an address are the slot's number. */
#ifdef SIMT_VALGRIND
#define PREFERRED 0x080000000000u /* and below what valgrind can manage */
enum { MAX_CONTEXTS = 7 };
#else
#define PREFERRED 0x200000000000u
enum { MAX_CONTEXTS = 5 }; /* of 2^44 bytes each; what else a process maps lies above */
#endif
#define FRONT_BYTES (1ull << (SIMT_SLOT_BITS - 2)) /* small negative offsets stay in the slot: 2^31 elements of 4 bytes */
_Static_assert(PREFERRED % SPACE_BYTES == 0, "bits of an address are the slot's number");

static void *reserve(void *at, size_t bytes) {
  void *p = mmap(at, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return p == MAP_FAILED ? NULL : p;
}

int simt_space_create(Simt *s) {
  for (uintptr_t i = 0; i < MAX_CONTEXTS; i++) {
    uintptr_t at = PREFERRED + i * SPACE_BYTES;
    void *p = reserve((void *)at, SPACE_BYTES);
    if ((uintptr_t)p == at) {
      s->base = at;
      return 0;
    }
    if (p) munmap(p, SPACE_BYTES);
  }
  return -1;
}

static void shadow_free(SimtShadow *sh) {
  if (sh->write) munmap(sh->write, sh->map_bytes);
  if (sh->bytes) munmap(sh->bytes, simt_shadow_parts_bytes(sh));
  memset(sh, 0, sizeof *sh);
}

void simt_space_destroy(Simt *s) {
  for (unsigned i = 0; i < SIMT_SLOTS; i++) shadow_free(&s->slots[i].shadow);
  if (s->base) munmap((void *)s->base, SPACE_BYTES);
}

/* Room for the shadow of `bytes`. What is left in it is older than any floor, so it need not be cleared. */
static int shadow_room(SimtShadow *sh, uint64_t bytes) {
  uint64_t g = bytes / 4 + 2;
  if (g <= sh->granules) return 0;
  shadow_free(sh);
  g = (g + 4095) / 4096 * 4096 * 2;
  sh->map_bytes = g * 4 * sizeof(uint64_t);
  sh->write = reserve(NULL, sh->map_bytes);
  if (!sh->write) return -1;
  sh->read = sh->write + g;
  sh->read_far = sh->read + g;
  sh->read_near = sh->read_far + g;
  sh->granules = g;
  return 0;
}

/* What lies a round distance from an object, 64 GiB say, must not be an element of another. */
static uint64_t skew_bytes(unsigned slot) { return slot % 16 * (1ull << (SIMT_SLOT_BITS - 9)); }

/* Behind it nearly an eighth of the slot is left. */
uint64_t simt_largest_buffer(void) { return (1ull << SIMT_SLOT_BITS) / 8 * 5; }

int simt_slot_map(Simt *s, unsigned slot, const char *name, uint64_t bytes, uint64_t offset, uint32_t flags) {
  Slot *o = &s->slots[slot];
  if (bytes > simt_largest_buffer() || offset > ALIGN_BYTES || shadow_room(&o->shadow, bytes)) return -1;
  o->base = s->base + ((uintptr_t)slot << SIMT_SLOT_BITS) + FRONT_BYTES + skew_bytes(slot) + offset;
  o->size = bytes;
  o->flags = flags;
  o->quick = o->clean = 0;
  o->name = name;
  return 0;
}

static void set_gaps(Slot *o, const SimtModule *m, uint64_t word) {
  for (uint64_t off = 0; off < m->shared_bytes; off += 4)
    if (off % SIMT_SHARED_PAGE_BYTES + 4 > m->page_bytes[off / SIMT_SHARED_PAGE_BYTES]) o->shadow.write[off / 4] = word;
}

void simt_mark_gaps(Slot *o, const SimtModule *m) {
  if (o->shadow.gaps_of == m) return;
  if (o->shadow.gaps_of) set_gaps(o, o->shadow.gaps_of, 0);
  set_gaps(o, m, SIMT_SHADOW_GAP);
  o->shadow.gaps_of = m;
}

void simt_slot_large_pages(const Slot *o) {
  madvise((void *)(o->base & ~(uintptr_t)4095), o->size + 4096, MADV_HUGEPAGE);
  madvise(o->shadow.write, o->shadow.map_bytes, MADV_HUGEPAGE);
}

void simt_slot_clear(const Slot *o) {
  if (o->size < BIG_BYTES)
    memset((void *)o->base, 0, o->size);
  else
    madvise((void *)(o->base & ~(uintptr_t)4095), o->size + 4096, MADV_DONTNEED);
}

/* The next object of the heap's in this slot lies elsewhere, and nobody has written to it. */
static void forget_object(Slot *o) {
  madvise((void *)(o->base & ~(uintptr_t)4095), o->size + 4096, MADV_DONTNEED);
  memset(o->shadow.write, 0, (o->size + 3) / 4 * sizeof *o->shadow.write);
  o->parts = 0;
}

void simt_slot_unmap(Slot *o) {
  simt_lazy_free(o);
  if (o->size >= BIG_BYTES) {
    madvise((void *)(o->base & ~(uintptr_t)4095), o->size + 4096, MADV_DONTNEED);
    shadow_free(&o->shadow);
  } else if (o->base && o->flags & SLOT_HEAP)
    forget_object(o);
  o->base = 0;
  o->size = o->quick = 0;
  o->flags = 0;
}

int simt_alloc(Simt *s, const char *name, size_t bytes, size_t base_offset_bytes, unsigned flags, void **out) {
  unsigned i = FIRST_BUFFER;
  while (i < SIMT_FIRST_LAZY && s->slots[i].base) i++;
  if (i == SIMT_FIRST_LAZY || simt_slot_map(s, i, name, bytes, base_offset_bytes, flags & SIMT_BUF_INIT)) return -1;
  *out = (void *)s->slots[i].base;
  simt_slot_clear(&s->slots[i]);
  return 0;
}

void simt_free_all(Simt *s) {
  for (unsigned i = FIRST_BUFFER; i < SIMT_SLOTS; i++)
    if (!(s->slots[i].flags & SLOT_HEAP)) simt_slot_unmap(&s->slots[i]);
  s->n_variables = 0;
}

/* A granule kept in parts is as new as the last write to any of them: each byte must have been written. */
static int bytes_written(const SimtShadow *sh, uint64_t from, uint64_t to, uint32_t since) {
  for (uint64_t b = from; b < to; b++)
    if (word_seg(sh->bytes[b * 4]) < since) return 0;
  return 1;
}

static int written(const Slot *o, uint64_t off, size_t bytes, uint32_t since) {
  uint64_t end = off + bytes;
  for (uint64_t g = off / 4; g * 4 < end; g++) {
    uint64_t w = o->shadow.write[g], from = g * 4 < off ? off : g * 4, to = g * 4 + 4 < end ? g * 4 + 4 : end;
    if (word_seg(w) < since || (w & WORD_BYTES && !bytes_written(&o->shadow, from, to, since))) return 0;
  }
  return 1;
}

uint64_t simt_unwritten(Simt *s, const void *p, size_t elem_bytes, uint64_t n_elems, uint64_t *first) {
  Slot *o = simt_slot_of(s, (uintptr_t)p);
  uint64_t n = 0, off = o ? (uintptr_t)p - o->base : 0;
  *first = 0;
  if (!o) return 0;
  for (uint64_t i = 0; i < n_elems; i++) {
    if (written(o, off + i * elem_bytes, elem_bytes, s->run_seg)) continue;
    if (!n++) *first = i;
  }
  return n;
}

void simt_forget_slot(Slot *o) {
  SimtShadow *sh = &o->shadow;
  o->parts = 0;
  if (sh->write) madvise(sh->write, sh->map_bytes, MADV_DONTNEED);
  sh->gaps_of = NULL;
  if (sh->bytes) madvise(sh->bytes, simt_shadow_parts_bytes(sh), MADV_DONTNEED);
}

void simt_forget_shadow(Simt *s) {
  for (unsigned i = 0; i < SIMT_SLOTS; i++) simt_forget_slot(&s->slots[i]);
}
