/* values.c - the values of a case's tensors; those of one element are made in value.h. */
#include "value.h"
#include <math.h>

const char *wf_dist_name(WfDist d) {
  static const char *const name[WF_DIST_COUNT] = {"normal", "uniform", "huge",     "integers", "ramp",
                                                  "hash",   "denormal", "mixed", "mean",     "constant", "distinct"};
  return name[d];
}

/* Of the values of a whole row of `cols`; N(0,1) and H as in case.h. */
static double fill_max_abs(const WfFill *f, WfDtype t, int64_t cols) {
  double scale = f->scale < 0 ? -f->scale : f->scale, offset = f->offset < 0 ? -f->offset : f->offset;
  const int64_t ramp_last = (1 << 29) - 1;
  switch (f->dist) {
  case WF_DIST_NORMAL: return offset + scale * 4.9;
  case WF_DIST_UNIFORM:
  case WF_DIST_HASH: return offset + scale;
  case WF_DIST_HUGE: return offset + scale * 1e4;
  case WF_DIST_INTEGERS: return offset + wf_limited(scale, wf_most_integer(t));
  case WF_DIST_RAMP: return offset + scale * (double)(cols - 1 < ramp_last ? cols - 1 : ramp_last);
  case WF_DIST_DENORMAL: return 2 * wf_dtype_normal(t);
  case WF_DIST_MIXED: return wf_power_of_two((int64_t)wf_limited(scale, wf_most_exponent(t)));
  case WF_DIST_MEAN: return offset + scale * 4.9 * wf_narrow(t);
  case WF_DIST_CONSTANT: return offset;
  case WF_DIST_DISTINCT: return wf_limited(scale, wf_most_integer(t)) > 1 ? wf_limited(scale, wf_most_integer(t)) : 1;
  case WF_DIST_COUNT: break;
  }
  return 0;
}

int64_t wf_case_elems(const WfCase *c, int tensor) {
  const WfTensorDesc *t = &c->op->tensors[tensor];
  int64_t n = 1;
  for (int i = 0; i < t->rank; i++)
    if (__builtin_mul_overflow(n, wf_extent(t, i, c->dim), &n) || wf_extent(t, i, c->dim) < 0)
      return -1;
  return n;
}

static int64_t row_length(const WfCase *c, int tensor) {
  const WfTensorDesc *t = &c->op->tensors[tensor];
  return wf_extent(t, t->rank - 1, c->dim);
}

/* Last index an axis of n elements and a selection have in common; -1 or less: none. */
static int64_t clip(const WfSel *s, int64_t n) { return s->last < n ? s->last : n - 1; }

static void apply(const WfEdit *e, WfDtype t, float *out, int64_t rows, int64_t cols, const WfSel *row, const WfSel *col) {
  float v = wf_value_edited(t, e->value);
  int64_t row_last = clip(row, rows), col_last = clip(col, cols);
  for (int64_t i = row->first; i <= row_last; i += row->step)
    for (int64_t j = col->first; j <= col_last; j += col->step)
      out[i * cols + j] = v;
}

static const WfSel whole = {0, INT64_MAX, 1};

void wf_case_values(const WfCase *c, int tensor, float *out) {
  int rank2 = c->op->tensors[tensor].rank == 2;
  int64_t n = wf_case_elems(c, tensor), cols = row_length(c, tensor);
  int64_t rows = n <= 0 ? 0 : n / cols;
  for (int64_t i = 0, at = 0; i < rows; i++)
    for (int64_t j = 0; j < cols; j++, at++)
      out[at] = wf_value_drawn(&c->fill[tensor], c->dtype[tensor], (uint32_t)tensor, (uint64_t)at, (uint64_t)j);
  for (uint32_t k = 0; k < c->n_edits; k++) {
    const WfEdit *e = &c->edits[k];
    if (e->tensor == tensor)
      apply(e, c->dtype[tensor], out, rows, cols, rank2 ? &e->sel[0] : &whole, rank2 ? &e->sel[1] : &e->sel[0]);
  }
}

void wf_case_values_at(const WfCase *c, int tensor, int64_t first, int64_t n, float *out) {
  int rank2 = c->op->tensors[tensor].rank == 2;
  int64_t cols = row_length(c, tensor), row = first / cols, col = first % cols;
  for (int64_t i = 0; i < n; i++) {
    out[i] = wf_value_drawn(&c->fill[tensor], c->dtype[tensor], (uint32_t)tensor, (uint64_t)(first + i), (uint64_t)col);
    for (uint32_t k = 0; k < c->n_edits; k++)
      if (c->edits[k].tensor == tensor && wf_edit_selects(c->edits[k].sel, rank2, row, col))
        out[i] = wf_value_edited(c->dtype[tensor], c->edits[k].value);
    if (++col == cols) {
      col = 0;
      row++;
    }
  }
}

double wf_case_max_abs(const WfCase *c, int tensor) {
  double max = fill_max_abs(&c->fill[tensor], c->dtype[tensor], row_length(c, tensor));
  max = (double)wf_dtype_stored(c->dtype[tensor], wf_to_float(max)); /* as the values are */
  for (uint32_t k = 0; k < c->n_edits; k++) {
    double v = (double)wf_value_edited(c->dtype[tensor], c->edits[k].value);
    v = v < 0 ? -v : v;
    if (c->edits[k].tensor == tensor && !(v <= max))
      max = v <= (double)FLT_MAX ? v : (double)INFINITY;
  }
  return max;
}

float wf_case_value(const WfCase *c, int tensor, int64_t index) {
  int rank2 = c->op->tensors[tensor].rank == 2;
  int64_t cols = row_length(c, tensor), row = index / cols, col = index % cols;
  for (uint32_t k = c->n_edits; k-- > 0;) { /* the last one wins */
    const WfEdit *e = &c->edits[k];
    if (e->tensor == tensor && wf_edit_selects(e->sel, rank2, row, col))
      return wf_value_edited(c->dtype[tensor], e->value);
  }
  return wf_value_drawn(&c->fill[tensor], c->dtype[tensor], (uint32_t)tensor, (uint64_t)index, (uint64_t)col);
}
