/* test_conv.c - conv1d, conv2d and fault/F18: the references against MPFR, and what their bounds let through. */
#include "../fuzz/run.h"
#include "dot_exact.h"
#include "dot_models.h"
#include "suite.h"
#include <check.h>
#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TRIALS = 10000, MAX_ELEMS = 4 * DOT_MAX, MAX_OUTPUTS = 64, N_CONVS = 2 };

static float x[MAX_ELEMS], w[DOT_MAX], y[MAX_OUTPUTS];
static double out[MAX_OUTPUTS], bound[MAX_OUTPUTS];
static float u[DOT_MAX], v[DOT_MAX]; /* the window of an output, and the filter */

/* ---- two convolutions as one thing: filters of `taps` elements, few outputs ---- */

static int edge_of(int taps) {
  int k = 1;
  while ((k + 1) * (k + 1) <= taps)
    k++;
  return k;
}

/* Three outputs. */
static void dims_1d(int taps, int64_t *dim) {
  dim[0] = taps + 2;
  dim[1] = taps;
}
/* Two rows of three outputs: height and width differ. */
static void dims_2d(int taps, int64_t *dim) {
  dim[2] = edge_of(taps);
  dim[0] = dim[2] + 1;
  dim[1] = dim[2] + 2;
}

static int64_t at_1d(const int64_t *dim, int output, int e) {
  (void)dim;
  return output + e;
}
static int64_t at_2d(const int64_t *dim, int output, int e) {
  int k = (int)dim[2], width = (int)dim[1] - k + 1;
  return (output / width + e / k) * dim[1] + output % width + e % k;
}

typedef struct Conv {
  const char *name;
  int outputs;
  void (*dims)(int taps, int64_t *dim);
  int64_t (*at)(const int64_t *dim, int output, int e); /* where x has what tap e meets */
} Conv;
static const Conv convs[N_CONVS] = {{"conv1d", 3, dims_1d, at_1d}, {"conv2d", 6, dims_2d, at_2d}};

typedef struct Problem {
  const Conv *conv;
  const WfOp *op;
  int64_t dim[WF_MAX_DIMS];
  int taps;
} Problem;

static const WfOp *op_of(const char *name) {
  const WfOp *op = wf_op_find(name, strlen(name));
  if (!op)
    abort();
  return op;
}

static Problem problem(const Conv *c, int taps) {
  Problem p = {.conv = c, .op = op_of(c->name)};
  c->dims(taps, p.dim);
  p.taps = c->dims == dims_2d ? (int)(p.dim[2] * p.dim[2]) : taps;
  return p;
}

static void reference(const Problem *p, int64_t depth) {
  const float *tensors[WF_MAX_TENSORS] = {x, w};
  WfRefArgs a = {.dim = p->dim, .in = tensors, .depth = depth};
  if (p->op->reference(&a, out, bound) != 0)
    abort();
}

static int is_accepted(const WfOp *op, const int64_t *dim, int outputs) {
  static WfVerdict verdict;
  memset(&verdict, 0, sizeof verdict);
  WfJudge j = {.op = op, .variant = &op->variants[0], .dim = dim, .y = y, .ref = out, .bound = bound, .n_elems = outputs};
  wf_judge(&j, &verdict);
  return verdict.errors == 0;
}

static int conv_accepted(const Problem *p) { return is_accepted(p->op, p->dim, p->conv->outputs); }

/* Of the window of output 0 the values are of a kind, of the others what they happen to be. */
static void draw(const Problem *p, int kind, uint64_t *s) {
  static float a[DOT_ROWS * DOT_MAX], b[DOT_COLS * DOT_MAX];
  int64_t n = p->conv->dims == dims_2d ? p->dim[0] * p->dim[1] : p->dim[0];
  dot_draw_factors(kind, p->taps, a, b, s);
  for (int64_t i = 0; i < n; i++)
    x[i] = kind == DOT_BITS ? dot_draw_bits(s, 1) : dot_draw_normal(s);
  for (int e = 0; e < p->taps; e++) {
    x[p->conv->at(p->dim, 0, e)] = a[e];
    w[e] = b[e * DOT_COLS];
  }
}

static void take_window(const Problem *p, int output) {
  for (int e = 0; e < p->taps; e++) {
    u[e] = x[p->conv->at(p->dim, output, e)];
    v[e] = w[e];
  }
}

/* ---- room: the largest error of an output over its bound ---- */

static void raise(double *most, double part) { *most = part > *most || isnan(part) ? part : *most; }

static double own_share(int taps, double value) {
  double sum = 0;
  for (int e = 0; e < taps; e++)
    sum += fabs((double)u[e] * (double)v[e]);
  return fabs(value) * 0x1p-52 + sum * taps * 0x1p-104;
}

/* The most that the reference uses of its own share, and any order of the bound. */
static void measure(const Problem *p, int i, double *own, double *most) {
  mpfr_t sum;
  mpfr_init2(sum, DOT_EXACT_BITS);
  take_window(p, i);
  dot_exact(sum, u, v, p->taps);
  reference(p, 0);
  raise(own, dot_part(dot_distance(sum, out[i]), own_share(p->taps, out[i])));
  for (int o = 0; o < DOT_N_ORDERS; o++)
    for (int known = 0; known < 2; known++) {
      reference(p, known ? dot_orders[o].depth(p->taps) : 0);
      raise(most, dot_part(dot_distance(sum, (double)dot_orders[o].run(u, v, p->taps)), bound[i]));
    }
  mpfr_clear(sum);
}

START_TEST(convolutions_stay_within_the_bound) {
  uint64_t s = 1;
  double most = 0;
  for (int kind = 0; kind < DOT_BITS; kind++)
    for (int trial = 0; trial < 200; trial++) {
      double own = 0, room = 0;
      Problem p = problem(&convs[_i], trial == 0 ? DOT_MAX : dot_draw_depth(&s));
      draw(&p, kind, &s);
      measure(&p, trial % 2 ? dot_below(&s, p.conv->outputs) : 0, &own, &room);
      ck_assert_msg(own <= 1, "the reference, %s: %g of its share", dot_kind_names[kind], own);
      ck_assert_msg(room <= 1, "%s, %d taps: %g of the bound", dot_kind_names[kind], p.taps, room);
      raise(&most, room);
    }
  ck_assert_msg(most > 0.99, "the worst order uses %g of the bound", most);
}
END_TEST

/* The oracle itself, NaN, infinities and overflow included. Of any bits the products may be subnormal and exact, and may not be flushed:
 * the last order is left to other values, where nothing is exact. */
START_TEST(convolutions_are_accepted) {
  uint64_t s = 2;
  for (int trial = 0; trial < TRIALS; trial++) {
    int kind = dot_below(&s, DOT_N_KINDS), taps = dot_draw_depth(&s), o = dot_below(&s, kind == DOT_BITS ? DOT_N_ORDERS - 1 : DOT_N_ORDERS);
    Problem p = problem(&convs[_i], kind == DOT_BITS ? 1 + taps % 9 : taps);
    draw(&p, kind, &s);
    reference(&p, dot_below(&s, 2) ? dot_orders[o].depth(p.taps) : 0);
    for (int i = 0; i < p.conv->outputs; i++) {
      take_window(&p, i);
      y[i] = dot_orders[o].run(u, v, p.taps);
    }
    ck_assert_msg(conv_accepted(&p), "trial %d: %s, %s, %d taps", trial, dot_orders[o].name, dot_kind_names[kind], p.taps);
  }
}
END_TEST

/* ---- exact sums ---- */

/* Distinct integers against taps of 1 to 3, as far as every sum is exact. */
static void draw_integers(const Problem *p, uint64_t *s) {
  int64_t n = p->conv->dims == dims_2d ? p->dim[0] * p->dim[1] : p->dim[0];
  int largest = 3 * n * (n + 1) / 2 <= 1 << 24 ? 3 : 1;
  for (int64_t i = 0; i < n; i++)
    x[i] = (float)((dot_below(s, 2) ? 1 : -1) * (i + 1));
  for (int e = 0; e < p->taps; e++)
    w[e] = (float)(1 + dot_below(s, largest));
}

static double dot(const Problem *p) {
  double sum = 0;
  for (int e = 0; e < p->taps; e++)
    sum += (double)u[e] * (double)v[e];
  return sum;
}

static void reject(const Problem *p, int i, double value, const char *what, int at) {
  float right = y[i];
  if (value == (double)right)
    return;
  y[i] = (float)value;
  ck_assert_msg(!conv_accepted(p), "%s, %d taps: %s at %d", p->conv->name, p->taps, what, at);
  y[i] = right;
}

/* One product lost, doubled, two elements of the window exchanged, the neighbour's window. A change that changes nothing is none. */
static void reject_changes(const Problem *p, int i, uint64_t *s) {
  int e = dot_below(s, p->taps), f = dot_below(s, p->taps), other = (i + 1) % p->conv->outputs;
  take_window(p, i);
  double sum = dot(p), product = (double)u[e] * (double)v[e];
  ck_assert(sum == out[i] && product != 0);
  reject(p, i, sum - product, "lost", e);
  reject(p, i, sum + product, "doubled", e);
  reject(p, i, sum - ((double)u[e] - (double)u[f]) * ((double)v[e] - (double)v[f]), "exchanged", e);
  take_window(p, other);
  reject(p, i, dot(p), "the neighbour's", 0);
}

START_TEST(exact_convolutions_miss_nothing) {
  static const int taps[] = {1, 2, 3, 4, 9, 25, 31, 32, 33, 100, 1000, 1024, 1089, 2048, 4094};
  uint64_t s = 3;
  for (size_t t = 0; t < sizeof taps / sizeof *taps; t++) {
    Problem p = problem(&convs[_i], taps[t]);
    draw_integers(&p, &s);
    reference(&p, 0);
    for (int i = 0; i < p.conv->outputs; i++) {
      ck_assert_msg(bound[i] == 0, "%d taps: %g", p.taps, bound[i]);
      y[i] = (float)out[i];
    }
    ck_assert(conv_accepted(&p));
    for (int trial = 0; trial < 600; trial++)
      reject_changes(&p, trial % p.conv->outputs, &s);
  }
}
END_TEST

/* Two outputs exchanged, every pair. */
START_TEST(exchanged_outputs_are_rejected) {
  uint64_t s = 4;
  Problem p = problem(&convs[_i], 9);
  draw_integers(&p, &s);
  reference(&p, 0);
  for (int i = 0; i < p.conv->outputs; i++)
    y[i] = (float)out[i];
  for (int i = 0; i < p.conv->outputs; i++)
    for (int k = 0; k < i; k++) {
      float a = y[i], b = y[k];
      ck_assert_msg(a != b, "outputs %d and %d", i, k);
      y[i] = b;
      y[k] = a;
      ck_assert(!conv_accepted(&p));
      y[i] = a;
      y[k] = b;
    }
}
END_TEST

/* A 3 x 4 image under a 2 x 2 filter, as it is written down: rows and columns, and the filter as it is, not turned round. */
START_TEST(convolution_by_hand) {
  static const float image[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, filter[] = {1, 10, 100, 1000};
  static const double plane[] = {6521, 7632, 8743, 10965, 12076, 13187}, line[] = {4321, 5432, 6543};
  memcpy(x, image, sizeof image);
  memcpy(w, filter, sizeof filter);
  Problem p = {.conv = &convs[1], .op = op_of("conv2d"), .dim = {3, 4, 2}, .taps = 4};
  reference(&p, 0);
  for (int i = 0; i < 6; i++)
    ck_assert_msg(out[i] == plane[i] && bound[i] == 0, "%d: %g", i, out[i]);
  p = (Problem){.conv = &convs[0], .op = op_of("conv1d"), .dim = {6, 4}, .taps = 4};
  reference(&p, 0);
  for (int i = 0; i < 3; i++)
    ck_assert_msg(out[i] == line[i] && bound[i] == 0, "%d: %g", i, out[i]);
}
END_TEST

/* Of windows of two. */
START_TEST(special_windows) {
  static const struct {
    float x[4], w[2];
    float y[3];
    int open; /* set of outputs for which anything is accepted */
  } row[] = {{{1, NAN, 2, 3}, {1, 1}, {NAN, NAN, 5}, 0},
             {{1, 2, INFINITY, 3}, {1, 0}, {1, NAN, INFINITY}, 0},
             {{INFINITY, INFINITY, -INFINITY, 0}, {1, 1}, {INFINITY, NAN, -INFINITY}, 0},
             {{INFINITY, INFINITY, 1, 2}, {1, -1}, {NAN, INFINITY, -1}, 0},
             {{1, 2, 3, 4}, {NAN, 0}, {NAN, NAN, NAN}, 0},
             {{FLT_MAX, 1, FLT_MAX, FLT_MAX}, {2, 1}, {INFINITY, FLT_MAX, INFINITY}, 0},
             {{FLT_MAX, FLT_MAX, 1, 1}, {2, -2}, {0, INFINITY, 0}, 3} /* some product overflows among others of the other sign */,
             {{0, -0.0f, 0, 0}, {-1, 1}, {0, 0, 0}, 0}};
  Problem p = {.conv = &convs[0], .op = op_of("conv1d"), .dim = {4, 2}, .taps = 2};
  for (size_t r = 0; r < sizeof row / sizeof *row; r++) {
    memcpy(x, row[r].x, sizeof row[r].x);
    memcpy(w, row[r].w, sizeof row[r].w);
    memcpy(y, row[r].y, sizeof row[r].y);
    reference(&p, 0);
    ck_assert_msg(conv_accepted(&p), "row %zu: %g %g %g", r, out[0], out[1], out[2]);
    for (int i = 0; i < 3; i++) {
      float right = y[i];
      y[i] = isnan(right) ? 0 : NAN;
      ck_assert_msg(conv_accepted(&p) == (row[r].open >> i & 1), "row %zu, output %d", r, i);
      y[i] = right;
    }
  }
}
END_TEST

/* ---- fault/F18 ---- */

enum { BATCH = 2, LEN = 3, CHANNELS = 4, N_F18 = BATCH * LEN * CHANNELS };
static const int64_t f18_dims[] = {BATCH, LEN, CHANNELS};

static void f18_reference(const float *newest, const float *oldest) {
  const float *tensors[WF_MAX_TENSORS] = {x, newest, oldest};
  WfRefArgs a = {.dim = f18_dims, .in = tensors};
  if (op_of("fault/F18")->reference(&a, out, bound) != 0)
    abort();
}

/* Rounded, fused in either order; the first of a sequence has one product. */
static float f18_output(int i, const float *newest, const float *oldest, int way) {
  int c = i % CHANNELS, is_first = i / CHANNELS % LEN == 0;
  float now = newest[c] * x[i];
  if (is_first)
    return now;
  float before = oldest[c] * x[i - CHANNELS];
  switch (way) {
  case 0: return now + before;
  case 1: return fmaf(newest[c], x[i], before);
  default: return fmaf(oldest[c], x[i - CHANNELS], now);
  }
}

static double f18_distance(int i, const float *newest, const float *oldest, double have) {
  int c = i % CHANNELS, k = i / CHANNELS % LEN == 0 ? 1 : 2;
  const float factors[] = {newest[c], oldest[c]}, values[] = {x[i], k == 2 ? x[i - CHANNELS] : 0};
  mpfr_t sum;
  mpfr_init2(sum, DOT_EXACT_BITS);
  dot_exact(sum, factors, values, k);
  double error = dot_distance(sum, have);
  mpfr_clear(sum);
  return error;
}

START_TEST(causal_convolutions_agree_with_mpfr) {
  uint64_t s = 5;
  float newest[CHANNELS], oldest[CHANNELS];
  for (int trial = 0; trial < TRIALS; trial++) {
    int special = trial % 4 == 0, way = dot_below(&s, 3);
    for (int i = 0; i < N_F18; i++)
      x[i] = special ? dot_draw_bits(&s, 1) : dot_draw_normal(&s);
    for (int c = 0; c < CHANNELS; c++) {
      newest[c] = special ? dot_draw_bits(&s, 1) : dot_draw_normal(&s);
      oldest[c] = special ? dot_draw_bits(&s, 1) : dot_draw_normal(&s);
    }
    f18_reference(newest, oldest);
    for (int i = 0; i < N_F18; i++) {
      y[i] = f18_output(i, newest, oldest, way);
      if (!special)
        ck_assert(f18_distance(i, newest, oldest, out[i]) <= fabs(out[i]) * 0x1p-52 + 0x1p-90);
    }
    ck_assert_msg(is_accepted(op_of("fault/F18"), f18_dims, N_F18), "trial %d, way %d", trial, way);
  }
}
END_TEST

/* Integers: the element of another step, channel or entry of the batch. */
START_TEST(misplaced_steps_are_rejected) {
  const float newest[CHANNELS] = {1, 2, 3, 4}, oldest[CHANNELS] = {100, 200, 300, 400};
  for (int i = 0; i < N_F18; i++)
    x[i] = (float)(i + 1);
  f18_reference(newest, oldest);
  for (int i = 0; i < N_F18; i++) {
    y[i] = f18_output(i, newest, oldest, 0);
    ck_assert(bound[i] == 0 && out[i] == (double)y[i]);
  }
  for (int i = 0; i < N_F18; i++)
    for (int k = 0; k < N_F18; k++) {
      if (k == i)
        continue;
      float right = y[i], of_k = x[k], c = newest[i % CHANNELS];
      const float wrong[] = {right - c * x[i] + c * of_k, right - c * x[i], right + c * x[i]};
      for (int way = 0; way < 3; way++) {
        y[i] = wrong[way];
        ck_assert_msg(!is_accepted(op_of("fault/F18"), f18_dims, N_F18), "%d, %d, way %d", i, k, way);
      }
      y[i] = right;
    }
}
END_TEST

int main(void) {
  Suite *suite = suite_create("conv");
  TCase *t = tcase_create("references");
  tcase_set_timeout(t, 0);
  tcase_add_loop_test(t, convolutions_stay_within_the_bound, 0, N_CONVS);
  tcase_add_loop_test(t, convolutions_are_accepted, 0, N_CONVS);
  tcase_add_loop_test(t, exact_convolutions_miss_nothing, 0, N_CONVS);
  tcase_add_loop_test(t, exchanged_outputs_are_rejected, 0, N_CONVS);
  tcase_add_test(t, convolution_by_hand);
  tcase_add_test(t, special_windows);
  tcase_add_test(t, causal_convolutions_agree_with_mpfr);
  tcase_add_test(t, misplaced_steps_are_rejected);
  suite_add_tcase(suite, t);
  return suite_run(suite);
}
