/* relations.c - relations for ops over rows: shift, order of columns and of rows, independence of rows. */
#include "arith.h"
#include "relation.h"
#include "relation_moves.h"
#include <float.h>
#include <math.h>

enum { FLOAT_BITS = 24, PLACES = 20 };

static int64_t below(uint64_t *state, int64_t n) {
  return (int64_t)(wf_split_mix(state) % (uint64_t)n);
}

/* ---- shift ---- */

/* The exponent of the lowest bit that is set in v, finite and not 0. */
static int lowest_bit(float v) {
  int e;
  int32_t m = (int32_t)ldexpf(frexpf(v, &e), FLOAT_BITS);
  return e - FLOAT_BITS + __builtin_ctz((uint32_t)(m < 0 ? -m : m));
}

/* The grid a row's finite elements lie on: multiples of 2^exponent from min to max. 0: there are none, or all are 0. */
typedef struct Grid {
  int exponent;
  double min, max;
} Grid;

static int grid_of(const float *x, int64_t n, Grid *g) {
  int any = 0;
  *g = (Grid){.exponent = FLT_MAX_EXP, .min = INFINITY, .max = -INFINITY};
  for (int64_t c = 0; c < n; c++) {
    if (!isfinite(x[c]))
      continue;
    g->min = x[c] < g->min ? x[c] : g->min;
    g->max = x[c] > g->max ? x[c] : g->max;
    if (x[c] == 0)
      continue;
    int e = lowest_bit(x[c]);
    g->exponent = e < g->exponent ? e : g->exponent;
    any = 1;
  }
  return any;
}

/* A sum of a multiple of 2^e and a constant that is one, too, is exact if it is at most 2^digits times that, with the significant
 * digits of the type. The constant takes
 * the row as far up or down as that allows, or a few binary places less; 0: it has no room. */
static double shift_of(const Grid *g, int digits, double largest, uint64_t *state) {
  double unit = ldexp(1, g->exponent), room = ldexp(unit, digits);
  if (room > largest)
    room = largest;
  uint64_t r = wf_split_mix(state);
  double up = floor((room - g->max) / unit), down = floor((room + g->min) / unit);
  double steps = r & 1 ? up : down;
  if (up < 0 || down < 0)
    return 0; /* too wide as it is */
  steps = floor(ldexp(steps, -(int)(r / 2 % PLACES)));
  return (r & 1 ? steps : -steps) * unit;
}

static int shift(const WfRefArgs *a, double largest, uint64_t seed, float *const *changed, int64_t *at) {
  int64_t cols = a->dim[1];
  int moved = 0;
  wf_indices_stay(at, a->dim[0] * cols);
  for (int64_t r = 0; r < a->dim[0]; r++) {
    float *row = changed[0] + r * cols;
    Grid g;
    double by = grid_of(row, cols, &g) ? shift_of(&g, wf_dtype_digits(a->dtype[0]), largest, &seed) : 0;
    if (by == 0)
      continue;
    moved = 1;
    for (int64_t c = 0; c < cols; c++)
      if (isfinite(row[c]))
        row[c] = (float)(row[c] + by);
  }
  return moved;
}

const WfRelation wf_relation_shift = {
    .change = "a constant added to each row, exactly",
    .rule = "adding a constant to a row must not change its result",
    .apply = shift,
};

/* ---- columns ---- */

/* The inputs behind x have an element a column. */
static int permute(const WfRefArgs *a, double largest, uint64_t seed, float *const *changed, int64_t *at) {
  int64_t rows = a->dim[0], cols = a->dim[1];
  (void)largest;
  if (rows < 1 || cols < 2)
    return 0;
  WfShuffle s = wf_shuffle_draw(cols, &seed);
  wf_shuffle_matrix(a->in[0], changed[0], rows, cols, NULL, &s);
  for (int t = 1; a->in[t]; t++)
    wf_shuffle_matrix(a->in[t], changed[t], 1, cols, NULL, &s);
  wf_shuffle_indices(at, rows, cols, NULL, &s);
  return 1;
}

const WfRelation wf_relation_permute = {
    .change = "the columns in another order",
    .rule = "the order of a row's columns must not change their results",
    .apply = permute,
};

/* ---- rows ---- */

static int reorder_rows(const WfRefArgs *a, double largest, uint64_t seed, float *const *changed, int64_t *at) {
  int64_t rows = a->dim[0], cols = a->dim[1];
  (void)largest;
  if (rows < 2 || cols < 1)
    return 0;
  WfShuffle s = wf_shuffle_draw(rows, &seed);
  wf_shuffle_matrix(a->in[0], changed[0], rows, cols, &s, NULL);
  wf_shuffle_indices(at, rows, cols, &s, NULL);
  return 1;
}

/* Not the same bits: where a row starts may decide how it is read, and so the order of summation. */
const WfRelation wf_relation_row_order = {
    .change = "the rows in another order",
    .rule = "a row's result must not depend on its place",
    .apply = reorder_rows,
};

/* NaN, which no weight of 0 makes go away, half the time. Where the contract promises a range there is none. */
void wf_spoil_row(float *row, int64_t n, double largest, uint64_t *state) {
  uint64_t kind = wf_split_mix(state) % 4;
  float big = (float)largest; /* not above it: a contract names a float */
  int is_nan = kind < 2 && largest >= FLT_MAX;
  for (int64_t c = 0; c < n; c++)
    row[c] = is_nan ? NAN : kind == 3 && c % 2 ? -big : big;
}

int wf_spoil_rows(float *x, int64_t rows, int64_t cols, int64_t out_cols, double largest, uint64_t seed, int64_t *at) {
  if (rows < 2)
    return 0;
  wf_indices_stay(at, rows * out_cols);
  int64_t kept = below(&seed, rows), spoilt = (kept + 1 + below(&seed, rows - 1)) % rows;
  for (int64_t r = 0; r < rows; r++) {
    if (r == kept || (r != spoilt && wf_split_mix(&seed) % 2))
      continue;
    wf_spoil_row(x + r * cols, cols, largest, &seed);
    for (int64_t c = 0; c < out_cols; c++)
      at[r * out_cols + c] = -1;
  }
  return 1;
}

static int spoil_rows(const WfRefArgs *a, double largest, uint64_t seed, float *const *changed, int64_t *at) {
  return wf_spoil_rows(changed[0], a->dim[0], a->dim[1], a->dim[1], largest, seed, at);
}

const WfRelation wf_relation_rows = {
    .change = "other values in other rows",
    .rule = "a row's result must not depend on other rows",
    .same_bits = 1,
    .apply = spoil_rows,
};
