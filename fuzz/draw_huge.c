/* draw_huge.c - draws shapes around 2^31 and 2^32 elements, where indices of 32 bits end. Only some blocks of them run
 * (sparse.h), so that they cost no more than other cases: few blocks of few threads, slices of few elements. */
#include "draw.h"
#include "sparse.h"
#include <string.h>

enum {
  TRIES = 12,
  USUAL_WORK = 1 << 13, RARE_WORK = 1 << 18, /* elements that the blocks own together, and chunks of memory they lie in */
  USUAL_THREADS = 2048, RARE_THREADS = 16384,
  ENOUGH_THREADS = 128, /* of a block; more say nothing about indices */
  SLACK = 1 << 16       /* the first dim and what kernels add to it fit in an int */
};

/* Does the contract's condition hold a number that only large cases can have to do with? */
static int asks_for_large(const char *requires) {
  for (const char *s = requires; s && *(s += strcspn(s, "0123456789"));) {
    int64_t v = 0;
    for (; *s >= '0' && *s <= '9'; s++)
      v = v < ARBITRARY_WHOLE_ELEMS ? v * 10 + (*s - '0') : v;
    if (v >= ARBITRARY_WHOLE_ELEMS)
      return 1;
  }
  return 0;
}

static int smallest_is_large(const WfDraw *d) {
  const WfGeometry one = {{1, 1, 1}, {1, 1, 1}, 0, 0};
  WfCase c;
  memset(&c, 0, sizeof c);
  c.op = d->op;
  wf_case_take_types(&c, d->variant);
  for (int i = 0; i < d->op->n_dims; i++)
    c.dim[i] = wf_draw_least(d, i);
  return wf_case_is_large(&c, &one);
}

void wf_draw_allow_huge(WfDraw *d, int wanted, int rare) {
  if (!d->op->slices_independent || !d->v->owns || !(d->v->flags & WF_BLOCKS_INDEPENDENT))
    return;
  d->huge = wanted || asks_for_large(d->any_values.requires) || (d->limited && smallest_is_large(d));
  if (!d->huge)
    return;
  d->work = rare ? RARE_WORK : USUAL_WORK;
  d->threads = rare ? RARE_THREADS : USUAL_THREADS;
  if (d->threads < WF_SPARSE_BLOCKS * d->block.min)
    d->threads = WF_SPARSE_BLOCKS * d->block.min;
}

static int64_t draw_elems(WfDraw *d) {
  const int64_t edge = (int64_t)1 << 31;
  switch (wf_choice_below(d->ch, 6)) {
  default: return edge;
  case 2:
  case 3: return 2 * edge;
  case 4: return edge + (int64_t)wf_choice_below(d->ch, (uint64_t)edge);
  case 5: return 2 * edge + (int64_t)wf_choice_below(d->ch, (uint64_t)edge / 4);
  }
}

static int64_t draw_length(WfDraw *d, const WfCase *c, int dim) {
  int long_ones = d->work >= RARE_WORK && !(d->limited >> dim & 1) && wf_choice_below(d->ch, 2);
  if (long_ones)
    return wf_draw_around(d, (int64_t)1 << (10 + wf_choice_below(d->ch, 7)));
  return wf_draw_dim(d, c, dim, d->work / WF_SPARSE_BLOCKS);
}

/* One, two or three slices for each block, or for each of its warps. */
static uint32_t draw_grid(WfDraw *d, const WfCase *c) {
  if (d->v->grid)
    return 0;
  int64_t warps = wf_choice_below(d->ch, 2) ? (c->block[0] + 31) / 32 : 1;
  int64_t n = wf_draw_around(d, c->dim[0] / (warps * (1 + (int64_t)wf_choice_below(d->ch, 3))));
  return (uint32_t)wf_draw_fold(n, 1, INT32_MAX);
}

static void draw_once(WfDraw *d, WfCase *c) {
  int64_t block = wf_spec_draw(&d->block, d->ch), slice = 1;
  if (block > ENOUGH_THREADS && wf_choice_below(d->ch, 4))
    block = wf_spec_snap(&d->block, 1 + (int64_t)wf_choice_below(d->ch, ENOUGH_THREADS));
  c->block[0] = (uint32_t)block;
  c->block[1] = c->block[2] = c->grid[1] = c->grid[2] = 1;
  wf_draw_snap_block(d, c);
  c->in_place = 0;
  c->dim[0] = wf_draw_least(d, 0);
  for (int i = 1; i < d->op->n_dims; i++)
    c->dim[i] = draw_length(d, c, i);
  for (int t = 0; t < d->op->n_tensors; t++) /* the tensor that gets there first: of a row's sum, that of the rows */
    slice = wf_case_slice(c, t) > slice ? wf_case_slice(c, t) : slice;
  int64_t n = draw_elems(d) / slice + (int64_t)wf_choice_below(d->ch, 7) - 3;
  n = n < INT32_MAX - SLACK ? n : INT32_MAX - SLACK;
  c->dim[0] = d->limited & 1 ? wf_draw_into(d, 0, n) : n;
  c->grid[0] = draw_grid(d, c);
}

int wf_draw_huge(WfDraw *d, WfCase *c) {
  WfCase drawn = *c;
  WfGeometry g;
  for (int i = 0; i < TRIES; i++) {
    draw_once(d, &drawn);
    if (!wf_draw_is_good(d, &drawn) || !wf_case_launch(&drawn, d->v, &g, NULL, 0) || !wf_case_is_large(&drawn, &g))
      continue;
    *c = drawn;
    return 1;
  }
  return 0;
}
