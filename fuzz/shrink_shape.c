/* shrink_shape.c - dims, block and grid. Each is a number with a smallest value; what a fault needs of it is a threshold, a
 * remainder, or a relation to another one. */
#include "case_order.h"
#include "shrink_impl.h"
#include "sparse.h"
#include <string.h>

enum { BLOCK = WF_MAX_DIMS, GRID, N_NUMBERS, MAX_VALUES = 320 };
enum { /* for two numbers: of large shapes there are thousands of pairs, and each execution takes long */
  ARBITRARY_JOINT_EXECUTIONS = 200,
  ARBITRARY_LARGE_JOINT_EXECUTIONS = 16
};

typedef struct Values { /* ascending, each once */
  int64_t v[MAX_VALUES];
  size_t n;
} Values;

static int exists(const WfShrinker *s, int p) { return p >= BLOCK || p < s->best.op->n_dims; }

static int64_t smallest(const WfShrinker *s, int p) { return p < BLOCK ? s->best.op->dims[p].min : 1; }

static int64_t current(const WfShrinker *s, int p) {
  const WfCase *c = &s->best;
  WfGeometry g;
  if (p < BLOCK)
    return c->dim[p];
  if (p == BLOCK)
    return c->block[0];
  return wf_case_launch(c, s->target->variant, &g, NULL, 0) ? g.grid[0] : 1;
}

/* Where the contract computes the grid, it is left to it. */
static int is_by_formula(const WfShrinker *s) { return s->target->variant->grid && !s->target->outside[0]; }

static void set(const WfShrinker *s, WfCase *c, int p, int64_t v) {
  if (p < BLOCK)
    c->dim[p] = v;
  else if (p == BLOCK)
    c->block[0] = (uint32_t)v;
  else
    c->grid[0] = (uint32_t)v;
  if (is_by_formula(s))
    c->grid[0] = 0;
}

/* Edits outside the shape move to its end: they were there for a reason. 1: some did. */
static int fit_edits(WfCase *c) {
  int n_moved = 0;
  for (uint32_t k = 0; k < c->n_edits; k++) {
    const WfTensorDesc *t = &c->op->tensors[c->edits[k].tensor];
    for (int i = 0; i < t->rank; i++) {
      WfSel *e = &c->edits[k].sel[i];
      int64_t n = wf_extent(t, i, c->dim);
      if (n < 1 || e->first < n)
        continue;
      e->last = e->last == INT64_MAX ? e->last : n - 1;
      e->first = n - 1;
      n_moved++;
    }
  }
  return n_moved > 0;
}

/* The candidate as it is, then with its edits inside the shape. */
static int try_shape(WfShrinker *s, WfCase *c) {
  return wf_shrink_try(s, c) || (fit_edits(c) && wf_shrink_try(s, c));
}

static int try_one(WfShrinker *s, int p, int64_t v) {
  WfCase c = s->best;
  set(s, &c, p, v);
  return try_shape(s, &c);
}

static int try_two(WfShrinker *s, int p, int64_t v, int q, int64_t w) {
  WfCase c = s->best;
  set(s, &c, p, v);
  set(s, &c, q, w);
  return try_shape(s, &c);
}

/* ---- one number ---- */

/* Inserts v in its place if it is in min .. max. */
static void insert(Values *list, int64_t v, int64_t min, int64_t max) {
  size_t at = 0;
  while (at < list->n && list->v[at] < v)
    at++;
  if (v < min || v > max || list->n == MAX_VALUES || (at < list->n && list->v[at] == v))
    return;
  memmove(&list->v[at + 1], &list->v[at], (list->n - at) * sizeof list->v[0]);
  list->v[at] = v;
  list->n++;
}

static void insert_around(Values *list, int64_t v, int64_t min, int64_t max) {
  for (int64_t d = -1; d <= 1; d++)
    insert(list, v + d, min, max);
}

/* Values below the current one at which kernels change: small ones, warp edges, around powers of two and the other numbers and
 * their multiples, a part of the current one, a little less than it. */
static void list_values(const WfShrinker *s, int p, Values *list) {
  static const int64_t less[] = {2, 3, 4, 8, 16, 32, 64, 128, 256};
  int64_t now = current(s, p), min = smallest(s, p), max = now - 1;
  list->n = 0;
  for (int64_t v = 1; v <= 8; v++)
    insert(list, v, min, max);
  for (int64_t power = 16; power / 2 <= max && power <= WF_MAX_EXTENT; power *= 2)
    insert_around(list, power, min, max);
  for (int64_t v = 32; v <= 1024; v += 32) {
    insert(list, v, min, max);
    if (p == BLOCK)
      insert(list, v + 1, min, max);
  }
  for (int q = 0; q < N_NUMBERS; q++)
    if (q != p && exists(s, q) && current(s, q) <= INT32_MAX)
      for (int64_t k = 1; k <= 4; k *= 2)
        insert_around(list, k * current(s, q), min, max);
  for (int64_t part = 2; now / part > 8; part *= 2)
    insert(list, now / part, min, max);
  for (size_t i = 0; i < sizeof less / sizeof less[0]; i++)
    insert(list, now - less[i], min, max);
  insert(list, max, min, max);
}

/* Ascending, so that failures are cheap; then to the threshold between the last failure and the first success. */
static int shrink_number(WfShrinker *s, int p) {
  Values list;
  list_values(s, p, &list);
  int64_t low = smallest(s, p) - 1;
  size_t i = 0;
  while (i < list.n && !try_one(s, p, list.v[i]))
    low = list.v[i++];
  if (i == list.n)
    return 0;
  for (int64_t high = list.v[i]; high - low > 1 && !s->is_ended;) {
    int64_t middle = low + (high - low) / 2;
    if (try_one(s, p, middle))
      high = middle;
    else
      low = middle;
  }
  return 1;
}

/* One extent along y or z, outside a contract that wants one dimension. */
static int shrink_extent(WfShrinker *s, int is_block, int i) {
  const uint32_t now = is_block ? s->best.block[i] : s->best.grid[i], smaller[] = {1, 2, now / 2, now - 1};
  for (size_t k = 0; now > 1 && k < sizeof smaller / sizeof smaller[0]; k++) {
    WfCase c = s->best;
    *(is_block ? &c.block[i] : &c.grid[i]) = smaller[k];
    if (wf_shrink_try(s, &c))
      return 1;
  }
  return 0;
}

/* One dimension, and the grid as the contract or the number of rows gives it. */
static int flatten(WfShrinker *s) {
  WfCase c = s->best;
  c.block[1] = c.block[2] = c.grid[1] = c.grid[2] = 1;
  int taken = wf_shrink_try(s, &c);
  for (int k = 0; k < 4; k++)
    taken += shrink_extent(s, k >= 2, 1 + k % 2);
  c = s->best;
  c.grid[0] = 0;
  return taken + wf_shrink_try(s, &c);
}

int wf_shrink_shape(WfShrinker *s) {
  int taken = flatten(s);
  for (int p = 0; p < N_NUMBERS; p++)
    if (exists(s, p) && (p != GRID || !is_by_formula(s)))
      taken += shrink_number(s, p);
  return taken;
}

/* ---- two numbers ---- */

static void begin_joint(WfShrinker *s, int p, Values *list) {
  WfGeometry g;
  int is_large = wf_case_launch(&s->best, s->target->variant, &g, NULL, 0) && wf_case_is_large(&s->best, &g);
  list_values(s, p, list);
  s->joint_end = s->executions + (is_large ? ARBITRARY_LARGE_JOINT_EXECUTIONS : ARBITRARY_JOINT_EXECUTIONS);
}

/* Is it time to give these joint changes up? */
static int is_enough(const WfShrinker *s) { return s->is_ended || s->executions >= s->joint_end; }

/* What the second may be when the first goes from `now` to v: as it is in proportion, or related to v. */
static void list_partners(const WfShrinker *s, int q, int64_t now, int64_t v, Values *list) {
  int64_t w = current(s, q), min = smallest(s, q), max = q == BLOCK ? 1024 : q == GRID ? INT32_MAX : WF_MAX_EXTENT, product;
  list->n = 0;
  for (int64_t k = 1; k <= 4; k++)
    insert(list, k, min, max);
  if (v <= INT32_MAX)
    for (int64_t k = 1; k <= 4; k *= 2) {
      insert_around(list, k * v, min, max);
      insert(list, v / k, min, max);
    }
  for (int64_t edge = 32; edge <= 64; edge += 32)
    insert_around(list, edge, min, max);
  insert_around(list, w, min, max);
  insert(list, 2 * w, min, max);
  if (v > 0 && !__builtin_mul_overflow(w, now, &product)) {
    insert(list, product / v, min, max);
    insert(list, (product - 1) / v, min, max);
  }
}

/* The nth of a list from both ends in turn: great leaps save most, small steps succeed most often. */
static int64_t from_both_ends(const Values *list, size_t n) { return list->v[n % 2 ? list->n - 1 - n / 2 : n / 2]; }

/* Both, so that their difference or their proportion stays. */
static int try_alike(WfShrinker *s, int p, int q) {
  Values list;
  const int64_t now = current(s, p), w = current(s, q);
  begin_joint(s, p, &list);
  for (size_t i = 0; i < list.n && !is_enough(s); i++) {
    const int64_t v = list.v[i], less = w - (now - v);
    int64_t product;
    if (less >= smallest(s, q) && try_two(s, p, v, q, less))
      return 1;
    if (!__builtin_mul_overflow(w, v, &product) && product / now >= smallest(s, q) && try_two(s, p, v, q, product / now))
      return 1;
  }
  return 0;
}

static int try_pair(WfShrinker *s, int p, int q) {
  Values list, partners;
  int64_t now = current(s, p);
  begin_joint(s, p, &list);
  for (size_t i = 0; i < list.n && !is_enough(s); i++) {
    const int64_t v = from_both_ends(&list, i);
    list_partners(s, q, now, v, &partners);
    for (size_t k = 0; k < partners.n; k++)
      if (try_two(s, p, v, q, partners.v[k]))
        return 1;
  }
  return 0;
}

/* A base that is not aligned may stand for rows that do not begin on the boundary. */
static int try_with_align(WfShrinker *s, int p) {
  Values list;
  begin_joint(s, p, &list);
  for (size_t i = 0; i < list.n && !is_enough(s); i++)
    for (int t = 0; t < s->best.op->n_tensors; t++) {
      WfCase c = s->best;
      set(s, &c, p, list.v[i]);
      c.fill[t].base_offset_elems = 1;
      if (try_shape(s, &c))
        return 1;
    }
  return 0;
}

/* Fewer elements may need values that are further apart. */
static int try_with_scale(WfShrinker *s, int p) {
  Values list;
  begin_joint(s, p, &list);
  for (size_t i = 0; i < list.n && !is_enough(s); i++)
    for (int t = 0; t < s->best.op->n_tensors; t++)
      for (double scale = 10; scale <= 1000 && s->best.op->tensors[t].role == WF_IN; scale *= 10) {
        WfCase c = s->best;
        set(s, &c, p, list.v[i]);
        if (c.fill[t].dist == WF_DIST_CONSTANT)
          break;
        c.fill[t].scale = scale;
        if (try_shape(s, &c))
          return 1;
      }
  return 0;
}

/* Of the first pair that has something to give. */
static int try_pairs(WfShrinker *s, int (*try)(WfShrinker *s, int p, int q)) {
  for (int p = 0; p < N_NUMBERS; p++)
    for (int q = 0; q < N_NUMBERS; q++)
      if (p != q && exists(s, p) && exists(s, q) && !(is_by_formula(s) && (p == GRID || q == GRID)) && try(s, p, q))
        return 1;
  return 0;
}

int wf_shrink_joint(WfShrinker *s) {
  for (int p = 0; p < s->best.op->n_dims; p++)
    if (try_with_align(s, p) || try_with_scale(s, p))
      return 1;
  return try_pairs(s, try_alike) || try_pairs(s, try_pair) || wf_shrink_plain(s);
}
