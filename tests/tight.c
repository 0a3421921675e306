/* tight.c - what the ops of tests/test_tightness.c have in common: inputs by distribution, and the oracle. */
#include "tight.h"
#include "../fuzz/arith.h"
#include "../fuzz/draw.h"
#include <stdlib.h>
#include <string.h>

int tight_list(const TightOp *list[TIGHT_MAX_OPS]) {
  const TightOp *const tables[] = {tight_dots, tight_moves, tight_rows, tight_keys};
  int n = 0;
  for (int i = 0; wf_ops[i]; i++)
    for (size_t k = 0; k < sizeof tables / sizeof *tables; k++)
      for (const TightOp *o = tables[k]; o->name; o++)
        if (strcmp(o->name, wf_ops[i]->name) == 0 && n < TIGHT_MAX_OPS)
          list[n++] = o;
  return n;
}

void tight_begin(Tight *t, const TightOp *kind) {
  memset(t, 0, sizeof *t);
  t->kind = kind;
  t->op = wf_op_find(kind->name, strlen(kind->name));
  if (!t->op)
    abort();
}

int tight_has(const TightOp *kind, int fault) { return kind->faults >> fault & 1; }

void tight_pick(Tight *t, int at, uint64_t *state) {
  t->at = at;
  t->other = t->n > 1 ? (at + 1 + (int)(wf_split_mix(state) % (uint64_t)(t->n - 1))) % t->n : at;
}

/* ---- inputs ---- */

static WfCase case_of(const Tight *t) {
  WfCase c = {.op = t->op};
  memcpy(c.dim, t->dim, sizeof c.dim);
  return c;
}

void tight_draw_exact(Tight *t, uint64_t *state) {
  WfChoice choice = {.state = wf_split_mix(state)};
  static const WfVariant float_kernel; /* adds in float */
  WfDraw d = {.op = t->op, .v = &float_kernel, .ch = &choice};
  WfCase c = case_of(t);
  wf_draw_exact(&d, &c);
  for (int i = 0; i < t->op->n_tensors; i++)
    if (t->op->tensors[i].role == WF_IN)
      wf_case_values(&c, i, t->in[i]);
}

void tight_draw_fill(Tight *t, int tensor, WfDist dist, double scale, double offset, uint64_t *state) {
  WfCase c = case_of(t);
  c.fill[tensor] = (WfFill){.dist = dist, .seed = wf_split_mix(state), .scale = scale, .offset = offset};
  wf_case_values(&c, tensor, t->in[tensor]);
}

/* ---- the oracle ---- */

static WfRefArgs arguments(const Tight *t, const float *in[WF_MAX_TENSORS]) {
  for (int i = 0; i < WF_MAX_TENSORS; i++)
    in[i] = t->in[i];
  return (WfRefArgs){.dim = t->dim, .in = in, .scalar = t->scalar, .masked = WF_MASKED_NAN, .variant_flags = t->flags, .depth = t->depth};
}

void tight_reference(Tight *t) {
  const float *in[WF_MAX_TENSORS];
  WfRefArgs a = arguments(t, in);
  if (t->op->reference(&a, t->out, t->bound) != 0)
    abort();
}

int tight_is_accepted(const Tight *t) {
  static WfVerdict v;
  memset(&v, 0, sizeof v);
  WfJudge j = {.op = t->op, .variant = &t->op->variants[0], .dim = t->dim, .y = t->y, .ref = t->out, .bound = t->bound, .n_elems = t->n_out};
  wf_judge(&j, &v);
  return v.errors == 0;
}

int tight_invariant_holds(const Tight *t) {
  const float *in[WF_MAX_TENSORS];
  char msg[160];
  WfRefArgs a = arguments(t, in);
  return !t->op->invariant || t->op->invariant(&a, t->y, msg, sizeof msg) < 0;
}
