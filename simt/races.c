/* races.c - races (conflicting accesses without order) and reads of values nobody wrote.
 *
 * Per granule: the last write; one reader since; when there are more, one of another warp and one other lane of the same
 * warp. A write that is not ordered after one of them races. With barriers as the only order this finds a race on a
 * granule exactly when there is one: of two readers in different warps at most one can be excused by program order. */
#include "flight.h"
#include <string.h>
#include <sys/mman.h>

typedef struct Access {
  Thread *t;
  Slot *o;
  uint64_t off;   /* of this cell */
  uint32_t bytes; /* of the whole access */
  unsigned kind;
  const void *value; /* for this cell, or NULL */
  const SimtSite *site;
} Access;

static const char *access_name(unsigned flags, int write) {
  if (flags & WORD_STRONG) return "atomic";
  if (flags & WORD_VOLATILE) return write ? "volatile write" : "volatile read";
  return write ? "write" : "read";
}

void simt_word_where(const Simt *s, const Launch *l, SimtWhere *w, uint64_t word, int writes) {
  const SimtChunk *c = chunk_of(s, word_seg(word));
  memset(w, 0, sizeof *w);
  w->site = word_site(word);
  if (c->uid == SIMT_HOST_UID) {
    w->access = c->epoch == SIMT_HOST_COPIES ? "cudaMemcpy" : c->epoch == SIMT_HOST_BLAS ? "cuBLAS" : "cudaMemset";
    w->is_host = 1;
    return;
  }
  uint32_t uid = c->uid;
  w->epoch = c->epoch;
  w->access = access_name((unsigned)word, writes);
  if (simt_in_flight(word_seg(word))) {
    w->access = "asynchronous write";
    uid &= ~SIMT_FLIGHT_UID;
  }
  simt_block_index(s, l, uid >> 5, w->block);
  uint32_t t = (uid & 31) * SIMT_LANES + (word_seg(word) & 31);
  w->thread[0] = t % l->block[0];
  w->thread[1] = t / l->block[0] % l->block[1];
  w->thread[2] = t / l->block[0] / l->block[1];
  simt_where_issued(w, l);
}

static const char rule_plain[] =
    "two accesses of different threads, at least one a write, without happens-before order (PTX ISA, Memory Consistency Model, Data Races)";
static const char rule_warp[] =
    "lanes of one warp run independently: data passed between them needs __syncwarp(), volatile or not (CUDA C++ Programming Guide, Independent Thread Scheduling)";
static const char rule_scope[] =
    "atomics order each other only within their scope: block scope does not reach other blocks (PTX ISA, Memory Consistency Model, Scope)";

static const char rule_mixed[] =
    "atomic and volatile accesses of different widths do not exclude each other: they must overlap completely (PTX ISA, Memory Consistency Model, Morally Strong Operations)";

static const char rule_acquire[] =
    "the thread has seen the flag or counter that tells of the write, but needs a fence before it reads what was written (PTX ISA, Memory Consistency Model, Acquire Pattern)";

/* Strong accesses of one width may conflict. */
const char *simt_conflict_rule(uint64_t mine, uint64_t old, int same_block) {
  const uint64_t strong = WORD_STRONG | WORD_VOLATILE;
  if (!(mine & strong) || !(old & strong)) return rule_plain;
  if ((word_site(mine)->size_log2 ^ word_site(old)->size_log2) & SIMT_SITE_SIZE_MASK) return rule_mixed;
  return (mine | old) & WORD_BLOCK_SCOPE && !same_block ? rule_scope : NULL;
}

static const char rule_volatile[] =
    "volatile orders nothing: data passed through it between warps needs __syncthreads(), or __threadfence_block() before the flag that tells of it (CUDA C++ Programming Guide, Memory Fence Functions)";
static const char rule_fence[] =
    "volatile orders nothing: data passed through it between blocks needs __threadfence() before the flag or counter that tells of it (CUDA C++ Programming Guide, Memory Fence Functions; PTX ISA, Memory Consistency Model, Release Pattern)";

static int changes_nothing(const Access *a) {
  return a->kind & SIMT_ACCESS_WRITE && a->value && !memcmp((void *)(a->o->base + a->off), a->value, a->bytes < 4 ? a->bytes : 4);
}

/* Two volatile accesses of different threads: no data race to PTX, but no order either. What the reader does with the value decides. */
static const char *unordered_volatile(const Access *a, uint64_t old, int old_writes, uint32_t uid) {
  int writes = !!(a->kind & SIMT_ACCESS_WRITE);
  if (writes && old_writes) return NULL;
  unsigned use = (writes ? word_site(old) : a->site)->align_log2;
  if (use & SIMT_SITE_POLL || (use & SIMT_SITE_USE) == SIMT_SITE_CONTROL || (use & SIMT_SITE_USE) == SIMT_SITE_LOOKED_AT) return NULL;
  if (changes_nothing(a) || simt_almost_learnt(a->t, word_seg(old))) return NULL;
  if (uid == a->t->actor.uid) return rule_warp;
  return uid >> 5 == a->t->actor.uid >> 5 ? rule_volatile : rule_fence;
}

/* The same within a launch, where volatile accesses are less than atomic ones. Lanes of a warp that pass data through shared memory
 * rely on lock-step, by whatever they decide what to do with it. */
static const char *broken_rule(const Access *a, uint64_t old, int old_writes, uint32_t uid) {
  const char *rule = simt_conflict_rule(word_make(0, a->site, a->kind), old, uid >> 5 == a->t->actor.uid >> 5);
  if (rule || (a->kind | old) & WORD_STRONG) return rule;
  if (uid != a->t->actor.uid || !(a->o->flags & SLOT_SHARED)) return unordered_volatile(a, old, old_writes, uid);
  if (old_writes && changes_nothing(a)) return NULL;
  const SimtSite *reader = a->kind & SIMT_ACCESS_WRITE ? word_site(old) : a->site;
  int decides = (reader->align_log2 & SIMT_SITE_USE) == SIMT_SITE_CONTROL;
  return decides || reader->align_log2 & SIMT_SITE_POLL ? NULL : rule_warp;
}

/* Has one of the two blocks seen what another one wrote? */
static int has_been_told(const Access *a, uint64_t old) {
  const Simt *s = a->t->simt;
  uint32_t other = chunk_of(s, word_seg(old))->uid >> 5;
  int told = a->t->warp->block->told;
  for (unsigned i = 0; i < s->top && !told; i++) told = s->resident[i].ordinal == other && s->resident[i].told;
  return told;
}

/* Both threads read the word, compute with it and write it back: one of the two may be lost, and that nobody can have meant. */
static int is_lost_update(const Access *a, uint64_t old, int old_writes) {
  const SimtSite *other = word_site(old);
  const SimtSite *reader = a->kind & SIMT_ACCESS_WRITE ? other : a->site;
  int updates = a->site->size_log2 & other->size_log2 & SIMT_SITE_UPDATE;
  return updates && old_writes != !!(a->kind & SIMT_ACCESS_WRITE) && (reader->align_log2 & SIMT_SITE_USE) == SIMT_SITE_DATA;
}

/* Volatile data that the program may pass on purpose without order: between blocks, where iterations take what is there and union-find
 * chases parents that others change meanwhile; or compared as floats are, a minimum that is only to improve. */
static int may_be_meant(const Access *a, uint64_t old, int old_writes, const char *rule) {
  const SimtSite *reader = a->kind & SIMT_ACCESS_WRITE ? word_site(old) : a->site;
  if (rule == rule_fence) return !is_lost_update(a, old, old_writes);
  int may = rule == rule_volatile || (rule == rule_warp && !(a->o->flags & SLOT_SHARED));
  return may && (reader->align_log2 & SIMT_SITE_USE) == SIMT_SITE_COMPARED;
}

/* In words, what is missing, and where. */
static const char *remedy(const Access *a, uint64_t old, const char *rule, int old_writes) {
  if (rule == rule_volatile) return " (nothing orders them: a __syncthreads(), or a __threadfence_block() before a flag, is missing between them)";
  if (rule != rule_fence) return "";
  if (!has_been_told(a, old))
    return is_lost_update(a, old, old_writes) ? " (both blocks read it and write it back, and nothing keeps them apart: an update can be lost)"
                                              : " (volatile alone orders nothing between blocks)";
  return old_writes ? " (a __threadfence() behind that write is missing)" : " (a __threadfence() behind that read is missing)";
}

static void conflict(const Access *a, uint64_t old, int old_writes) {
  Simt *s = a->t->simt;
  uint32_t uid = chunk_of(s, word_seg(old))->uid;
  int writes = !!(a->kind & SIMT_ACCESS_WRITE);
  const char *rule = simt_in_flight(word_seg(old)) ? simt_rule_async : broken_rule(a, old, old_writes, uid);
  if (!rule) return;
  SimtClass cls = uid == a->t->actor.uid      ? SIMT_RACE_WARP
                  : a->o->flags & SLOT_SHARED ? SIMT_RACE_SHARED
                                              : SIMT_RACE_GLOBAL;
  uint32_t n = a->bytes < 4 ? a->bytes : 4;
  int same = old_writes && writes && rule != simt_rule_async && a->value && !memcmp((void *)(a->o->base + a->off), a->value, n);
  int late = rule == rule_plain && simt_almost_learnt(a->t, word_seg(old));
  const char *reason = simt_meant_reason(a->site, word_site(old));
  SimtSeverity severity = reason ? SIMT_MEANT : same || late || may_be_meant(a, old, old_writes, rule) ? SIMT_WARNING : SIMT_ERROR;
  SimtFinding *f = simt_report(s, cls, severity, a->site, word_site(old));
  if (!f) return;
  f->reason = reason;
  simt_where(&f->here, a->t, a->site, access_name(a->kind, writes));
  simt_word_where(s, &s->launch, &f->other, old, old_writes);
  f->rule = late ? rule_acquire : rule;
  f->size_bytes = a->bytes;
  simt_object(s, f, a->o, a->off);
  simt_detail(f, "%s of %s conflicts with the %s %s%s", f->here.access, f->object, f->other.access,
              rule == simt_rule_async ? "of a copy that has not been waited for" : "by another thread",
              same ? " (both write the same value)" : late ? " (only the reader's fence is missing)" : remedy(a, old, rule, old_writes));
}

void simt_observe_look(Thread *t, const Slot *o, uint64_t off) {
  Block *b = t->warp->block;
  const SimtShadow *sh = &o->shadow;
  uint64_t w = sh->write[off / 4];
  if (b->told || o->flags & SLOT_SHARED || word_seg(w) < o->floor_seg) return;
  b->told = chunk_of(t->simt, word_seg(w))->uid >> 5 != t->actor.uid >> 5;
}

static inline void check(const Access *a, uint64_t word, int writes) {
  uint32_t seg = word_seg(word);
  if (seg < a->o->floor_seg || seg == a->t->actor.seg || seg_ordered(a->t->simt, a->t, seg)) return;
  conflict(a, word, writes);
}

static int is_padding(const Simt *s, uintptr_t at) {
  const uint64_t off = at - s->holes_at;
  for (uint32_t i = 0; i < s->holes->n; i++)
    if (off >= s->holes->edge[2 * i] && off < s->holes->edge[2 * i + 1]) return 1;
  return 0;
}

/* Padding of an object that is copied becomes 0, so that it is alike in every run. 1: these n bytes are nothing else. */
static int clear_padding(const Simt *s, char *p, uint32_t n) {
  uint32_t cleared = 0;
  for (uint32_t i = 0; s->holes && i < n; i++)
    if (is_padding(s, (uintptr_t)p + i)) p[i] = 0, cleared++;
  return cleared == n;
}

/* Uninitialised: the value becomes the run's fill, a single byte the one of its place in a word, and the run is marked. The caller
 * judges by further fills. */
static void poison(const Access *a) {
  Simt *s = a->t->simt;
  uint32_t n = a->bytes < 4 ? a->bytes : 4;
  char *at = (char *)a->o->base + a->off;
  if (!(s->detect & SIMT_DETECT_UNINIT) || clear_padding(s, at, n)) return;
  SimtFinding *f;
  uint32_t fill = simt_poison(s, a->o->flags & SLOT_SHARED ? SIMT_UNINIT_SHARED : SIMT_UNINIT_GLOBAL, a->site, &f);
  memcpy(at, (const char *)&fill + a->off % 4, n); /* n: 1, or 4 at a multiple of 4 */
  clear_padding(s, at, n);
  if (!f) return;
  f->size_bytes = a->bytes;
  f->rule = "the contents of fresh shared memory and of unwritten buffers are undefined (CUDA C++ Programming Guide, __shared__)";
  simt_where_itself(&f->here, a->t, a->site, "read");
  simt_object(s, f, a->o, a->off);
  simt_detail(f, "reads %s where no thread has written", f->object);
}

static inline int never_written(const Access *a, uint64_t w) {
  if (a->o->flags & SIMT_BUF_INIT) return 0;
  return word_seg(w) < (a->o->flags & SLOT_SHARED ? a->o->floor_seg : a->t->simt->run_seg);
}

/* A further reader: kept where the writers to come can tell it from the first. */
static void another_reader(const Access *a, Cell c, uint64_t mine, uint64_t first) {
  const Simt *s = a->t->simt;
  uint64_t *at = chunk_of(s, word_seg(first))->uid == a->t->actor.uid ? c.near : c.far;
  uint32_t seg = word_seg(*at);
  if (!(first & WORD_MORE)) {
    *c.far = *c.near = 0;
    *c.read = first | WORD_MORE;
    seg = 0;
  }
  if (seg < a->o->floor_seg || seg_ordered(s, a->t, seg)) *at = mine;
}

int simt_observe_reader(Thread *t, Slot *o, uint64_t g, uint64_t mine) {
  Cell c = granule_cell(&o->shadow, g);
  uint64_t r = *c.read;
  uint32_t seg = word_seg(r);
  if (r & WORD_MORE && seg >= o->floor_seg && *c.far & WORD_COVERED) return 0;
  Access a = {.t = t, .o = o};
  if (seg == t->actor.seg) return 1;
  if (seg < o->floor_seg || seg_ordered(t->simt, t, seg)) *c.read = mine | (seg < o->floor_seg ? 0 : r & WORD_MORE);
  else another_reader(&a, c, mine, r);
  return 1;
}

static void on_read(const Access *a, Cell c) {
  uint64_t w = *c.write, r = *c.read, mine = word_make(a->t->actor.seg, a->site, a->kind);
  if (word_seg(w) >= a->o->floor_seg) check(a, w, 1);
  else if (never_written(a, w)) poison(a);
  if (r & WORD_MORE && word_seg(r) >= a->o->floor_seg && *c.far & WORD_COVERED) check(a, *c.far, 1);
  uint32_t seg = word_seg(r);
  if (seg == a->t->actor.seg) return;
  if (seg < a->o->floor_seg || seg_ordered(a->t->simt, a->t, seg)) *c.read = mine | (seg < a->o->floor_seg ? 0 : r & WORD_MORE);
  else another_reader(a, c, mine, r);
}

static inline int is_strong(uint64_t w) { return !!(w & WORD_STRONG); }

/* Which earlier write an atomic one on top must not make forgotten: a plain one first, since nobody but those ordered
 * behind it may touch the place, not even with atomics; then another thread's atomic, since a plain read conflicts with it. */
static uint64_t worth_keeping(const Access *a, uint64_t covered, uint64_t old) {
  uint32_t seg = word_seg(old);
  if (covered && !is_strong(covered)) return covered;
  if (seg < a->o->floor_seg) return covered;
  if (!is_strong(old)) return old;
  return seg == a->t->actor.seg || seg_ordered(a->t->simt, a->t, seg) ? covered : old;
}

static void on_write(const Access *a, Cell c) {
  uint64_t r = *c.read, old = *c.write, mine = word_make(a->t->actor.seg, a->site, a->kind), covered = 0;
  check(a, old, 1);
  if (word_seg(r) >= a->o->floor_seg) {
    check(a, r, 0);
    if (r & WORD_MORE) {
      if (*c.far & WORD_COVERED) covered = *c.far;
      else check(a, *c.far, 0);
      check(a, *c.near, 0);
    }
    *c.read = 0;
  }
  /* A plain write over atomics is how a ticket is reset by who drew the last one. */
  if (covered && (a->kind & WORD_STRONG || !is_strong(covered))) check(a, covered, 1);
  *c.write = mine;
  a->o->clean = 0;
  if (!(a->kind & WORD_STRONG) || !(covered = worth_keeping(a, covered, old))) return;
  *c.far = covered | WORD_COVERED; /* the thread itself is noted as a reader, as which it does no harm */
  *c.near = 0;
  *c.read = mine | WORD_MORE;
}

static inline void on_cell(const Access *a, Cell c) {
  if (a->kind & SIMT_ACCESS_WRITE) on_write(a, c);
  else on_read(a, c);
}

/* ---- granules accessed in parts ---- */

static int bytes_room(SimtShadow *sh) {
  if (sh->bytes) return 0;
  void *p = mmap(NULL, simt_shadow_parts_bytes(sh), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p == MAP_FAILED) return -1;
  sh->bytes = p;
  return 0;
}

/* What is known of the whole granule holds for each byte of it. */
static int split(Slot *o, uint64_t g, uint32_t floor) {
  SimtShadow *sh = &o->shadow;
  if (bytes_room(sh)) return -1;
  o->parts = 1;
  o->clean = 0;
  Cell whole = granule_cell(sh, g);
  int live = word_seg(*whole.read) >= floor;
  for (unsigned b = 0; b < 4; b++) {
    Cell c = byte_cell(sh, g * 4 + b);
    *c.write = *whole.write & ~(uint64_t)WORD_BYTES;
    *c.read = live ? *whole.read : 0;
    *c.far = *whole.far;
    *c.near = *whole.near;
  }
  *whole.write |= WORD_BYTES;
  return 0;
}

static void on_part(Access *a, uint64_t g, uint64_t from, uint64_t to) {
  SimtShadow *sh = &a->o->shadow;
  if (!(sh->write[g] & WORD_BYTES) && split(a->o, g, a->o->floor_seg)) return;
  Access one = *a;
  const char *value = a->value;
  for (uint64_t b = from; b < to; b++) {
    one.off = b;
    one.bytes = 1;
    one.value = value ? value + (b - a->off) : NULL;
    on_cell(&one, byte_cell(sh, b));
  }
  if (a->kind & SIMT_ACCESS_WRITE) sh->write[g] = word_make(a->t->actor.seg, a->site, a->kind) | WORD_BYTES;
  else sh->read[g] = word_make(a->t->actor.seg, a->site, a->kind); /* the granule's age; what counts is in the bytes */
}

/* Read, with some bytes written in this run and some not: to be told apart however long ago that was. */
static int is_patchy(const Access *a, uint64_t g) {
  const SimtShadow *sh = &a->o->shadow;
  uint32_t since = a->t->simt->run_seg;
  if (a->kind & SIMT_ACCESS_WRITE || a->o->flags & (SIMT_BUF_INIT | SLOT_SHARED) || word_seg(sh->write[g]) < since) return 0;
  for (unsigned b = 0; b < 4; b++)
    if (word_seg(sh->bytes[(g * 4 + b) * 4]) < since) return 1;
  return 0;
}

static void on_any(Access *a, uint64_t end) {
  SimtShadow *sh = &a->o->shadow;
  const char *value = a->value;
  uint64_t start = a->off;
  for (uint64_t at = start; at < end;) {
    uint64_t g = at / 4, stop = (g + 1) * 4 < end ? (g + 1) * 4 : end;
    a->off = at;
    a->value = value ? value + (at - start) : NULL;
    int whole = stop - at == 4;
    uint64_t w = sh->write[g];
    int old = word_seg(w) < a->o->floor_seg && word_seg(sh->read[g]) < a->o->floor_seg;
    if (w & WORD_BYTES && whole && old && !is_patchy(a, g)) sh->write[g] = w &= ~(uint64_t)WORD_BYTES; /* history need not be kept in parts */
    if (whole && !(w & WORD_BYTES)) on_cell(a, granule_cell(sh, g));
    else on_part(a, g, at, stop);
    at = stop;
  }
}

void simt_observe_access(Thread *t, Slot *o, uint64_t off, uint32_t bytes, unsigned kind, const void *value,
                         const SimtSite *site) {
  Access a = {t, o, off, bytes, kind, value, site};
  SimtShadow *sh = &o->shadow;
  if (bytes == 4 && !(off & 3) && !(sh->write[off / 4] & WORD_BYTES)) {
    on_cell(&a, granule_cell(sh, off / 4));
    return;
  }
  on_any(&a, off + bytes);
}

/* ---- the host's operations ---- */

uint32_t simt_host_segment(Simt *s, unsigned what) { return simt_observe_chunks(s, SIMT_HOST_UID, 1, what) << 5; }

static void mark_cell(Cell c, uint64_t word, int writes) {
  if (writes) *c.write = word;
  else *c.read = word;
}

void simt_mark_host(Slot *o, uint64_t off, uint64_t bytes, uint32_t seg, const SimtSite *site, int writes) {
  uint64_t word = word_make(seg, site, 0), end = off + bytes;
  SimtShadow *sh = &o->shadow;
  for (uint64_t at = off; at < end;) {
    uint64_t g = at / 4, stop = (g + 1) * 4 < end ? (g + 1) * 4 : end;
    if (stop - at == 4 && (writes || !(sh->write[g] & WORD_BYTES)))
      mark_cell(granule_cell(sh, g), word, writes);
    else {
      if (!(sh->write[g] & WORD_BYTES) && split(o, g, ~0u)) return;
      for (uint64_t b = at; b < stop; b++) mark_cell(byte_cell(sh, b), word, writes);
      if (writes) sh->write[g] = word | WORD_BYTES;
      else sh->read[g] = word;
    }
    at = stop;
  }
}

uint32_t simt_write_age(const Slot *o, uint64_t off) {
  const SimtShadow *sh = &o->shadow;
  uint64_t w = sh->write[off / 4];
  return word_seg(w & WORD_BYTES ? sh->bytes[off * 4] : w);
}

void simt_unwrite(Slot *o, uint64_t off) {
  SimtShadow *sh = &o->shadow;
  uint64_t g = off / 4;
  if (!sh->write[g] || (!(sh->write[g] & WORD_BYTES) && split(o, g, ~0u))) return;
  *byte_cell(sh, off).write = 0;
}

void simt_mark_unwritten(Simt *s, Slot *to, uint64_t to_off, const Slot *from, uint64_t from_off, uint64_t bytes) {
  SimtShadow *sh = &to->shadow;
  for (uint64_t i = 0; i < bytes;) {
    int whole = !((to_off + i) % 4) && !((from_off + i) % 4) && bytes - i >= 4 && !(from->shadow.write[(from_off + i) / 4] & WORD_BYTES);
    uint64_t g = (to_off + i) / 4, n = whole ? 4 : 1;
    if (simt_write_age(from, from_off + i) < s->run_seg) {
      if (whole) sh->write[g] = 0;
      else simt_unwrite(to, to_off + i);
    }
    i += n;
  }
}

void simt_observe_host_write(Simt *s, Slot *o, uint64_t off, uint64_t bytes, const SimtSite *site) {
  /* of no thread: below the first segment of the next launch */
  simt_mark_host(o, off, bytes, simt_host_segment(s, SIMT_HOST_SETS), site, 1);
}

int simt_last_write(Simt *s, const void *p, SimtWhere *out) {
  Slot *o = simt_slot_of(s, (uintptr_t)p);
  uint64_t off = o ? (uintptr_t)p - o->base : 0;
  memset(out, 0, sizeof *out);
  if (!o || off >= o->size) return 0;
  uint64_t w = o->shadow.write[off / 4];
  if (!word_site(w) || word_seg(w) < s->races.first_chunk << 5) return 0;
  if (chunk_of(s, word_seg(w))->uid == SIMT_HOST_UID) return 0;
  simt_word_where(s, &s->launch, out, w, 1);
  return 1;
}
