/* corpus.c - features in a hash table (open addressing), entries in slots that are used again.
 *
 * A feature's number is 8 * counter + bucket + 1, situations come behind SITUATIONS. A counter's bucket is libFuzzer's:
 * 1, 2, 3, 4-7, 8-15, 16-31, 32-127, 128 and more. */
#include "corpus.h"
#include <stdlib.h>
#include <string.h>

#define SITUATIONS (UINT64_C(1) << 32) /* above every counter's features */

typedef struct Entry {
  uint64_t size;
  size_t owned; /* features */
  WfCase c;     /* packed, and so the last member */
} Entry;

typedef struct Feature {
  uint64_t number; /* 0: free */
  size_t slot;
} Feature;

struct WfCorpus {
  Feature *table; /* mask + 1 places, at most half of them used */
  size_t mask, n_features;
  Entry **slots; /* NULL: free */
  size_t n_slots, n_entries;
  uint64_t *reached; /* scratch of one offer */
  size_t reached_max;
};

uint64_t wf_case_size(const WfCase *c, const WfGeometry *g) {
  const uint64_t most_threads = 1u << 24;
  uint64_t elems = 0, threads = 1;
  for (int t = 0; t < c->op->n_tensors; t++) {
    int64_t n = wf_case_elems(c, t);
    if (n < 0 || n > INT32_MAX) n = INT32_MAX;
    elems += (uint64_t)n;
  }
  for (int i = 0; i < 3; i++) {
    uint64_t along = (uint64_t)g->grid[i] * g->block[i];
    threads *= along < most_threads ? along : most_threads;
    if (threads > most_threads) threads = most_threads;
  }
  if (elems > INT32_MAX) elems = INT32_MAX;
  return elems << 32 | threads << 7 | c->n_edits; /* 31 + 25 + 7 bits */
}

int wf_corpus_create(WfCorpus **out) {
  enum { FIRST_PLACES = 1024 };
  WfCorpus *c = calloc(1, sizeof *c);
  *out = c;
  if (!c) return -1;
  c->mask = FIRST_PLACES - 1;
  c->table = calloc(FIRST_PLACES, sizeof *c->table);
  if (c->table) return 0;
  wf_corpus_destroy(c);
  *out = NULL;
  return -1;
}

void wf_corpus_destroy(WfCorpus *c) {
  if (!c) return;
  for (size_t i = 0; i < c->n_slots; i++) free(c->slots[i]);
  free(c->slots);
  free(c->table);
  free(c->reached);
  free(c);
}

static Feature *lookup(Feature *table, size_t mask, uint64_t number) {
  size_t at = (size_t)((number * UINT64_C(0x9e3779b97f4a7c15)) >> 32) & mask;
  while (table[at].number && table[at].number != number) at = (at + 1) & mask;
  return &table[at];
}

/* Makes room for `more` features. */
static int reserve_features(WfCorpus *c, size_t more) {
  size_t places = c->mask + 1;
  while ((c->n_features + more) * 2 > places) places *= 2;
  if (places == c->mask + 1) return 0;
  Feature *table = calloc(places, sizeof *table);
  if (!table) return -1;
  for (size_t i = 0; i <= c->mask; i++)
    if (c->table[i].number) *lookup(table, places - 1, c->table[i].number) = c->table[i];
  free(c->table);
  c->table = table;
  c->mask = places - 1;
  return 0;
}

unsigned wf_corpus_bucket(uint8_t count) {
  if (count <= 3) return count - 1u;
  if (count <= 7) return 3;
  if (count <= 15) return 4;
  if (count <= 31) return 5;
  return count <= 127 ? 6 : 7;
}

/* Is any of the 8 counters from p on set? They are nearly all zero. */
static int any_of_8(const uint8_t *p) {
  uint64_t word;
  memcpy(&word, p, sizeof word);
  return word != 0;
}

/* Lists the features of one execution in c->reached. Returns their number, or -1. */
static int64_t list_features(WfCorpus *c, const uint8_t *counters, size_t n, uint32_t situations) {
  size_t used = 0, most = 32;
  for (size_t i = 0; i < n; i += 8)
    if (i + 8 > n || any_of_8(counters + i)) most += 8;
  if (most > c->reached_max) {
    uint64_t *more = realloc(c->reached, most * sizeof *more);
    if (!more) return -1;
    c->reached = more;
    c->reached_max = most;
  }
  for (size_t i = 0; i < n; i++) {
    if (i % 8 == 0 && i + 8 <= n && !any_of_8(counters + i)) i += 7;
    else if (counters[i]) c->reached[used++] = 8 * (uint64_t)i + wf_corpus_bucket(counters[i]) + 1;
  }
  for (unsigned i = 0; i < 32; i++)
    if (situations >> i & 1) c->reached[used++] = SITUATIONS + i;
  return (int64_t)used;
}

/* A free slot, or SIZE_MAX: no memory. */
static size_t free_slot(WfCorpus *c) {
  if (c->n_entries < c->n_slots)
    for (size_t i = 0; i < c->n_slots; i++)
      if (!c->slots[i]) return i;
  size_t n = c->n_slots ? 2 * c->n_slots : 16;
  Entry **slots = realloc(c->slots, n * sizeof *slots);
  if (!slots) return SIZE_MAX;
  memset(slots + c->n_slots, 0, (n - c->n_slots) * sizeof *slots);
  size_t at = c->n_slots;
  c->slots = slots;
  c->n_slots = n;
  return at;
}

static void disown(WfCorpus *c, size_t slot) {
  if (--c->slots[slot]->owned) return;
  free(c->slots[slot]);
  c->slots[slot] = NULL;
  c->n_entries--;
}

/* Gives the listed features that are new, or whose owner is larger, to the entry in `slot`. */
static int take_over(WfCorpus *c, size_t slot, size_t n_reached) {
  int n_new = 0;
  Entry *e = c->slots[slot];
  for (size_t i = 0; i < n_reached; i++) {
    Feature *f = lookup(c->table, c->mask, c->reached[i]);
    if (f->number && c->slots[f->slot]->size <= e->size) continue;
    if (f->number)
      disown(c, f->slot);
    else
      n_new++;
    *f = (Feature){c->reached[i], slot};
    e->owned++;
  }
  c->n_features += (size_t)n_new;
  return n_new;
}

/* Would the case own anything? Most do not, and are not copied. */
static int wanted(const WfCorpus *c, uint64_t size, size_t n_reached) {
  for (size_t i = 0; i < n_reached; i++) {
    const Feature *f = lookup(c->table, c->mask, c->reached[i]);
    if (!f->number || c->slots[f->slot]->size > size) return 1;
  }
  return 0;
}

int wf_corpus_offer(WfCorpus *c, const WfCase *kase, uint64_t size, const uint8_t *counters, size_t n,
                    uint32_t situations) {
  int64_t n_reached = list_features(c, counters, n, situations);
  if (n_reached < 0) return -1;
  if (!wanted(c, size, (size_t)n_reached)) return 0;
  if (reserve_features(c, (size_t)n_reached) != 0) return -1;
  const size_t case_bytes = wf_case_packed_bytes(kase);
  Entry *e = malloc(offsetof(Entry, c) + case_bytes);
  size_t slot = e ? free_slot(c) : SIZE_MAX;
  if (slot == SIZE_MAX) {
    free(e);
    return -1;
  }
  e->size = size;
  e->owned = 0;
  memcpy(&e->c, kase, case_bytes);
  c->slots[slot] = e;
  c->n_entries++;
  return take_over(c, slot, (size_t)n_reached);
}

size_t wf_corpus_count(const WfCorpus *c) { return c->n_entries; }

size_t wf_corpus_features(const WfCorpus *c) { return c->n_features; }

int wf_corpus_pick(const WfCorpus *c, WfChoice *ch, WfCase *out) {
  if (c->n_entries == 0) return 0;
  uint64_t nth = wf_choice_below(ch, c->n_entries);
  for (size_t i = 0; i < c->n_slots; i++) {
    if (!c->slots[i] || nth-- != 0) continue;
    wf_case_unpack(out, &c->slots[i]->c);
    return 1;
  }
  return 0;
}
