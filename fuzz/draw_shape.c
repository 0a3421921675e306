/* draw_shape.c - draws dims, block and grid: small ones, and those around the edges where kernels go wrong. */
#include "draw.h"
#include <string.h>

/* Usual and rare limits of a case. An execution of the usual size touches each element a few times and costs some
 * 10,000 accesses; the fuzzer lives by the number of executions. */
enum { USUAL_WORK = 2048, USUAL_THREADS = 4096, RARE_WORK = 65536, RARE_THREADS = 16384, RARELY = 48, HUGE_RARELY = 4 * RARELY, EMPTY_RARELY = 64 };

enum { REDRAWS = 8, ROOM = 8 /* times the smallest case within the limits of the user */ };

/* Elements up to which a length is drawn only because the user's limits allow it. ARBITRARY_: some tens of milliseconds. */
enum { ARBITRARY_WISHED_WORK = 1 << 22 };

static void collect_hints(WfDraw *d, const char *text) {
  const char *digits = "0123456789";
  while (text && *(text += strcspn(text, digits))) {
    int64_t v = 0;
    for (; *text >= '0' && *text <= '9'; text++)
      v = v < 1000000 ? v * 10 + (*text - '0') : v;
    if (v > 1 && v <= 1000000 && d->n_hints < WF_MAX_HINTS)
      d->hint[d->n_hints++] = v;
  }
}

static int64_t at_least(int64_t v, int64_t min) { return v < min ? min : v; }

int64_t wf_draw_least(const WfDraw *d, int dim) {
  const WfSpec *s = &d->dim[dim];
  return s->min > 0 || s->max < 1 ? s->min : wf_spec_snap(s, 1) > 0 ? wf_spec_snap(s, 1) : wf_spec_snap(s, s->max);
}

static void raise(WfDraw *d, const WfCase *c, int64_t max_work) {
  WfCost cost = wf_draw_cost(d, c);
  if (cost.work > max_work)
    return;
  d->work = at_least(d->work, cost.work);
  d->threads = at_least(d->threads, cost.threads);
  if (cost.work <= RARE_WORK / ROOM && cost.threads <= RARE_THREADS / ROOM) { /* something to choose from */
    d->work = at_least(d->work, ROOM * cost.work);
    d->threads = at_least(d->threads, ROOM * cost.threads);
  }
}

/* What the user's limits ask for at least must not count as too costly; of what they allow, one long dim at a time. */
static void raise_limits(WfDraw *d, int rare) {
  WfCase c;
  memset(&c, 0, sizeof c);
  c.op = d->op;
  wf_case_take_types(&c, d->variant);
  for (int i = 0; i < d->op->n_dims; i++)
    c.dim[i] = wf_draw_least(d, i);
  c.block[0] = (uint32_t)wf_spec_snap(&d->block, rare ? 256 : 64);
  c.block[1] = c.block[2] = c.grid[1] = c.grid[2] = 1;
  wf_draw_snap_block(d, &c);
  raise(d, &c, INT64_MAX);
  for (int i = 0; rare && i < d->op->n_dims; i++) {
    int64_t min = c.dim[i];
    c.dim[i] = d->limited >> i & 1 ? d->dim[i].max : min;
    raise(d, &c, ARBITRARY_WISHED_WORK);
    c.dim[i] = min;
  }
}

static void take_limits(WfDraw *d, const WfLimits *l) {
  WfSpec both;
  for (int i = 0; i < d->op->n_dims; i++) {
    d->dim[i] = l->dim[i];
    if (!(d->v->flags & WF_EMPTY) && d->dim[i].min < 1 && d->dim[i].max >= 1) {
      WfSpec some = {.min = 1, .max = d->dim[i].max, .multiple = 1}, both;
      if (wf_spec_intersect(&d->dim[i], &some, &both) == 0)
        d->dim[i] = both;
    }
  }
  d->limited = l->given;
  if (l->block_given && wf_spec_intersect(&d->block, &l->block, &both) == 0)
    d->block = both;
}

void wf_draw_init(WfDraw *d, const WfOp *op, const WfVariant *v, WfChoice *ch) {
  WfLimits none;
  memset(d, 0, sizeof *d);
  d->op = op;
  d->variant = d->v = v;
  d->ch = ch;
  if (ch->limits && ch->limits->outside)
    wf_draw_widen(d);
  v = d->v;
  if (!v->block || wf_spec_parse(v->block, &d->block, NULL, 0))
    d->block = (WfSpec){.min = 1, .max = 1024, .multiple = 1};
  if (!v->block_y || wf_spec_parse(v->block_y, &d->block_y, NULL, 0))
    d->block_y = (WfSpec){.min = 1, .max = 1, .multiple = 1};
  if (!v->block_z || wf_spec_parse(v->block_z, &d->block_z, NULL, 0))
    d->block_z = (WfSpec){.min = 1, .max = 1, .multiple = 1};
  wf_limits_init(&none, op);
  take_limits(d, ch->limits ? ch->limits : &none);
  d->any_values = *v;
  d->any_values.values = 0;
  wf_draw_split_condition(d);
  d->launch_only = d->any_values;
  d->launch_only.requires = d->launch_only.shared = d->launch_only.scratch = NULL;
  if (v->tile > 1)
    d->hint[d->n_hints++] = v->tile;
  collect_hints(d, v->edges);
  collect_hints(d, d->any_values.requires);
  collect_hints(d, v->grid);
  collect_hints(d, v->grid_y);
  collect_hints(d, v->shared);
  uint64_t pick = wf_choice_below(ch, HUGE_RARELY);
  int rare = pick % RARELY == RARELY - 1;
  d->work = (int64_t)(rare ? RARE_WORK : USUAL_WORK) * (op->n_dims > 2 ? 8 : 1);
  d->threads = rare ? RARE_THREADS : USUAL_THREADS;
  wf_draw_allow_huge(d, pick == RARELY, pick % 4 == 3);
  if (d->limited)
    raise_limits(d, rare);
}

void wf_draw_allow(WfDraw *d, const WfCase *c) {
  int64_t max_work = (int64_t)RARE_WORK * (d->op->n_dims > 2 ? 8 : 1);
  WfCost cost = wf_draw_cost(d, c);
  if (cost.work > d->work)
    d->work = cost.work < max_work ? cost.work : max_work;
  if (cost.threads > d->threads)
    d->threads = cost.threads < RARE_THREADS ? cost.threads : RARE_THREADS;
}

int64_t wf_draw_around(WfDraw *d, int64_t v) { return v + (int64_t)wf_choice_below(d->ch, 3) - 1; }

static int64_t hint_edge(WfDraw *d) {
  if (d->n_hints == 0)
    return 1 + (int64_t)wf_choice_below(d->ch, 64);
  int64_t hint = d->hint[wf_choice_below(d->ch, (uint64_t)d->n_hints)];
  return wf_draw_around(d, hint * (int64_t)(1 + wf_choice_below(d->ch, 3)));
}

static int64_t block_edge(WfDraw *d, int64_t block) {
  switch (wf_choice_below(d->ch, 4)) {
  case 0: return wf_draw_around(d, block);
  case 1: return wf_draw_around(d, block * (int64_t)(1 + wf_choice_below(d->ch, 4)));
  case 2: return wf_draw_around(d, block / 2);
  default: return block + 1 + (int64_t)wf_choice_below(d->ch, 40);
  }
}

/* A length as such; choice 0 is 1. */
static int64_t length_edge(WfDraw *d, int64_t block, int64_t max) {
  static const int64_t warp_edges[] = {31, 32, 33, 63, 64, 65, 95, 96, 97, 127, 128, 129, 255, 256, 257, 1023, 1024, 1025};
  static const int64_t primes[] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 37, 41, 43, 47, 53, 61, 67, 101, 131, 251, 509};
  WfChoice *ch = d->ch;
  switch (wf_choice_below(ch, 16)) {
  default: return 1 + (int64_t)wf_choice_below(ch, 8);
  case 4:
  case 5: return warp_edges[wf_choice_below(ch, sizeof warp_edges / sizeof warp_edges[0])];
  case 6:
  case 7:
  case 8: return block_edge(d, block);
  case 9: return 4 * (int64_t)wf_choice_below(ch, 32) + 1 + (int64_t)wf_choice_below(ch, 3);
  case 10: return primes[wf_choice_below(ch, sizeof primes / sizeof primes[0])];
  case 11: return hint_edge(d);
  case 12:
  case 13: return 1 + (int64_t)wf_choice_below(ch, 64);
  case 14: return 1 + (int64_t)wf_choice_below(ch, (uint64_t)1 << wf_choice_below(ch, 12));
  case 15: return 1 + (int64_t)wf_choice_below(ch, (uint64_t)max);
  }
}

int64_t wf_draw_fold(int64_t v, int64_t min, int64_t max) {
  if (v >= min && v <= max)
    return v;
  return max <= min ? min : min + (int64_t)((uint64_t)v % (uint64_t)(max - min + 1));
}

int64_t wf_draw_into(const WfDraw *d, int dim, int64_t v) {
  const WfSpec *s = &d->dim[dim];
  return wf_spec_snap(s, wf_draw_fold(v, s->min, s->max));
}

/* What a block covers of a dim: its extent along any axis, or all its threads. */
static int64_t edge_block(WfDraw *d, const WfCase *c) {
  if (!d->v->block_y && !d->v->block_z)
    return c->block[0];
  uint64_t pick = wf_choice_below(d->ch, 4);
  return pick < 3 ? c->block[pick] : (int64_t)c->block[0] * c->block[1] * c->block[2];
}

/* Within the user's limits, their own edges half of the time. */
int64_t wf_draw_dim(WfDraw *d, const WfCase *c, int dim, int64_t max) {
  const WfSpec *s = &d->dim[dim];
  max = max < s->max ? max : s->max;
  if (d->limited >> dim & 1 && wf_choice_below(d->ch, 2)) {
    int64_t v = wf_spec_draw(s, d->ch);
    return v <= max ? v : wf_draw_into(d, dim, wf_draw_fold(v, s->min, max));
  }
  int64_t edge = length_edge(d, edge_block(d, c), max < 1 ? 1 : max);
  if (s->min == 0 && wf_choice_one_in(d->ch, EMPTY_RARELY))
    edge = 0;
  return wf_draw_into(d, dim, wf_draw_fold(edge, s->min == 0 && edge > 0 ? 1 : s->min, max));
}

/* Threads that the grid's formula gives; 0 where the grid is free. */
static int64_t formula_threads(const WfDraw *d, const WfCase *c) {
  WfGeometry g;
  if (!d->v->grid || !wf_case_admits(c, &d->launch_only, &g, NULL, 0))
    return 0;
  return wf_geometry_threads(&g);
}

static int64_t block_threads(const WfCase *c) {
  int64_t n = (int64_t)c->block[0] * c->block[1] * c->block[2];
  return n > 0 ? n : 1;
}

/* The longest that the user's limits allow of a dim, the others at their least, unless that takes too long; *cost: what it takes. */
static int64_t longest_wished(WfDraw *d, WfCase *c, int dim, WfCost *cost) {
  const WfSpec *s = &d->dim[dim];
  int64_t v = wf_spec_snap(s, s->max), least = wf_draw_least(d, dim);
  for (;; v = wf_spec_snap(s, least + (v - least) / 2)) {
    c->dim[dim] = v;
    *cost = wf_draw_cost(d, c);
    if (cost->work <= ARBITRARY_WISHED_WORK || v <= least)
      return v;
  }
}

/* Seldom where that takes much longer than usual cases; always where they are as long. */
static int is_time_for(WfDraw *d, int64_t work) {
  int64_t times = work / (d->work < 1 ? 1 : d->work);
  return times <= 1 || wf_choice_one_in(d->ch, times <= 4 ? 2 : times <= 64 ? 8 : 32);
}

/* Room for the drawn length, and for more in the other dims where it is not dear. */
static void make_room(WfDraw *d, const WfCase *c) {
  WfCost cost = wf_draw_cost(d, c);
  int more = cost.work <= ARBITRARY_WISHED_WORK / ROOM ? ROOM : 1;
  d->work = at_least(d->work, more * cost.work);
  d->threads = cost.threads < INT64_MAX / ROOM ? at_least(d->threads, more * cost.threads) : cost.threads;
}

/* A range of the user's, of which usual cases are the beginning at most: its end, and all of it. The dim that was drawn; -1: none. */
static int draw_wished(WfDraw *d, WfCase *c) {
  int n = d->op->n_dims, first = (int)wf_choice_below(d->ch, (uint64_t)n);
  for (int k = 0; k < n; k++) {
    int i = (first + k) % n;
    int64_t least = c->dim[i], longest;
    WfCost cost;
    if (!(d->limited >> i & 1))
      continue;
    longest = longest_wished(d, c, i, &cost);
    c->dim[i] = least;
    if (cost.work <= d->work || longest <= least)
      continue;
    if (!is_time_for(d, cost.work))
      return -1;
    c->dim[i] = wf_choice_one_in(d->ch, 3) ? longest : wf_draw_into(d, i, least + (int64_t)wf_choice_below(d->ch, (uint64_t)(longest - least) + 1));
    make_room(d, c);
    return i;
  }
  return -1;
}

/* The last dim first, mostly: it is the one that the threads of a block share out. */
static void draw_dims(WfDraw *d, WfCase *c) {
  int n = d->op->n_dims, forward = wf_choice_one_in(d->ch, 4);
  for (int i = 0; i < n; i++)
    c->dim[i] = wf_draw_least(d, i);
  int wished = d->limited && !d->huge ? draw_wished(d, c) : -1;
  int64_t left = wished < 0 ? d->work : d->work / at_least(c->dim[wished], 1);
  for (int k = 0; k < n; k++) {
    int i = forward ? k : n - 1 - k;
    if (i == wished)
      continue;
    int64_t min = wf_draw_least(d, i);
    c->dim[i] = wf_draw_dim(d, c, i, left);
    if (formula_threads(d, c) > d->threads) {
      int64_t blocks = d->threads / block_threads(c);
      c->dim[i] = wf_draw_into(d, i, wf_draw_fold(c->dim[i], min, min + (blocks < 4 ? 4 : blocks) - 1));
    }
    if (!d->op->work) /* else it is looked at when all are drawn */
      left /= c->dim[i] < 1 ? 1 : c->dim[i];
  }
}

uint32_t wf_draw_grid(WfDraw *d, const WfCase *c) {
  if (d->v->grid)
    return 0;
  int64_t rows = c->dim[0], n;
  switch (wf_choice_below(d->ch, 8)) {
  default: n = 1; break;
  case 2: n = 2; break;
  case 3: n = 3; break;
  case 4: n = rows; break;
  case 5: n = wf_draw_around(d, rows); break;
  case 6: n = 1 + (int64_t)wf_choice_below(d->ch, 8); break;
  case 7: n = rows + 1 + (int64_t)wf_choice_below(d->ch, (uint64_t)rows); break;
  }
  int64_t max = d->threads / block_threads(c);
  return (uint32_t)wf_draw_fold(n, 1, max < 1 ? 1 : max);
}

/* The largest number up to `most` that the set has; its smallest where there is none. */
static uint32_t snap_below(const WfSpec *s, int64_t v, int64_t most) {
  WfSpec room = {.min = 0, .max = most < 1 ? 1 : most, .multiple = 1}, both;
  return (uint32_t)(wf_spec_intersect(s, &room, &both) == 0 ? wf_spec_snap(&both, v) : s->min);
}

void wf_draw_snap_block(const WfDraw *d, WfCase *c) {
  enum { MOST = 1024 };
  int64_t x = d->block.min < 1 ? 1 : d->block.min, y = d->block_y.min < 1 ? 1 : d->block_y.min;
  c->block[2] = snap_below(&d->block_z, c->block[2], MOST / (x * y));
  c->block[1] = snap_below(&d->block_y, c->block[1], MOST / (x * (c->block[2] ? c->block[2] : 1)));
  int64_t others = (int64_t)c->block[1] * c->block[2];
  c->block[0] = snap_below(&d->block, c->block[0], MOST / (others < 1 ? 1 : others));
}

void wf_draw_block(WfDraw *d, WfCase *c) {
  c->block[0] = (uint32_t)wf_spec_draw(&d->block, d->ch);
  c->block[1] = d->v->block_y ? (uint32_t)wf_spec_draw(&d->block_y, d->ch) : 1;
  c->block[2] = d->v->block_z ? (uint32_t)wf_spec_draw(&d->block_z, d->ch) : 1;
  if (d->v->block_y || d->v->block_z)
    wf_draw_snap_block(d, c);
}

void wf_draw_shape_once(WfDraw *d, WfCase *c) {
  wf_draw_block(d, c);
  c->grid[1] = c->grid[2] = 1;
  draw_dims(d, c);
  c->grid[0] = wf_draw_grid(d, c);
}

void wf_draw_shape(WfDraw *d, WfCase *c) {
  WfChoice *ch = d->ch;
  if (ch->longer && !d->huge && wf_draw_long(d, c))
    return;
  if (d->huge && wf_draw_huge(d, c))
    return;
  for (int i = 0; i < REDRAWS; i++) {
    wf_draw_shape_once(d, c);
    if (wf_draw_is_good(d, c))
      return;
    if (ch->bytes && ch->at >= ch->n)
      break; /* zeros from here on: the same again */
  }
  wf_draw_repair(d, c);
}
