/* tight_keys.c - attention, whose every output depends on all keys. */
#include "../fuzz/op.h"
#include "attention_models.h"
#include "softmax_models.h" /* random numbers */
#include "tight.h"
#include <math.h>
#include <string.h>

enum { Q, K, V, D = 16, MOST_KEYS = 2000 /* of ATTENTION_MAX_D columns: what an input has room for */ };

static AttentionArrays arrays;

static void shape_keys(Tight *t, int n) {
  t->dim[0] = 1;
  t->dim[1] = t->n = n;
  t->dim[2] = t->n_out = D;
  t->scalar[0] = 0.125;
  t->scalar[1] = 0;
}

static AttentionShape shape_of(const Tight *t) {
  return (AttentionShape){(int)t->dim[0], (int)t->dim[1], (int)t->dim[2], t->scalar[1] != 0, (float)t->scalar[0]};
}

static void take_arrays(const Tight *t) {
  size_t rows = (size_t)t->dim[0], keys = (size_t)t->dim[1], d = (size_t)t->dim[2];
  memcpy(arrays.q, t->in[Q], rows * d * sizeof(float));
  memcpy(arrays.k, t->in[K], keys * d * sizeof(float));
  memcpy(arrays.v, t->in[V], keys * d * sizeof(float));
}

/* A query of 0: all weights are 1. Of 2^k keys the means of integers are exact. Of others each has a value in one column, of 4,097 to 8,192:
 * the bound of a column grows with the sum of the magnitudes, and what a lost key does to it with its own. */
static void draw_equal_scores(Tight *t, int fault, uint64_t *s) {
  (void)fault;
  tight_draw_fill(t, Q, WF_DIST_CONSTANT, 1, 0, s);
  tight_draw_fill(t, K, WF_DIST_NORMAL, 1, 0, s);
  tight_draw_fill(t, V, WF_DIST_DISTINCT, TIGHT_MAX_N, 0, s);
  for (int i = 0; (t->n & (t->n - 1)) != 0 && i < t->n * D; i++)
    t->in[V][i] = i % D == i / D % D ? copysignf((float)(TIGHT_MAX_N + 1 + i / D), t->in[V][i]) : 0;
}

static void draw_hard(Tight *t, uint64_t *s) {
  AttentionShape shape = attention_draw_shape(MOST_KEYS, s);
  int kind = model_below(s, ATTENTION_N_KINDS);
  shape.rows = kind == ATTENTION_MASKED_KEYS ? 1 : shape.rows;
  attention_draw_inputs(kind, &shape, &arrays, s);
  t->n = shape.keys;
  t->dim[0] = shape.rows;
  t->dim[1] = shape.keys;
  t->dim[2] = shape.d;
  t->n_out = shape.rows * shape.d;
  t->scalar[0] = (double)shape.scale;
  t->scalar[1] = shape.causal;
  memcpy(t->in[Q], arrays.q, (size_t)(shape.rows * shape.d) * sizeof(float));
  memcpy(t->in[K], arrays.k, (size_t)(shape.keys * shape.d) * sizeof(float));
  memcpy(t->in[V], arrays.v, (size_t)(shape.keys * shape.d) * sizeof(float));
}

static void run(Tight *t, uint64_t *s) {
  const AttentionAlgorithm *a = &attention_algorithms[model_below(s, ATTENTION_N_ALGORITHMS)];
  AttentionKernel m = attention_draw_kernel(s);
  AttentionShape shape = shape_of(t);
  take_arrays(t);
  for (int row = 0; row < shape.rows; row++)
    a->run(&m, &shape, &arrays, row);
  memcpy(t->y, arrays.o, (size_t)t->n_out * sizeof(float));
  t->flags = m.fast ? WF_FAST_MATH : 0;
}

/* Key `from` where key `to` is. */
static void copy_key(int to, int from) {
  memmove(arrays.k + to * D, arrays.k + from * D, D * sizeof(float));
  memmove(arrays.v + to * D, arrays.v + from * D, D * sizeof(float));
}

/* Two columns of the values of a key exchanged. */
static int exchange_columns(const Tight *t) {
  float *a = &arrays.v[t->at * D + t->at % D], *b = &arrays.v[t->at * D + (t->at + 1) % D], of_a = *a;
  *a = *b;
  *b = of_a;
  return *a != *b;
}

static int run_fault(Tight *t, int fault) {
  AttentionShape shape = shape_of(t);
  AttentionKernel exact = {0};
  int is_fault = fault != TIGHT_DOUBLED || t->n > 1; /* one key has all the weight, however often it counts */
  take_arrays(t);
  if (fault == TIGHT_LOST)
    copy_key(t->at, --shape.keys);
  else if (fault == TIGHT_DOUBLED)
    copy_key(shape.keys++, t->at);
  else if (fault == TIGHT_SWAPPED)
    is_fault = exchange_columns(t);
  attention_algorithms[ATTENTION_ALL_SCORES].run(&exact, &shape, &arrays, 0);
  memcpy(t->y, arrays.o, (size_t)t->n_out * sizeof(float));
  return is_fault;
}

const TightOp tight_keys[] = {
    {.name = "attention", .faults = 1u << TIGHT_LOST | 1u << TIGHT_DOUBLED | 1u << TIGHT_SWAPPED,
     .seen = "a query of 0; 2^k keys of distinct integers, others with one value in 16 columns", .shape = shape_keys, .draw_seen = draw_equal_scores,
     .draw_hard = draw_hard, .run = run, .run_fault = run_fault},
    {.name = NULL},
};
