/* draw_repair.c - brings a case into a contract. A condition such as "cols % 128 == 0 && block.x == cols / 4" is met by
 * one shape in thousands; single changes towards what its text names, kept when they break no part of it that held, get
 * there in a few dozen steps. */
#include "draw.h"
#include "owns.h"
#include "sparse.h"
#include "../simt/simt.h"
#include <string.h>

enum { TRIES = 2000, TRIES_A_ROUND = 60, MAX_GRID_YZ = 65535 };

static int64_t work_of(const WfOp *op, const WfCase *c) {
  const WfVars vars = {op, c->dim, c->grid, c->block, 0, NULL};
  int64_t work = 1;
  if (op->work)
    return wf_expr_eval(op->work, &vars, &work, NULL, 0) == 0 ? work : INT64_MAX;
  for (int i = 0; i < op->n_dims; i++)
    if (__builtin_mul_overflow(work, c->dim[i], &work))
      return INT64_MAX;
  return work;
}

/* How often the blocks go round their loop over slices, where the contract tells it: block 0 has the most. */
static int64_t passes_of(const WfDraw *d, const WfCase *c, const WfGeometry *g) {
  WfOwned o;
  if (!d->v->owns || !strstr(d->v->owns, " step ") || wf_owns_eval(d->v->owns, c, g, 0, &o, NULL, 0) != 0 || o.first >= o.end)
    return 1;
  return (o.end - o.first - 1) / o.step + 1;
}

WfCost wf_draw_cost(const WfDraw *d, const WfCase *c) {
  WfCost cost = {work_of(d->op, c), 0};
  WfGeometry g;
  if (!wf_case_admits(c, &d->launch_only, &g, NULL, 0))
    return cost;
  if (g.grid[1] > MAX_GRID_YZ || g.grid[2] > MAX_GRID_YZ)
    return cost; /* refused: nothing runs */
  if (__builtin_mul_overflow(wf_geometry_threads(&g), passes_of(d, c, &g), &cost.threads))
    cost.threads = INT64_MAX;
  WfSparse s;
  if (d->huge && wf_case_is_large(c, &g) && wf_sparse_plan(c, d->v, &g, &s, NULL, 0)) {
    cost.work = s.n_elems + s.n_runs * (int64_t)(SIMT_CHUNK_BYTES / sizeof(float));
    cost.threads = (int64_t)s.n_blocks * g.block[0] * g.block[1] * g.block[2];
  }
  return cost;
}

static int is_cheap(const WfDraw *d, const WfCase *c) {
  WfCost cost = wf_draw_cost(d, c);
  for (int i = 0; i < d->op->n_dims; i++)
    if (c->dim[i] > d->dim[i].max && !d->huge)
      return 0;
  return cost.work <= d->work && cost.threads <= d->threads;
}

static int is_admitted(const WfDraw *d, const WfCase *c) {
  WfGeometry g;
  if (!wf_limits_hold(d->ch->limits, c) || !wf_case_admits(c, &d->any_values, NULL, NULL, 0))
    return 0;
  return d->v == d->variant || wf_case_launch(c, d->variant, &g, NULL, 0);
}

int wf_draw_is_good(const WfDraw *d, const WfCase *c) { return is_admitted(d, c) && is_cheap(d, c); }

/* How many parts of the contract the case breaks, its cost counted as one. */
static int broken(const WfDraw *d, const WfCase *c) {
  char part[256];
  WfVariant one = d->launch_only;
  int n = !is_cheap(d, c);
  one.requires = part;
  for (const char *s = d->any_values.requires; s && *s;) {
    size_t length = wf_draw_part_length(s);
    if (length >= sizeof part)
      length = sizeof part - 1; /* cut, it is an error, and counts as broken */
    memcpy(part, s, length);
    part[length] = 0;
    n += !wf_case_admits(c, &one, NULL, NULL, 0);
    s += length;
    s += strncmp(s, "&&", 2) == 0 ? 2 : strlen(s);
  }
  return n;
}

/* A value that conditions are often about: a multiple of a number in the contract, or another length or its part. */
static int64_t related(WfDraw *d, const WfCase *c, int64_t v) {
  int64_t hint = d->n_hints ? d->hint[wf_choice_below(d->ch, (uint64_t)d->n_hints)] : 1, product;
  uint64_t pick = wf_choice_below(d->ch, (uint64_t)d->op->n_dims + 1);
  int64_t other = pick ? c->dim[pick - 1] : (int64_t)c->block[0];
  switch (wf_choice_below(d->ch, 8)) {
  case 0: return v - v % hint;
  case 1: return v - v % hint + hint;
  case 2: return wf_draw_around(d, hint);
  case 3: return other;
  case 4: return other / hint;
  case 5: return __builtin_mul_overflow(other, hint, &product) ? other : product;
  case 6: return wf_draw_around(d, other);
  default: return v / 2;
  }
}

/* Changes one dim, the block or a free grid. */
static void step(WfDraw *d, WfCase *c) {
  int n = d->op->n_dims, i = (int)wf_choice_below(d->ch, (uint64_t)n + (d->v->grid ? 1 : 2));
  int fresh = wf_choice_one_in(d->ch, 4);
  if (i < n) {
    int64_t v = fresh ? wf_draw_dim(d, c, i, d->work) : related(d, c, c->dim[i]);
    c->dim[i] = wf_draw_into(d, i, v);
  } else if (i == n) {
    if (fresh)
      wf_draw_block(d, c);
    else
      c->block[0] = (uint32_t)wf_spec_snap(&d->block, related(d, c, c->block[0]));
    if (d->v->block_y || d->v->block_z)
      wf_draw_snap_block(d, c);
  } else {
    int64_t v = fresh ? (int64_t)wf_draw_grid(d, c) : related(d, c, c->grid[0]);
    c->grid[0] = (uint32_t)wf_draw_fold(v, 1, 65535);
  }
}

/* The start of a round: the case as given, its launch in one dimension; in later rounds with a new shape. */
static void restart(WfDraw *d, WfCase *c, const WfCase *given, int round) {
  *c = *given;
  c->block[0] = (uint32_t)wf_spec_snap(&d->block, c->block[0]);
  c->block[1] = (uint32_t)wf_spec_snap(&d->block_y, c->block[1]);
  c->block[2] = (uint32_t)wf_spec_snap(&d->block_z, c->block[2]);
  if (d->v->block_y || d->v->block_z)
    wf_draw_snap_block(d, c);
  c->grid[1] = c->grid[2] = 1;
  for (int i = 0; i < d->op->n_dims; i++)
    if (d->limited >> i & 1)
      c->dim[i] = wf_spec_snap(&d->dim[i], c->dim[i]);
  if (d->v->grid)
    c->grid[0] = 0;
  if (round > 0 && !(d->huge && wf_draw_huge(d, c)))
    wf_draw_shape_once(d, c);
  if (round > 1) { /* it may be the base addresses that the contract does not admit, or the place of the output */
    c->in_place = 0;
    for (int t = 0; t < d->op->n_tensors; t++)
      c->fill[t].base_offset_elems = 0;
  }
}

typedef struct Shape { /* what a step changes; a whole case has 4 KB */
  int64_t dim[WF_MAX_DIMS];
  uint32_t block[3], grid;
} Shape;

static Shape shape_of(const WfCase *c) {
  Shape s = {.grid = c->grid[0]};
  memcpy(s.block, c->block, sizeof s.block);
  memcpy(s.dim, c->dim, sizeof s.dim);
  return s;
}

static void set_shape(WfCase *c, const Shape *s) {
  memcpy(c->dim, s->dim, sizeof s->dim);
  memcpy(c->block, s->block, sizeof s->block);
  c->grid[0] = s->grid;
}

static void climb(WfDraw *d, WfCase *c) {
  Shape kept = shape_of(c);
  int least = broken(d, c);
  for (int i = 0; i < TRIES_A_ROUND && !(least == 0 && wf_draw_is_good(d, c)); i++) {
    step(d, c);
    int now = broken(d, c);
    if (now > least) {
      set_shape(c, &kept);
    } else {
      kept = shape_of(c);
      least = now;
    }
  }
}

/* The choices come from a seed: a stream of bytes at its end gives the same zeros for ever. */
void wf_draw_repair(WfDraw *d, WfCase *c) {
  if (wf_draw_is_good(d, c))
    return;
  WfChoice *outer = d->ch, seeded = {.limits = outer->limits, .state = wf_choice_u64(outer)};
  WfCase given = *c;
  d->ch = &seeded;
  for (int round = 0; round < TRIES / TRIES_A_ROUND; round++) {
    restart(d, c, &given, round);
    climb(d, c);
    if (wf_draw_is_good(d, c) || (round > TRIES / TRIES_A_ROUND / 2 && is_admitted(d, c)))
      break; /* in the end also a contract that asks for costly shapes */
  }
  d->ch = outer;
}
