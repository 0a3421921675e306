/* norm_models.c - see norm_models.h. */
#include "norm_models.h"
#include "softmax_models.h" /* random numbers */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- rows ---- */

const char *const norm_kind_names[NORM_N_KINDS] = {"normal",     "mean far off", "mixed",           "1e17",     "denormal", "constant",
                                                   "an outlier", "alternating",  "nearly constant", "integers", "half ulps"};

static float draw(int kind, int c, int n, uint64_t *s) {
  double v = model_normal(s);
  switch (kind) {
  case NORM_FAR: return (float)(1000 + v);
  case NORM_MIXED: return (float)ldexp(v, model_below(s, 40) - 20);
  case NORM_LARGE: return (float)(1e17 * v);
  case NORM_DENORMAL: return (float)(1e-39 * v);
  case NORM_CONSTANT: return 88.8f;
  case NORM_OUTLIER: return c == n / 2 ? 1e6f : (float)v;
  case NORM_ALTERNATING: return c % 2 ? 1e4f : (float)(-1e4 + 1e-3 * v);
  case NORM_NEARLY_CONSTANT: return c == n - 1 ? 255 : 256;
  case NORM_INTEGERS: return (float)(model_below(s, 2001) - 1000);
  default: return (float)v;
  }
}

/* After the first element each is half an ulp of it, or its square is: lost, if added one by one. */
static void draw_half_ulps(float *x, int n, uint64_t *s) {
  float small = model_below(s, 2) ? 0x1p-24f : 0x1p-12f;
  for (int c = 0; c < n; c++)
    x[c] = c == 0 ? 1 : small;
}

void norm_draw_row(int kind, int n, float *x, float *gamma, float *beta, uint64_t *state) {
  int plain = model_below(state, 2);
  for (int c = 0; c < n; c++) {
    x[c] = draw(kind, c, n, state);
    gamma[c] = plain ? 1 : (float)ldexp(model_normal(state), model_below(state, 20) - 10);
    beta[c] = plain ? 0 : (float)model_normal(state);
  }
  if (kind == NORM_HALF_ULPS)
    draw_half_ulps(x, n, state);
}

int norm_draw_cols(int most, uint64_t *state) {
  int kind = model_below(state, 16);
  return kind == 0 ? most - model_below(state, 100) : kind < 3 ? 1 + model_below(state, 600) : 1 + model_below(state, 70);
}

/* ---- functions of the device ---- */

NormKernel norm_draw_kernel(uint64_t *state) {
  NormKernel k = {0};
  k.root = model_below(state, 3) - 1;
  k.quotient = model_below(state, 3) - 1;
  k.fast = model_below(state, 2);
  k.line = model_below(state, 4) == 0;
  return k;
}

static float flush(const NormKernel *k, double v) {
  float f = (float)v;
  return k->fast && fabsf(f) < FLT_MIN ? 0 : f;
}

static float ulps(float v, int n) {
  for (; n > 0; n--)
    v = nextafterf(v, INFINITY);
  for (; n < 0; n++)
    v = nextafterf(v, -INFINITY);
  return v;
}

static float divide(const NormKernel *k, float a, float b) {
  return flush(k, (double)ulps(a / b, k->fast && a != 0 ? 2 * k->quotient : 0));
}

static float reciprocal_root(const NormKernel *k, float v) { return ulps((float)(1 / sqrt((double)v)), 2 * k->root); }

static float root(const NormKernel *k, float v) { return ulps(sqrtf(v), k->fast && v != 0 ? k->root : 0); }

/* ---- sums of n floats ---- */

typedef float Summer(const float *v, int n, const NormKernel *k);

static float add(const NormKernel *k, float a, float b) { return flush(k, (double)(a + b)); }

static float sum_in_order(const float *v, int n, const NormKernel *k) {
  float s = 0;
  for (int i = 0; i < n; i++)
    s = add(k, s, v[i]);
  return s;
}

static float sum_backwards(const float *v, int n, const NormKernel *k) {
  float s = 0;
  for (int i = n; i-- > 0;)
    s = add(k, s, v[i]);
  return s;
}

static float sum_lanes(const float *v, int n, const NormKernel *k) {
  float lane[32] = {0};
  for (int i = 0; i < n; i++)
    lane[i % 32] = add(k, lane[i % 32], v[i]);
  for (int half = 16; half > 0; half /= 2)
    for (int i = 0; i < half; i++)
      lane[i] = add(k, lane[i], lane[i + half]);
  return lane[0];
}

static float sum_pairwise(const float *v, int n, const NormKernel *k) {
  if (n <= 1)
    return n ? v[0] : 0;
  int half = (n + 1) / 2;
  return add(k, sum_pairwise(v, half, k), sum_pairwise(v + half, n - half, k));
}

static float sum_tiles(const float *v, int n, const NormKernel *k) {
  float s = 0;
  for (int i = 0; i < n; i += 32)
    s = add(k, s, sum_in_order(v + i, n - i < 32 ? n - i : 32, k));
  return s;
}

static int by_magnitude(const void *a, const void *b) {
  float x = fabsf(*(const float *)a), z = fabsf(*(const float *)b);
  return (x > z) - (x < z);
}

static const float *sorted(const float *v, int n) {
  static float copy[NORM_MAX_COLS];
  memcpy(copy, v, (size_t)n * sizeof *v);
  qsort(copy, (size_t)n, sizeof *copy, by_magnitude);
  return copy;
}

static float sum_smallest_first(const float *v, int n, const NormKernel *k) { return sum_in_order(sorted(v, n), n, k); }
static float sum_largest_first(const float *v, int n, const NormKernel *k) { return sum_backwards(sorted(v, n), n, k); }

/* ---- statistics ---- */

static NormStatistics two_passes(const float *x, int n, int centred, const NormKernel *k, Summer *sum) {
  static float t[NORM_MAX_COLS];
  const NormFault *f = k->fault;
  NormStatistics s = {0, 0};
  for (int c = 0; c < n; c++)
    t[c] = flush(k, (double)x[c]) * (f && c == f->at ? (float)f->in_mean : 1);
  if (centred)
    s.mean = divide(k, sum(t, n, k), (float)n);
  for (int c = 0; c < n; c++) {
    float d = flush(k, (double)(flush(k, (double)x[c]) - s.mean));
    t[c] = flush(k, (double)(d * d)) * (f && c == f->at ? (float)f->in_square : 1);
  }
  s.square = divide(k, sum(t, n, k), (float)n);
  return s;
}

#define TWO_PASSES(name)                                                                                               \
  static NormStatistics name(const float *x, int n, int centred, const NormKernel *k) {                                \
    return two_passes(x, n, centred, k, sum_##name);                                                                   \
  }
TWO_PASSES(in_order)
TWO_PASSES(lanes)
TWO_PASSES(backwards)
TWO_PASSES(pairwise)
TWO_PASSES(tiles)
TWO_PASSES(smallest_first)
TWO_PASSES(largest_first)

/* Sums in double. */
static NormStatistics in_double(const float *x, int n, int centred, const NormKernel *k) {
  double sum = 0, squares = 0;
  (void)k;
  for (int c = 0; c < n; c++) {
    sum += (double)x[c];
    squares += (double)x[c] * (double)x[c];
  }
  double mean = centred ? sum / n : 0, var = squares / n - mean * mean;
  return (NormStatistics){(float)mean, (float)(var < 0 ? 0 : var)};
}

typedef struct Moments {
  float n, mean, square;
} Moments;

static Moments merge(Moments a, Moments b, const NormKernel *k) {
  if (b.n == 0)
    return a;
  float n = a.n + b.n, share = divide(k, b.n, n), d = flush(k, (double)(b.mean - a.mean));
  float shift = flush(k, (double)(d * share)), part = flush(k, (double)(d * d * a.n * share));
  return (Moments){n, flush(k, (double)(a.mean + shift)), flush(k, (double)(a.square + b.square + part))};
}

static void update(Moments *m, float v, const NormKernel *k) {
  float d = flush(k, (double)(v - m->mean));
  m->n++;
  m->mean = flush(k, (double)(m->mean + (m->n > 1 ? divide(k, d, m->n) : d)));
  m->square = flush(k, (double)(m->square + flush(k, (double)(d * flush(k, (double)(v - m->mean))))));
}

/* Of lanes that are merged by halves. */
static NormStatistics welford(const float *x, int n, const NormKernel *k, int lanes) {
  Moments m[32] = {{0, 0, 0}};
  for (int c = 0; c < n; c++)
    update(&m[c % lanes], flush(k, (double)x[c]), k);
  for (int half = lanes / 2; half > 0; half /= 2)
    for (int i = 0; i < half; i++)
      m[i] = merge(m[i], m[i + half], k);
  return (NormStatistics){m[0].mean, divide(k, m[0].square, (float)n)};
}

static NormStatistics welford_one(const float *x, int n, int centred, const NormKernel *k) {
  return centred ? welford(x, n, k, 1) : in_order(x, n, 0, k);
}
static NormStatistics welford_32(const float *x, int n, int centred, const NormKernel *k) {
  return centred ? welford(x, n, k, 32) : lanes(x, n, 0, k);
}

/* ---- depths: additions that an element goes through at most, as contracts tell them ---- */

static int64_t all(int n) { return n; }
static int64_t at_most(int64_t d, int n) { return d < n ? d : n; }
static int64_t by_lanes(int n) { return at_most((n + 31) / 32 + 5, n); }
static int64_t by_tiles(int n) { return at_most(31 + (n + 31) / 32, n); }
static int64_t by_halves(int n) {
  int64_t d = 1;
  while ((int64_t)1 << d < n)
    d++;
  return d;
}
static int64_t of_welford(int n) { return 8 * (n + 112); }
static int64_t of_welford_32(int n) { return 8 * ((n + 31) / 32 + 112 + 15 * 5); }

const NormAlgorithm norm_algorithms[NORM_N_ALGORITHMS] = {{"two passes, in order", in_order, all},
                                                          {"two passes, 32 lanes", lanes, by_lanes},
                                                          {"two passes, backwards", backwards, all},
                                                          {"two passes, pairwise", pairwise, by_halves},
                                                          {"two passes, tiles of 32", tiles, by_tiles},
                                                          {"two passes, smallest first", smallest_first, all},
                                                          {"two passes, largest first", largest_first, all},
                                                          {"sums in double", in_double, all},
                                                          {"Welford", welford_one, of_welford},
                                                          {"Welford, 32 lanes", welford_32, of_welford_32}};

/* ---- results ---- */

const char *const norm_unit_names[NORM_N_UNITS] = {"1", "max(1, largest)", "power of two", "largest"};

static float unit_of(const NormRow *r, NormUnit how) {
  float largest = 0;
  for (int c = 0; c < r->n; c++)
    largest = fmaxf(largest, fabsf(r->x[c]));
  switch (how) {
  case NORM_UNSCALED: break;
  case NORM_ABOVE_ONE: return largest > 1 ? largest : 1;
  case NORM_POWER_OF_TWO: return largest >= 1 ? ldexpf(1, ilogbf(largest)) : 1;
  case NORM_ALWAYS: return largest > 1e-20f ? largest : 1;
  }
  return 1;
}

/* Beyond this deviation, whose square is a float, an eps of at most 1 is nothing. */
#define EPS_IS_NOTHING 1e10f

/* What a row is multiplied by, and its mean, of the row divided by a unit or as it is. */
static float scaled_row(const NormAlgorithm *a, const NormRow *r, const NormKernel *k, float *mean) {
  static float t[NORM_MAX_COLS];
  float unit = unit_of(r, k->unit);
  for (int c = 0; c < r->n; c++)
    t[c] = divide(k, flush(k, (double)r->x[c]), unit);
  NormStatistics s = a->run(t, r->n, r->centred, k);
  float deviation = flush(k, (double)(root(k, s.square) * unit)), square = flush(k, (double)(deviation * deviation));
  *mean = flush(k, (double)(s.mean * unit));
  return deviation < EPS_IS_NOTHING ? reciprocal_root(k, square + r->eps) : divide(k, 1, deviation);
}

static float unscaled_row(const NormAlgorithm *a, const NormRow *r, const NormKernel *k, float *mean) {
  NormStatistics s = a->run(r->x, r->n, r->centred, k);
  *mean = s.mean;
  return reciprocal_root(k, s.square + r->eps);
}

void norm_run(const NormAlgorithm *a, const NormRow *r, const NormKernel *k, float *y) {
  float mean, scale = k->unit == NORM_UNSCALED ? unscaled_row(a, r, k, &mean) : scaled_row(a, r, k, &mean);
  for (int c = 0; c < r->n; c++) {
    float g = r->gamma ? flush(k, (double)r->gamma[c]) : 1, b = r->beta ? flush(k, (double)r->beta[c]) : 0;
    float v = flush(k, (double)r->x[c]), slope = flush(k, (double)(scale * g));
    if (k->line)
      y[c] = flush(k, (double)(v * slope + (b - mean * slope)));
    else
      y[c] = flush(k, (double)(flush(k, (double)(flush(k, (double)(v - mean)) * scale)) * g + b));
  }
}
