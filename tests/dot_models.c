/* dot_models.c - values of which dot products are hard, and dot products in float. */
#include "dot_models.h"
#include "../fuzz/arith.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

int dot_below(uint64_t *s, int n) { return (int)(wf_split_mix(s) % (uint64_t)n); }
static double unit(uint64_t *s) { return (double)(wf_split_mix(s) >> 11) * 0x1p-53; }

/* Any bits; or near another number: so many units in the last place, or so many binary places, away. */
float dot_draw_bits(uint64_t *s, float near) {
  uint32_t bits;
  float v;
  switch (dot_below(s, 6)) {
  case 0: return nextafterf(-near, dot_below(s, 2) ? INFINITY : -INFINITY);
  case 1: return ldexpf(dot_below(s, 2) ? 1.0f : 1.5f, ilogbf(near == 0 || !isfinite(near) ? 1 : near) - 22 - dot_below(s, 4));
  case 2: return dot_below(s, 2) ? FLT_MAX : -FLT_MAX;
  case 3: bits = (uint32_t)wf_split_mix(s) & 0x80ffffff; break; /* subnormals and the smallest normals */
  default: bits = (uint32_t)wf_split_mix(s); break;
  }
  memcpy(&v, &bits, sizeof v);
  return v;
}

/* ---- dot products in float ---- */

static float in_order(const float *u, const float *v, int k) {
  float sum = 0;
  for (int e = 0; e < k; e++)
    sum += u[e] * v[e];
  return sum;
}

static float fused(const float *u, const float *v, int k) {
  float sum = 0;
  for (int e = 0; e < k; e++)
    sum = fmaf(u[e], v[e], sum);
  return sum;
}

static float backwards(const float *u, const float *v, int k) {
  float sum = 0;
  for (int e = k; e-- > 0;)
    sum += u[e] * v[e];
  return sum;
}

static float pairwise(const float *u, const float *v, int k) {
  if (k <= 1)
    return k ? u[0] * v[0] : 0;
  int half = (k + 1) / 2;
  return pairwise(u, v, half) + pairwise(u + half, v + half, k - half);
}

static float tiles(const float *u, const float *v, int k) {
  float sum = 0;
  for (int e = 0; e < k; e += 32)
    sum += fused(u + e, v + e, k - e < 32 ? k - e : 32);
  return sum;
}

static float lanes(const float *u, const float *v, int k) {
  float lane[32] = {0};
  for (int e = 0; e < k; e++)
    lane[e % 32] = fmaf(u[e], v[e], lane[e % 32]);
  for (int half = 16; half > 0; half /= 2)
    for (int i = 0; i < half; i++)
      lane[i] += lane[i + half];
  return lane[0];
}

static float flushed(const float *u, const float *v, int k) {
  float sum = 0;
  for (int e = 0; e < k; e++)
    sum += fabsf(u[e] * v[e]) < FLT_MIN ? 0 : u[e] * v[e];
  return sum;
}

static int by_magnitude(const void *a, const void *b) {
  float x = fabsf(*(const float *)a), z = fabsf(*(const float *)b);
  return (x > z) - (x < z);
}

static float by_size(const float *u, const float *v, int k, int largest_first) {
  static float product[DOT_MAX];
  float sum = 0;
  for (int e = 0; e < k; e++)
    product[e] = u[e] * v[e];
  qsort(product, (size_t)k, sizeof *product, by_magnitude);
  for (int e = 0; e < k; e++)
    sum += product[largest_first ? k - 1 - e : e];
  return sum;
}

static float smallest_first(const float *u, const float *v, int k) { return by_size(u, v, k, 0); }
static float largest_first(const float *u, const float *v, int k) { return by_size(u, v, k, 1); }

static int64_t all(int k) { return k; }
static int64_t by_halves(int k) {
  int64_t d = 1; /* of one product there is no addition, but a depth of 0 is one that is not known */
  while ((int64_t)1 << d < k)
    d++;
  return d;
}
static int64_t by_tiles(int k) { return 31 + (k + 31) / 32; }
static int64_t by_lanes(int k) { return (k + 31) / 32 + 5; }

const DotOrder dot_orders[DOT_N_ORDERS] = {
    {"in order", in_order, all, 0},
    {"in order, fused", fused, all, 0},
    {"backwards", backwards, all, 0},
    {"pairwise", pairwise, by_halves, 1},
    {"tiles of 32, fused", tiles, by_tiles, 1},
    {"32 lanes, tree, fused", lanes, by_lanes, 1},
    {"smallest first", smallest_first, all, 0},
    {"largest first", largest_first, all, 0},
    {"in order, products flushed", flushed, all, 0},
};

/* ---- sums by atomicAdd ---- */

static float flush(float v) { return fabsf(v) < FLT_MIN ? copysignf(0, v) : v; }

float dot_atomics(const float *x, int k) {
  float sum = 0;
  for (int e = 0; e < k; e++)
    sum = flush(sum + flush(x[e]));
  return sum;
}

float dot_atomic_blocks(const float *x, int k) {
  float sum = 0;
  for (int first = 0; first < k; first += 32) {
    float block = 0;
    for (int e = first; e < k && e < first + 32; e++)
      block += x[e];
    sum = flush(sum + flush(block));
  }
  return sum;
}

/* ---- values of dot products ---- */

const char *const dot_kind_names[DOT_N_KINDS] = {"normal", "positive", "mixed", "cancelling", "tiny", "half ulps", "descending", "any bits"};

float dot_draw_normal(uint64_t *s) {
  double sum = 0;
  for (int i = 0; i < 4; i++)
    sum += unit(s) - 0.5;
  return (float)(sum * 1.7);
}

static float draw_kind(int kind, int e, int is_a, uint64_t *s) {
  switch (kind) {
  case DOT_NORMAL: return dot_draw_normal(s);
  case DOT_POSITIVE: return (float)(1 + unit(s));
  case DOT_MIXED: return ldexpf(dot_draw_normal(s), dot_below(s, 60) - 30);
  case DOT_TINY: return ldexpf(dot_draw_normal(s), -40 - dot_below(s, 60));
  case DOT_HALF_ULPS: return e == 0 ? 1 : is_a ? 0x1p-10f : 0x1p-14f; /* each is half an ulp of 1: lost, if added one by one */
  case DOT_DESCENDING: return ldexpf((float)(1 + unit(s)), -(e < 60 ? e : 60) / 2);
  default: return dot_draw_bits(s, 1);
  }
}

void dot_draw_factors(int kind, int k, float *a, float *b, uint64_t *s) {
  for (int t = 0; t < 2; t++)
    for (int i = 0; i < (t ? DOT_COLS : DOT_ROWS); i++)
      for (int e = 0; e < k; e++)
        (t ? b : a)[t ? e * DOT_COLS + i : i * k + e] = draw_kind(kind, e, t == 0, s);
  if (kind != DOT_CANCELLING)
    return;
  for (int i = 0; i < DOT_ROWS * k; i++)
    a[i] = dot_draw_normal(s);
  for (int e = 0; e < k; e++) /* each product is undone by the next one but for its last digits */
    for (int j = 0; j < DOT_COLS; j++)
      b[e * DOT_COLS + j] = e % 2 && a[e] != 0 ? -a[e - 1] * b[(e - 1) * DOT_COLS + j] / a[e] : dot_draw_normal(s);
}

int dot_draw_depth(uint64_t *s) {
  switch (dot_below(s, 64)) {
  case 0: return DOT_MAX - dot_below(s, 100);
  case 1:
  case 2: return 1 + dot_below(s, 600);
  default: return 1 + dot_below(s, 70);
  }
}

