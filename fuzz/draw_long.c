/* draw_long.c - draws shapes with one long dim, the others small: past the limits of buffers, grids and 16-bit numbers that kernels have
 * built in (4096, 8192, 65536, 2^17 ...), which lie beyond what is drawn otherwise. */
#include "draw.h"
#include <string.h>

enum {
  TRIES = 10, /* of a dim */
  SHORTEST = 1024,
  HEAVY = 6, /* one in so many may take more */
  MOST_ALONE = 1 << 20, /* operations of the problem that the long dim takes with others of 1; with others: */
  MOST_WORK = 1 << 18, MOST_HEAVY_WORK = 1 << 19,
  MOST_THREADS = 1 << 15, MOST_HEAVY_THREADS = 1 << 18, /* of the launch */
  OTHERS = 4              /* times what the long dim alone takes: room for the other ones */
};

/* Lengths up to which somebody's array, grid or counter goes, ascending: the longest are drawn later. */
static const int64_t edges[] = {1024, 2048, 4096, 8192, 16384, 32768, 65536, 131072, 262144};
enum { N_EDGES = sizeof edges / sizeof *edges };

/* Edges from which a dim is long: what is below is drawn without this. */
static int first_edge(const WfDraw *d, int dim) {
  int first = 0;
  while (first < N_EDGES - 1 && (edges[first] < SHORTEST || edges[first] < d->op->dims[dim].fuzz_max))
    first++;
  return first;
}

/* At the edge, or beyond it: a kernel that stops there loses something then. */
static int64_t near_edge(WfDraw *d, int64_t edge) {
  switch (wf_choice_below(d->ch, 4)) {
  case 0: return wf_draw_around(d, edge);
  case 1: return edge + 32 * (int64_t)(1 + wf_choice_below(d->ch, (uint64_t)edge / 64));
  default: return edge + 1 + (int64_t)wf_choice_below(d->ch, (uint64_t)edge / 2);
  }
}

/* Several times what it is, up to a limit; a little more where it is past that already. */
static int64_t widened(int64_t cost, int64_t most) {
  int64_t more = OTHERS * (cost > 0 ? cost : 1), little = cost + cost / 4;
  return more <= most ? more : little > most ? little : most;
}

/* What the long dim takes by itself, several times. 0: too much. */
static int make_room(WfDraw *d, WfCase *c, int is_heavy) {
  const int64_t most_work = is_heavy ? MOST_HEAVY_WORK : MOST_WORK, most_threads = is_heavy ? MOST_HEAVY_THREADS : MOST_THREADS;
  WfCost cost = wf_draw_cost(d, c);
  if (cost.work > MOST_ALONE || cost.threads > most_threads)
    return 0;
  d->work = widened(cost.work, most_work);
  d->threads = widened(cost.threads, most_threads);
  return 1;
}

/* Lengths near v that a condition on multiples may want. */
static int is_good_near(WfDraw *d, WfCase *c, int dim, int64_t v) {
  const int64_t hint = d->n_hints ? d->hint[wf_choice_below(d->ch, (uint64_t)d->n_hints)] : 4;
  const int64_t near[] = {v, v - v % 4, v - v % 32, v - v % hint};
  for (size_t i = 0; i < sizeof near / sizeof *near; i++) {
    c->dim[dim] = near[i];
    if (wf_draw_is_good(d, c))
      return 1;
  }
  return 0;
}

/* The others, out of what is left: not of what the long one takes by itself. */
static void draw_others(WfDraw *d, WfCase *c, int dim) {
  int64_t left = d->work / c->dim[dim];
  for (int i = 0; i < d->op->n_dims; i++) {
    if (i == dim || left <= 1)
      continue;
    c->dim[i] = wf_draw_into(d, i, 1 + (int64_t)wf_choice_below(d->ch, (uint64_t)left));
    left /= c->dim[i] < 1 ? 1 : c->dim[i];
  }
}

typedef enum Drawn { GOOD, BAD, TOO_DEAR } Drawn;

static Drawn draw_once(WfDraw *d, WfCase *c, int dim, int64_t v, int is_heavy) {
  if (d->op->is_bounded && v > d->op->dims[dim].fuzz_max)
    return TOO_DEAR;
  d->dim[dim].max = v;
  wf_draw_block(d, c);
  c->grid[0] = d->v->grid ? 0 : 1;
  c->grid[1] = c->grid[2] = 1;
  c->in_place = 0;
  for (int i = 0; i < d->op->n_dims; i++)
    c->dim[i] = i == dim ? v : wf_draw_least(d, i);
  if (!make_room(d, c, is_heavy))
    return TOO_DEAR;
  draw_others(d, c, dim);
  c->grid[0] = wf_draw_grid(d, c);
  if (is_good_near(d, c, dim, v))
    return GOOD;
  for (int i = 0; i < d->op->n_dims; i++)
    c->dim[i] = i == dim ? v : wf_draw_least(d, i);
  return is_good_near(d, c, dim, v) ? GOOD : BAD;
}

/* Where an edge is too dear, longer ones are as well. */
static int draw_dim(WfDraw *d, WfCase *c, int dim, int is_heavy) {
  int first = first_edge(d, dim), known = N_EDGES - first;
  known = (int)d->ch->longer + 1 < known ? (int)d->ch->longer + 1 : known;
  for (int i = 0; i < TRIES && known > 0; i++) {
    int edge = (int)wf_choice_below(d->ch, (uint64_t)known);
    Drawn drawn = draw_once(d, c, dim, near_edge(d, edges[first + edge]), is_heavy);
    if (drawn == GOOD)
      return 1;
    known = drawn == TOO_DEAR ? edge : known;
  }
  return 0;
}

int wf_draw_long(WfDraw *d, WfCase *c) {
  const WfSpec usual[WF_MAX_DIMS] = {d->dim[0], d->dim[1], d->dim[2]};
  const int64_t work = d->work, threads = d->threads;
  const int n = d->op->n_dims, is_heavy = wf_choice_one_in(d->ch, HEAVY), dim = (int)(d->ch->longer % (unsigned)n); /* by turns */
  WfCase drawn = *c;
  for (int i = 0; i < n; i++) {
    if (!(d->limited >> (dim + i) % n & 1) && draw_dim(d, &drawn, (dim + i) % n, is_heavy)) {
      *c = drawn;
      return 1;
    }
    memcpy(d->dim, usual, sizeof usual);
  }
  d->work = work;
  d->threads = threads;
  return 0;
}
