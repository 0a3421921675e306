/* attention_models.c - see attention_models.h. */
#include "attention_models.h"
#include "softmax_models.h" /* random numbers */
#include <float.h>
#include <math.h>

/* ---- inputs ---- */

const char *const attention_kind_names[ATTENTION_N_KINDS] = {"normal",     "peaked",   "huge scores", "near ties",      "ascending", "mixed",
                                                             "query of 0", "denormal", "masked keys", "values of 1e30", "half ulps", "cancelling"};

/* What q, and k unless the kind has its own, are multiplied by. */
static double scale_of(int kind) {
  switch (kind) {
  case ATTENTION_PEAKED: return 5;
  case ATTENTION_HUGE_SCORES: return 3e4;
  case ATTENTION_DENORMAL: return 1e-20;
  case ATTENTION_ZERO_QUERY:
  case ATTENTION_HALF_ULPS: return 0;
  default: return 1;
  }
}

static float draw_query(int kind, uint64_t *state) {
  int is_one = kind == ATTENTION_TIES || kind == ATTENTION_ASCENDING;
  return (float)(scale_of(kind) * (is_one ? 1 : model_normal(state)));
}

static float draw_key(int kind, int j, int d, float query, uint64_t *state) {
  double value = scale_of(kind) * model_normal(state);
  switch (kind) {
  case ATTENTION_TIES: return (float)(100 + 1e-5 * model_normal(state));
  case ATTENTION_ASCENDING: return (float)(0.3 * j / d);
  case ATTENTION_MIXED: return (float)ldexp(value, model_below(state, 20) - 10);
  case ATTENTION_MASKED_KEYS: return j % 3 == 1 && d == 1 ? copysignf(INFINITY, -query) : (float)value;
  default: return (float)value;
  }
}

static float draw_value(int kind, int j, uint64_t *state) {
  double value = model_normal(state);
  switch (kind) {
  case ATTENTION_LARGE_VALUES: return (float)(1e30 * value);
  case ATTENTION_DENORMAL: return (float)(1e-38 * value);
  case ATTENTION_HALF_ULPS: return j == 0 ? 1 : 0x1p-24f; /* lost, if added one by one */
  case ATTENTION_CANCELLING: return (float)((j % 2 ? 1e4 : -1e4) + value);
  default: return (float)value;
  }
}

void attention_draw_inputs(int kind, const AttentionShape *s, AttentionArrays *a, uint64_t *state) {
  for (int i = 0; i < s->rows * s->d; i++)
    a->q[i] = draw_query(kind, state);
  for (int j = 0; j < s->keys; j++)
    for (int i = 0; i < s->d; i++) {
      a->k[j * s->d + i] = draw_key(kind, j, s->d, a->q[0], state);
      a->v[j * s->d + i] = draw_value(kind, j, state);
    }
}

AttentionShape attention_draw_shape(int most_keys, uint64_t *s) {
  static const float scales[] = {0.125f, 1, 0.17677669f, 0.5f};
  int kind = model_below(s, 32), keys = kind == 0 ? 1 + model_below(s, most_keys) : 1 + model_below(s, kind < 4 ? 100 : 12);
  return (AttentionShape){1 + model_below(s, ATTENTION_MAX_ROWS), keys, 1 + model_below(s, kind % 2 ? 4 : ATTENTION_MAX_D), model_below(s, 2),
                          scales[model_below(s, 4)]};
}

int attention_seen(const AttentionShape *s, int row) { return s->causal && row + 1 < s->keys ? row + 1 : s->keys; }

/* ---- functions of the device ---- */

AttentionKernel attention_draw_kernel(uint64_t *s) {
  return (AttentionKernel){model_below(s, 4) - 1, model_below(s, 2), model_below(s, 2), model_below(s, 2), model_below(s, 2)};
}

static float flush(const AttentionKernel *m, double x) {
  float f = (float)x;
  return m->fast && fabsf(f) < FLT_MIN ? 0 : f;
}

static float ulps(float x, int n) {
  for (; n > 0; n--)
    x = nextafterf(x, INFINITY);
  for (; n < 0; n++)
    x = nextafterf(x, -INFINITY);
  return x;
}

static int direction(const AttentionKernel *m, float a) { return m->error == 2 ? (a < -1 ? 1 : -1) : m->error; }

/* exp(a), or 2^a. */
static float exponential(const AttentionKernel *m, float a) {
  if (a == 0 || isinf(a))
    return a == 0 ? 1 : a < 0 ? 0 : INFINITY;
  float exact = (float)(m->exp2 ? exp2((double)a) : exp((double)a));
  int most = m->fast && !m->exp2 && fabsf(a) < 1e4f ? 2 + (int)(1.173f * fabsf(a)) : 2;
  float r = exact == 0 ? 0 : ulps(exact, direction(m, a) * most);
  return flush(m, (double)(r < 0 ? 0 : r));
}

static float divide(const AttentionKernel *m, float a, float b) {
  return flush(m, (double)ulps(a / b, m->fast && a != 0 ? 2 * direction(m, a) : 0));
}

static float score(const AttentionKernel *m, const AttentionShape *s, const AttentionArrays *a, int row, int j) {
  float dot = 0, c = m->exp2 ? s->scale * 1.44269504f : s->scale;
  for (int e = 0; e < s->d; e++) {
    int i = m->backwards ? s->d - 1 - e : e;
    float x = flush(m, (double)a->q[row * s->d + i]), y = flush(m, (double)a->k[j * s->d + i]);
    dot = flush(m, (double)(dot + (m->exp2 ? flush(m, (double)(x * c)) * y : x * y)));
  }
  return m->exp2 ? dot : flush(m, (double)(dot * c));
}

/* All scores, their maximum, the weights. */
static void naive(const AttentionKernel *m, const AttentionShape *s, AttentionArrays *a, int row) {
  static float w[ATTENTION_MAX_KEYS];
  int n = attention_seen(s, row);
  float max = -INFINITY, sum = 0;
  for (int j = 0; j < n; j++) {
    w[j] = score(m, s, a, row, j);
    max = fmaxf(max, w[j]);
  }
  for (int j = 0; j < n; j++) {
    w[j] = exponential(m, flush(m, (double)(w[j] - max)));
    sum += w[j];
  }
  for (int i = 0; i < s->d; i++) {
    float r = 0;
    for (int j = 0; j < n; j++)
      r = flush(m, (double)(r + (m->weights_first ? divide(m, w[j], sum) : w[j]) * flush(m, (double)a->v[j * s->d + i])));
    a->o[row * s->d + i] = m->weights_first ? r : divide(m, r, sum);
  }
}

/* An online softmax of some keys. */
typedef struct Part {
  float max, sum, r[ATTENTION_MAX_D];
} Part;

static void rescale(const AttentionKernel *m, int d, Part *p, float max) {
  float by = exponential(m, flush(m, (double)(p->max - max)));
  p->sum = flush(m, (double)(p->sum * by));
  for (int i = 0; i < d; i++)
    p->r[i] = flush(m, (double)(p->r[i] * by));
  p->max = max;
}

/* The keys first, first + 1 ...: `count` of them. */
static void take_keys(const AttentionKernel *m, const AttentionShape *s, const AttentionArrays *a, int row, int first, int count, Part *p) {
  float w[64], next = p->max;
  for (int t = 0; t < count; t++) {
    w[t] = score(m, s, a, row, first + t);
    next = fmaxf(next, w[t]);
  }
  if (next == -INFINITY)
    return;
  rescale(m, s->d, p, next);
  for (int t = 0; t < count; t++) {
    float weight = exponential(m, flush(m, (double)(w[t] - next)));
    p->sum += weight;
    for (int i = 0; i < s->d; i++)
      p->r[i] = flush(m, (double)(p->r[i] + weight * flush(m, (double)a->v[(first + t) * s->d + i])));
  }
}

static void merge(const AttentionKernel *m, int d, Part *p, Part *other) {
  float max = fmaxf(p->max, other->max);
  if (max == -INFINITY)
    return;
  rescale(m, d, p, max);
  rescale(m, d, other, max);
  p->sum += other->sum;
  for (int i = 0; i < d; i++)
    p->r[i] = flush(m, (double)(p->r[i] + other->r[i]));
}

static void finish(const AttentionKernel *m, const AttentionShape *s, AttentionArrays *a, int row, const Part *p) {
  for (int i = 0; i < s->d; i++)
    a->o[row * s->d + i] = divide(m, p->r[i], p->sum);
}

static void tiles(const AttentionKernel *m, const AttentionShape *s, AttentionArrays *a, int row, int tile) {
  int n = attention_seen(s, row);
  Part p = {.max = -INFINITY};
  for (int first = 0; first < n; first += tile)
    take_keys(m, s, a, row, first, n - first < tile ? n - first : tile, &p);
  finish(m, s, a, row, &p);
}

static void online(const AttentionKernel *m, const AttentionShape *s, AttentionArrays *a, int row) { tiles(m, s, a, row, 1); }
static void online_64(const AttentionKernel *m, const AttentionShape *s, AttentionArrays *a, int row) { tiles(m, s, a, row, 64); }

static void online_backwards(const AttentionKernel *m, const AttentionShape *s, AttentionArrays *a, int row) {
  Part p = {.max = -INFINITY};
  for (int j = attention_seen(s, row); j-- > 0;)
    take_keys(m, s, a, row, j, 1, &p);
  finish(m, s, a, row, &p);
}

static void online_lanes(const AttentionKernel *m, const AttentionShape *s, AttentionArrays *a, int row) {
  int n = attention_seen(s, row);
  Part lane[32];
  for (int i = 0; i < 32; i++) {
    lane[i] = (Part){.max = -INFINITY};
    for (int j = i; j < n; j += 32)
      take_keys(m, s, a, row, j, 1, &lane[i]);
  }
  for (int half = 16; half > 0; half /= 2)
    for (int i = 0; i < half; i++)
      merge(m, s->d, &lane[i], &lane[i + half]);
  finish(m, s, a, row, &lane[0]);
}

const AttentionAlgorithm attention_algorithms[ATTENTION_N_ALGORITHMS] = {{"all scores", naive},
                                                                         {"online", online},
                                                                         {"online, backwards", online_backwards},
                                                                         {"online, tiles of 64", online_64},
                                                                         {"online, 32 lanes", online_lanes}};
