/* mutate.c - mutation and crossover. They change aspects of a case (a dim, the block, a seed, an edit ...), never its text or
 * bytes, and repair what leaves the contract. */
#include "draw.h"
#include "sparse.h"
#include <string.h>

static void change_dim(WfDraw *d, WfCase *c) {
  int i = (int)wf_choice_below(d->ch, (uint64_t)d->op->n_dims);
  const WfSpec *s = &d->dim[i];
  int64_t v = c->dim[i];
  switch (wf_choice_below(d->ch, 8)) {
  case 0: v++; break;
  case 1: v--; break;
  case 2: v *= 2; break;
  case 3: v /= 2; break;
  case 4: v = wf_draw_least(d, i); break;
  case 5: v += 32; break;
  default: v = wf_draw_dim(d, c, i, d->work); break;
  }
  c->dim[i] = wf_spec_snap(s, v);
}

static void swap_dims(WfDraw *d, WfCase *c) {
  int n = d->op->n_dims, i = (int)wf_choice_below(d->ch, (uint64_t)n), j = (i + 1) % n;
  int64_t v = c->dim[i];
  c->dim[i] = c->dim[j];
  c->dim[j] = v;
}

static void change_block(WfDraw *d, WfCase *c) {
  int64_t v = c->block[0];
  if ((d->v->block_y || d->v->block_z) && wf_choice_below(d->ch, 2))
    return wf_draw_block(d, c);
  switch (wf_choice_below(d->ch, 8)) {
  case 0: v++; break;
  case 1: v--; break;
  case 2: v *= 2; break;
  case 3: v /= 2; break;
  case 4: v = c->dim[d->op->n_dims - 1]; break;
  case 5: v += 32; break;
  default: v = wf_spec_draw(&d->block, d->ch); break;
  }
  c->block[0] = (uint32_t)wf_spec_snap(&d->block, v);
  if (d->v->block_y || d->v->block_z)
    wf_draw_snap_block(d, c);
}

static void change_schedule(WfDraw *d, WfCase *c) {
  switch (wf_choice_below(d->ch, 4)) {
  case 0: c->schedule = 0; break;
  case 1: c->schedule++; break;
  default: c->schedule = wf_choice_u64(d->ch); break;
  }
}

static void change_fill(WfDraw *d, WfCase *c) {
  WfFill drawn = {0}, *f = &c->fill[wf_choice_below(d->ch, (uint64_t)d->op->n_tensors)];
  if (d->op->tensors[f - c->fill].role == WF_OUT)
    return wf_draw_align(d, c);
  if (d->op->exact && wf_choice_below(d->ch, 4) == 0)
    return wf_draw_exact(d, c);
  drawn.base_offset_elems = f->base_offset_elems;
  wf_draw_fill(d, &drawn);
  switch (wf_choice_below(d->ch, 4)) {
  case 0: f->seed = drawn.seed; break;
  case 1: f->scale = drawn.scale; break;
  case 2: f->offset = drawn.offset; break;
  default: *f = drawn; break;
  }
}

static void remove_edit(WfDraw *d, WfCase *c) {
  if (c->n_edits == 0)
    return;
  uint32_t i = (uint32_t)wf_choice_below(d->ch, c->n_edits);
  c->n_edits--;
  memmove(&c->edits[i], &c->edits[i + 1], (c->n_edits - i) * sizeof c->edits[0]);
  memset(&c->edits[c->n_edits], 0, sizeof c->edits[0]);
}

/* Draws anew where an edit applies, or which value it writes. */
static void change_edit(WfDraw *d, WfCase *c) {
  if (c->n_edits == 0)
    return wf_draw_edit(d, c, 1);
  WfEdit *e = &c->edits[wf_choice_below(d->ch, c->n_edits)];
  WfCase other = *c;
  other.n_edits = 0;
  wf_draw_edit(d, &other, e->value - e->value != 0); /* NaN and infinities stay so, finite values too */
  if (other.n_edits == 0)
    return;
  if (wf_choice_below(d->ch, 2))
    e->value = other.edits[0].value;
  else if (other.edits[0].tensor == e->tensor)
    memcpy(e->sel, other.edits[0].sel, sizeof e->sel);
}

static void change_edits(WfDraw *d, WfCase *c) {
  switch (wf_choice_below(d->ch, 5)) {
  case 0: remove_edit(d, c); break;
  case 1: change_edit(d, c); break;
  case 2: wf_draw_edit(d, c, 0); break;
  case 3: wf_draw_edit(d, c, 1); break;
  case 4: wf_draw_edits(d, c); break;
  }
}

static void change_one(WfDraw *d, WfCase *c) {
  switch (wf_choice_below(d->ch, 16)) {
  default: change_dim(d, c); break;
  case 4: swap_dims(d, c); break;
  case 5:
  case 6:
  case 7: change_block(d, c); break;
  case 8:
  case 9: c->grid[0] = wf_draw_grid(d, c); break;
  case 10: change_schedule(d, c); break;
  case 11:
  case 12: change_fill(d, c); break;
  case 13:
  case 14: change_edits(d, c); break;
  case 15:
    wf_draw_align(d, c);
    wf_draw_place(d, c);
    wf_draw_scalars(d, c);
    break;
  }
}

/* Edits that lie outside a smaller shape move to its end: they were there for a reason. */
static void fit_edits(WfCase *c) {
  for (uint32_t k = 0; k < c->n_edits; k++) {
    const WfTensorDesc *t = &c->op->tensors[c->edits[k].tensor];
    for (int i = 0; i < t->rank; i++) {
      WfSel *s = &c->edits[k].sel[i];
      int64_t n = wf_extent(t, i, c->dim);
      if (n < 1 || s->first < n)
        continue;
      s->last = s->last == INT64_MAX ? s->last : n - 1;
      s->first = n - 1;
    }
  }
}

static void settle(WfDraw *d, WfCase *c) {
  c->variant = d->v;
  c->expect = 0;
  wf_draw_flags(d, c);
  wf_draw_repair(d, c);
  for (int tries = 0; tries < 4 && !wf_draw_settle_scalars(d, c); tries++) { /* not with this shape */
    wf_draw_shape_once(d, c);
    wf_draw_repair(d, c);
  }
  fit_edits(c);
  wf_draw_values(d, c);
}

/* A case that is too large to run as a whole remains one now and then; else it gets another shape: such cases take their time,
 * and what they are for is drawn often enough. */
static void stay_huge(WfDraw *d, const WfCase *c) {
  enum { SELDOM = 8 };
  const WfGeometry one = {{1, 1, 1}, {1, 1, 1}, 0, 0};
  if (!d->huge && wf_case_is_large(c, &one))
    wf_draw_allow_huge(d, wf_choice_one_in(d->ch, SELDOM), 0);
}

/* Nor does a case of nothing, but now and then. */
static void stay_empty(WfDraw *d, WfCase *c) {
  enum { SELDOM = 16 };
  for (int i = 0; i < c->op->n_dims; i++)
    if (c->dim[i] == 0 && d->dim[i].max > 0 && !wf_choice_one_in(d->ch, SELDOM))
      c->dim[i] = wf_draw_into(d, i, 1 + (int64_t)wf_choice_below(d->ch, 8));
}

void wf_case_mutate(WfCase *c, const WfVariant *v, WfChoice *ch) {
  WfDraw d;
  wf_draw_init(&d, c->op, v, ch);
  wf_case_take_types(c, v);
  int to_huge = d.huge;
  stay_huge(&d, c);
  wf_draw_allow(&d, c);
  const WfCase before = *c;
  stay_empty(&d, c);
  if (to_huge)
    wf_draw_huge(&d, c);
  for (int tries = 0; tries < 4 && memcmp(c, &before, sizeof before) == 0; tries++) {
    for (int n = 1 + (int)wf_choice_below(ch, 3); n > 0; n--)
      change_one(&d, c);
    settle(&d, c); /* in a narrow contract this may undo the change */
  }
}

/* A run of edits of b replaces the same run of a, or follows all of a's. */
static void cross_edits(WfCase *out, const WfCase *b, WfChoice *ch) {
  uint32_t from = (uint32_t)wf_choice_below(ch, b->n_edits), at = wf_choice_below(ch, 2) ? from : out->n_edits;
  if (at > out->n_edits)
    at = out->n_edits;
  for (uint32_t i = from; i < b->n_edits && at < WF_MAX_EDITS; i++)
    out->edits[at++] = b->edits[i];
  out->n_edits = at > out->n_edits ? at : out->n_edits;
}

void wf_case_cross(WfCase *out, const WfCase *a, const WfCase *b, const WfVariant *v, WfChoice *ch) {
  WfDraw d;
  WfCase mixed = *a; /* out may be a or b */
  wf_draw_init(&d, a->op, v, ch);
  wf_case_take_types(&mixed, v);
  stay_huge(&d, a);
  wf_draw_allow(&d, a);
  for (int i = 0; i < a->op->n_dims; i++)
    mixed.dim[i] = wf_choice_below(ch, 2) ? b->dim[i] : a->dim[i];
  for (int i = 0; i < a->op->n_scalars; i++)
    mixed.scalar[i] = wf_choice_below(ch, 2) ? b->scalar[i] : a->scalar[i];
  for (int i = 0; i < a->op->n_tensors; i++)
    mixed.fill[i] = wf_choice_below(ch, 2) ? b->fill[i] : a->fill[i];
  if (wf_choice_below(ch, 2))
    memcpy(mixed.block, b->block, sizeof mixed.block);
  if (wf_choice_below(ch, 2))
    memcpy(mixed.grid, b->grid, sizeof mixed.grid);
  if (wf_choice_below(ch, 2))
    mixed.schedule = b->schedule;
  stay_empty(&d, &mixed);
  cross_edits(&mixed, b, ch);
  settle(&d, &mixed);
  *out = mixed;
}
