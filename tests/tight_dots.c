/* tight_dots.c - ops whose outputs are sums or dot products of n elements. */
#include "../fuzz/op.h"
#include "dot_models.h"
#include "tight.h"
#include <float.h>
#include <math.h>

enum { LANES = 5 /* of dot_orders */, FLUSHED = 8, MAX_ADDENDS = TIGHT_MAX_N };

typedef struct Dots {
  int outputs, swaps_outputs; /* swaps_outputs: elements are exchanged between two outputs, for within one nothing depends on their order */
  /* Where element e of an output is, and its factor; *v = NULL: 1. */
  void (*find)(Tight *t, int output, int e, float **u, float **v);
} Dots;

static const Dots *dots_of(const Tight *t) { return t->kind->family; }

/* ---- shapes ---- */

static void set_dims(Tight *t, int64_t a, int64_t b, int64_t c) {
  t->dim[0] = a;
  t->dim[1] = b;
  t->dim[2] = c;
  t->n_out = dots_of(t)->outputs;
}

static void shape_reduce_sum(Tight *t, int n) { set_dims(t, t->n = n, 0, 0); }
static void shape_col_sum(Tight *t, int n) { set_dims(t, t->n = n, 3, 0); }
static void shape_row_sum(Tight *t, int n) { set_dims(t, 2, t->n = n, 0); }
static void shape_matmul(Tight *t, int n) { set_dims(t, 2, 3, t->n = n); }
static void shape_conv1d(Tight *t, int n) {
  t->n = n;
  set_dims(t, n + 2, n, 0);
}
static void shape_conv2d(Tight *t, int n) {
  int k = 1;
  while ((k + 1) * (k + 1) <= n)
    k++;
  t->n = k * k;
  set_dims(t, k + 1, k + 2, k);
}

static void find_reduce_sum(Tight *t, int output, int e, float **u, float **v) {
  *u = &t->in[0][output + e];
  *v = NULL;
}
static void find_col_sum(Tight *t, int output, int e, float **u, float **v) {
  *u = &t->in[0][e * 3 + output];
  *v = NULL;
}
static void find_row_sum(Tight *t, int output, int e, float **u, float **v) {
  *u = &t->in[0][output * t->n + e];
  *v = NULL;
}
static void find_matmul(Tight *t, int output, int e, float **u, float **v) {
  *u = &t->in[0][output / 3 * t->n + e];
  *v = &t->in[1][e * 3 + output % 3];
}
static void find_conv1d(Tight *t, int output, int e, float **u, float **v) {
  *u = &t->in[0][output + e];
  *v = &t->in[1][e];
}
static void find_conv2d(Tight *t, int output, int e, float **u, float **v) {
  int k = (int)t->dim[2], width = (int)t->dim[1];
  *u = &t->in[0][(output / 3 + e / k) * width + output % 3 + e % k];
  *v = &t->in[1][e];
}

static float u[MAX_ADDENDS], v[MAX_ADDENDS]; /* the elements of an output, and their factors */

static void take(Tight *t, int output) {
  for (int e = 0; e < t->n; e++) {
    float *x, *w;
    dots_of(t)->find(t, output, e, &x, &w);
    u[e] = *x;
    v[e] = w ? *w : 1;
  }
}

/* ---- kernels that are right ---- */

/* What is hard for a dot product is hard for a sum of its products. Outputs share elements; the first one has its own. */
static void draw_hard(Tight *t, uint64_t *s) {
  static float a[DOT_ROWS * DOT_MAX], b[DOT_COLS * DOT_MAX];
  static const int powers[] = {0, 0, 0, 0, 0, -100, -60, 60, 100};
  int kind = dot_below(s, DOT_N_KINDS), n = dot_draw_depth(s), power = powers[dot_below(s, 9)];
  t->kind->shape(t, kind == DOT_BITS ? 1 + n % 9 : n);
  for (int output = dots_of(t)->outputs; output-- > 0;) {
    dot_draw_factors(kind, t->n, a, b, s);
    for (int e = 0; e < t->n; e++) {
      float *x, *w;
      dots_of(t)->find(t, output, e, &x, &w);
      *x = ldexpf(w || kind == DOT_BITS ? a[e] : a[e] * b[e * DOT_COLS], power);
      if (w)
        *w = b[e * DOT_COLS];
    }
  }
}

static void run_in_order(Tight *t, int order, uint64_t *s) {
  t->depth = dot_below(s, 2) ? dot_orders[order].depth(t->n) : 0;
  for (int output = 0; output < t->n_out; output++) {
    take(t, output);
    t->y[output] = dot_orders[order].run(u, v, t->n);
  }
}

/* Nothing is flushed: kernels for which that would be right are those under fast math and with atomicAdd. */
static void run_any(Tight *t, uint64_t *s) { run_in_order(t, dot_below(s, FLUSHED), s); }

static void run_sum(Tight *t, uint64_t *s) {
  int way = dot_below(s, FLUSHED + 2);
  if (way < FLUSHED) {
    run_in_order(t, way, s);
    return;
  }
  for (int output = 0; output < t->n_out; output++) {
    take(t, output);
    t->y[output] = way == FLUSHED ? dot_atomics(u, t->n) : dot_atomic_blocks(u, t->n);
  }
}

static float flush(float x) { return fabsf(x) < FLT_MIN ? 0 : x; }

static void run_product(Tight *t, uint64_t *s) {
  if (dot_below(s, 4)) {
    run_any(t, s);
    return;
  }
  t->flags = WF_FAST_MATH;
  for (int output = 0; output < t->n_out; output++) {
    float sum = 0;
    take(t, output);
    for (int e = 0; e < t->n; e++)
      sum = flush(sum + flush(flush(u[e]) * flush(v[e])));
    t->y[output] = sum;
  }
}

/* ---- kernels with a fault ---- */

static void draw_seen(Tight *t, int fault, uint64_t *s) {
  (void)fault;
  tight_draw_exact(t, s);
}

/* Exchanges u[at] with an element of the next output, which is as wrong. */
static int swap_outputs(Tight *t, int output) {
  int next = (output + 1) % dots_of(t)->outputs;
  float *mine, *its, *w;
  dots_of(t)->find(t, output, t->at, &mine, &w);
  dots_of(t)->find(t, next, t->other, &its, &w);
  take(t, next);
  u[t->other] = *mine;
  t->y[next] = dot_orders[LANES].run(u, v, t->n);
  take(t, output);
  u[t->at] = *its;
  return *mine != *its;
}

static int swap_elements(const Tight *t) {
  float a = u[t->at], b = u[t->other];
  u[t->at] = b;
  u[t->other] = a;
  return a != b && v[t->at] != v[t->other];
}

static int run_fault(Tight *t, int fault) {
  int is_fault = 1, output = t->at % dots_of(t)->outputs;
  for (int i = 0; i < t->n_out; i++) {
    take(t, i);
    t->y[i] = dot_orders[LANES].run(u, v, t->n);
  }
  take(t, output);
  if (fault == TIGHT_SWAPPED)
    is_fault = dots_of(t)->swaps_outputs ? swap_outputs(t, output) : swap_elements(t);
  else if (fault >= 0) {
    is_fault = u[t->at] != 0 && v[t->at] != 0;
    u[t->at] *= fault == TIGHT_LOST ? 0 : 2;
  }
  t->y[output] = dot_orders[LANES].run(u, v, t->n);
  return is_fault;
}

#define ALL (1u << TIGHT_LOST | 1u << TIGHT_DOUBLED | 1u << TIGHT_SWAPPED)
#define DOTS(op, n_outputs, swaps, which, correct)                                                                     \
  {                                                                                                                    \
    .name = #op, .family = &(const Dots){n_outputs, swaps, find_##op}, .faults = which, .seen = "distinct integers", .is_exact = 1, \
    .lanes_depth = tight_lanes_depth, .shape = shape_##op, .draw_seen = draw_seen, .draw_hard = draw_hard, .run = correct,          \
    .run_fault = run_fault                                                                                             \
  }

static int64_t tight_lanes_depth(int n) { return dot_orders[LANES].depth(n); }

const TightOp tight_dots[] = {
    DOTS(matmul, 6, 0, ALL, run_product),
    DOTS(reduce_sum, 1, 0, 1u << TIGHT_LOST | 1u << TIGHT_DOUBLED, run_sum),
    DOTS(col_sum, 3, 1, ALL, run_sum),
    DOTS(row_sum, 2, 1, ALL, run_sum),
    DOTS(conv1d, 3, 0, ALL, run_any),
    DOTS(conv2d, 6, 0, ALL, run_any),
    {.name = NULL},
};
