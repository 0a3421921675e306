/* fault_norm_models.c - rows, layernorms and rmsnorms in float, and exactly. */
#include "fault_norm_models.h"
#include "softmax_models.h" /* random numbers */
#include <float.h>
#include <math.h>

/* ---- rows ---- */

double norm_draw_normal(uint64_t *s) {
  double sum = 0;
  for (int i = 0; i < 12; i++)
    sum += model_unit(s);
  return sum - 6;
}

const char *const norm_kind_names[NORM_N_KINDS] = {"normal",   "mean far off", "mixed",       "1e17",           "denormal",
                                                   "constant", "an outlier",   "alternating", "nearly constant", "integers"};

static float draw(int kind, int c, int n, uint64_t *s) {
  double v = norm_draw_normal(s);
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

void norm_draw_row(int kind, int cols, float *x, float *gamma, float *beta, uint64_t *s) {
  int plain = model_below(s, 2);
  for (int c = 0; c < cols; c++) {
    x[c] = draw(kind, c, cols, s);
    gamma[c] = plain ? 1 : (float)ldexp(norm_draw_normal(s), model_below(s, 20) - 10);
    beta[c] = plain ? 0 : (float)norm_draw_normal(s);
  }
}

int norm_draw_cols(uint64_t *s) {
  int kind = model_below(s, 16);
  return kind == 0 ? NORM_MAX_COLS - model_below(s, 100) : kind < 3 ? 1 + model_below(s, 600) : 1 + model_below(s, 70);
}

/* ---- functions of float kernels ---- */

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

NormKernel norm_draw_kernel(uint64_t *s) {
  return (NormKernel){model_below(s, 3) - 1, model_below(s, 3) - 1, model_below(s, 2), model_below(s, 4) == 0};
}

/* ---- mean and variance ---- */

/* The sum of n floats: in order, by 32 lanes and a tree, by halves. */
static float sum_in_order(const float *v, int n, const NormKernel *k) {
  float s = 0;
  for (int i = 0; i < n; i++)
    s = flush(k, (double)(s + v[i]));
  return s;
}

static float sum_lanes(const float *v, int n, const NormKernel *k) {
  float lane[32] = {0};
  for (int i = 0; i < n; i++)
    lane[i % 32] = flush(k, (double)(lane[i % 32] + v[i]));
  for (int half = 16; half > 0; half /= 2)
    for (int i = 0; i < half; i++)
      lane[i] = flush(k, (double)(lane[i] + lane[i + half]));
  return lane[0];
}

typedef float Summer(const float *v, int n, const NormKernel *k);

static NormStatistics two_passes(const float *x, int n, int centred, const NormKernel *k, Summer *sum) {
  static float t[NORM_MAX_COLS];
  NormStatistics s = {0, 0};
  for (int c = 0; c < n; c++)
    t[c] = flush(k, (double)x[c]);
  if (centred)
    s.mean = divide(k, sum(t, n, k), (float)n);
  for (int c = 0; c < n; c++) {
    float d = flush(k, (double)(t[c] - s.mean));
    t[c] = flush(k, (double)(d * d));
  }
  s.square = divide(k, sum(t, n, k), (float)n);
  return s;
}

static NormStatistics in_order(const float *x, int n, int centred, const NormKernel *k) {
  return two_passes(x, n, centred, k, sum_in_order);
}

static NormStatistics by_lanes(const float *x, int n, int centred, const NormKernel *k) {
  return two_passes(x, n, centred, k, sum_lanes);
}

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
  return centred ? welford(x, n, k, 32) : by_lanes(x, n, 0, k);
}

const NormAlgorithm norm_algorithms[NORM_N_ALGORITHMS] = {{"two passes, in order", in_order, 1, 0},
                                                          {"two passes, 32 lanes", by_lanes, 32, 0},
                                                          {"sums in double", in_double, 1, 0},
                                                          {"Welford", welford_one, 1, 1},
                                                          {"Welford, 32 lanes", welford_32, 32, 1}};

int64_t norm_depth(const NormAlgorithm *a, int n) {
  int own = (n + a->lanes - 1) / a->lanes, levels = a->lanes > 1 ? 5 : 0;
  return a->is_welford ? 8 * (own + 112 + 15 * levels) : own + levels < n ? own + levels : n;
}

/* ---- rows in float ---- */

void norm_run(const NormRow *r, const NormAlgorithm *a, const NormKernel *k, float *y) {
  NormStatistics s = a->run(r->x, r->cols, r->centred, k);
  float scale = reciprocal_root(k, s.square + r->eps);
  for (int c = 0; c < r->cols; c++) {
    float g = r->gamma ? flush(k, (double)r->gamma[c]) : 1, b = r->beta ? flush(k, (double)r->beta[c]) : 0;
    float v = flush(k, (double)r->x[c]), slope = flush(k, (double)(scale * g));
    if (k->line)
      y[c] = flush(k, (double)(v * slope + (b - s.mean * slope)));
    else
      y[c] = flush(k, (double)(flush(k, (double)(flush(k, (double)(v - s.mean)) * scale)) * g + b));
  }
}

/* Beyond this deviation, whose square is a float, an eps of at most 1 is nothing. */
#define EPS_IS_NOTHING 1e10f

void norm_run_scaled(const NormRow *r, const NormAlgorithm *a, const NormKernel *k, float unit, float *y) {
  static float t[NORM_MAX_COLS];
  for (int c = 0; c < r->cols; c++)
    t[c] = divide(k, flush(k, (double)r->x[c]), unit);
  NormStatistics s = a->run(t, r->cols, r->centred, k);
  float mean = flush(k, (double)(s.mean * unit)), deviation = flush(k, (double)(root(k, s.square) * unit));
  float variance = flush(k, (double)(deviation * deviation)); /* infinite, where it is not needed */
  float scale = deviation < EPS_IS_NOTHING ? reciprocal_root(k, variance + r->eps) : divide(k, 1, deviation);
  for (int c = 0; c < r->cols; c++)
    y[c] = flush(k, (double)(flush(k, (double)(flush(k, (double)r->x[c]) - mean)) * scale));
}

/* ---- exactly ---- */

/* 1 / sqrt(v + eps), and the mean. */
static void exact_scale(mpfr_t mean, mpfr_t scale, const NormRow *r) {
  mpfr_t t;
  mpfr_init2(t, NORM_PRECISION);
  mpfr_set_zero(mean, 1);
  mpfr_set_zero(scale, 1);
  for (int c = 0; c < r->cols && r->centred; c++)
    mpfr_add_d(mean, mean, (double)r->x[c], MPFR_RNDN);
  mpfr_div_si(mean, mean, r->cols, MPFR_RNDN);
  for (int c = 0; c < r->cols; c++) {
    mpfr_d_sub(t, (double)r->x[c], mean, MPFR_RNDN);
    mpfr_sqr(t, t, MPFR_RNDN);
    mpfr_add(scale, scale, t, MPFR_RNDN);
  }
  mpfr_div_si(scale, scale, r->cols, MPFR_RNDN);
  mpfr_add_d(scale, scale, (double)r->eps, MPFR_RNDN);
  mpfr_rec_sqrt(scale, scale, MPFR_RNDN);
  mpfr_clear(t);
}

void norm_exact(mpfr_t y, const NormRow *r, int at) {
  mpfr_t mean, scale;
  mpfr_inits2(NORM_PRECISION, mean, scale, (mpfr_ptr)NULL);
  exact_scale(mean, scale, r);
  mpfr_d_sub(y, (double)r->x[at], mean, MPFR_RNDN);
  mpfr_mul(y, y, scale, MPFR_RNDN);
  mpfr_mul_d(y, y, r->gamma ? (double)r->gamma[at] : 1, MPFR_RNDN);
  mpfr_add_d(y, y, r->beta ? (double)r->beta[at] : 0, MPFR_RNDN);
  mpfr_clears(mean, scale, (mpfr_ptr)NULL);
}

double norm_distance(const mpfr_t from, double v) {
  mpfr_t d;
  mpfr_init2(d, NORM_PRECISION);
  mpfr_sub_d(d, from, v, MPFR_RNDN);
  double r = fabs(mpfr_get_d(d, MPFR_RNDN));
  mpfr_clear(d);
  return r;
}
