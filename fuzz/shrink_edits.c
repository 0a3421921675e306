/* shrink_edits.c - fewer edits, then simpler ones. */
#include "shrink_impl.h"
#include <math.h>
#include <string.h>

static void cut(WfCase *c, uint32_t at, uint32_t n) {
  memmove(&c->edits[at], &c->edits[at + n], (c->n_edits - at - n) * sizeof c->edits[0]);
  c->n_edits -= n;
  memset(&c->edits[c->n_edits], 0, n * sizeof c->edits[0]); /* as a parser leaves them */
}

/* Runs of them, all first, then halves, at last each alone. */
static int remove_edits(WfShrinker *s) {
  int taken = 0;
  for (uint32_t n = s->best.n_edits; n > 0; n = n > 1 ? (n + 1) / 2 : 0)
    for (uint32_t at = 0; at + n <= s->best.n_edits;) {
      WfCase c = s->best;
      cut(&c, at, n);
      if (wf_shrink_try(s, &c))
        taken++;
      else
        at += n;
    }
  return taken;
}

/* One value for the whole tensor needs no edit. */
static int spread_edit(WfShrinker *s, uint32_t k) {
  WfCase c = s->best;
  const WfEdit e = c.edits[k];
  if (!isfinite(e.value))
    return 0;
  WfFill *f = &c.fill[e.tensor];
  *f = (WfFill){.dist = WF_DIST_CONSTANT, .scale = 1, .offset = (double)e.value, .base_offset_elems = f->base_offset_elems};
  cut(&c, k, 1);
  return wf_shrink_try(s, &c);
}

enum { SELECTIONS = 11, MAX_MERGED = 4 };

/* Other selections along one of the tensor's dims, the shortest first. */
static void list_selections(const WfShrinker *s, const WfEdit *e, int i, WfSel out[SELECTIONS]) {
  const WfTensorDesc *t = &s->best.op->tensors[e->tensor];
  const WfSel now = e->sel[i];
  const int64_t end = wf_extent(t, i, s->best.dim) - 1;
  const int64_t last = now.last == INT64_MAX || now.last > end ? end : now.last; /* of what is selected */
  const WfSel list[SELECTIONS] = {{0, INT64_MAX, 1},
                                  {0, 0, 1},
                                  {1, 1, 1},
                                  {now.first, now.first, 1},
                                  {last, last, 1},
                                  {now.first, INT64_MAX, 1},
                                  {now.first, now.last, 1},
                                  {1, INT64_MAX, 1},
                                  {0, last, 1},
                                  {now.first, INT64_MAX, now.step},
                                  {0, INT64_MAX, now.step}};
  memcpy(out, list, sizeof list);
}

static int rank_of(const WfCase *c, uint32_t k) { return c->op->tensors[c->edits[k].tensor].rank; }

static int simplify_selection(WfShrinker *s, uint32_t k, int i) {
  WfSel simpler[SELECTIONS];
  list_selections(s, &s->best.edits[k], i, simpler);
  for (size_t j = 0; j < SELECTIONS; j++) {
    WfCase c = s->best;
    c.edits[k].sel[i] = simpler[j];
    if (simpler[j].first <= simpler[j].last && wf_shrink_try(s, &c))
      return 1;
  }
  return 0;
}

/* One edit in place of two: what the second takes back from the first is not selected at all. */
static int merge_edits(WfShrinker *s, uint32_t keep, uint32_t drop) {
  WfSel other[SELECTIONS];
  for (int i = 0; i < rank_of(&s->best, keep); i++) {
    list_selections(s, &s->best.edits[keep], i, other);
    for (size_t j = 0; j < SELECTIONS; j++) {
      WfCase c = s->best;
      c.edits[keep].sel[i] = other[j];
      cut(&c, drop, 1);
      if (other[j].first <= other[j].last && wf_shrink_try(s, &c))
        return 1;
    }
  }
  return 0;
}

static int merge_any(WfShrinker *s) {
  const uint32_t n = s->best.n_edits;
  if (n > MAX_MERGED)
    return 0;
  for (uint32_t keep = 0; keep < n; keep++)
    for (uint32_t drop = 0; drop < n; drop++)
      if (keep != drop && merge_edits(s, keep, drop))
        return 1;
  return 0;
}

static int simplify_value(WfShrinker *s, uint32_t k) {
  static const float special[] = {INFINITY, -INFINITY, NAN};
  double numbers[WF_SHRINK_MAX_NUMBERS];
  int n = wf_shrink_numbers((double)s->best.edits[k].value, numbers);
  for (int j = 0; j < n + 3; j++) {
    WfCase c = s->best;
    c.edits[k].value = j < n ? (float)numbers[j] : special[j - n];
    if (wf_shrink_try(s, &c))
      return 1;
  }
  return 0;
}

int wf_shrink_edits(WfShrinker *s) {
  int taken = remove_edits(s);
  for (uint32_t k = 0; k < s->best.n_edits;) {
    if (spread_edit(s, k)) { /* the next one has moved here */
      taken++;
      continue;
    }
    for (int i = 0; i < rank_of(&s->best, k); i++)
      taken += simplify_selection(s, k, i);
    taken += simplify_value(s, k);
    k++;
  }
  return taken + merge_any(s);
}
