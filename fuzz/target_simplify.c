/* target_simplify.c - a case made simpler by chance, for libFuzzer's -minimize_crash, which wants shorter inputs and knows nothing of cases.
 * `warpfuzz shrink` goes through the ways in order, and stays with one finding. */
#include "draw.h"
#include "target_impl.h"

enum { ARBITRARY_AGAIN = 3 }; /* one case in so many is made simpler once more */

static void drop_edit(WfCase *c, WfChoice *ch) {
  if (c->n_edits == 0) return;
  size_t at = (size_t)wf_choice_below(ch, c->n_edits);
  for (size_t i = at; i + 1 < c->n_edits; i++) c->edits[i] = c->edits[i + 1];
  c->edits[--c->n_edits] = (WfEdit){0};
}

/* Half of v, one less, or least. */
static int64_t less(int64_t v, int64_t least, WfChoice *ch) {
  int64_t to = v;
  switch (wf_choice_below(ch, 3)) {
  case 0: to = v / 2; break;
  case 1: to = v - 1; break;
  case 2: to = least; break;
  }
  return to < least ? least : to;
}

static void shorten_dim(WfCase *c, WfChoice *ch) {
  size_t i = (size_t)wf_choice_below(ch, (uint64_t)c->op->n_dims);
  int64_t least = c->op->dims[i].min;
  if (c->dim[i] > least) c->dim[i] = less(c->dim[i], least, ch);
}

static void shrink_launch(WfCase *c, WfChoice *ch) {
  uint32_t *all[] = {&c->grid[0], &c->grid[1], &c->grid[2], &c->block[0], &c->block[1], &c->block[2]};
  uint32_t *one = all[wf_choice_below(ch, 6)];
  if (*one > 1) *one = (uint32_t)less(*one, 1, ch);
}

/* Parameters that are written in fewer digits. */
static void plain_fill(WfCase *c, WfChoice *ch) {
  WfFill *f = &c->fill[wf_choice_below(ch, (uint64_t)c->op->n_tensors)];
  switch (wf_choice_below(ch, 4)) {
  case 0: f->seed = 0; break;
  case 1: f->scale = f->dist == WF_DIST_CONSTANT || f->dist == WF_DIST_DENORMAL ? f->scale : 1; break;
  case 2: f->offset = 0; break;
  case 3: f->base_offset_elems = 0; break;
  }
}

static void plain_schedule(WfCase *c, WfChoice *ch) { c->schedule = wf_choice_one_in(ch, 2) ? 0 : c->schedule >> 4 * wf_choice_below(ch, 16); }

void wf_target_simplify(WfCase *c, WfChoice *ch) {
  static void (*const ways[])(WfCase *, WfChoice *) = {drop_edit, shorten_dim, shrink_launch, plain_fill, plain_schedule};
  do {
    ways[wf_choice_below(ch, sizeof ways / sizeof *ways)](c, ch);
  } while (wf_choice_one_in(ch, ARBITRARY_AGAIN));
}
