/* test_fault_norm.c - fault/F56, F78, F82 and F84: the references against MPFR, and what their bounds let through. With an argument it
 * prints the tables of doc/ORACLE.md instead of testing. */
#include "../fuzz/run.h"
#include "dot_exact.h"
#include "dot_models.h"
#include "norm_exact.h"
#include "norm_models.h"
#include "softmax_models.h" /* random numbers */
#include "suite.h"
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const WfOp wf_op_fault_F56, wf_op_fault_F78, wf_op_fault_F82, wf_op_fault_F84;

enum { MAX_ELEMS = 4096, TRIALS = 10000, LARGE_TRIALS = 60000 };

static float first[MAX_ELEMS], second[MAX_ELEMS], result[MAX_ELEMS]; /* the inputs, and a kernel's output */
static double out[MAX_ELEMS], bound[MAX_ELEMS];

static void reference(const WfOp *op, const int64_t *dim, double scalar, int64_t depth, uint32_t flags) {
  const float *in[WF_MAX_TENSORS] = {first, op->n_tensors > 2 ? second : NULL};
  WfRefArgs a = {.dim = dim, .in = in, .scalar = &scalar, .variant_flags = flags, .depth = depth};
  if (op->reference(&a, out, bound) != 0)
    abort();
}

/* By the oracle: class and value of all of `result`. */
static int is_accepted(const WfOp *op, const int64_t *dim, int n_elems) {
  static WfVerdict v;
  memset(&v, 0, sizeof v);
  WfJudge j = {.op = op, .variant = &op->variants[0], .dim = dim, .y = result, .ref = out, .bound = bound, .n_elems = n_elems};
  wf_judge(&j, &v);
  return v.errors == 0;
}

static void raise(double *most, double part) { *most = part > *most || isnan(part) ? part : *most; }

/* The largest error of `result` over the bound, where that is neither 0 nor infinite. */
static void raise_by_row(double *most, int n) {
  for (int i = 0; i < n; i++)
    if (bound[i] > 0 && bound[i] < INFINITY)
      raise(most, fabs((double)result[i] - out[i]) / bound[i]);
}

static int count_infinite(int n) {
  int infinite = 0;
  for (int i = 0; i < n; i++)
    infinite += bound[i] == INFINITY;
  return infinite;
}

/* ---- F56: dx = y (dy - D) ---- */

enum { SOFTMAX = DOT_N_KINDS, ONE_HOT, EQUAL_GRADIENTS, N_GRADIENTS };

static const char *gradient_name(int kind) {
  static const char *const more[] = {"softmax", "one hot", "equal gradients"};
  return kind < DOT_N_KINDS ? dot_kind_names[kind] : more[kind - DOT_N_KINDS];
}

/* y: a row of softmax; dy: of a loss, or all the same, where dx is 0 but for what y does not add up to 1. */
static void draw_softmax(int kind, int n, uint64_t *s) {
  double sum = 0;
  for (int c = 0; c < n; c++) {
    first[c] = kind == ONE_HOT ? (float)ldexp(model_unit(s), -40) : expf(4 * dot_draw_normal(s));
    sum += (double)first[c];
    second[c] = kind == EQUAL_GRADIENTS ? 0.7f : dot_draw_normal(s);
  }
  for (int c = 0; c < n; c++)
    first[c] = kind == ONE_HOT ? first[c] : (float)((double)first[c] / sum);
  if (kind == ONE_HOT)
    first[model_below(s, n)] = 1;
}

static void draw_gradient(int kind, int n, uint64_t *s) {
  static float a[DOT_ROWS * DOT_MAX], b[DOT_COLS * DOT_MAX];
  if (kind >= DOT_N_KINDS) {
    draw_softmax(kind, n, s);
    return;
  }
  dot_draw_factors(kind, n, a, b, s);
  for (int c = 0; c < n; c++) {
    first[c] = a[c];
    second[c] = b[c * DOT_COLS];
  }
}

enum { FACTOR, DIFFERENCE, FUSED, FUSED_FIRST, FLUSHED, N_FORMS };
static const char *const form_names[N_FORMS] = {"y (dy - D)", "y dy - y D", "fma(y, dy, -(y D))", "fma(-y, D, y dy)",
                                                "y (dy - D), flushed"};

static float flush(float v) { return fabsf(v) < FLT_MIN ? 0 : v; }

static float gradient(int form, float y, float dy, float dot) {
  switch (form) {
  case DIFFERENCE: return y * dy - y * dot;
  case FUSED: return fmaf(y, dy, -(y * dot));
  case FUSED_FIRST: return fmaf(-y, dot, y * dy);
  case FLUSHED: return flush(y * flush(dy - dot));
  default: return y * (dy - dot);
  }
}

static void gradients(int form, int order, int n) {
  float dot = dot_orders[order].run(first, second, n);
  for (int c = 0; c < n; c++)
    result[c] = gradient(form, first[c], second[c], dot);
}

static int draw_length(uint64_t *s) {
  int kind = model_below(s, 16);
  return kind == 0 ? MAX_ELEMS - model_below(s, 100) : kind < 3 ? 1 + model_below(s, 600) : 1 + model_below(s, 70);
}

/* dx[at], exactly: DOT_EXACT_BITS hold it. */
static void exact_gradient(mpfr_t dx, int n, int at) {
  dot_exact(dx, first, second, n);
  mpfr_d_sub(dx, (double)second[at], dx, MPFR_RNDN);
  mpfr_mul_d(dx, dx, (double)first[at], MPFR_RNDN);
}

START_TEST(gradients_agree_with_mpfr) {
  uint64_t s = 1;
  mpfr_t want;
  mpfr_init2(want, DOT_EXACT_BITS);
  for (int trial = 0; trial < 3000; trial++) {
    int kind = trial % N_GRADIENTS, n = 1 + model_below(&s, trial % 10 ? 20 : 300), at = model_below(&s, n);
    int64_t dim[] = {1, n};
    if (kind == DOT_BITS) /* not finite throughout */
      continue;
    draw_gradient(kind, n, &s);
    reference(&wf_op_fault_F56, dim, 0, 0, 0);
    exact_gradient(want, n, at);
    double error = dot_distance(want, out[at]);
    ck_assert_msg(error <= bound[at] * 0x1p-12, "trial %d, %s: off by %g, bound %g", trial, gradient_name(kind), error, bound[at]);
  }
  mpfr_clear(want);
}
END_TEST

typedef struct Gradients {
  double most[N_FORMS][N_GRADIENTS];
  int infinite;
  char first_bad[200];
} Gradients;

static void one_gradient(int kind, uint64_t *s, Gradients *g) {
  int n = draw_length(s), form = model_below(s, N_FORMS), order = model_below(s, DOT_N_ORDERS);
  int64_t dim[] = {1, n};
  draw_gradient(kind, n, s);
  gradients(form, order, n);
  reference(&wf_op_fault_F56, dim, 0, model_below(s, 2) ? dot_orders[order].depth(n) : 0, 0);
  if (!is_accepted(&wf_op_fault_F56, dim, n) && !g->first_bad[0])
    snprintf(g->first_bad, sizeof g->first_bad, "%s, dot product %s, %s, cols %d", form_names[form], dot_orders[order].name,
             gradient_name(kind), n);
  g->infinite += kind == DOT_BITS ? 0 : count_infinite(n);
  raise_by_row(&g->most[form][kind], n);
}

static void measure_gradients(Gradients *g) {
  uint64_t s = 2;
  memset(g, 0, sizeof *g);
  for (int trial = 0; trial < TRIALS; trial++)
    one_gradient(trial % N_GRADIENTS, &s, g);
}

START_TEST(right_gradients_are_accepted) {
  static Gradients g;
  measure_gradients(&g);
  ck_assert_msg(!g.first_bad[0], "%s", g.first_bad);
  ck_assert_int_eq(g.infinite, 0);
  for (int form = 0; form < N_FORMS; form++) {
    double most = 0;
    for (int kind = 0; kind < N_GRADIENTS; kind++)
      raise(&most, g.most[form][kind]);
    ck_assert_msg(most > 0.2, "%s: %g of the bound", form_names[form], most);
  }
}
END_TEST

enum { LOST_ROWS = 200 };

/* In how many rows of n columns it shows that the product of one column is left out of D, or, with `is_gone`, that y is the
 * incoming gradient: what the published kernel makes of it in place. */
static int gradients_rejected(int kind, int n, int is_gone) {
  uint64_t s = 3;
  int seen = 0;
  int64_t dim[] = {1, n};
  for (int row = 0; row < LOST_ROWS; row++) {
    draw_gradient(kind, n, &s);
    float dot = is_gone ? dot_orders[5].run(second, second, n) : dot_orders[5].run(first + 1, second + 1, n - 1);
    for (int c = 0; c < n; c++)
      result[c] = gradient(FACTOR, is_gone ? second[c] : first[c], second[c], dot);
    reference(&wf_op_fault_F56, dim, 0, dot_orders[5].depth(n), 0);
    seen += !is_accepted(&wf_op_fault_F56, dim, n);
  }
  return seen;
}

START_TEST(wrong_gradients_are_rejected) {
  ck_assert_int_ge(gradients_rejected(DOT_NORMAL, 1000, 0), LOST_ROWS * 9 / 10);
  ck_assert_int_ge(gradients_rejected(SOFTMAX, 1000, 0), LOST_ROWS / 3);
  ck_assert_int_eq(gradients_rejected(SOFTMAX, 10, 1), LOST_ROWS);
}
END_TEST

/* Results of rows of 4, a letter an element: "n" NaN, "+" inf, "-" -inf, "f" finite, "?" anything. */
static int is_result(char want, int i) {
  switch (want) {
  case 'n': return isnan(out[i]) && bound[i] == 0;
  case '+': return out[i] == INFINITY && bound[i] == 0;
  case '-': return out[i] == -INFINITY && bound[i] == 0;
  case 'f': return isfinite(out[i]) && bound[i] <= 1e-5 * (1 + fabs(out[i]));
  default: return bound[i] == INFINITY;
  }
}

typedef struct Special {
  float first[4], second[4];
  const char *result;
} Special;

static const Special special_gradients[] = {
    {{0.5f, 0.25f, 0.25f, 0}, {1, NAN, 2, 3}, "nnnn"},
    {{0.5f, NAN, 0.25f, 0}, {1, 1, 2, 3}, "nnnn"},
    {{0.5f, 0.25f, 0.25f, 0}, {1, 2, 3, INFINITY}, "nnnn"},                 /* 0 inf in D */
    {{0.5f, 0.25f, 0.25f, 0.5f}, {1, 2, 3, INFINITY}, "---n"},              /* D = inf */
    {{0.5f, -0.25f, 0.25f, 0.5f}, {1, 2, 3, -INFINITY}, "+-+n"},
    {{0.5f, 0, 0.25f, 0.5f}, {1, 2, 3, INFINITY}, "-n-n"},
    {{0.5f, INFINITY, 0.25f, 0.5f}, {1, -1, 3, 1}, "+?++"},                 /* y dy - y D is NaN */
    {{0.5f, 0.5f, 0x1p-140f, 0}, {INFINITY, 1, 1, 1}, "n-?n"},              /* flushed or not */
    {{1, 1, 0.1f, 0}, {3e38f, 3e38f, 3e38f, 0}, "????"},                    /* D overflows */
    {{10, 1e-3f, 0.1f, 1}, {INFINITY, 3e38f, 3e38f, -3e38f}, "n---"},
    {{10, 10, 0.1f, 1}, {INFINITY, 3e38f, 3e38f, 1}, "n?--"},               /* y dy overflows */
    {{0.5f, 0.5f, 0, 0}, {3e38f, -3e38f, 1, 2}, "ffff"},
    {{2, 2, 0, 0}, {3e38f, -3e38f, 1, 2}, "????"},                          /* partial sums of both signs overflow */
    {{1, 0, 0, 0}, {5, 5, 5, 5}, "ffff"},
};

static void special_row(const WfOp *op, const Special *t, double scalar) {
  const int64_t dim[] = {1, 4};
  memcpy(first, t->first, sizeof t->first);
  memcpy(second, t->second, sizeof t->second);
  reference(op, dim, scalar, 0, 0);
  for (int i = 0; i < 4; i++)
    ck_assert_msg(is_result(t->result[i], i), "element %d: %g, bound %g", i, out[i], bound[i]);
}

START_TEST(special_gradient) { special_row(&wf_op_fault_F56, &special_gradients[_i], 0); }
END_TEST

/* ---- F78: layernorm of rows up to 1e37 ---- */

enum { EXTREME = NORM_N_KINDS, N_LARGE_KINDS, LARGE_COLS = 3000 };
static const float sizes[] = {1, 1e20f, 1e37f}; /* the largest magnitude of a row; the first: as it was drawn */
enum { N_SIZES = sizeof sizes / sizeof *sizes };

static const char *large_name(int kind) { return kind < NORM_N_KINDS ? norm_kind_names[kind] : "all exponents"; }

static void draw_large(int kind, int size, int n, uint64_t *s) {
  static float unused[2][NORM_MAX_COLS];
  if (kind == EXTREME)
    for (int c = 0; c < n; c++)
      first[c] = (float)ldexp(model_unit(s) - 0.5, model_below(s, 240) - 120);
  else
    norm_draw_row(kind, n, first, unused[0], unused[1], s);
  double largest = 0;
  for (int c = 0; c < n; c++)
    largest = fmax(largest, fabs((double)first[c]));
  for (int c = 0; c < n && size > 0 && largest > 0; c++)
    first[c] = (float)((double)first[c] / largest * (double)sizes[size]);
}

static const float epsilons[] = {1e-5f, 1e-6f, 1e-12f};

static NormRow large_row(int n, float eps) { return (NormRow){n, 1, first, NULL, NULL, eps}; }

START_TEST(large_rows_agree_with_mpfr) {
  uint64_t s = 4;
  mpfr_t want;
  mpfr_init2(want, NORM_PRECISION);
  for (int trial = 0; trial < 1500; trial++) {
    int n = 1 + model_below(&s, trial % 10 ? 20 : 200), at = model_below(&s, n), kind = trial % N_LARGE_KINDS;
    float eps = epsilons[model_below(&s, 3)];
    int64_t dim[] = {1, n};
    draw_large(kind, model_below(&s, N_SIZES), n, &s);
    reference(&wf_op_fault_F78, dim, (double)eps, 0, 0);
    NormRow row = large_row(n, eps);
    norm_exact(want, &row, at);
    double error = dot_distance(want, out[at]);
    ck_assert_msg(error <= bound[at] * 0x1p-12, "trial %d, %s: off by %g, bound %g", trial, large_name(kind), error, bound[at]);
  }
  mpfr_clear(want);
}
END_TEST

typedef struct Large {
  double most[NORM_N_ALGORITHMS][N_SIZES][N_LARGE_KINDS];
  int infinite[N_LARGE_KINDS];
  char first_bad[300];
} Large;

static void one_large_row(int kind, uint64_t *s, Large *l) {
  int n = norm_draw_cols(LARGE_COLS, s), which = model_below(s, NORM_N_ALGORITHMS), size = model_below(s, N_SIZES);
  const NormAlgorithm *a = &norm_algorithms[which];
  float eps = epsilons[model_below(s, 3)];
  int64_t dim[] = {1, n};
  NormKernel k = norm_draw_kernel(s);
  k.unit = (NormUnit)(NORM_ABOVE_ONE + model_below(s, NORM_N_UNITS - NORM_ABOVE_ONE));
  draw_large(kind, size, n, s);
  NormRow row = large_row(n, eps);
  norm_run(a, &row, &k, result);
  reference(&wf_op_fault_F78, dim, (double)eps, a->depth(n), k.fast ? WF_FAST_MATH : 0);
  if (!is_accepted(&wf_op_fault_F78, dim, n) && !l->first_bad[0])
    snprintf(l->first_bad, sizeof l->first_bad, "%s, divided by %s, %s, up to %g, cols %d, eps %g, root %d, quotient %d, fast %d, line %d",
             a->name, norm_unit_names[k.unit], large_name(kind), (double)sizes[size], n, (double)eps, k.root, k.quotient, k.fast, k.line);
  if (n > 1 && which < NORM_WELFORD) /* else a deviation may be 0, and so may become anything */
    l->infinite[kind] += count_infinite(n);
  raise_by_row(&l->most[which][size][kind], n);
}

static void measure_large(Large *l) {
  uint64_t s = 5;
  memset(l, 0, sizeof *l);
  for (int trial = 0; trial < LARGE_TRIALS; trial++)
    one_large_row(trial % N_LARGE_KINDS, &s, l);
}

START_TEST(right_large_rows_are_accepted) {
  static Large l;
  measure_large(&l);
  ck_assert_msg(!l.first_bad[0], "%s", l.first_bad);
  for (int a = 0; a < NORM_WELFORD; a++) /* whose depth is far more than it needs */
    for (int size = 0; size < N_SIZES; size++) {
      double most = l.most[a][size][NORM_NORMAL];
      ck_assert_msg(most > 0.1, "%s, up to %g: %g of the bound", norm_algorithms[a].name, (double)sizes[size], most);
    }
  for (int kind = 0; kind < N_LARGE_KINDS; kind++)
    ck_assert_msg(l.infinite[kind] == 0 || kind == NORM_CONSTANT || kind == NORM_NEARLY_CONSTANT, "%s", large_name(kind));
}
END_TEST

/* In how many of LOST_ROWS rows of 1,000 columns and this size the loss of one element from the sums shows. */
static int large_lost_seen(int size) {
  enum { N = 1000 };
  const int64_t dim[] = {1, N};
  const NormFault lost = {0, 0, 0};
  const NormKernel k = {.unit = NORM_ABOVE_ONE, .fault = &lost};
  uint64_t s = 12;
  int seen = 0;
  for (int trial = 0; trial < LOST_ROWS; trial++) {
    draw_large(NORM_NORMAL, size, N, &s);
    NormRow row = large_row(N, epsilons[0]);
    norm_run(&norm_algorithms[NORM_LANES], &row, &k, result);
    reference(&wf_op_fault_F78, dim, (double)epsilons[0], norm_algorithms[NORM_LANES].depth(N), 0);
    result[0] = (float)out[0];
    seen += !is_accepted(&wf_op_fault_F78, dim, N);
  }
  return seen;
}

START_TEST(lost_large_elements_are_seen) { ck_assert_int_ge(large_lost_seen(_i), LOST_ROWS * 9 / 10); }
END_TEST

/* Squares overflow: a variance of infinity, whose root gives zeros, or NaN after a Newton step. */
START_TEST(overflowing_squares_are_rejected) {
  enum { N = 64 };
  const int64_t dim[] = {1, N};
  const NormKernel k = {0};
  uint64_t s = 6;
  for (int trial = 0; trial < 100; trial++) {
    draw_large(NORM_NORMAL, 1 + trial % 2, N, &s);
    NormRow row = large_row(N, epsilons[0]);
    norm_run(&norm_algorithms[trial % NORM_N_ALGORITHMS], &row, &k, result);
    reference(&wf_op_fault_F78, dim, (double)epsilons[0], norm_algorithms[NORM_LANES].depth(N), 0);
    ck_assert_int_eq(is_accepted(&wf_op_fault_F78, dim, N), 0);
    for (int c = 0; c < N; c++)
      result[c] = NAN;
    ck_assert_int_eq(is_accepted(&wf_op_fault_F78, dim, N), 0);
  }
}
END_TEST

static const Special special_large[] = {
    {{1, NAN, 2, 3}, {0}, "nnnn"},          {{1, INFINITY, 2, 3}, {0}, "nnnn"},
    {{1e37f, -1e37f, 1e37f, 0}, {0}, "ffff"}, {{1e30f, 0, 0, 0}, {0}, "ffff"},
};

START_TEST(special_large_row) { special_row(&wf_op_fault_F78, &special_large[_i], 1e-5); }
END_TEST

/* ---- F82: rmsnorm with a scale a place ---- */

enum { BATCH = 3, SEQ = 4 };

static void draw_places(int kind, int width, uint64_t *s) {
  static float unused[NORM_MAX_COLS];
  for (int r = 0; r < BATCH * SEQ; r++) /* each batch draws gamma anew, the last one's stays */
    norm_draw_row(kind, width, first + r * width, second + r % SEQ * width, unused, s);
}

static NormRow place_row(int r, int seq, int width, float eps) {
  return (NormRow){width, 0, first + r * width, second + r % seq * width, NULL, eps};
}

START_TEST(places_agree_with_mpfr) {
  uint64_t s = 7;
  mpfr_t want;
  mpfr_init2(want, NORM_PRECISION);
  for (int trial = 0; trial < 400; trial++) {
    int width = 1 + model_below(&s, 30), kind = trial % NORM_N_KINDS;
    int64_t dim[] = {BATCH, SEQ, width};
    draw_places(kind, width, &s);
    reference(&wf_op_fault_F82, dim, (double)1e-5f, 0, 0);
    for (int r = 0; r < BATCH * SEQ; r++) {
      NormRow row = place_row(r, SEQ, width, 1e-5f);
      int at = model_below(&s, width);
      norm_exact(want, &row, at);
      double error = dot_distance(want, out[r * width + at]), limit = bound[r * width + at] * 0x1p-12;
      ck_assert_msg(error <= limit, "trial %d, row %d, %s: off by %g", trial, r, norm_kind_names[kind], error);
    }
  }
  mpfr_clear(want);
}
END_TEST

typedef struct Places {
  double most[NORM_WELFORD][NORM_N_KINDS]; /* without a mean, Welford is of no use */
  char first_bad[200];
} Places;

/* seq: how many rows the kernel believes gamma to have. Width: up to MAX_ELEMS / (BATCH * SEQ). */
static void run_places(const NormAlgorithm *a, const NormKernel *k, int seq, int width) {
  for (int r = 0; r < BATCH * SEQ; r++) {
    NormRow row = place_row(r, seq, width, 1e-5f);
    norm_run(a, &row, k, result + r * width);
  }
}

static void measure_places(Places *p) {
  uint64_t s = 8;
  memset(p, 0, sizeof *p);
  for (int trial = 0; trial < TRIALS; trial++) {
    int width = 1 + model_below(&s, trial % 8 ? 40 : MAX_ELEMS / (BATCH * SEQ)), kind = trial % NORM_N_KINDS;
    int which = model_below(&s, NORM_WELFORD);
    int64_t dim[] = {BATCH, SEQ, width};
    NormKernel k = norm_draw_kernel(&s);
    draw_places(kind, width, &s);
    run_places(&norm_algorithms[which], &k, SEQ, width);
    reference(&wf_op_fault_F82, dim, (double)1e-5f, norm_algorithms[which].depth(width), k.fast ? WF_FAST_MATH : 0);
    if (!is_accepted(&wf_op_fault_F82, dim, BATCH * SEQ * width) && !p->first_bad[0])
      snprintf(p->first_bad, sizeof p->first_bad, "%s, %s, width %d, fast %d", norm_algorithms[which].name, norm_kind_names[kind],
               width, k.fast);
    raise_by_row(&p->most[which][kind], BATCH * SEQ * width);
  }
}

START_TEST(right_places_are_accepted) {
  static Places p;
  double most = 0;
  measure_places(&p);
  ck_assert_msg(!p.first_bad[0], "%s", p.first_bad);
  for (int a = 0; a < NORM_WELFORD; a++)
    for (int kind = 0; kind < NORM_N_KINDS; kind++)
      raise(&most, p.most[a][kind]);
  ck_assert_msg(most > 0.2, "%g of the bound", most);
}
END_TEST

/* A scale by the column alone, and one by the row of x in all batches, modulo a length that is not seq. */
START_TEST(other_places_are_rejected) {
  enum { WIDTH = 16 };
  const NormKernel k = {0};
  const int64_t dim[] = {BATCH, SEQ, WIDTH};
  uint64_t s = 9;
  for (int trial = 0; trial < 100; trial++) {
    draw_places(NORM_NORMAL, WIDTH, &s);
    for (int i = 0; i < SEQ * WIDTH; i++) /* else they may all be 1 */
      second[i] = (float)model_normal(&s);
    reference(&wf_op_fault_F82, dim, (double)1e-5f, 0, 0);
    run_places(&norm_algorithms[NORM_LANES], &k, SEQ, WIDTH);
    ck_assert_int_eq(is_accepted(&wf_op_fault_F82, dim, BATCH * SEQ * WIDTH), 1);
    run_places(&norm_algorithms[NORM_LANES], &k, 1 + trial % 3, WIDTH);
    ck_assert_int_eq(is_accepted(&wf_op_fault_F82, dim, BATCH * SEQ * WIDTH), 0);
  }
}
END_TEST

/* ---- F84: y = factor x ---- */

static const float factors[] = {0.5f, 1, -0.5f, 2, 0.25f, 0.75f, -0.1f, 0x1p-100f, 0x1.fffffep-20f};
enum { N_FACTORS = sizeof factors / sizeof *factors };

static void draw_scaled(int n, uint64_t *s) {
  for (int i = 0; i < n; i++)
    first[i] = dot_draw_bits(s, i ? first[i - 1] : 1);
}

/* One rounding is right whatever the bits, subnormals included. */
START_TEST(products_are_accepted_and_agree_with_mpfr) {
  enum { N = 256 };
  const int64_t dim[] = {N};
  uint64_t s = 10;
  mpfr_t want;
  mpfr_init2(want, DOT_EXACT_BITS);
  for (int trial = 0; trial < 400; trial++) {
    float factor = factors[trial % N_FACTORS];
    draw_scaled(N, &s);
    reference(&wf_op_fault_F84, dim, (double)factor, 0, trial % 2 ? WF_FAST_MATH : 0);
    for (int i = 0; i < N; i++) {
      result[i] = factor * first[i];
      mpfr_set_flt(want, first[i], MPFR_RNDN);
      mpfr_mul_d(want, want, (double)factor, MPFR_RNDN);
      ck_assert(isfinite(first[i]) ? dot_distance(want, out[i]) == 0 : isnan(first[i]) ? isnan(out[i]) : isinf(out[i]));
    }
    ck_assert_int_eq(is_accepted(&wf_op_fault_F84, dim, N), 1);
  }
  mpfr_clear(want);
}
END_TEST

/* Whatever is subnormal, as an input or a result, must not be 0, but under fast math, where nothing else is promised; two units in the
 * last place away is always wrong. */
START_TEST(flushed_products_are_rejected) {
  const int64_t dim[] = {1};
  uint64_t s = 11;
  int flushed = 0;
  for (int trial = 0; trial < 20000; trial++) {
    float factor = factors[trial % N_FACTORS];
    draw_scaled(1, &s);
    float right = factor * first[0];
    result[0] = flush(factor * flush(first[0]));
    reference(&wf_op_fault_F84, dim, (double)factor, 0, WF_FAST_MATH);
    ck_assert_int_eq(is_accepted(&wf_op_fault_F84, dim, 1), 1);
    reference(&wf_op_fault_F84, dim, (double)factor, 0, trial % 2 ? WF_FAST_MATH | WF_KEEPS_SUBNORMALS : 0);
    ck_assert_int_eq(is_accepted(&wf_op_fault_F84, dim, 1), result[0] == right || (isnan(right) && isnan(result[0])));
    flushed += result[0] != right && isfinite(right);
    if (isfinite(right) && fabsf(right) < FLT_MAX / 2) {
      result[0] = nextafterf(nextafterf(right, INFINITY), INFINITY);
      ck_assert_int_eq(is_accepted(&wf_op_fault_F84, dim, 1), 0);
    }
  }
  ck_assert_int_gt(flushed, 1000);
}
END_TEST

START_TEST(empty_inputs_have_no_results) {
  const WfOp *const ops[] = {&wf_op_fault_F56, &wf_op_fault_F78, &wf_op_fault_F82, &wf_op_fault_F84};
  for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
    for (int d = 0; d < ops[i]->n_dims; d++) {
      int64_t dim[] = {2, 2, 2};
      dim[d] = 0;
      out[0] = bound[0] = 7;
      reference(ops[i], dim, 1e-5, 0, 0);
      ck_assert(out[0] == 7 && bound[0] == 7);
    }
}
END_TEST

/* ---- tables ---- */

static void print_gradients(void) {
  static Gradients g;
  measure_gradients(&g);
  printf("| fault/F56: largest error / bound |");
  for (int kind = 0; kind < N_GRADIENTS; kind++)
    printf(" %s |", gradient_name(kind));
  for (int form = 0; form < N_FORMS; form++) {
    printf("\n| %s |", form_names[form]);
    for (int kind = 0; kind < N_GRADIENTS; kind++)
      printf(" %.2f |", g.most[form][kind]);
  }
  printf("\n\none of 1,000 products lost: %d of %d rows of normal values, %d of rows of softmax\n\n",
         gradients_rejected(DOT_NORMAL, 1000, 0), LOST_ROWS, gradients_rejected(SOFTMAX, 1000, 0));
}

static void print_large_line(const Large *l, int a, int first_size, int last_size) {
  for (int kind = 0; kind < N_LARGE_KINDS; kind++) {
    double most = 0;
    for (int size = first_size; size <= last_size; size++)
      raise(&most, l->most[a][size][kind]);
    printf(" %.2f |", most);
  }
}

static void print_large(void) {
  static Large l;
  measure_large(&l);
  printf("| fault/F78: largest error / bound |");
  for (int kind = 0; kind < N_LARGE_KINDS; kind++)
    printf(" %s |", large_name(kind));
  for (int a = 0; a < NORM_WELFORD; a++)
    for (int size = 0; size < N_SIZES; size++) {
      if (size == 0)
        printf("\n| %s, as drawn |", norm_algorithms[a].name);
      else
        printf("\n| %s, up to %g |", norm_algorithms[a].name, (double)sizes[size]);
      print_large_line(&l, a, size, size);
    }
  for (int a = NORM_WELFORD; a < NORM_N_ALGORITHMS; a++) {
    printf("\n| %s, any size |", norm_algorithms[a].name);
    print_large_line(&l, a, 0, N_SIZES - 1);
  }
  printf("\n\none of 1,000 elements lost: %d, %d and %d of %d rows\n\n", large_lost_seen(0), large_lost_seen(1),
         large_lost_seen(2), LOST_ROWS);
}

static void print_places(void) {
  static Places p;
  measure_places(&p);
  printf("| fault/F82: largest error / bound |");
  for (int kind = 0; kind < NORM_N_KINDS; kind++)
    printf(" %s |", norm_kind_names[kind]);
  for (int a = 0; a < NORM_WELFORD; a++) {
    printf("\n| %s |", norm_algorithms[a].name);
    for (int kind = 0; kind < NORM_N_KINDS; kind++)
      printf(" %.2f |", p.most[a][kind]);
  }
  printf("\n");
}

int main(int argc, char **argv) {
  (void)argv;
  if (argc > 1) {
    print_gradients();
    print_large();
    print_places();
    return 0;
  }
  Suite *suite = suite_create("fault_norm");
  TCase *tc = tcase_create("references");
  tcase_set_timeout(tc, 0);
  tcase_add_test(tc, gradients_agree_with_mpfr);
  tcase_add_test(tc, right_gradients_are_accepted);
  tcase_add_test(tc, wrong_gradients_are_rejected);
  tcase_add_loop_test(tc, special_gradient, 0, (int)(sizeof special_gradients / sizeof *special_gradients));
  tcase_add_test(tc, large_rows_agree_with_mpfr);
  tcase_add_test(tc, right_large_rows_are_accepted);
  tcase_add_loop_test(tc, lost_large_elements_are_seen, 0, N_SIZES);
  tcase_add_test(tc, overflowing_squares_are_rejected);
  tcase_add_loop_test(tc, special_large_row, 0, (int)(sizeof special_large / sizeof *special_large));
  tcase_add_test(tc, places_agree_with_mpfr);
  tcase_add_test(tc, right_places_are_accepted);
  tcase_add_test(tc, other_places_are_rejected);
  tcase_add_test(tc, products_are_accepted_and_agree_with_mpfr);
  tcase_add_test(tc, flushed_products_are_rejected);
  tcase_add_test(tc, empty_inputs_have_no_results);
  suite_add_tcase(suite, tc);
  return suite_run(suite);
}
