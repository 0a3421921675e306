/* judge.c - launches of a program run again, to see whether values that nobody wrote matter. */
#include "judge.h"
#include "heap.h"
#include "races.h"
#include <stdlib.h>
#include <string.h>

typedef struct Region {
  char *at;              /* in the program */
  uint64_t bytes;
  char *before, *after;  /* copies; after NULL: not yet */
  uint8_t *unwritten;    /* a bit a byte, of those that nobody had written; NULL: all is written */
  Slot *slot;            /* NULL: memory of the host's that the device may use */
} Region;

typedef struct Seen { /* a kernel that has been launched */
  const SimtKernel *kernel;
  uint64_t launches;
  int wants_copy;
} Seen;

typedef struct Judged { /* a place at which such a value was read, and has been judged */
  const SimtSite *site;
  SimtClass cls;
} Judged;

typedef struct SimtJudge {
  Region *region;
  size_t n_regions, region_room;
  int have_copy;
  int comparable;        /* the same values leave the same memory: no clock is in it */
  unsigned n_variables;  /* that had a slot before the launch */
  Seen *seen;
  size_t n_seen, seen_room;
  Judged *judged;
  size_t n_judged, judged_room;
  /* to begin a launch as it began */
  uint64_t rng;
  uint32_t rotate;
  /* to end as it ended */
  SimtStats stats;
  SimtFinding *finding;
  size_t n_findings;
  int aborted, fault;
  Launch launch;
} SimtJudge;

extern char __start_simt_managed[] __attribute__((weak)), __stop_simt_managed[] __attribute__((weak));

/* Room for one more; NULL: no memory. */
static void *grow(void *p, size_t n, size_t *room, size_t elem_bytes) {
  if (n < *room) return p;
  size_t more = *room ? 2 * *room : 16;
  void *q = realloc(p, more * elem_bytes);
  if (q) *room = more;
  return q;
}

static SimtJudge *judge_of(Simt *s) {
  if (!s->judge) s->judge = calloc(1, sizeof *s->judge);
  return s->judge;
}

static void drop_copy(SimtJudge *j) {
  for (size_t i = 0; i < j->n_regions; i++) {
    free(j->region[i].before);
    free(j->region[i].after);
    free(j->region[i].unwritten);
  }
  j->n_regions = 0;
  j->have_copy = 0;
}

void simt_judge_destroy(Simt *s) {
  SimtJudge *j = s->judge;
  if (!j) return;
  drop_copy(j);
  free(j->region);
  free(j->seen);
  free(j->judged);
  free(j);
  s->judge = NULL;
}

/* ---- the copy before ---- */

static uint64_t all_bytes(const Simt *s) {
  uint64_t sum = (uint64_t)(__stop_simt_managed - __start_simt_managed);
  for (unsigned i = SIMT_MAX_RESIDENT; i < SIMT_SLOTS; i++)
    if (s->slots[i].base) sum += s->slots[i].size;
  for (size_t i = 0; s->heap && i < s->heap->n_registered; i++) sum += s->heap->registered[i].bytes;
  return sum;
}

static int note_unwritten(Simt *s, Region *r) {
  const Slot *o = r->slot;
  if (!o || o->flags & SIMT_BUF_INIT) return 0;
  r->unwritten = calloc(r->bytes / 8 + 1, 1);
  if (!r->unwritten) return -1;
  for (uint64_t i = 0; i < r->bytes; i++) {
    uint64_t w = o->shadow.write[i / 4];
    int is_whole = i % 4 == 0 && !(w & WORD_BYTES);
    if (is_whole && word_seg(w) < s->run_seg) r->unwritten[i / 8] |= (uint8_t)(15u << i % 8);
    else if (!is_whole && simt_write_age(o, i) < s->run_seg) r->unwritten[i / 8] |= (uint8_t)(1u << i % 8);
    i += is_whole ? 3 : 0;
  }
  return 0;
}

static int add_region(Simt *s, void *at, uint64_t bytes, Slot *o) {
  SimtJudge *j = s->judge;
  Region *all = grow(j->region, j->n_regions, &j->region_room, sizeof *all);
  if (!all) return -1;
  j->region = all;
  Region *r = &all[j->n_regions++];
  *r = (Region){.at = at, .bytes = bytes, .slot = o, .before = malloc(bytes + 1)};
  if (!r->before) return -1;
  memcpy(r->before, at, bytes);
  return note_unwritten(s, r);
}

static int copy_all(Simt *s) {
  for (unsigned i = SIMT_MAX_RESIDENT; i < SIMT_SLOTS; i++) {
    Slot *o = &s->slots[i];
    if (o->base && add_region(s, (void *)o->base, o->size, o)) return -1;
  }
  for (size_t i = 0; s->heap && i < s->heap->n_registered; i++)
    if (add_region(s, (void *)s->heap->registered[i].base, s->heap->registered[i].bytes, NULL)) return -1;
  uint64_t managed = (uint64_t)(__stop_simt_managed - __start_simt_managed);
  return managed ? add_region(s, __start_simt_managed, managed, NULL) : 0;
}

static Seen *seen(SimtJudge *j, const SimtKernel *k) {
  for (size_t i = 0; i < j->n_seen; i++)
    if (j->seen[i].kernel == k) return &j->seen[i];
  Seen *all = grow(j->seen, j->n_seen, &j->seen_room, sizeof *all);
  if (!all) return NULL;
  j->seen = all;
  all[j->n_seen] = (Seen){.kernel = k};
  return &all[j->n_seen++];
}

void simt_judge_before(Simt *s) {
  SimtJudge *j = s->program && s->run.detect & SIMT_DETECT_UNINIT ? judge_of(s) : NULL;
  Seen *k = j ? seen(j, s->launch.kernel) : NULL;
  if (!k) return;
  s->stats.poison_read = 0;
  j->rng = s->rng;
  j->rotate = s->rotate;
  j->n_variables = s->n_variables;
  if (++k->launches > SIMT_JUDGE_LAUNCHES && !k->wants_copy) return;
  if (all_bytes(s) > SIMT_JUDGE_BYTES) return;
  j->have_copy = !copy_all(s);
  if (!j->have_copy) drop_copy(j);
}

/* ---- again ---- */

static void restore_region(const Region *r) {
  memcpy(r->at, r->before, r->bytes);
  for (uint64_t k = 0; r->unwritten && k < (r->bytes + 7) / 8; k++)
    for (uint64_t i = k * 8; r->unwritten[k] && i < k * 8 + 8 && i < r->bytes; i++)
      if (r->unwritten[k] >> i % 8 & 1) simt_unwrite(r->slot, i);
}

/* Variables that the launch was the first to use are made anew when they are used again. */
static void forget_new_variables(Simt *s) {
  while (s->n_variables > s->judge->n_variables) simt_slot_unmap(&s->slots[SIMT_SLOTS - s->n_variables--]);
}

/* With `fill` in the place of what nobody wrote and was read at `site`; NULL: anywhere. The hash of what the launch did. */
static uint64_t again(Simt *s, uint32_t fill, const SimtSite *site) {
  SimtJudge *j = s->judge;
  for (size_t i = 0; i < j->n_regions; i++) restore_region(&j->region[i]);
  forget_new_variables(s);
  s->rng = j->rng;
  s->rotate = j->rotate;
  s->aborted = s->stats.abandoned = 0;
  s->wrapped = NULL;
  s->detect = s->run.detect | SIMT_TRACE;
  s->fill = fill;
  s->run.other_fill = s->run.fill;
  s->run.fill_site = site;
  simt_hot.trace = 0;
  uint64_t steps = s->stats.steps;
  simt_run_again(s);
  return simt_hot.trace + (s->stats.steps - steps) * 0x9e3779b97f4a7c15u;
}

static void keep_end(Simt *s) {
  SimtJudge *j = s->judge;
  j->stats = s->stats;
  j->n_findings = s->n_findings;
  j->aborted = s->aborted;
  j->fault = s->fault;
  j->launch = s->launch;
  j->finding = malloc(sizeof s->finding);
  if (j->finding) memcpy(j->finding, s->finding, sizeof s->finding);
  s->quiet = 1;
}

static void restore_end(Simt *s) {
  SimtJudge *j = s->judge;
  s->stats = j->stats;
  s->n_findings = j->n_findings;
  s->aborted = j->aborted;
  s->fault = j->fault;
  s->launch = j->launch;
  memcpy(s->finding, j->finding, sizeof s->finding);
  free(j->finding);
  j->finding = NULL;
  s->detect = s->run.detect;
  s->fill = s->run.fill;
  s->run.fill_site = NULL;
  for (size_t i = 0; i < j->n_regions; i++) memcpy(j->region[i].at, j->region[i].after, j->region[i].bytes);
  s->quiet = 0;
}

/* Variables that the launch was the first to use are regions from now on: their beginning is their image. */
static int keep_after(Simt *s) {
  SimtJudge *j = s->judge;
  for (unsigned i = j->n_variables; i < s->n_variables; i++) {
    Slot *o = &s->slots[SIMT_SLOTS - 1 - i];
    Region *all = grow(j->region, j->n_regions, &j->region_room, sizeof *all);
    if (!all) return -1;
    j->region = all;
    all[j->n_regions++] = (Region){.at = (char *)o->base, .bytes = 0, .slot = o};
  }
  for (size_t i = 0; i < j->n_regions; i++) {
    Region *r = &j->region[i];
    r->after = malloc(r->bytes + 1);
    if (!r->after) return -1;
    memcpy(r->after, r->at, r->bytes);
  }
  return 0;
}

/* ---- comparing ---- */

static int is_nan(uint32_t bits) { return (bits & 0x7fffffff) > 0x7f800000; }

/* Bytes that are written differ; devices give one NaN where others pass an operand's bits on, so NaNs are alike. */
static int differs(const Simt *s, const Region *r, uint64_t *at) {
  if (!memcmp(r->at, r->after, r->bytes)) return 0;
  for (uint64_t i = 0; i < r->bytes; i++) {
    uint32_t a, b;
    if (r->at[i] == r->after[i]) continue;
    if (r->slot && !(r->slot->flags & SIMT_BUF_INIT) && simt_write_age(r->slot, i) < s->run_seg) continue;
    uint64_t word = i / 4 * 4;
    if (word + 4 <= r->bytes) {
      memcpy(&a, r->at + word, 4);
      memcpy(&b, r->after + word, 4);
      if (is_nan(a) && is_nan(b)) continue;
    }
    *at = i;
    return 1;
  }
  return 0;
}

static const Region *first_difference(const Simt *s, uint64_t *at) {
  const SimtJudge *j = s->judge;
  for (size_t i = 0; i < j->n_regions; i++)
    if (differs(s, &j->region[i], at)) return &j->region[i];
  return NULL;
}

/* Do other bits change something? The region and byte that come out otherwise; NULL: a branch or an address does. */
static int matters(Simt *s, uint64_t trace, const SimtSite *site, const Region **where, uint64_t *at) {
  static const uint32_t fills[] = {0x7f61b1e6 /* 3e38f */, 0xff61b1e6, 0xffc0ffc0, 0x7bff7bff /* the largest half, twice */, 1};
  for (size_t k = 0; k < sizeof fills / sizeof fills[0]; k++) {
    uint64_t other = again(s, fills[k], site);
    int cut = s->stats.abandoned;
    *where = cut || s->judge->stats.abandoned || !s->judge->comparable ? NULL : first_difference(s, at);
    if (*where || other != trace || cut != s->judge->stats.abandoned) return 1;
  }
  return 0;
}

typedef struct Verdict {
  const SimtFinding *poison;
  const Region *where;
  uint64_t at;
} Verdict;

static void report(Simt *s, const Verdict *v) {
  SimtFinding *f = simt_report(s, v->poison->cls, SIMT_ERROR, v->poison->here.site, NULL);
  if (!f) return;
  uint64_t count = f->count;
  *f = *v->poison;
  f->count = count;
  simt_where_call(&f->here);
  char detail[sizeof f->detail];
  memcpy(detail, f->detail, sizeof detail);
  detail[100] = 0;
  if (v->where && v->where->slot) {
    const Slot *o = v->where->slot;
    SimtFinding named = {.here.access = ""};
    simt_object(s, &named, o, v->at);
    simt_detail(f, "%s; it changes byte %lld of %s", detail, (long long)named.offset_bytes, named.object);
  } else
    simt_detail(f, "%s; it %s", detail, v->where ? "changes what the host reads" : "decides a branch or an address");
}

/* ---- after a launch ---- */

static int is_judged(const SimtJudge *j, const SimtFinding *p) {
  for (size_t i = 0; i < j->n_judged; i++)
    if (j->judged[i].site == p->here.site && j->judged[i].cls == p->cls) return 1;
  return 0;
}

/* Those not judged yet, in front. */
static int new_ones(Simt *s) {
  int n = 0;
  for (int i = 0; i < s->stats.poison_read; i++)
    if (!is_judged(s->judge, &s->stats.poison[i])) s->stats.poison[n++] = s->stats.poison[i];
  return n;
}

static void note_judged(SimtJudge *j, const SimtFinding *p, int n) {
  for (int i = 0; i < n; i++) {
    Judged *all = grow(j->judged, j->n_judged, &j->judged_room, sizeof *all);
    if (!all) return;
    j->judged = all;
    all[j->n_judged++] = (Judged){p[i].here.site, p[i].cls};
  }
}

static void judge(Simt *s, int n) {
  SimtJudge *j = s->judge;
  Verdict v[SIMT_MAX_POISON] = {{NULL, NULL, 0}};
  uint64_t at = 0;
  const Region *where = NULL;
  int found = 0;
  keep_end(s);
  if (!j->finding) {
    s->quiet = 0;
    return;
  }
  const SimtFinding *p = j->stats.poison;
  uint64_t trace = again(s, s->run.fill, NULL);
  j->comparable = !first_difference(s, &at);
  int any = matters(s, trace, NULL, &where, &at);
  if (any && n == 1) v[found++] = (Verdict){&p[0], where, at};
  for (int i = 0; any && n > 1 && i < n; i++) {
    v[found] = (Verdict){.poison = &p[i]};
    found += matters(s, trace, p[i].here.site, &v[found].where, &v[found].at);
  }
  if (any && !found) v[found++] = (Verdict){&p[0], where, at};
  restore_end(s);
  for (int i = 0; i < found; i++) report(s, &v[i]);
}

void simt_judge_after(Simt *s) {
  SimtJudge *j = s->judge;
  int n = j && s->program && s->run.detect & SIMT_DETECT_UNINIT ? new_ones(s) : 0;
  if (n && j->have_copy && !keep_after(s)) {
    note_judged(j, s->stats.poison, n);
    judge(s, n);
  } else if (n) {
    Seen *k = seen(j, s->launch.kernel);
    if (k) k->wants_copy = 1;
    s->unjudged++;
  }
  if (j) drop_copy(j);
}
