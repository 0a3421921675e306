/* values.c - the values of a case's tensors: a pure function of (distribution, seed, tensor, element).
 *
 * Random bits are Philox4x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC 2011), one block of
 * 128 bits an element: counter (index low, index high, tensor, 0), key (seed low, seed high).
 * Bit-exact everywhere: a value is offset + scale * u with scale a float (24 significant bits) and u a multiple of a power
 * of two with at most 29 significant bits, so the product is exact in double, and the sum is rounded once, with or
 * without a fused multiply-add. No libm. */
#include "case.h"
#include <Random123/philox.h>
#include <float.h>
#include <math.h>
#include <string.h>

typedef struct Element {
  uint32_t bits[4];
  uint64_t index;
  uint64_t column;
  uint32_t tensor;
} Element;

const char *wf_dist_name(WfDist d) {
  static const char *const name[WF_DIST_COUNT] = {"normal", "uniform", "huge",     "integers", "ramp",
                                                  "hash",   "denormal", "mixed", "mean",     "constant", "distinct"};
  return name[d];
}

/* Finite always: a distribution never makes an infinity, edits do. */
static float to_float(double v) {
  if (v > (double)FLT_MAX)
    return FLT_MAX;
  return v < -(double)FLT_MAX ? -FLT_MAX : (float)v;
}

/* 0 .. n-1 for n <= 2^32 */
static uint64_t below(uint32_t bits, uint64_t n) { return ((uint64_t)bits * n) >> 32; }

/* Sum of eight 16-bit uniforms, minus its mean: variance 8 * 2^32 / 12, so times sqrt(12 / 8) / 2^16 for variance 1.
 * sqrt(1.5) = 1.22474 is taken as 1254/1024 to stay within 29 bits. */
static double unit_normal(const Element *e) {
  int64_t sum = 0;
  for (int i = 0; i < 4; i++)
    sum += (int64_t)(e->bits[i] & 0xffff) + (int64_t)(e->bits[i] >> 16);
  return (double)((sum - 4 * 65535) * 1254) * 0x1p-26;
}

static double unit_uniform(const Element *e) { /* odd multiples of 2^-24 in (-1, 1) */
  return (double)((int64_t)(e->bits[0] >> 8) * 2 + 1 - (1 << 24)) * 0x1p-24;
}

/* 80 * 2^octave * (1 + fraction), at most 1e4; the first octave, around the limits of expf, for half of the elements. */
static double unit_huge(const Element *e) {
  unsigned octave = e->bits[0] & 1 ? 0 : (unsigned)below(e->bits[1], 7);
  int64_t m = (80 * (0x10000 + (int64_t)(e->bits[2] >> 16))) << octave;
  if (m > (int64_t)10000 << 16)
    m = (int64_t)10000 << 16;
  return (double)(e->bits[0] & 2 ? -m : m) * 0x1p-16;
}

static double limited(double scale, double max) {
  scale = scale < 0 ? -scale : scale;
  return scale < max ? scale : max;
}

static double symmetric_integer(const Element *e, double scale, double max) {
  int64_t n = (int64_t)limited(scale, max);
  return (double)((int64_t)below(e->bits[0], (uint64_t)n * 2 + 1) - n);
}

/* A bijection of 24-bit numbers: each step (odd factor, xor with own upper half) can be undone. */
static double unit_hash(const Element *e, uint64_t seed) {
  const uint32_t mask = (1u << 24) - 1;
  uint32_t x = (uint32_t)(e->index ^ seed ^ (seed >> 24) ^ (seed >> 48)) + e->tensor * 0x9e3779b9u;
  for (int round = 0; round < 3; round++) {
    x = (x & mask) * 0x2c1b3c6du & mask;
    x ^= x >> 12;
  }
  return (double)x * 0x1p-24;
}

/* Any `scale` elements in a row have different magnitudes. */
static double distinct_integer(const Element *e, double scale, uint64_t seed) {
  uint64_t n = (uint64_t)limited(scale, 0x1p24);
  double v = n > 1 ? (double)((e->index + seed % n) % n + 1) : 1;
  return e->bits[0] & 1 ? -v : v;
}

static double power_of_two(int64_t e) { /* |e| <= 126 */
  uint64_t bits = (uint64_t)(1023 + e) << 52;
  double v;
  memcpy(&v, &bits, sizeof v);
  return v;
}

static float denormal(const Element *e) {
  uint32_t bits = e->bits[0] & 0x80ffffffu; /* sign, lowest exponent bit, 23 bits of fraction */
  float v;
  memcpy(&v, &bits, sizeof v);
  return v;
}

static float draw(const WfFill *f, const Element *e) {
  double scale = (double)(float)f->scale, offset = f->offset;
  switch (f->dist) {
  case WF_DIST_NORMAL: return to_float(offset + scale * unit_normal(e));
  case WF_DIST_UNIFORM: return to_float(offset + scale * unit_uniform(e));
  case WF_DIST_HUGE: return to_float(offset + scale * unit_huge(e));
  case WF_DIST_INTEGERS: return to_float(offset + symmetric_integer(e, scale, 0x1p24));
  case WF_DIST_RAMP: return to_float(offset + scale * (double)(e->column & ((1u << 29) - 1)));
  case WF_DIST_HASH: return to_float(offset + scale * unit_hash(e, f->seed));
  case WF_DIST_DENORMAL: return denormal(e);
  case WF_DIST_MIXED: {
    double v = power_of_two((int64_t)symmetric_integer(e, scale, 126));
    return (float)(e->bits[1] & 1 ? -v : v);
  }
  case WF_DIST_MEAN: return to_float(offset + scale * (unit_normal(e) * 0x1p-10));
  case WF_DIST_CONSTANT: return to_float(offset);
  case WF_DIST_DISTINCT: return (float)distinct_integer(e, scale, f->seed);
  case WF_DIST_COUNT: break;
  }
  return 0;
}

static float draw_at(const WfFill *f, uint32_t tensor, uint64_t index, uint64_t column) {
  philox4x32_ctr_t ctr = {{(uint32_t)index, (uint32_t)(index >> 32), tensor, 0}};
  philox4x32_key_t key = {{(uint32_t)f->seed, (uint32_t)(f->seed >> 32)}};
  philox4x32_ctr_t r = philox4x32(ctr, key);
  Element e = {{r.v[0], r.v[1], r.v[2], r.v[3]}, index, column, tensor};
  return draw(f, &e);
}

/* Of the values of a whole row of `cols`; N(0,1) and H as in case.h. */
static double fill_max_abs(const WfFill *f, int64_t cols) {
  double scale = f->scale < 0 ? -f->scale : f->scale, offset = f->offset < 0 ? -f->offset : f->offset;
  const int64_t ramp_last = (1 << 29) - 1;
  switch (f->dist) {
  case WF_DIST_NORMAL: return offset + scale * 4.9;
  case WF_DIST_UNIFORM:
  case WF_DIST_HASH: return offset + scale;
  case WF_DIST_HUGE: return offset + scale * 1e4;
  case WF_DIST_INTEGERS: return offset + limited(scale, 0x1p24);
  case WF_DIST_RAMP: return offset + scale * (double)(cols - 1 < ramp_last ? cols - 1 : ramp_last);
  case WF_DIST_DENORMAL: return 2 * (double)FLT_MIN;
  case WF_DIST_MIXED: return power_of_two((int64_t)limited(scale, 126));
  case WF_DIST_MEAN: return offset + scale * (4.9 / 1024);
  case WF_DIST_CONSTANT: return offset;
  case WF_DIST_DISTINCT: return limited(scale, 0x1p24) > 1 ? limited(scale, 0x1p24) : 1;
  case WF_DIST_COUNT: break;
  }
  return 0;
}

/* One NaN only, so that a case's text decides the bits. */
static float edit_value(const WfEdit *e) {
  const uint32_t quiet = 0x7fc00000u;
  float v = e->value;
  if (v != v)
    memcpy(&v, &quiet, sizeof v);
  return v;
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

static void apply(const WfEdit *e, float *out, int64_t rows, int64_t cols, const WfSel *row, const WfSel *col) {
  float v = edit_value(e);
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
      out[at] = draw_at(&c->fill[tensor], (uint32_t)tensor, (uint64_t)at, (uint64_t)j);
  for (uint32_t k = 0; k < c->n_edits; k++) {
    const WfEdit *e = &c->edits[k];
    if (e->tensor == tensor)
      apply(e, out, rows, cols, rank2 ? &e->sel[0] : &whole, rank2 ? &e->sel[1] : &e->sel[0]);
  }
}

static int selects(const WfSel *s, int64_t i) { return i >= s->first && i <= s->last && (i - s->first) % s->step == 0; }

static int edit_selects(const WfEdit *e, int rank2, int64_t row, int64_t col) {
  return selects(&e->sel[0], rank2 ? row : col) && (!rank2 || selects(&e->sel[1], col));
}

void wf_case_values_at(const WfCase *c, int tensor, int64_t first, int64_t n, float *out) {
  int rank2 = c->op->tensors[tensor].rank == 2;
  int64_t cols = row_length(c, tensor), row = first / cols, col = first % cols;
  for (int64_t i = 0; i < n; i++) {
    out[i] = draw_at(&c->fill[tensor], (uint32_t)tensor, (uint64_t)(first + i), (uint64_t)col);
    for (uint32_t k = 0; k < c->n_edits; k++)
      if (c->edits[k].tensor == tensor && edit_selects(&c->edits[k], rank2, row, col))
        out[i] = edit_value(&c->edits[k]);
    if (++col == cols) {
      col = 0;
      row++;
    }
  }
}

double wf_case_max_abs(const WfCase *c, int tensor) {
  double max = fill_max_abs(&c->fill[tensor], row_length(c, tensor));
  max = (double)to_float(max); /* as the values are */
  for (uint32_t k = 0; k < c->n_edits; k++) {
    double v = c->edits[k].value < 0 ? -(double)c->edits[k].value : (double)c->edits[k].value;
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
    if (e->tensor == tensor && edit_selects(e, rank2, row, col))
      return edit_value(e);
  }
  return draw_at(&c->fill[tensor], (uint32_t)tensor, (uint64_t)index, (uint64_t)col);
}
