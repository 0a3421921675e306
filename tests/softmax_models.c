/* softmax_models.c - see softmax_models.h. */
#include "softmax_models.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

uint64_t model_next(uint64_t *state) {
  uint64_t z = *state += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

int model_below(uint64_t *state, int n) {
  return (int)(model_next(state) % (uint64_t)n);
}

double model_unit(uint64_t *state) {
  return (double)(model_next(state) >> 11) * 0x1p-53;
}

double model_normal(uint64_t *state) {
  double sum = 0;
  for (int i = 0; i < 12; i++)
    sum += model_unit(state);
  return sum - 6;
}

/* ---- functions of the device ---- */

static float flushed(const Model *m, float v) {
  return m->flush && fabsf(v) < FLT_MIN ? 0 : v;
}

/* v, some ulps off; of either sign, and not past 0 or infinity. */
static float ulps_off(float v, int32_t ulps) {
  int32_t bits;
  memcpy(&bits, &v, sizeof bits);
  int32_t magnitude = bits & 0x7fffffff, sign = bits & INT32_MIN;
  magnitude += ulps;
  magnitude = magnitude < 0 ? 0 : magnitude > 0x7f800000 ? 0x7f800000 : magnitude;
  bits = magnitude | sign;
  memcpy(&v, &bits, sizeof v);
  return v;
}

static int32_t error_at(const Model *m, float x, int32_t most) {
  switch (m->error) {
  case MODEL_EXACT: return 0;
  case MODEL_UP: return most;
  case MODEL_DOWN: return -most;
  case MODEL_SPLIT: return fabsf(x) < 1 ? most : -most;
  case MODEL_RANDOM: return model_below(m->state, 2 * most + 1) - most;
  case MODEL_N_ERRORS: break;
  }
  return 0;
}

/* Exact at 0 and at infinities, and nowhere else. */
static float with_error(const Model *m, float x, float right, int32_t most) {
  if (x == 0 || right == 0 || !isfinite(right))
    return right;
  return flushed(m, ulps_off(right, error_at(m, x, most)));
}

/* expf is within 2 ulp of the correctly rounded result, __expf within 2 + floor(abs(1.173 * x)). */
static float model_exp(const Model *m, float x) {
  int32_t most = m->fast ? 2 + (int32_t)fmin(floor(fabs(1.173 * (double)x)), 200) : 2;
  return with_error(m, x, (float)exp((double)x), most);
}

/* exp2f, and ex2.approx: 2 ulp. */
static float model_exp2(const Model *m, float x) {
  return with_error(m, x, (float)exp2((double)x), 2);
}

/* __logf, __log2f: an absolute bound from 1/2 to 2, ulps elsewhere; NaN and inf are their own. */
static float fast_log(const Model *m, float x, double right, double near_one, int32_t ulps) {
  if (!isfinite(x))
    return x;
  if (x >= 0.5f && x <= 2)
    return (float)(right + near_one * error_at(m, x, 1024) / 1024);
  return ulps_off((float)right, error_at(m, x, ulps));
}

/* logf and log2f: 1 ulp, exact at 1; NaN and inf are their own. */
static float model_log(const Model *m, float x) {
  if (m->fast_math)
    return fast_log(m, x, log((double)x), 0x1.81p-22, 3);
  return x == 1 || !isfinite(x) ? x - 1 : ulps_off((float)log((double)x), error_at(m, x, 1));
}

static float model_log2(const Model *m, float x) {
  if (m->fast_math)
    return fast_log(m, x, log2((double)x), 0x1p-22, 2);
  return x == 1 || !isfinite(x) ? x - 1 : ulps_off((float)log2((double)x), error_at(m, x, 1));
}

/* v, or, under fast math, up to so many ulps off. */
static float approximate(const Model *m, float sum, float v, int32_t most) {
  return m->fast_math && v != 0 && isfinite(v) ? ulps_off(v, error_at(m, sum, most)) : v;
}

static float quotient(const Model *m, float e, float sum) {
  if (m->reciprocal)
    return flushed(m, e * approximate(m, sum, 1.0f / sum, 1));
  return flushed(m, approximate(m, sum, e / sum, 2));
}

static float row_max(const float *x, int n) {
  float max = -INFINITY;
  for (int c = 0; c < n; c++)
    max = fmaxf(max, x[c]);
  return max;
}

/* ---- algorithms ---- */

static void weights(const Model *m, const float *x, float *y, int n) {
  float max = row_max(x, n);
  for (int c = 0; c < n; c++)
    y[c] = model_exp(m, x[c] - max);
}

static void divide(const Model *m, float *y, int n, float sum) {
  for (int c = 0; c < n; c++)
    y[c] = quotient(m, y[c], sum);
}

static void in_order(const Model *m, const float *x, float *y, int n) {
  float sum = 0;
  weights(m, x, y, n);
  for (int c = 0; c < n; c++)
    sum += y[c];
  divide(m, y, n, sum);
}

static void reversed(const Model *m, const float *x, float *y, int n) {
  float sum = 0;
  weights(m, x, y, n);
  for (int c = n - 1; c >= 0; c--)
    sum += y[c];
  divide(m, y, n, sum);
}

/* Halving tree over buf; the sum in buf[0]. */
static float tree_sum(float *buf, int n) {
  for (int count = n; count > 1; count = (count + 1) / 2)
    for (int c = 0; c + (count + 1) / 2 < count; c++)
      buf[c] += buf[c + (count + 1) / 2];
  return buf[0];
}

static void pairwise(const Model *m, const float *x, float *y, int n) {
  static float buf[MODEL_MAX_COLS];
  weights(m, x, y, n);
  memcpy(buf, y, (size_t)n * sizeof *buf);
  divide(m, y, n, tree_sum(buf, n));
}

/* 32 lanes, each its columns in order, then a tree. */
static void lanes(const Model *m, const float *x, float *y, int n) {
  float lane[32] = {0};
  weights(m, x, y, n);
  for (int c = 0; c < n; c++)
    lane[c % 32] += y[c];
  divide(m, y, n, tree_sum(lane, 32));
}

typedef struct Pair {
  float max, sum;
} Pair;

static Pair merged(const Model *m, Pair a, Pair b) {
  float max = fmaxf(a.max, b.max);
  Pair p = {max, flushed(m, a.sum * model_exp(m, a.max - max)) + flushed(m, b.sum * model_exp(m, b.max - max))};
  return p;
}

static void recompute(const Model *m, const float *x, float *y, int n, Pair p) {
  for (int c = 0; c < n; c++)
    y[c] = quotient(m, model_exp(m, x[c] - p.max), p.sum);
}

static Pair online_part(const Model *m, const float *x, int n, int step) {
  Pair p = {-FLT_MAX, 0};
  for (int c = 0; c < n; c += step) {
    float max = fmaxf(p.max, x[c]);
    p.sum = flushed(m, p.sum * model_exp(m, p.max - max)) + model_exp(m, x[c] - max);
    p.max = max;
  }
  return p;
}

static void online(const Model *m, const float *x, float *y, int n) {
  recompute(m, x, y, n, online_part(m, x, n, 1));
}

static void online_lanes(const Model *m, const float *x, float *y, int n) {
  Pair lane[32];
  for (int i = 0; i < 32; i++)
    lane[i] = i < n ? online_part(m, x + i, n - i, 32) : (Pair){-FLT_MAX, 0};
  for (int offset = 16; offset > 0; offset /= 2)
    for (int i = 0; i < offset; i++)
      lane[i] = merged(m, lane[i], lane[i + offset]);
  recompute(m, x, y, n, lane[0]);
}

/* Two halves, each relative to its own maximum; weights and sums rescaled at the end. */
static void halves(const Model *m, const float *x, float *y, int n) {
  int half = n / 2;
  float max[2] = {fmaxf(row_max(x, half), -FLT_MAX), fmaxf(row_max(x + half, n - half), -FLT_MAX)};
  float all = fmaxf(max[0], max[1]), sum = 0;
  for (int h = 0; h < 2; h++) {
    float part = 0, scale = model_exp(m, max[h] - all);
    for (int c = h ? half : 0; c < (h ? n : half); c++) {
      float e = model_exp(m, x[c] - max[h]);
      part += e;
      y[c] = flushed(m, e * scale);
    }
    sum += flushed(m, part * scale);
  }
  divide(m, y, n, sum);
}

static void base_2(const Model *m, const float *x, float *y, int n) {
  float max = row_max(x, n), sum = 0;
  for (int c = 0; c < n; c++)
    sum += y[c] = model_exp2(m, (x[c] - max) * 1.442695041f);
  divide(m, y, n, sum);
}

/* No quotient: exp(x - max - log(sum)). */
static void by_log(const Model *m, const float *x, float *y, int n) {
  float max = row_max(x, n), sum = 0;
  for (int c = 0; c < n; c++)
    sum += model_exp(m, x[c] - max);
  float log_sum = model_log(m, sum);
  for (int c = 0; c < n; c++)
    y[c] = model_exp(m, x[c] - max - log_sum);
}

static void by_log_2(const Model *m, const float *x, float *y, int n) {
  float max = row_max(x, n), sum = 0;
  for (int c = 0; c < n; c++)
    sum += model_exp2(m, (x[c] - max) * 1.442695041f);
  float log_sum = model_log2(m, sum);
  for (int c = 0; c < n; c++)
    y[c] = model_exp2(m, (x[c] - max) * 1.442695041f - log_sum);
}

const ModelAlgorithm model_algorithms[] = {
    {"in order", in_order},         {"reversed", reversed}, {"pairwise", pairwise},
    {"32 lanes, tree", lanes},      {"online", online},     {"online, 32 lanes", online_lanes},
    {"two halves, rescaled", halves}, {"exp2", base_2},     {"exp(x - max - log sum)", by_log},
    {"exp2(... - log2 sum)", by_log_2},
};
const size_t model_n_algorithms = sizeof model_algorithms / sizeof *model_algorithms;

/* ---- rows ---- */

/* Nearly normal, as in cases: a scaled sum of uniforms. */
static int compare_floats(const void *a, const void *b) {
  float x = *(const float *)a, y = *(const float *)b;
  return (x > y) - (x < y);
}

static float either_sign(float v, uint64_t *s) {
  return model_next(s) & 1 ? v : -v;
}

static void draw_normal(float *x, int n, uint64_t *s) {
  for (int c = 0; c < n; c++)
    x[c] = (float)model_normal(s);
}

static void draw_wide(float *x, int n, uint64_t *s) {
  for (int c = 0; c < n; c++)
    x[c] = 30 * (float)model_normal(s);
}

/* The maximum of an online algorithm grows with every element. */
static void draw_ascending(float *x, int n, uint64_t *s) {
  for (int c = 0; c < n; c++)
    x[c] = (float)(6 * model_unit(s));
  qsort(x, (size_t)n, sizeof *x, compare_floats);
}

static void draw_huge(float *x, int n, uint64_t *s) {
  for (int c = 0; c < n; c++)
    x[c] = either_sign((float)(80 * pow(125, model_unit(s))), s);
}

static void draw_limits(float *x, int n, uint64_t *s) {
  for (int c = 0; c < n; c++)
    x[c] = model_below(s, 3) ? either_sign(3e38f, s) : (float)(6e38 * model_unit(s) - 3e38);
}

static void draw_mixed(float *x, int n, uint64_t *s) {
  for (int c = 0; c < n; c++)
    x[c] = either_sign(ldexpf(1, model_below(s, 121) - 60), s);
}

static void draw_denormal(float *x, int n, uint64_t *s) {
  for (int c = 0; c < n; c++)
    x[c] = either_sign(ulps_off(0, (int32_t)(model_next(s) % 0x1000000)), s);
}

static void draw_masked(float *x, int n, uint64_t *s) {
  draw_normal(x, n, s);
  int kept = model_below(s, n);
  for (int c = 0; c < n; c++)
    if (c != kept && model_below(s, 2))
      x[c] = -INFINITY;
}

static void draw_mean(float *x, int n, uint64_t *s) {
  for (int c = 0; c < n; c++)
    x[c] = 1000 + (float)model_normal(s) / 1024;
}

static void draw_ties(float *x, int n, uint64_t *s) {
  for (int c = 0; c < n; c++)
    x[c] = (float)(model_below(s, 5) - 2);
}

static void draw_equal(float *x, int n, uint64_t *s) {
  float v = 100 * (float)model_normal(s);
  for (int c = 0; c < n; c++)
    x[c] = v;
}

/* Up to three maxima; the rest is so far below that its weights are 2^-28 at most, or vanish, or are just above that. */
static void draw_dominated(float *x, int n, uint64_t *s) {
  float gap = (float)log(n) + (float)(model_below(s, 2) ? 16 + 6 * model_unit(s) : 20 + 90 * model_unit(s));
  for (int c = 0; c < n; c++)
    x[c] = -gap * (float)(1 + 0.1 * model_unit(s));
  for (int i = model_below(s, 3); i >= 0; i--)
    x[model_below(s, n)] = 0;
}

static void draw_one_finite(float *x, int n, uint64_t *s) {
  for (int c = 0; c < n; c++)
    x[c] = -INFINITY;
  x[model_below(s, n)] = 50 * (float)model_normal(s);
}

const ModelRow model_rows[] = {
    {"normal", draw_normal},     {"30 x normal", draw_wide}, {"ascending", draw_ascending},
    {"huge", draw_huge},         {"+-3e38", draw_limits},    {"mixed", draw_mixed},
    {"denormal", draw_denormal}, {"half -inf", draw_masked}, {"mean 1000", draw_mean},
    {"ties", draw_ties},         {"equal", draw_equal},      {"dominated", draw_dominated},
    {"one finite", draw_one_finite},
};
const size_t model_n_rows = sizeof model_rows / sizeof *model_rows;
