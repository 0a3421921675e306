/* footprint.c - what an operation has accessed, and whether that conflicts with what concurrent ones have.
 *
 * Behind an operation its accesses are read off the shadow words: no other one's are as new. Of each granule, or byte of one, the last
 * access of each kind is kept (read or write, plain or strong); operations of one stream are added up, the later over the earlier. Of an
 * access that a later one of its kind and stream has covered nothing is lost: what is concurrent with the first is concurrent with the
 * second, since it was issued after both. */
#include "streams.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_TOUCHES = 1 << 21, FIRST_BUFFER = SIMT_MAX_RESIDENT };

static const char rule_streams[] =
    "operations in different streams are concurrent unless an event, a synchronisation or the legacy default stream orders them (CUDA C++ Programming Guide, Streams; CUDA Runtime API, Stream Synchronization Behavior)";

/* ---- taking ---- */

static void add_word(SimtTouch *t, uint64_t word, unsigned writes, uint32_t from) {
  if (word_seg(word) < from) return;
  unsigned kind = writes | (word & (WORD_STRONG | WORD_VOLATILE) ? TOUCH_STRONG : 0);
  if (word_seg(t->word[kind]) <= word_seg(word)) t->word[kind] = word;
}

static void add_cell(SimtTouch *t, Cell c, uint32_t from) {
  uint64_t r = *c.read;
  add_word(t, *c.write, TOUCH_WRITE, from);
  add_word(t, r, TOUCH_READ, from);
  if (word_seg(r) < from || !(r & WORD_MORE)) return;
  add_word(t, *c.far, *c.far & WORD_COVERED ? TOUCH_WRITE : TOUCH_READ, from);
  add_word(t, *c.near, TOUCH_READ, from);
}

static int is_empty(const SimtTouch *t) { return !(t->word[0] | t->word[1] | t->word[2] | t->word[3]); }

static int put(SimtFootprint *f, const SimtTouch *t) {
  if (f->n == f->room) {
    size_t room = f->room ? 2 * f->room : 256;
    SimtTouch *p = f->n < MAX_TOUCHES ? realloc(f->touch, room * sizeof *p) : NULL;
    if (!p) return -1;
    f->touch = p;
    f->room = room;
  }
  f->touch[f->n++] = *t;
  return 0;
}

static int take_part(const Slot *o, uint64_t off, Cell c, unsigned part, uint32_t from, SimtFootprint *out) {
  SimtTouch t = {.at = o->base + off / 4 * 4, .part = (uint8_t)part};
  uint64_t n = part ? 1 : o->size - off < 4 ? o->size - off : 4;
  add_cell(&t, c, from);
  if (is_empty(&t)) return 0;
  memcpy(&t.value, (const void *)(o->base + off), n);
  return put(out, &t);
}

static int take_granules(const Slot *o, uint64_t g, uint64_t end, uint32_t from, SimtFootprint *out) {
  const SimtShadow *sh = &o->shadow;
  for (; g < end; g++) {
    uint64_t w = sh->write[g];
    if (word_seg(w) < from && word_seg(sh->read[g]) < from) continue;
    if (!(w & WORD_BYTES)) {
      if (take_part(o, g * 4, granule_cell(sh, g), 0, from, out)) return -1;
      continue;
    }
    for (uint64_t b = g * 4; b < g * 4 + 4 && b < o->size; b++)
      if (take_part(o, b, byte_cell(sh, b), 1 + (unsigned)(b % 4), from, out)) return -1;
  }
  return 0;
}

static int ascending(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

/* Of a lazy buffer, the chunks that somebody has touched. */
static int take_lazy(Simt *s, const Slot *o, uint32_t from, SimtFootprint *out) {
  size_t n;
  int rc = 0;
  const uint64_t *touched = simt_touched(s, (const void *)o->base, &n);
  uint64_t *offset = malloc((n + 1) * sizeof *offset);
  if (!offset) return -1;
  memcpy(offset, touched, n * sizeof *offset);
  qsort(offset, n, sizeof *offset, ascending);
  for (size_t i = 0; i < n && !rc; i++) {
    uint64_t end = offset[i] + SIMT_CHUNK_BYTES < o->size ? offset[i] + SIMT_CHUNK_BYTES : o->size;
    rc = take_granules(o, offset[i] / 4, (end + 3) / 4, from, out);
  }
  free(offset);
  return rc;
}

void simt_footprint_take(Simt *s, uint32_t from_chunk, SimtFootprint *out) {
  uint32_t from = from_chunk << 5;
  for (unsigned i = FIRST_BUFFER; i < SIMT_SLOTS; i++) {
    const Slot *o = &s->slots[i];
    if (!o->base || !o->size) continue;
    if (o->lazy ? take_lazy(s, o, from, out) : take_granules(o, 0, (o->size + 3) / 4, from, out)) return;
  }
}

/* ---- adding ---- */

static int order_of(const SimtTouch *a, const SimtTouch *b) {
  if (a->at != b->at) return a->at < b->at ? -1 : 1;
  return (a->part > b->part) - (a->part < b->part);
}

static SimtTouch both(const SimtTouch *first, const SimtTouch *later) {
  SimtTouch t = *first;
  for (unsigned k = 0; k < TOUCH_KINDS; k++)
    if (later->word[k]) t.word[k] = later->word[k];
  if (later->word[TOUCH_WRITE] | later->word[TOUCH_WRITE | TOUCH_STRONG]) t.value = later->value;
  return t;
}

void simt_footprint_add(SimtFootprint *to, const SimtFootprint *later) {
  SimtFootprint sum = {0};
  size_t i = 0, k = 0;
  int rc = 0;
  while (!rc && (i < to->n || k < later->n)) {
    int order = i == to->n ? 1 : k == later->n ? -1 : order_of(&to->touch[i], &later->touch[k]);
    SimtTouch t = order < 0 ? to->touch[i] : order > 0 ? later->touch[k] : both(&to->touch[i], &later->touch[k]);
    i += order <= 0;
    k += order >= 0;
    rc = put(&sum, &t);
  }
  simt_footprint_drop(to);
  *to = sum;
}

void simt_footprint_drop(SimtFootprint *f) {
  free(f->touch);
  *f = (SimtFootprint){0};
}

/* ---- judging ---- */

static const char *stream_name(const Simt *s, const SimtOperation *op, char *buf, size_t size) {
  const SimtStream *k = &s->streams->stream[op->stream];
  if (!op->stream) return "the default stream";
  snprintf(buf, size, "%s stream %u", k->blocking ? "blocking" : "non-blocking", op->stream);
  return buf;
}

/* "launch 3 in blocking stream 1" */
static const char *operation_name(const Simt *s, const SimtOperation *op, char *buf, size_t size) {
  char stream[40];
  const char *in = stream_name(s, op, stream, sizeof stream);
  if (op->launch.kernel) snprintf(buf, size, "launch %llu in %s", (unsigned long long)op->launches, in);
  else snprintf(buf, size, "that in %s", in);
  return buf;
}

static void describe(Simt *s, SimtFinding *f, const SimtTouch *t, const SimtOperation *me, const SimtOperation *old, int same) {
  char mine[64], others[64];
  Slot *o = simt_slot_of(s, t->at);
  f->size_bytes = t->part ? 1 : 4;
  simt_object(s, f, o, t->at - o->base + (t->part ? t->part - 1u : 0));
  simt_detail(f, "%s of %s, %s, is concurrent with the %s, %s%s", f->here.access, f->object, operation_name(s, me, mine, sizeof mine),
              f->other.access, operation_name(s, old, others, sizeof others), same ? " (both leave the same value)" : "");
}

/* mine and theirs: of one granule or byte, or one of a granule and the other of a byte in it. */
static void conflict(Simt *s, const SimtTouch *mine, unsigned my_kind, const SimtTouch *theirs, unsigned kind) {
  uint64_t word = mine->word[my_kind], old_word = theirs->word[kind];
  const SimtOperation *me = simt_operation_of(s, word_seg(word)), *old = simt_operation_of(s, word_seg(old_word));
  if (simt_stream_ordered(s, old, word_seg(word))) return;
  int plain = !(my_kind & kind & TOUCH_STRONG);
  const char *rule = plain ? rule_streams : simt_conflict_rule(word, old_word, 0);
  if (!rule) return;
  int same = my_kind & kind & TOUCH_WRITE && mine->part == theirs->part && mine->value == theirs->value;
  const SimtSite *site = simt_call_of(&me->launch, word_site(word)), *old_site = simt_call_of(&old->launch, word_site(old_word));
  const char *reason = simt_meant_reason(site, old_site);
  SimtSeverity severity = reason ? SIMT_MEANT : same ? SIMT_WARNING : SIMT_ERROR;
  SimtFinding *f = simt_report_of(s, me->launch.kernel ? me->launch.kernel : old->launch.kernel, SIMT_RACE_GLOBAL, severity,
                                  site, old_site);
  if (!f) return;
  f->reason = reason;
  f->rule = rule;
  simt_word_where(s, &me->launch, &f->here, word, my_kind & TOUCH_WRITE);
  simt_word_where(s, &old->launch, &f->other, old_word, kind & TOUCH_WRITE);
  f->here.launch = simt_issued(&me->launch);
  f->other.launch = simt_issued(&old->launch);
  describe(s, f, mine->part ? mine : theirs, me, old, same);
}

static void judge_pair(Simt *s, const SimtTouch *mine, const SimtTouch *theirs) {
  if (mine->part && theirs->part && mine->part != theirs->part) return;
  for (unsigned i = 0; i < TOUCH_KINDS; i++)
    for (unsigned k = 0; mine->word[i] && k < TOUCH_KINDS; k++)
      if (theirs->word[k] && (i | k) & TOUCH_WRITE) conflict(s, mine, i, theirs, k);
}

static size_t end_of_granule(const SimtFootprint *f, size_t i) {
  uintptr_t at = f->touch[i].at;
  while (i < f->n && f->touch[i].at == at) i++;
  return i;
}

void simt_footprint_judge(Simt *s, const SimtFootprint *mine, const SimtFootprint *old) {
  for (size_t i = 0, k = 0; i < mine->n && k < old->n;) {
    uintptr_t a = mine->touch[i].at, b = old->touch[k].at;
    size_t i_end = end_of_granule(mine, i), k_end = end_of_granule(old, k);
    if (a == b)
      for (size_t x = i; x < i_end; x++)
        for (size_t y = k; y < k_end; y++) judge_pair(s, &mine->touch[x], &old->touch[y]);
    if (a <= b) i = i_end;
    if (b <= a) k = k_end;
  }
}
