/* generate.c - choices, and whole cases from them. */
#include "arith.h"
#include "draw.h"
#include <string.h>

/* As few bytes as hold n - 1, so that a change of one byte in a corpus file changes one choice. */
static uint64_t next_bytes(WfChoice *c, uint64_t n) {
  uint64_t v = 0;
  for (uint64_t rest = n - 1; rest; rest >>= 8)
    v = v << 8 | (c->at < c->n ? c->bytes[c->at++] : 0);
  return v;
}

uint64_t wf_choice_below(WfChoice *c, uint64_t n) {
  if (n == 0)
    return 0;
  return (c->bytes ? next_bytes(c, n) : wf_split_mix(&c->state)) % n;
}

int wf_choice_one_in(WfChoice *ch, unsigned n) { return wf_choice_below(ch, n) == n - 1; }

uint64_t wf_choice_u64(WfChoice *ch) {
  uint64_t high = wf_choice_below(ch, (uint64_t)1 << 32);
  return high << 32 | wf_choice_below(ch, (uint64_t)1 << 32);
}

/* Shape and scalars. A condition on both is met by the scalars, where the shape allows it: else there is another shape. */
static void draw_numbers(WfDraw *d, WfCase *c) {
  enum { TRIES = 16 };
  for (int i = 0; d->has_scalars && i < TRIES; i++) {
    wf_draw_scalars(d, c);
    wf_draw_flags(d, c);
    wf_draw_shape(d, c);
    if (wf_draw_settle_scalars(d, c))
      return;
  }
  if (d->has_scalars)
    return;
  wf_draw_shape(d, c);
  wf_draw_scalars(d, c);
}

void wf_case_take_types(WfCase *c, const WfVariant *v) {
  for (int t = 0; t < c->op->n_tensors; t++)
    c->dtype[t] = v->dtype[t];
}

void wf_case_generate(WfCase *out, const WfOp *op, const WfVariant *v, WfChoice *c) {
  WfDraw d;
  memset(out, 0, sizeof *out);
  out->op = op;
  out->variant = v;
  wf_case_take_types(out, v);
  wf_draw_init(&d, op, v, c);
  draw_numbers(&d, out);
  for (int i = 0; i < op->n_tensors; i++)
    if (op->tensors[i].role == WF_IN)
      wf_draw_fill(&d, &out->fill[i]);
  if (op->exact && wf_choice_one_in(c, 4))
    wf_draw_exact(&d, out);
  wf_draw_align(&d, out);
  wf_draw_place(&d, out);
  wf_draw_edits(&d, out);
  wf_draw_values(&d, out);
  out->schedule = wf_choice_below(c, 8) ? wf_choice_u64(c) : 0;
}
