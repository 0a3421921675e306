/* check_contract_text.c - the contract of a user's kernel, for people. */
#include "check_plan.h"
#include "number.h"
#include <string.h>

static const char *masked_text(WfMasked m) {
  switch (m) {
  case WF_MASKED_NAN: return "NaN";
  case WF_MASKED_ZERO: return "zeros";
  case WF_MASKED_UNIFORM: return "equal weights";
  }
  return "?";
}

static void add_axes(WfText *t, const char *name, const char *const axis[3], const char *none) {
  wf_text_add(t, "  %-9s %s", name, axis[0] ? axis[0] : none);
  for (int i = 1; i < 3 && axis[i]; i++)
    wf_text_add(t, " x %s", axis[i]);
  wf_text_add(t, "\n");
}

static int has_masks(const WfOp *op) { return strcmp(op->name, "softmax") == 0 || strcmp(op->name, "attention") == 0; }

/* Each with what makes it another: such a kernel is wrong for any other value, and right all the same. */
static void add_scalars(const WfCheckPlan *p, WfText *t) {
  for (int i = 0; i < p->op->n_scalars; i++)
    if (p->scalar[i][0])
      wf_text_add(t, "  %-9s %s: the statement does not pass it (another value: --requires '%s == ...')\n", p->op->scalars[i].name,
                  strstr(p->scalar[i], "==") + 3, p->op->scalars[i].name);
}

static void add_values(const WfVariant *v, WfText *t) {
  char digits[WF_NUMBER_SIZE];
  wf_text_add(t, "  values    finite");
  if (v->values < wf_check_most_finite())
    wf_text_add(t, ", at most %s in magnitude", wf_number_print_double(digits, v->values));
  wf_text_add(t, "%s\n", v->flags & WF_MINUS_INF ? ", or -inf" : "");
}

void wf_check_contract_text(const WfCheckPlan *p, WfText *t) {
  const WfVariant *v = &p->v;
  char types[WF_DTYPES_TEXT];
  wf_text_add(t, "  launch    %s\n", v->launch);
  if (wf_dtypes_text(p->op, v->dtype, types)[0])
    wf_text_add(t, "  types     %s, arithmetic in %s\n", types, wf_dtype_name(v->arith));
  if (p->own_geometry)
    wf_text_add(t, "  geometry  the statement's own\n");
  else {
    add_axes(t, "block", (const char *const[]){v->block, v->block_y, v->block_z}, "1..1024");
    add_axes(t, "grid", (const char *const[]){v->grid, v->grid_y, v->grid_z}, "any");
  }
  if (p->o->requires)
    wf_text_add(t, "  requires  %s\n", p->o->requires);
  wf_text_add(t, "  pointers  %s\n", p->is_aligned ? "aligned as those of cudaMalloc (--offsets: any)"
                                                                                  : "any element that --requires admits");
  add_scalars(p, t);
  if (v->values > 0)
    add_values(v, t);
  if (v->owns)
    wf_text_add(t, "  block b   writes the slices %s alone\n", v->owns);
  if (v->flags & WF_EMPTY)
    wf_text_add(t, "  empty     dims may be 0\n");
  if (v->shared)
    wf_text_add(t, "  shared    %s bytes\n", v->shared);
  if (!p->has_spec && has_masks(p->op))
    wf_text_add(t, "  masked    rows of nothing but -inf give %s (--masked)\n", masked_text(v->masked));
  if (v->flags & WF_UNZEROED)
    wf_text_add(t, "  unzeroed  the output holds garbage before the launch\n");
  if (v->flavor == WF_FASTMATH)
    wf_text_add(t, "  flavor    as nvcc -use_fast_math\n");
}
