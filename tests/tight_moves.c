/* tight_moves.c - ops whose outputs are made of one or two elements each, and the maximum, which is one of them. */
#include "../fuzz/op.h"
#include "dot_models.h"
#include "tight.h"
#include <float.h>
#include <math.h>

enum { CHANNELS = 2 /* of fault/F18 */ };

static float flush(const Tight *t, float x) { return t->flags & WF_FAST_MATH && fabsf(x) < FLT_MIN ? 0 : x; }

/* ---- shapes: n elements ---- */

/* The largest divisor of n that is no larger than its quotient. */
static int edge_of(int n) {
  int d = 1;
  for (int i = 1; i * i <= n; i++)
    d = n % i == 0 ? i : d;
  return d;
}

static void shape_vector(Tight *t, int n) {
  t->n_out = t->dim[0] = t->n = n;
  t->scalar[0] = 0.75; /* of fault/F84: products are rounded */
}

static void shape_matrix(Tight *t, int n) {
  t->n_out = t->n = n;
  t->dim[0] = edge_of(n);
  t->dim[1] = n / edge_of(n);
}

/* fault/F18: of the steps, the first has no step before it, and is not in the count. */
static void shape_steps(Tight *t, int n) {
  t->n = n;
  t->dim[0] = 1;
  t->dim[1] = n / CHANNELS + 1;
  t->dim[2] = CHANNELS;
  t->n = (int)(t->dim[1] - 1) * CHANNELS > 0 ? (int)(t->dim[1] - 1) * CHANNELS : 1;
  t->n_out = t->dim[1] * CHANNELS;
}

static void shape_max(Tight *t, int n) {
  shape_vector(t, n);
  t->n_out = 1;
}

/* ---- inputs ---- */

static void draw_seen(Tight *t, int fault, uint64_t *s) {
  (void)fault;
  tight_draw_exact(t, s);
}

/* The element at `at` is the largest. */
static void draw_largest(Tight *t, int fault, uint64_t *s) {
  draw_seen(t, fault, s);
  t->in[0][t->at] = TIGHT_MAX_N + 1;
}

static void draw_hard(Tight *t, uint64_t *s) {
  static const float factors[] = {0.5f, 1, -0.5f, 2, 0.25f, 0.75f};
  t->kind->shape(t, 1 + dot_below(s, 64));
  for (int64_t i = 0; i < t->dim[0] * (t->dim[1] ? t->dim[1] : 1) * (t->dim[2] ? t->dim[2] : 1); i++) {
    t->in[0][i] = dot_draw_bits(s, 1);
    t->in[1][i] = dot_draw_bits(s, t->in[0][i]);
    t->in[2][i] = dot_draw_bits(s, t->in[0][i]);
  }
  t->scalar[0] = (double)factors[dot_below(s, 6)];
}

/* What the contracts of fault/F84 promise: within 1e30. */
static void draw_bounded(Tight *t, uint64_t *s) {
  draw_hard(t, s);
  for (int i = 0; i < t->n; i++)
    t->in[0][i] = fabsf(t->in[0][i]) <= 1e30f ? t->in[0][i] : dot_draw_normal(s);
}

/* ---- add, matadd ---- */

static void add_all(Tight *t) {
  for (int i = 0; i < t->n; i++)
    t->y[i] = flush(t, flush(t, t->in[0][i]) + flush(t, t->in[1][i]));
}

static void run_flavors(Tight *t, uint64_t *s, void (*run)(Tight *)) {
  t->flags = dot_below(s, 2) ? WF_FAST_MATH : 0;
  run(t);
}

static void run_add(Tight *t, uint64_t *s) { run_flavors(t, s, add_all); }

static int exchange_outputs(Tight *t) {
  float a = t->y[t->at], b = t->y[t->other];
  t->y[t->at] = b;
  t->y[t->other] = a;
  return a != b;
}

/* The second operand lost, or added twice. */
static int run_add_fault(Tight *t, int fault) {
  add_all(t);
  if (fault == TIGHT_SWAPPED)
    return exchange_outputs(t);
  if (fault >= 0)
    t->y[t->at] = fault == TIGHT_LOST ? t->in[0][t->at] : t->in[0][t->at] + t->in[1][t->at] + t->in[1][t->at];
  return fault < 0 || t->in[1][t->at] != 0;
}

/* ---- transpose, fault/F84: a lost element has its neighbour's value in its place ---- */

static void transpose_all(Tight *t) {
  for (int64_t i = 0; i < t->dim[0]; i++)
    for (int64_t j = 0; j < t->dim[1]; j++)
      t->y[j * t->dim[0] + i] = flush(t, t->in[0][i * t->dim[1] + j]);
}

static void scale_all(Tight *t) {
  for (int i = 0; i < t->n; i++)
    t->y[i] = (float)t->scalar[0] * t->in[0][i];
}

static void run_transpose(Tight *t, uint64_t *s) { run_flavors(t, s, transpose_all); }
static void run_scale(Tight *t, uint64_t *s) {
  (void)s;
  scale_all(t);
}

static int misplace(Tight *t, int fault) {
  float right = t->y[t->at], neighbour = t->y[(t->at + 1) % t->n];
  if (fault == TIGHT_SWAPPED)
    return exchange_outputs(t);
  if (fault == TIGHT_LOST)
    t->y[t->at] = neighbour;
  return fault < 0 || right != neighbour;
}

static int run_transpose_fault(Tight *t, int fault) {
  transpose_all(t);
  return misplace(t, fault);
}

static int run_scale_fault(Tight *t, int fault) {
  scale_all(t);
  return misplace(t, fault);
}

/* ---- fault/F18 ---- */

/* An output of a step, rounded, or fused in either order; x: the element of the step before. */
static float step(const Tight *t, int64_t i, float x, int way) {
  float now = t->in[1][i % CHANNELS], before = t->in[2][i % CHANNELS];
  if (i < CHANNELS)
    return now * t->in[0][i];
  switch (way) {
  case 0: return now * t->in[0][i] + before * x;
  case 1: return fmaf(now, t->in[0][i], before * x);
  default: return fmaf(before, x, now * t->in[0][i]);
  }
}

static void run_all_steps(Tight *t, int way) {
  for (int64_t i = 0; i < t->n_out; i++)
    t->y[i] = step(t, i, i < CHANNELS ? 0 : t->in[0][i - CHANNELS], way);
}

static void run_steps(Tight *t, uint64_t *s) { run_all_steps(t, dot_below(s, 3)); }

/* The product with the step before lost or added twice, or another element taken for it. */
static int run_steps_fault(Tight *t, int fault) {
  int64_t i = t->at + CHANNELS < t->n_out ? t->at + CHANNELS : t->at;
  run_all_steps(t, 0);
  if (fault < 0 || i < CHANNELS)
    return fault < 0;
  float x = t->in[0][i - CHANNELS], other = fault == TIGHT_SWAPPED ? t->in[0][t->other] : fault == TIGHT_LOST ? 0 : 2 * x;
  t->y[i] = step(t, i, other, 0);
  return x != other && t->in[2][i % CHANNELS] != 0;
}

/* ---- reduce_max ---- */

static float larger(float a, float b) { return isnan(a) || isnan(b) ? NAN : fmaxf(a, b); }

static float largest(const Tight *t, int but) {
  float max = -INFINITY;
  for (int i = 0; i < t->n; i++)
    max = i == but ? max : larger(max, t->in[0][i]);
  return max;
}

static void run_max(Tight *t, uint64_t *s) {
  (void)s;
  t->y[0] = largest(t, -1);
}

/* The largest is lost. */
static int run_max_fault(Tight *t, int fault) {
  int at = 0;
  for (int i = 1; i < t->n; i++)
    at = t->in[0][i] > t->in[0][at] ? i : at;
  t->y[0] = largest(t, fault < 0 ? -1 : at);
  return fault < 0 || t->y[0] != t->in[0][at];
}

/* ---- the ops ---- */

#define LOST (1u << TIGHT_LOST)
#define SWAPPED (1u << TIGHT_SWAPPED)
#define ALL (LOST | 1u << TIGHT_DOUBLED | SWAPPED)
#define MOVES(op, which, form, seen_in, hard, correct, wrong, exact)                                                   \
  {                                                                                                                    \
    .name = op, .faults = which, .seen = "distinct integers", .is_exact = exact, .shape = form, .draw_seen = seen_in,  \
    .draw_hard = hard, .run = correct, .run_fault = wrong                                                              \
  }

const TightOp tight_moves[] = {
    MOVES("add", ALL, shape_vector, draw_seen, draw_hard, run_add, run_add_fault, 1),
    MOVES("matadd", ALL, shape_matrix, draw_seen, draw_hard, run_add, run_add_fault, 1),
    MOVES("transpose", LOST | SWAPPED, shape_matrix, draw_seen, draw_hard, run_transpose, run_transpose_fault, 1),
    MOVES("reduce_max", LOST, shape_max, draw_largest, draw_hard, run_max, run_max_fault, 1),
    MOVES("fault/F18", ALL, shape_steps, draw_seen, draw_hard, run_steps, run_steps_fault, 1),
    MOVES("fault/F84", LOST | SWAPPED, shape_vector, draw_seen, draw_bounded, run_scale, run_scale_fault, 0),
    {.name = NULL},
};
