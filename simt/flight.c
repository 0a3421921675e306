/* flight.c - asynchronous copies: cp.async, memcpy_async, pipelines. See flight.h. */
#include "flight.h"
#include <stdlib.h>

const char simt_rule_async[] =
    "an asynchronous copy reads and writes at any time until it is waited for, and a barrier is no wait (PTX ISA, cp.async; CUDA C++ Programming Guide, Asynchronous Data Copies)";

/* ---- words ---- */

static uint32_t flight_seg(Thread *t) {
  Simt *s = t->simt;
  uint32_t block = (uint32_t)(t->warp->block - s->resident), chunk = SIMT_FLIGHT_CHUNK + block * SIMT_MAX_WARPS + t->warp->index;
  s->races.chunk[chunk - s->races.origin] = (SimtChunk){t->actor.uid | SIMT_FLIGHT_UID, t->warp->block->epoch};
  return chunk << 5 | (t->actor.seg & 31);
}

static Slot *object_of(Simt *s, uintptr_t at, uint32_t bytes) {
  Slot *o = bytes ? simt_slot_of(s, at) : NULL;
  uint64_t off = o ? at - o->base : 0;
  return o && off < o->size && o->size - off >= bytes ? o : NULL;
}

static void change(uint64_t *word, uint32_t from, uint32_t to) {
  if (word_seg(*word) == from) *word = (uint64_t)to << 32 | (uint32_t)*word;
}

/* Writes of segment `from` there are of segment `to` from now on. */
static void change_writes(Simt *s, uintptr_t at, uint32_t bytes, uint32_t from, uint32_t to) {
  Slot *o = object_of(s, at, bytes);
  if (!o) return;
  SimtShadow *sh = &o->shadow;
  uint64_t off = at - o->base;
  for (uint64_t b = off; b < off + bytes; b++) {
    if (sh->write[b / 4] & WORD_BYTES) change(byte_cell(sh, b).write, from, to);
    change(&sh->write[b / 4], from, to);
  }
}

/* Of the last write of byte `off`, as if each byte had a word of its own. */
static uint64_t write_of(const Slot *o, uint64_t off) {
  uint64_t w = o->shadow.write[off / 4];
  return w & WORD_BYTES ? o->shadow.bytes[off * 4] : w;
}

static uint64_t hash_writes(const Slot *o, uint64_t off, uint32_t bytes) {
  uint64_t h = 0;
  for (uint64_t b = off; b < off + bytes; b++) h = (h ^ write_of(o, b)) * 0x9e3779b97f4a7c15u;
  return h;
}

/* ---- landing ---- */

/* What has been read was written since. The youngest of these writes is the one to blame. */
static void report_overwritten(Thread *t, const SimtFlight *f, Slot *o) {
  Simt *s = t->simt;
  uint64_t off = f->from - o->base, last = 0;
  for (uint64_t b = off; b < off + f->from_bytes; b++)
    if (write_of(o, b) > last) last = write_of(o, b);
  const char *reason = simt_meant_reason(f->site, word_site(last));
  SimtClass cls = o->flags & SLOT_SHARED ? SIMT_RACE_SHARED : SIMT_RACE_GLOBAL;
  SimtFinding *found = simt_report(s, cls, reason ? SIMT_MEANT : SIMT_ERROR, f->site, word_site(last));
  if (!found) return;
  found->reason = reason;
  simt_where(&found->here, t, f->site, "asynchronous read");
  simt_word_where(s, &s->launch, &found->other, last, 1);
  found->rule = simt_rule_async;
  found->size_bytes = f->from_bytes;
  simt_object(s, found, o, off);
  simt_detail(found, "asynchronous copy from %s, which is written before the copy has been waited for", found->object);
}

/* t: the thread that waits, or the last one to arrive at the barrier. */
static void land(Thread *t, Thread *owner, const SimtFlight *f) {
  Simt *s = t->simt;
  change_writes(s, f->to, f->to_bytes, flight_seg(owner), t->actor.seg);
  Slot *o = object_of(s, f->from, f->from_bytes);
  if (!o) return;
  uint64_t off = f->from - o->base;
  if (hash_writes(o, off, f->from_bytes) != f->seen) report_overwritten(t, f, o);
  else simt_observe_access(t, o, off, f->from_bytes, 0, NULL, f->site);
}

static void take_out(Thread *owner, SimtFlight **at) {
  SimtFlight *f = *at;
  Simt *s = owner->simt;
  *at = f->next;
  f->next = s->spare_flights;
  s->spare_flights = f;
  owner->warp->block->n_flights--;
}

/* The thread's own, of groups before `group`. */
static void land_groups(Thread *t, uint32_t group) {
  for (SimtFlight **p = &t->flights; *p;) {
    if ((*p)->barrier || (*p)->group >= group) {
      p = &(*p)->next;
      continue;
    }
    land(t, t, *p);
    take_out(t, p);
  }
}

static int land_block(Thread *t, Block *b, const void *barrier) {
  int n = 0;
  for (uint32_t i = 0; b->n_flights && i < b->n_threads; i++) {
    Thread *owner = &b->threads[i];
    for (SimtFlight **p = &owner->flights; *p;) {
      if ((*p)->barrier != barrier) {
        p = &(*p)->next;
        continue;
      }
      land(t, owner, *p);
      take_out(owner, p);
      n++;
    }
  }
  return n;
}

void simt_flights_of_exit(Thread *t) { land_groups(t, ~0u); }

void simt_flights_drop(Block *b) {
  for (uint32_t i = 0; b->n_flights && i < b->n_threads; i++)
    for (Thread *t = &b->threads[i]; t->flights;) {
      change_writes(t->simt, t->flights->to, t->flights->to_bytes, flight_seg(t), t->actor.seg);
      take_out(t, &t->flights);
    }
}

void simt_flights_free(Simt *s) {
  for (SimtFlight *f = s->spare_flights, *next; f; f = next) next = f->next, free(f);
  s->spare_flights = NULL;
}

/* ---- operations ---- */

static SimtFlight *flight_new(Thread *t) {
  Simt *s = t->simt;
  SimtFlight *f = s->spare_flights, **end = &t->flights;
  if (f) s->spare_flights = f->next;
  else if (!(f = malloc(sizeof *f))) return NULL;
  while (*end) end = &(*end)->next;
  f->next = NULL;
  t->warp->block->n_flights++;
  return *end = f;
}

void simt_op_copy_begins(void *to, const void *from, uint32_t to_bytes, uint32_t from_bytes, const void *barrier, const SimtSite *site) {
  Thread *t = simt_current;
  if (!t || !(t->simt->detect & SIMT_DETECT_ALL)) return;
  SimtFlight *f = flight_new(t);
  if (!f) return;
  *f = (SimtFlight){.to = (uintptr_t)to, .from = (uintptr_t)from, .to_bytes = to_bytes, .from_bytes = from_bytes, .group = t->commits,
                    .barrier = barrier, .site = site};
  const Slot *o = object_of(t->simt, f->from, from_bytes);
  if (o) f->seen = hash_writes(o, f->from - o->base, from_bytes);
  change_writes(t->simt, f->to, to_bytes, t->actor.seg, flight_seg(t));
}

void simt_op_copies_commit(const SimtSite *site) {
  (void)site;
  if (simt_current) simt_current->commits++;
}

void simt_op_copies_wait(uint32_t groups_left, const SimtSite *site) {
  Thread *t = simt_current;
  (void)site;
  if (t && t->flights && t->commits >= groups_left) land_groups(t, t->commits - groups_left);
}

void simt_op_copies_bind(const void *barrier, const SimtSite *site) {
  Thread *t = simt_current;
  (void)site;
  for (SimtFlight *f = t ? t->flights : NULL; f; f = f->next)
    if (!f->barrier && f->group == t->commits) f->barrier = barrier;
}

void simt_op_copies_land(void *barrier, int scope, const SimtSite *site) {
  Thread *t = simt_current;
  int n = 0;
  (void)site;
  for (unsigned i = 0; t && i < t->simt->top; i++)
    if (t->simt->resident[i].active) n += land_block(t, &t->simt->resident[i], barrier);
  if (n) simt_observe_strong(t, &(SimtStrongAccess){(uintptr_t)barrier, 1, 1, scope, SIMT_RELEASE});
}
