/* draw_fill.c - draws distributions and edits: ordinary data, and the special values that kernels forget. */
#include "draw.h"
#include <float.h>
#include <math.h>
#include <string.h>

#define PICK(ch, table) ((table)[wf_choice_below(ch, sizeof(table) / sizeof(table)[0])])

/* Numbers below are floats; a double literal such as 0.01 would not be one. */
void wf_draw_fill(WfDraw *d, WfFill *f) {
  static const uint8_t dists[] = {WF_DIST_NORMAL,   WF_DIST_NORMAL, WF_DIST_NORMAL, WF_DIST_NORMAL, WF_DIST_UNIFORM,
                                  WF_DIST_UNIFORM,  WF_DIST_HUGE,   WF_DIST_HUGE,   WF_DIST_HASH,   WF_DIST_INTEGERS,
                                  WF_DIST_RAMP,     WF_DIST_HASH,   WF_DIST_MIXED,  WF_DIST_MEAN,   WF_DIST_CONSTANT,
                                  WF_DIST_DENORMAL};
  static const float scales[] = {1, 1, 1, 3, 10, 30, 100, 1000, 0.01f, 1e-4f, 5};
  static const float offsets[] = {0, 0, 0, 0, 0, 0, 1, 88, -88, 200, -200, 1e4f, -1e4f};
  static const float huge_scales[] = {1, 1, 1, 0.1f, 0.5f, 3};
  static const float integers[] = {1, 2, 3, 8, 100, 1000};
  static const float slopes[] = {1, -1, 0.5f, 0.125f, -0.01f, 10, -10};
  static const float exponents[] = {1, 3, 7, 10, 30, 126};
  static const float constants[] = {0, 1, -1, 88, 88.8f, 104, -104, 200, -200, 1e4f, -1e4f, 0.1f};
  static const float means[] = {1000, 1000, -1000, 1e4f, 88, 16};
  WfChoice *ch = d->ch;
  f->dist = (WfDist)PICK(ch, dists);
  f->seed = wf_choice_below(ch, (uint64_t)1 << 32);
  f->scale = 1;
  f->offset = 0;
  switch (f->dist) {
  case WF_DIST_NORMAL:
  case WF_DIST_UNIFORM:
  case WF_DIST_HASH:
    f->scale = (double)PICK(ch, scales);
    f->offset = (double)PICK(ch, offsets);
    break;
  case WF_DIST_HUGE: f->scale = (double)PICK(ch, huge_scales); break;
  case WF_DIST_INTEGERS:
  case WF_DIST_DISTINCT: f->scale = (double)PICK(ch, integers); break;
  case WF_DIST_RAMP: f->scale = (double)PICK(ch, slopes); break;
  case WF_DIST_MIXED: f->scale = (double)PICK(ch, exponents); break;
  case WF_DIST_MEAN:
    f->scale = (double)PICK(ch, scales);
    f->offset = (double)PICK(ch, means);
    break;
  case WF_DIST_CONSTANT: f->offset = (double)PICK(ch, constants); break;
  case WF_DIST_DENORMAL:
  case WF_DIST_COUNT: break;
  }
}

/* ---- contracts that limit values ---- */

/* A constant where a smaller scale is not enough: an offset or an exponent too large. */
static void shrink_fill(WfCase *c, int tensor, double limit) {
  WfFill *f = &c->fill[tensor];
  if (fabs(f->offset) > limit)
    f->offset = (double)(float)copysign(limit / 2, f->offset);
  for (int halvings = 0; halvings < 64 && wf_case_max_abs(c, tensor) > limit; halvings++)
    f->scale = (double)((float)f->scale / 2);
  if (wf_case_max_abs(c, tensor) > limit)
    *f = (WfFill){.dist = WF_DIST_CONSTANT, .scale = 1, .base_offset_elems = f->base_offset_elems};
}

void wf_draw_values(const WfDraw *d, WfCase *c) {
  double limit = (double)(float)d->v->values;
  if (!(limit > 0))
    return;
  if (limit > d->v->values)
    limit = (double)nextafterf((float)limit, 0);
  for (uint32_t k = 0; k < c->n_edits; k++) {
    float *v = &c->edits[k].value;
    if (*v == -INFINITY && d->v->flags & WF_MINUS_INF)
      continue;
    if (isnan(*v))
      *v = 0;
    else if (fabsf(*v) > limit)
      *v = copysignf((float)limit, *v);
  }
  WfCase unedited = *c;
  unedited.n_edits = 0;
  for (int t = 0; t < d->op->n_tensors; t++)
    if (d->op->tensors[t].role == WF_IN && wf_case_max_abs(&unedited, t) > limit) {
      shrink_fill(&unedited, t, limit);
      c->fill[t] = unedited.fill[t];
    }
}

double wf_draw_scalar(WfDraw *d, int scalar) {
  const WfScalarDesc *s = &d->op->scalars[scalar];
  if (s->kind == WF_FLAG)
    return (double)wf_choice_below(d->ch, 2);
  int first = s->n_usual == 0 || wf_choice_below(d->ch, 2) == 0;
  return s->usual[first ? 0 : wf_choice_below(d->ch, (uint64_t)s->n_usual)];
}

/* Up to where integers are exact to whoever adds them; half the time also to an output of 16 bits, which would hide a lost element if it
 * were rounded. */
static int64_t exact_room(WfDraw *d, const WfCase *c) {
  WfDtype type = d->v->arith;
  for (int t = 0; t < d->op->n_tensors; t++)
    if (d->op->tensors[t].role == WF_OUT && type == WF_F32 && c->dtype[t] != WF_F32 && wf_choice_below(d->ch, 2))
      type = c->dtype[t];
  return (int64_t)1 << wf_dtype_digits(type);
}

void wf_draw_exact(WfDraw *d, WfCase *c) {
  static const uint8_t small[] = {1, 1, 2, 3};
  int64_t most = 1;
  for (int t = 0; t < d->op->n_tensors; t++)
    most = wf_case_elems(c, t) > most ? wf_case_elems(c, t) : most;
  int64_t other = PICK(d->ch, small), distinct = exact_room(d, c) / (most * other);
  distinct = distinct < 1 ? 1 : distinct > 4096 ? 4096 : distinct;
  uint64_t pick = wf_choice_below(d->ch, (uint64_t)d->op->n_tensors);
  for (int t = 0; t < d->op->n_tensors; t++)
    if (d->op->tensors[t].role == WF_IN) {
      WfFill *f = &c->fill[t];
      f->dist = WF_DIST_DISTINCT;
      f->seed = wf_choice_below(d->ch, (uint64_t)1 << 32);
      f->scale = (double)((uint64_t)t == pick || d->op->n_tensors == 2 ? distinct : other);
      f->offset = 0;
    }
}

void wf_draw_place(WfDraw *d, WfCase *c) {
  c->in_place = 0;
  if (!d->v->in_place || !wf_choice_one_in(d->ch, 4))
    return;
  int t = (int)wf_choice_below(d->ch, (uint64_t)d->op->n_tensors);
  c->in_place = d->op->tensors[t].role == WF_IN ? (uint32_t)t + 1 : 0;
  if (!wf_case_admits(c, &d->any_values, NULL, NULL, 0))
    c->in_place = 0;
}

void wf_draw_align(WfDraw *d, WfCase *c) {
  static const uint8_t offsets[] = {1, 2, 3, 4, 5, 8, 16, 31, 32, 63};
  int some = wf_choice_one_in(d->ch, 4), multiples = some && wf_choice_one_in(d->ch, 2);
  for (int t = 0; t < d->op->n_tensors; t++) {
    c->fill[t].base_offset_elems = some && wf_choice_one_in(d->ch, 2) ? PICK(d->ch, offsets) : 0;
    if (multiples) /* what a contract with vector accesses still admits */
      c->fill[t].base_offset_elems &= ~3u;
  }
  if (some && !wf_case_admits(c, &d->any_values, NULL, NULL, 0))
    for (int t = 0; t < d->op->n_tensors; t++)
      c->fill[t].base_offset_elems = 0;
}

/* ---- edits ---- */
static const WfSel all = {0, INT64_MAX, 1};
static WfSel one(int64_t i) { return (WfSel){i, i, 1}; }
static WfSel up_to(int64_t i) { return (WfSel){0, i, 1}; }
static WfSel from(int64_t i) { return (WfSel){i, INT64_MAX, 1}; }
static WfSel stripe(int64_t first, int64_t step) { return (WfSel){first, INT64_MAX, step}; }

typedef struct Target { /* the tensor an edit is for */
  WfCase *c;
  int tensor, rank;
  int64_t rows, cols;
} Target;

static void add(Target *t, WfSel row, WfSel col, float value) {
  if (t->c->n_edits == WF_MAX_EDITS)
    return;
  WfEdit *e = &t->c->edits[t->c->n_edits++];
  memset(e, 0, sizeof *e);
  e->tensor = (uint8_t)t->tensor;
  e->sel[0] = t->rank == 2 ? row : col;
  if (t->rank == 2)
    e->sel[1] = col;
  e->value = value;
}

static int64_t pick_row(WfChoice *ch, int64_t rows) {
  switch (wf_choice_below(ch, 4)) {
  case 0: return 0;
  case 1: return rows - 1;
  default: return (int64_t)wf_choice_below(ch, (uint64_t)rows);
  }
}

/* A column, with those that begin and end the shares of threads, warps and blocks more often. */
static int64_t pick_col(WfDraw *d, const Target *t) {
  int64_t block = t->c->block[0], v;
  switch (wf_choice_below(d->ch, 8)) {
  case 0: return 0;
  case 1: return t->cols - 1;
  case 2: v = 31 + (int64_t)wf_choice_below(d->ch, 2); break;
  case 3: v = block - 1 + (int64_t)wf_choice_below(d->ch, 2); break;
  case 4: v = (int64_t)wf_choice_below(d->ch, 32); break;
  default: v = (int64_t)wf_choice_below(d->ch, (uint64_t)t->cols); break;
  }
  return v < t->cols ? v : t->cols - 1;
}

/* What one lane, or one thread of a block, reads of a row. */
static WfSel lane_share(WfDraw *d, const Target *t) {
  int64_t step = wf_choice_below(d->ch, 2) ? (int64_t)t->c->block[0] : 32;
  int64_t max = step < t->cols ? step : t->cols;
  return stripe((int64_t)wf_choice_below(d->ch, (uint64_t)max), step);
}

/* A tensor of the op's inputs that has elements; 0: none. */
static int aim(WfDraw *d, WfCase *c, Target *t) {
  int inputs[WF_MAX_TENSORS], n = 0;
  for (int i = 0; i < c->op->n_tensors; i++)
    if (c->op->tensors[i].role == WF_IN && wf_case_elems(c, i) > 0)
      inputs[n++] = i;
  if (n == 0)
    return 0;
  int i = inputs[wf_choice_below(d->ch, (uint64_t)n)];
  const WfTensorDesc *desc = &c->op->tensors[i];
  *t = (Target){c, i, desc->rank, desc->rank == 2 ? wf_extent(desc, 0, c->dim) : 1, wf_extent(desc, desc->rank - 1, c->dim)};
  return 1;
}

enum { /* kinds of edits with NaN and infinities */
  MASKED_ROW, NAN_ELEMENT, PREFIX, SUFFIX, LANE_MASKED, ONE_FINITE, ONE_LANE_FINITE, ALL_MASKED,
  INF_ELEMENT, NAN_ROW, COLUMN_MASKED, MINUS_INF_ELEMENT
};

static void draw_special(WfDraw *d, Target *t) {
  static const uint8_t kinds[] = {MASKED_ROW,  MASKED_ROW,  MASKED_ROW,  MASKED_ROW, NAN_ELEMENT,     NAN_ELEMENT,
                                  NAN_ELEMENT, PREFIX,      SUFFIX,      LANE_MASKED, LANE_MASKED,    ONE_FINITE,
                                  INF_ELEMENT, NAN_ROW,     COLUMN_MASKED, ONE_LANE_FINITE, ALL_MASKED, MINUS_INF_ELEMENT};
  static const float finite[] = {0, 1, 88.8f, -88, -1e4f, 1e4f, -FLT_MAX};
  int kind = PICK(d->ch, kinds);
  WfSel row = one(pick_row(d->ch, t->rows)), col = one(pick_col(d, t));
  WfSel row_or_all = wf_choice_one_in(d->ch, 3) ? all : row;
  switch (kind) {
  case MASKED_ROW: add(t, row, all, -INFINITY); break;
  case NAN_ELEMENT: add(t, row, col, NAN); break;
  case PREFIX: add(t, row_or_all, up_to(col.first), -INFINITY); break;
  case SUFFIX: add(t, row_or_all, from(col.first), -INFINITY); break;
  case LANE_MASKED: add(t, row_or_all, lane_share(d, t), -INFINITY); break;
  case ONE_FINITE:
    add(t, row, all, -INFINITY);
    add(t, row, col, PICK(d->ch, finite));
    break;
  case ONE_LANE_FINITE:
    add(t, row, all, -INFINITY);
    add(t, row, lane_share(d, t), PICK(d->ch, finite));
    break;
  case ALL_MASKED: add(t, all, all, -INFINITY); break;
  case INF_ELEMENT: add(t, row, col, INFINITY); break;
  case NAN_ROW: add(t, row, all, NAN); break;
  case COLUMN_MASKED: add(t, all, col, -INFINITY); break;
  case MINUS_INF_ELEMENT: add(t, row, col, -INFINITY); break;
  }
}

static void draw_finite(WfDraw *d, Target *t) {
  static const float rows[] = {0, 1, 88.8f, -88, -200, -1e4f, -1e4f, 1e4f, -3e38f, 1e-40f};
  static const float elements[] = {-0.0f, 0, 88, 88.8f, 89, 104, -104, 1e4f, -1e4f, FLT_MAX, -FLT_MAX, 1e-45f};
  WfSel row = one(pick_row(d->ch, t->rows)), col = one(pick_col(d, t));
  switch (wf_choice_below(d->ch, 6)) {
  case 0:
  case 1: add(t, row, all, PICK(d->ch, rows)); break;
  case 2: add(t, row, lane_share(d, t), PICK(d->ch, elements)); break;
  case 3: add(t, all, col, PICK(d->ch, elements)); break;
  default: add(t, row, col, PICK(d->ch, elements)); break;
  }
}

void wf_draw_edit(WfDraw *d, WfCase *c, int special) {
  Target t;
  if (!aim(d, c, &t))
    return;
  if (special)
    draw_special(d, &t);
  else
    draw_finite(d, &t);
}

/* Half of the cases hold no NaN and no infinity: those would hide wrong values. Of these, half hold no edit. */
void wf_draw_edits(WfDraw *d, WfCase *c) {
  int special = wf_choice_one_in(d->ch, 2);
  int n = special || wf_choice_one_in(d->ch, 2) ? 1 + (int)wf_choice_below(d->ch, 3) : 0;
  c->n_edits = 0;
  for (int i = 0; i < n; i++)
    wf_draw_edit(d, c, special && (i == 0 || !wf_choice_one_in(d->ch, 4)));
}
