/* access.c - the callbacks in front of every access: is the address good, is it aligned, and on to the detectors. */
#include "heap.h"
#include "races_quick.h"
#include "runtime_errors.h"
#include <string.h>

Slot simt_no_slots[SIMT_SLOTS]; /* what the host sees */

extern char __executable_start[], end[]; /* by the linker: where globals of the program lie */

static char scratch[4096] __attribute__((aligned(256))); /* where accesses that must not happen go; never read back */

static const char rule_extent[] = "accesses must stay within the object (CUDA C++ Programming Guide, Memory; compute-sanitizer memcheck)";
static const char rule_aligned[] =
    "the address must be a multiple of the type's alignment (CUDA C++ Programming Guide, Size and Alignment Requirement)";

static int is_global(uintptr_t a, uint64_t bytes) { return a >= (uintptr_t)__executable_start && a + bytes <= (uintptr_t)end; }

extern char __start_simt_managed[] __attribute__((weak)), __stop_simt_managed[] __attribute__((weak));

/* A global that is the host's: managed ones are for both, and kernels get the address of others from the engine, so this one came out of host
 * code. */
static int is_host_global(uintptr_t a) {
  uint64_t off;
  if (a >= (uintptr_t)__start_simt_managed && a < (uintptr_t)__stop_simt_managed) return 0;
  return simt_variable_at((const void *)a, &off) != NULL;
}

static void *harmless(uint64_t bytes, int is_write) {
  if (bytes > sizeof scratch) return NULL; /* the caller abandons */
  if (!is_write) memset(scratch, 0, bytes);
  return scratch;
}

static const char rule_own_shared[] =
    "an address in shared memory is good in its own block only, while that block runs (CUDA C++ Programming Guide, Variable Memory Space Specifiers)";

/* Shared memory of another block, or of one that ran in this place before: the pointer came from there. */
static inline int is_foreign(const Thread *t, const Slot *o) {
  return __builtin_expect(o->flags & SLOT_SHARED, 0) && o != t->warp->block->shared;
}

static void describe_foreign(Simt *s, SimtFinding *f, const Slot *o) {
  const Block *b = &s->resident[o - s->slots];
  f->rule = rule_own_shared;
  f->object = "shared memory of another block";
  if (b->active)
    simt_detail(f, "%s of %u bytes in the shared memory of block (%u,%u,%u)", f->here.access, f->size_bytes, b->idx[0], b->idx[1], b->idx[2]);
  else
    simt_detail(f, "%s of %u bytes in the shared memory of a block that has ended", f->here.access, f->size_bytes);
}

/* Where a device would stop: not at what lies beside an object, which is mapped as well. */
enum { MAPPED_BYTES = 32 << 20 };

/* In words, what is at an address in no object; and an object of its own out of those that share a slot. */
static void describe_nowhere(Simt *s, SimtFinding *f, const Slot *o, const void *p) {
  const Allocation *a = o && o->flags & SLOT_PACKED ? simt_heap_nearest(s, (uintptr_t)p) : NULL;
  char what[200];
  if (a && !simt_heap_gone(s, (uintptr_t)p)) {
    const Slot one = {.base = a->base, .size = a->bytes, .name = a->name};
    simt_outside(s, f, &one, (int64_t)((uintptr_t)p - a->base));
    return;
  }
  simt_describe_address(s, p, what, sizeof what);
  simt_detail(f, "%s of %u bytes at %s", f->here.access, f->size_bytes, what);
}

static int is_beside(const Slot *o, uintptr_t p) {
  return o && o->base && p - (o->base - MAPPED_BYTES) < o->size + 2ull * MAPPED_BYTES;
}

/* Out of every object, over the edge of one, or in one that is not the thread's to use. */
SIMT_ON_FIBER static void *bad_address(Thread *t, Slot *o, void *p, uint64_t bytes, int is_write, const SimtSite *site) {
  Simt *s = t->simt;
  SimtClass cls = o && o->flags & SLOT_SHARED ? SIMT_OOB_SHARED : SIMT_OOB_GLOBAL;
  SimtFinding *f = simt_was_wrapped(s, p) ? NULL : simt_report(s, cls, SIMT_ERROR, site, NULL);
  if (f) {
    simt_where(&f->here, t, site, is_write ? "write" : "read");
    f->rule = rule_extent;
    f->size_bytes = (uint32_t)bytes;
    if (o && is_foreign(t, o))
      describe_foreign(s, f, o);
    else if (o && o->base && !(o->flags & SLOT_PACKED) && !simt_heap_gone(s, (uintptr_t)p))
      simt_outside(s, f, o, (int64_t)((uintptr_t)p - o->base));
    else
      describe_nowhere(s, f, o, p);
  }
  if (cls == SIMT_OOB_GLOBAL && (simt_heap_gone(s, (uintptr_t)p) || !is_beside(o, (uintptr_t)p))) simt_broke(s, CUDA_ILLEGAL_ADDRESS);
  void *q = harmless(bytes, is_write);
  if (!q) simt_abandon_block(t);
  return q;
}

static void *misaligned(Thread *t, Slot *o, void *p, uint64_t bytes, int is_write, const SimtSite *site) {
  SimtFinding *f = simt_report(t->simt, SIMT_MISALIGNED, SIMT_ERROR, site, NULL);
  if (f) {
    simt_where(&f->here, t, site, is_write ? "write" : "read");
    f->rule = rule_aligned;
    f->size_bytes = (uint32_t)bytes;
    simt_object(t->simt, f, o, (uintptr_t)p - o->base);
    simt_detail(f, "%s of a type aligned to %u bytes, address is %u past a multiple", f->here.access,
                1u << (site->align_log2 & SIMT_SITE_ALIGN_MASK),
                (unsigned)((uintptr_t)p & ((1u << (site->align_log2 & SIMT_SITE_ALIGN_MASK)) - 1)));
  }
  simt_broke(t->simt, CUDA_MISALIGNED_ADDRESS);
  return p; /* x86 can do it */
}

void simt_distant_misplaced(void *p, void *variable, uint32_t align_bytes, uint32_t is_write, const SimtSite *site) {
  Thread *t = simt_current;
  if (!t || (uintptr_t)p - (uintptr_t)scratch < sizeof scratch) return; /* outside as well, which has been reported */
  SimtFinding *f = simt_report(t->simt, SIMT_MISALIGNED, SIMT_ERROR, site, NULL);
  if (f) {
    simt_where(&f->here, t, site, is_write ? "write" : "read");
    f->rule = rule_aligned;
    simt_local_object(f, (char *)p - (char *)variable);
    simt_detail(f, "%s of a type aligned to %u bytes at byte %lld of %s", f->here.access, align_bytes, (long long)f->offset_bytes, f->object);
  }
  simt_broke(t->simt, CUDA_MISALIGNED_ADDRESS);
}

/* Through a pointer that does not show which local array it is meant for: the guards around them do. */
SIMT_ON_FIBER static void *outside_local(Thread *t, uint64_t bytes, int is_write, const SimtSite *site) {
  SimtFinding *f = simt_report(t->simt, SIMT_OOB_LOCAL, SIMT_ERROR, site, NULL);
  if (f) {
    simt_where(&f->here, t, site, is_write ? "write" : "read");
    f->rule = rule_extent;
    f->size_bytes = (uint32_t)bytes;
    f->object = "local array";
    simt_detail(f, "%s of %llu bytes before the start or past the end of a local array", f->here.access, (unsigned long long)bytes);
  }
  void *q = harmless(bytes, is_write);
  if (!q) simt_abandon_block(t);
  return q;
}

static void volatile_access(Thread *t, uintptr_t a, int is_write) {
  simt_observe_strong(t, &(SimtStrongAccess){a, !is_write, is_write, SIMT_SCOPE_SYSTEM, SIMT_RELAXED});
}

/* Not in the device address space: the thread's own locals, the program's globals, or nonsense. Strong accesses to globals
 * (tickets and flags in __device__ variables) order threads like any other. */
static void *elsewhere(Thread *t, void *p, uint64_t bytes, int is_write, const SimtSite *site) {
  uintptr_t a = (uintptr_t)p;
  if (a >= t->stack_lo && a + bytes <= t->stack_hi) return simt_in_guard(t, a, bytes) ? outside_local(t, bytes, is_write, site) : p;
  if (simt_heap_registered(t->simt, a, bytes)) return p;
  if (!is_global(a, bytes) || (t->simt->program && is_host_global(a))) return bad_address(t, NULL, p, bytes, is_write, site);
  if (t->simt->detect && site->align_log2 & SIMT_SITE_VOLATILE) volatile_access(t, a, is_write);
  return p;
}

/* A volatile store may be what others wait for: what comes in front of it and what comes behind are two steps. */
static void let_others(Thread *t, int is_write, const SimtSite *site) {
  if (site->align_log2 & SIMT_SITE_POLL) simt_give_way(simt_active, SIMT_POLL_STEPS);
  if (is_write && site->align_log2 & SIMT_SITE_VOLATILE) simt_spend(t, site);
}

/* Inside the object's extent; and in shared memory, the thread's own block's, and not between two variables. */
static int is_inside(const Thread *t, const Slot *o, uint64_t off, uint64_t bytes) {
  if (off >= o->size || o->size - off < bytes) return 0;
  if (o->flags & SLOT_PACKED) return simt_heap_inside(t->simt, o->base + off, bytes);
  return !(o->flags & SLOT_SHARED) || !(is_foreign(t, o) || simt_in_gap(t->simt->launch.kernel->module, off, bytes));
}

/* Too much of a lazy buffer is touched: there is no verdict. */
SIMT_ON_FIBER static __attribute__((noinline)) void fetch(Thread *t, Slot *o, uint64_t off, uint64_t bytes) {
  if (!simt_lazy_touch(o, off, bytes)) return;
  t->simt->holes = NULL;
  simt_abort_launch(t);
}

static inline void materialise(Thread *t, Slot *o, uint64_t off, uint64_t bytes) {
  if (__builtin_expect(o->lazy != NULL, 0)) fetch(t, o, off, bytes);
}

static void *access(void *p, uint64_t bytes, int is_write, const void *value, const SimtSite *site) {
  Thread *t = simt_current;
  if (!t) return p;
  Simt *s = t->simt;
  let_others(t, is_write, site);
  Slot *slot = simt_slot_of(s, (uintptr_t)p);
  if (!slot) return elsewhere(t, p, bytes, is_write, site);
  uint64_t off = (uintptr_t)p - slot->base;
  if (!is_inside(t, slot, off, bytes)) return bad_address(t, slot, p, bytes, is_write, site);
  materialise(t, slot, off, bytes);
  simt_hot.trace += (off | 1) * ((uintptr_t)site + t->actor.index);
  unsigned flags = site->align_log2;
  if ((uintptr_t)p & ((1u << (flags & SIMT_SITE_ALIGN_MASK)) - 1)) misaligned(t, slot, p, bytes, is_write, site);
  if (!(s->detect & SIMT_DETECT_ALL)) return p;
  unsigned kind = (is_write ? SIMT_ACCESS_WRITE : 0u) | (flags & SIMT_SITE_VOLATILE ? SIMT_ACCESS_VOLATILE : 0u);
  if (flags & (SIMT_SITE_POLL | SIMT_SITE_USE)) simt_observe_look(t, slot, off);
  simt_observe_access(t, slot, off, (uint32_t)bytes, kind, value, site);
  if (kind & SIMT_ACCESS_VOLATILE) volatile_access(t, (uintptr_t)p, is_write);
  return p;
}

/* An access of a launcher, or of a whole program's host code. */
static void *on_host(void *p, uint64_t bytes, unsigned how, const SimtSite *site) {
  simt_host_access(p, bytes, how, site);
  return p;
}

/* The short way: a plain aligned scalar inside an object, and nobody else in its shadow words. Everything else takes the
 * long one, as a tail call, so that this needs no stack frame. */
static __attribute__((noinline)) void *long_load(void *p, uint64_t bytes, const SimtSite *site) {
  return simt_current ? access(p, bytes, 0, NULL, site) : on_host(p, bytes, 0, site);
}

static __attribute__((noinline)) void *long_store(void *p, uint64_t value, uint64_t bytes, const SimtSite *site) {
  return simt_current ? access(p, bytes, 1, &value, site) : on_host(p, bytes, SIMT_HOST_WRITES, site);
}

static inline uint64_t rotate_right(uint64_t v, unsigned n) { return v >> n | v << (-n & 63); }

/* Addresses of a context's space hold the slot's number in the same bits; any other address is outside of the slot that
 * these bits of it name. An offset that is no multiple of a granule becomes a huge number. */
static inline __attribute__((always_inline)) int is_quick(void *p, uint32_t bytes, int is_write, const SimtSite *site) {
  Slot *slot = &simt_hot.slots[(uintptr_t)p >> SIMT_SLOT_BITS & (SIMT_SLOTS - 1)];
  uint64_t off = (uintptr_t)p - slot->base;
  if (bytes < 4) return !simt_hot.detect && off / 4 + 2 < slot->quick && !((uintptr_t)p & (bytes - 1));
  uint64_t g = rotate_right(off, 2);
  if (bytes == 8) { /* what the first half has noted does no harm when the second half takes the long way with it */
    if (g >= slot->quick || g + 1 >= slot->quick || (uintptr_t)p & 7) return 0;
    return !simt_hot.detect || (simt_observe_quick(simt_current, slot, g, is_write, site) && simt_observe_quick(simt_current, slot, g + 1, is_write, site));
  }
  if (__builtin_expect(g >= slot->quick, 0)) return 0;
  return !simt_hot.detect || simt_observe_quick(simt_current, slot, g, is_write, site);
}

#define PLAIN(bytes)                                                              \
  void *simt_load_##bytes(void *p, const SimtSite *s) {                           \
    return is_quick(p, bytes, 0, s) ? p : long_load(p, bytes, s);                 \
  }                                                                               \
  void *simt_store_##bytes(void *p, uint64_t v, const SimtSite *s) {              \
    return is_quick(p, bytes, 1, s) ? p : long_store(p, v, bytes, s);             \
  }
PLAIN(1)
PLAIN(2)
PLAIN(8)

/* From fiber.S: what simt_access.h leaves. */
void simt_distant_load_4(void *p, const SimtSite *s) { simt_hot.address = is_quick(p, 4, 0, s) ? p : long_load(p, 4, s); }
void simt_distant_store_4(void *p, uint64_t v, const SimtSite *s) { simt_hot.address = is_quick(p, 4, 1, s) ? p : long_store(p, v, 4, s); }

static void *general(void *p, uint64_t bytes, int is_write, const void *value, const SimtSite *site) {
  if (!bytes) return p;
  if (!simt_current) return on_host(p, bytes, is_write ? SIMT_HOST_WRITES : 0, site);
  return access(p, bytes, is_write, value, site);
}

void *simt_load_n(void *p, uint64_t bytes, const SimtSite *s) { return general(p, bytes, 0, NULL, s); }
void *simt_load_class(void *p, uint64_t bytes, const SimtHoles *holes, const SimtSite *s) {
  if (!simt_current) return on_host(p, bytes, 0, s);
  Simt *simt = simt_current->simt;
  simt->holes = holes;
  simt->holes_at = (uintptr_t)p;
  void *q = access(p, bytes, 0, NULL, s);
  simt->holes = NULL;
  return q;
}
void *simt_store_n(void *p, const void *v, uint64_t bytes, const SimtSite *s) { return general(p, bytes, 1, v, s); }
void *simt_store_bits(void *p, uint64_t v, uint64_t bytes, const SimtSite *s) { return general(p, bytes, 1, &v, s); }

static void *atomic_global(Thread *t, void *p, uint32_t bytes, const SimtStrongAccess *a, const SimtSite *site) {
  if (t->simt->detect && is_global((uintptr_t)p, bytes)) simt_observe_strong(t, a);
  return elsewhere(t, p, bytes, a->writes, site);
}

/* The same atomic operation again and again finds what it found before: the thread may wait for another one, whatever the loop looks like. Or it does
 * not (a minimum of many values, most of which change nothing), so that costs it nothing but its turn. */
static void asks_again(Thread *t, const void *p, uint32_t bytes, const SimtSite *site) {
  enum { ARBITRARY_PATIENCE = 8 };
  uint64_t v = 0;
  memcpy(&v, p, bytes < sizeof v ? bytes : sizeof v);
  t->asked = t->asked_at == site && t->asked_of == p && t->answer == v ? t->asked + 1 : 0;
  if (t->asked >= ARBITRARY_PATIENCE) simt_give_way(t->simt, 0);
  t->asked_at = site;
  t->asked_of = p;
  t->answer = v;
}

void *simt_op_atomic_ordered(void *p, uint32_t bytes, int scope, int kind, int order, const SimtSite *site) {
  Thread *t = simt_current;
  if (!t) return on_host(p, bytes, SIMT_HOST_STRONG | (kind != SIMT_STRONG_LOAD ? SIMT_HOST_WRITES : 0), site);
  Simt *s = t->simt;
  if (order != SIMT_RELAXED && scope != SIMT_SCOPE_BLOCK) simt_blocks_talk(s);
  simt_spend(t, site);
  let_others(t, 0, site);
  SimtStrongAccess a = {(uintptr_t)p, kind != SIMT_STRONG_STORE, kind != SIMT_STRONG_LOAD, scope, order};
  Slot *o = simt_slot_of(s, (uintptr_t)p);
  if (!o) return atomic_global(t, p, bytes, &a, site);
  uint64_t off = (uintptr_t)p - o->base;
  if (!is_inside(t, o, off, bytes)) return bad_address(t, o, p, bytes, a.writes, site);
  materialise(t, o, off, bytes);
  simt_hot.trace += (off | 1) * ((uintptr_t)site + t->actor.index);
  if ((uintptr_t)p & (bytes - 1)) misaligned(t, o, p, bytes, a.writes, site);
  if (a.reads) asks_again(t, p, bytes, site);
  if (!s->detect) return p;
  unsigned strong = SIMT_ACCESS_STRONG | (scope == SIMT_SCOPE_BLOCK ? SIMT_ACCESS_BLOCK_SCOPE : 0u);
  if (a.reads) {
    simt_observe_look(t, o, off);
    simt_observe_access(t, o, off, bytes, strong, NULL, site);
  }
  if (a.writes) simt_observe_access(t, o, off, bytes, strong | SIMT_ACCESS_WRITE, NULL, site);
  simt_observe_strong(t, &a);
  return p;
}

void *simt_op_atomic(void *p, uint32_t bytes, int scope, int kind, const SimtSite *site) {
  return simt_op_atomic_ordered(p, bytes, scope, kind, SIMT_RELAXED, site);
}

/* Local arrays live on the fiber's stack: an access outside would hit other locals, or another thread. */
SIMT_ON_FIBER void *simt_local(void *p, void *base, uint64_t size, uint64_t bytes, uint32_t writes, const SimtSite *site) {
  Thread *t = simt_current;
  uint64_t off = (uint64_t)((char *)p - (char *)base);
  if (__builtin_expect((off < size && size - off >= bytes) || !bytes || !t, 1)) return p;
  SimtFinding *f = simt_was_wrapped(t->simt, p) ? NULL : simt_report(t->simt, SIMT_OOB_LOCAL, SIMT_ERROR, site, NULL);
  if (f) {
    simt_where(&f->here, t, site, writes ? "write" : "read");
    f->rule = rule_extent;
    f->size_bytes = (uint32_t)bytes;
    simt_outside_local(f, (int64_t)off, size);
  }
  void *q = harmless(bytes, (int)writes);
  if (!q) simt_abandon_block(t);
  return q;
}

SIMT_ON_FIBER void *simt_constant(void *p, void *base, uint64_t size, uint64_t bytes, const char *name, const SimtSite *site) {
  Thread *t = simt_current;
  uint64_t off = (uint64_t)((char *)p - (char *)base);
  if (__builtin_expect((off < size && size - off >= bytes) || !bytes || !t, 1)) return p;
  Slot o = {.base = (uintptr_t)base, .size = size, .name = name};
  return bad_address(t, &o, p, bytes, 0, site);
}

SIMT_ON_FIBER void simt_enter(const SimtSite *site) {
  Thread *t = simt_current;
  char here;
  if (!t || (uintptr_t)&here > t->stack_lo + SIMT_STACK_RESERVE_BYTES) return;
  SimtFinding *f = simt_report(t->simt, SIMT_STACK_OVERFLOW, SIMT_ERROR, site, NULL);
  if (f) {
    simt_where(&f->here, t, site, "call");
    f->rule = "a thread's call stack is limited (CUDA C++ Programming Guide, cudaLimitStackSize)";
    simt_detail(f, "call depth exceeds the stack of a thread");
  }
  simt_broke(t->simt, CUDA_ILLEGAL_ADDRESS);
  simt_abandon_block(t);
}

void simt_distant_divide(uint32_t by_zero, const SimtSite *site) {
  Thread *t = simt_current;
  if (!by_zero) return;
  if (!t) {
    simt_host_divides(site, "integer division by zero");
    return;
  }
  SimtFinding *f = simt_report(t->simt, SIMT_INT_DIVISION, SIMT_ERROR, site, NULL);
  if (!f) return;
  simt_where(&f->here, t, site, "division");
  f->rule = "integer division by zero has no defined value (PTX ISA, div)";
  simt_detail(f, "integer division by zero");
}
