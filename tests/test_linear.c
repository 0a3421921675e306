/* test_linear.c - add, matadd, transpose and matmul: the references against MPFR, and what their bounds let through. With an argument it
 * prints the table of doc/ORACLE.md instead of testing. */
#include "../fuzz/run.h"
#include "dot_models.h"
#include "suite.h"
#include <check.h>
#include <float.h>
#include <math.h>
#include <mpfr.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TRIALS = 10000, ROWS = DOT_ROWS, COLS = DOT_COLS, MAX_K = DOT_MAX, MAX_ELEMS = 4096, PRECISION = 640 /* holds every sum of products */ };

static float in[2][ROWS * MAX_K * COLS], y[MAX_ELEMS];
static double out[MAX_ELEMS], bound[MAX_ELEMS];

static const WfOp *op_of(const char *name) {
  const WfOp *op = wf_op_find(name, strlen(name));
  if (!op)
    abort();
  return op;
}

/* Over in[0], in[1], to out and bound. */
static void reference(const WfOp *op, const int64_t *dim, uint32_t flags, int64_t depth) {
  const float *tensors[WF_MAX_TENSORS] = {in[0], in[1]};
  WfRefArgs a = {.dim = dim, .in = tensors, .variant_flags = flags, .depth = depth};
  if (op->reference(&a, out, bound) != 0)
    abort();
}

/* By the oracle: class and value of the first n elements of y. */
static int is_accepted(const WfOp *op, const int64_t *dim, int64_t n) {
  static WfVerdict v;
  memset(&v, 0, sizeof v);
  WfJudge j = {.op = op, .variant = &op->variants[0], .dim = dim, .y = y, .ref = out, .bound = bound, .n_elems = n};
  wf_judge(&j, &v);
  return v.errors == 0;
}

/* ---- sums of two ---- */

/* a + b, rounded once to the nearest float. */
static float exact_sum(float a, float b) {
  mpfr_t x, z;
  mpfr_exp_t emin = mpfr_get_emin(), emax = mpfr_get_emax();
  mpfr_init2(x, 24);
  mpfr_init2(z, 24);
  mpfr_set_emin(-148);
  mpfr_set_emax(128);
  mpfr_set_flt(x, a, MPFR_RNDN);
  mpfr_set_flt(z, b, MPFR_RNDN);
  int inexact = mpfr_add(x, x, z, MPFR_RNDN);
  mpfr_subnormalize(x, inexact, MPFR_RNDN);
  float v = mpfr_get_flt(x, MPFR_RNDN);
  mpfr_clears(x, z, (mpfr_ptr)NULL);
  mpfr_set_emin(emin);
  mpfr_set_emax(emax);
  return v;
}

static const char *const elementwise[] = {"add", "matadd"};

static const int64_t *elementwise_dims(int i) {
  static const int64_t vector[] = {16}, matrix[] = {2, 8};
  return i == 0 ? vector : matrix;
}

START_TEST(sums_agree_with_mpfr) {
  const WfOp *op = op_of(elementwise[_i]);
  const int64_t *dim = elementwise_dims(_i);
  uint64_t s = 1;
  for (int trial = 0; trial < TRIALS; trial++) {
    for (int i = 0; i < 16; i++) {
      in[0][i] = dot_draw_bits(&s, 1);
      in[1][i] = dot_draw_bits(&s, in[0][i]);
    }
    reference(op, dim, 0, 0);
    for (int i = 0; i < 16; i++) {
      float want = exact_sum(in[0][i], in[1][i]);
      y[i] = in[0][i] + in[1][i];
      ck_assert_msg(isnan(want) ? isnan(out[i]) : out[i] == (double)want, "%a + %a: %a", (double)in[0][i], (double)in[1][i], out[i]);
      ck_assert(bound[i] == 0);
    }
    ck_assert_msg(is_accepted(op, dim, 16), "trial %d", trial);
    int i = dot_below(&s, 16);
    y[i] = isnan(y[i]) ? 0 : y[i] == INFINITY ? FLT_MAX : nextafterf(y[i], INFINITY);
    ck_assert_msg(!is_accepted(op, dim, 16), "trial %d: %a next to %a", trial, (double)y[i], out[i]);
  }
}
END_TEST

/* A kernel that flushes operands and results is right under fast math, and only there. */
START_TEST(sums_may_be_flushed_under_fast_math) {
  const WfOp *op = op_of(elementwise[_i]);
  const int64_t *dim = elementwise_dims(_i);
  uint64_t s = 2;
  int rejected = 0;
  for (int trial = 0; trial < TRIALS; trial++) {
    for (int i = 0; i < 16; i++) {
      float a = in[0][i] = dot_draw_bits(&s, 1e-38f), b = in[1][i] = dot_draw_bits(&s, a);
      a = fabsf(a) < FLT_MIN && dot_below(&s, 4) ? 0 : a;
      b = fabsf(b) < FLT_MIN && dot_below(&s, 4) ? 0 : b;
      y[i] = fabsf(a + b) < FLT_MIN ? 0 : a + b;
    }
    reference(op, dim, WF_FAST_MATH, 0);
    ck_assert_msg(is_accepted(op, dim, 16), "trial %d", trial);
    reference(op, dim, 0, 0);
    rejected += !is_accepted(op, dim, 16);
  }
  ck_assert_int_gt(rejected, TRIALS / 2);
}
END_TEST

/* Distinct integers: an addend lost or doubled, or two elements exchanged, whatever their values. */
START_TEST(wrong_sums_are_rejected) {
  const WfOp *op = op_of(elementwise[_i]);
  const int64_t dim[] = {64, 64}, vector[] = {MAX_ELEMS};
  uint64_t s = 3;
  for (int i = 0; i < MAX_ELEMS; i++) {
    in[0][i] = (float)(i + 1);
    in[1][i] = (float)(8192 + i);
    y[i] = in[0][i] + in[1][i];
  }
  const int64_t *d = _i == 0 ? vector : dim;
  reference(op, d, 0, 0);
  ck_assert(is_accepted(op, d, MAX_ELEMS));
  for (int trial = 0; trial < TRIALS / 10; trial++) {
    int i = dot_below(&s, MAX_ELEMS), k = (i + 1 + dot_below(&s, MAX_ELEMS - 1)) % MAX_ELEMS;
    float right = y[i], other = y[k];
    const float wrong[] = {in[0][i], in[1][i], right + in[0][i], right + in[1][i], other};
    for (size_t w = 0; w < sizeof wrong / sizeof *wrong; w++) {
      y[i] = wrong[w];
      y[k] = w == 4 ? right : other;
      ck_assert_msg(!is_accepted(op, d, MAX_ELEMS), "element %d, way %zu", i, w);
    }
    y[i] = right;
    y[k] = other;
  }
}
END_TEST

START_TEST(special_sums) {
  static const struct {
    float a, b, sum;
  } row[] = {{1, NAN, NAN},           {NAN, INFINITY, NAN},         {INFINITY, -INFINITY, NAN},   {INFINITY, 1, INFINITY},
             {-INFINITY, 1, -INFINITY}, {-INFINITY, -INFINITY, -INFINITY}, {FLT_MAX, FLT_MAX, INFINITY}, {-FLT_MAX, -FLT_MAX, -INFINITY},
             {FLT_MAX, 0x1p103f, INFINITY}, {FLT_MAX, 0x1.fffffep102f, FLT_MAX}, {0x1p-149f, 0x1p-149f, 0x1p-148f},
             {FLT_MIN, -0x1p-149f, 0x1.fffffcp-127f}, {-0.0f, -0.0f, 0},  {1, -1, 0},  {0x1p24f, 1, 0x1p24f}, {0x1.000002p24f, 1, 0x1.000004p24f}};
  enum { N = sizeof row / sizeof *row };
  const int64_t *dim = elementwise_dims(_i);
  ck_assert_int_eq(N, 16);
  for (int i = 0; i < N; i++) {
    in[0][i] = row[i].a;
    in[1][i] = row[i].b;
    y[i] = row[i].sum;
  }
  reference(op_of(elementwise[_i]), dim, 0, 0);
  for (int i = 0; i < N; i++)
    ck_assert_msg(isnan(row[i].sum) ? isnan(out[i]) : out[i] == (double)row[i].sum, "row %d: %g", i, out[i]);
  ck_assert(is_accepted(op_of(elementwise[_i]), dim, N));
}
END_TEST

/* ---- transpose ---- */

START_TEST(transposes_are_copies) {
  const WfOp *op = op_of("transpose");
  uint64_t s = 4;
  for (int trial = 0; trial < TRIALS; trial++) {
    const int64_t dim[] = {1 + dot_below(&s, 12), 1 + dot_below(&s, 12)};
    int m = (int)dim[0], n = (int)dim[1];
    for (int i = 0; i < m * n; i++)
      in[0][i] = dot_draw_bits(&s, (float)trial);
    reference(op, dim, 0, 0);
    for (int i = 0; i < m; i++)
      for (int j = 0; j < n; j++) {
        float v = in[0][i * n + j];
        y[j * m + i] = v;
        ck_assert(isnan(v) ? isnan(out[j * m + i]) : out[j * m + i] == (double)v);
        ck_assert(bound[j * m + i] == 0);
      }
    ck_assert(is_accepted(op, dim, m * n));
  }
}
END_TEST

/* Every pair of exchanged elements of a matrix whose elements differ, and the matrix as it was. */
START_TEST(misplaced_elements_are_rejected) {
  const WfOp *op = op_of("transpose");
  const int64_t dim[] = {8, 12};
  enum { N = 8 * 12 };
  for (int i = 0; i < N; i++)
    in[0][i] = (float)(i + 1);
  reference(op, dim, 0, 0);
  memcpy(y, in[0], sizeof(float) * N);
  ck_assert(!is_accepted(op, dim, N));
  for (int i = 0; i < N; i++)
    y[i] = (float)out[i];
  ck_assert(is_accepted(op, dim, N));
  for (int i = 0; i < N; i++)
    for (int k = 0; k < i; k++) {
      float a = y[i];
      y[i] = y[k];
      y[k] = a;
      ck_assert(!is_accepted(op, dim, N));
      y[k] = y[i];
      y[i] = a;
    }
}
END_TEST

START_TEST(copies_may_be_flushed_under_fast_math) {
  const int64_t dim[] = {1, 2};
  in[0][0] = 0x1p-140f;
  in[0][1] = FLT_MIN;
  y[0] = 0;
  y[1] = FLT_MIN;
  reference(op_of("transpose"), dim, WF_FAST_MATH, 0);
  ck_assert(is_accepted(op_of("transpose"), dim, 2));
  reference(op_of("transpose"), dim, 0, 0);
  ck_assert(!is_accepted(op_of("transpose"), dim, 2));
}
END_TEST

static float u[MAX_K], v[MAX_K]; /* the row and the column of one element */

static void take_factors(int i, int j, int k) {
  for (int e = 0; e < k; e++) {
    u[e] = in[0][i * k + e];
    v[e] = in[1][e * COLS + j];
  }
}

static void exact_dot(mpfr_t sum, int k) {
  mpfr_t a, b;
  mpfr_inits2(PRECISION, a, b, (mpfr_ptr)NULL);
  mpfr_set_zero(sum, 1);
  for (int e = 0; e < k; e++) {
    mpfr_set_flt(a, u[e], MPFR_RNDN);
    mpfr_set_flt(b, v[e], MPFR_RNDN);
    mpfr_mul(a, a, b, MPFR_RNDN);
    mpfr_add(sum, sum, a, MPFR_RNDN);
  }
  mpfr_clears(a, b, (mpfr_ptr)NULL);
}

static double distance(const mpfr_t sum, double have) {
  mpfr_t d;
  mpfr_init2(d, PRECISION);
  mpfr_sub_d(d, sum, have, MPFR_RNDN);
  double error = fabs(mpfr_get_d(d, MPFR_RNDU));
  mpfr_clear(d);
  return error;
}

/* ---- room: the largest error of an element over its bound ---- */

typedef struct Rooms {
  double own[DOT_N_KINDS]; /* of the reference: off by so much of |value| 2^-52 + sum of magnitudes k 2^-104 */
  double room[DOT_N_ORDERS][2][DOT_N_KINDS]; /* bound by k, by the order's own depth */
} Rooms;

static double part_of(double error, double limit) { return error == 0 ? 0 : limit > 0 ? error / limit : INFINITY; }

static void raise(double *most, double part) { *most = part > *most || isnan(part) ? part : *most; }

static double magnitudes(int k) {
  double sum = 0;
  for (int e = 0; e < k; e++)
    sum += fabs((double)u[e] * (double)v[e]);
  return sum;
}

/* out and bound are those of the whole product; the element is its first. */
static void measure_orders(int kind, int k, const mpfr_t sum, const int64_t *dim, Rooms *r) {
  const WfOp *op = op_of("matmul");
  for (int o = 0; o < DOT_N_ORDERS; o++)
    for (int known = 0; known < 2; known++) {
      reference(op, dim, 0, known ? dot_orders[o].depth(k) : 0);
      raise(&r->room[o][known][kind], part_of(distance(sum, (double)dot_orders[o].run(u, v, k)), bound[0]));
    }
}

static void measure(Rooms *r) {
  uint64_t s = 5;
  memset(r, 0, sizeof *r);
  mpfr_t sum;
  mpfr_init2(sum, PRECISION);
  for (int kind = 0; kind < DOT_BITS; kind++)
    for (int trial = 0; trial < 300; trial++) {
      int k = trial == 0 ? MAX_K : dot_draw_depth(&s);
      const int64_t dim[] = {ROWS, COLS, k};
      dot_draw_factors(kind, k, in[0], in[1], &s);
      take_factors(0, 0, k);
      exact_dot(sum, k);
      reference(op_of("matmul"), dim, 0, 0);
      raise(&r->own[kind], part_of(distance(sum, out[0]), fabs(out[0]) * 0x1p-52 + magnitudes(k) * k * 0x1p-104));
      measure_orders(kind, k, sum, dim, r);
    }
  mpfr_clear(sum);
}

static void print_room(const Rooms *r) {
  printf("| largest error / bound |");
  for (int kind = 0; kind < DOT_BITS; kind++)
    printf(" %s |", dot_kind_names[kind]);
  printf("\n|---|");
  for (int kind = 0; kind < DOT_BITS; kind++)
    printf("---|");
  printf("\n| the reference itself, of its share |");
  for (int kind = 0; kind < DOT_BITS; kind++)
    printf(" %.2f |", r->own[kind]);
  for (int o = 0; o < DOT_N_ORDERS; o++)
    for (int known = 0; known < 2; known++) {
      if (known && !dot_orders[o].is_shallow)
        continue;
      printf("\n| %s%s |", dot_orders[o].name, known ? ", depth known" : "");
      for (int kind = 0; kind < DOT_BITS; kind++)
        printf(" %.2f |", r->room[o][known][kind]);
    }
  printf("\n");
}

START_TEST(dot_products_stay_within_the_bound) {
  static Rooms r;
  measure(&r);
  double most = 0;
  for (int kind = 0; kind < DOT_BITS; kind++) {
    ck_assert_msg(r.own[kind] <= 1, "the reference, %s: %g of its share", dot_kind_names[kind], r.own[kind]);
    for (int o = 0; o < DOT_N_ORDERS; o++)
      for (int known = 0; known < 2; known++) {
        ck_assert_msg(r.room[o][known][kind] <= 1, "%s, %s: %g of the bound", dot_orders[o].name, dot_kind_names[kind], r.room[o][known][kind]);
        raise(&most, r.room[o][known][kind]);
      }
  }
  ck_assert_msg(most > 0.99, "the worst order uses %g of the bound", most);
}
END_TEST

/* The oracle itself, NaN, infinities and overflow included. */
START_TEST(dot_products_are_accepted) {
  const WfOp *op = op_of("matmul");
  uint64_t s = 6;
  for (int trial = 0; trial < TRIALS; trial++) {
    int kind = dot_below(&s, DOT_N_KINDS), k = dot_draw_depth(&s), o = dot_below(&s, DOT_N_ORDERS);
    const int64_t dim[] = {ROWS, COLS, k};
    dot_draw_factors(kind, kind == DOT_BITS ? k = 1 + k % 5 : k, in[0], in[1], &s);
    const int64_t few[] = {ROWS, COLS, k};
    reference(op, kind == DOT_BITS ? few : dim, 0, dot_below(&s, 2) ? dot_orders[o].depth(k) : 0);
    for (int i = 0; i < ROWS * COLS; i++) {
      take_factors(i / COLS, i % COLS, k);
      y[i] = dot_orders[o].run(u, v, k);
    }
    ck_assert_msg(is_accepted(op, few, ROWS * COLS), "trial %d: %s, %s, k = %d", trial, dot_orders[o].name, dot_kind_names[kind], k);
  }
}
END_TEST

/* ---- exact sums ---- */

/* Integers of which every sum of products is exact. */
static void draw_integers(int k, uint64_t *s) {
  for (int e = 0; e < k; e++) {
    int sign = dot_below(s, 2) ? 1 : -1, factor = (1 << 24) / (k * k) > 2 ? 3 : 1;
    for (int i = 0; i < ROWS; i++)
      in[0][i * k + e] = (float)(sign * (1 + (e + i * 7) % k)); /* distinct in a row */
    for (int j = 0; j < COLS; j++)
      in[1][e * COLS + j] = (float)(1 + dot_below(s, factor));
  }
}

static float dot_with_fault(int k, int lost, int doubled) {
  float sum = 0;
  for (int e = 0; e < k; e++)
    sum += e == lost ? 0 : u[e] * v[e] * (e == doubled ? 2 : 1);
  return sum;
}

static void reject(const WfOp *op, const int64_t *dim, float value, const char *what, int at) {
  float right = y[0];
  y[0] = value;
  ck_assert_msg(!is_accepted(op, dim, ROWS * COLS), "k = %d: %s at %d", (int)dim[2], what, at);
  y[0] = right;
}

START_TEST(exact_products_miss_nothing) {
  static const int depths[] = {1, 2, 3, 8, 31, 32, 33, 100, 1000, 2048, 4095, MAX_K};
  const WfOp *op = op_of("matmul");
  uint64_t s = 7;
  for (size_t d = 0; d < sizeof depths / sizeof *depths; d++) {
    int k = depths[d];
    const int64_t dim[] = {ROWS, COLS, k};
    draw_integers(k, &s);
    reference(op, dim, 0, 0);
    for (int i = 0; i < ROWS * COLS; i++) {
      take_factors(i / COLS, i % COLS, k);
      ck_assert_msg(bound[i] == 0, "k = %d: %g", k, bound[i]);
      for (int o = 0; o < DOT_N_ORDERS; o++)
        ck_assert_msg((double)dot_orders[o].run(u, v, k) == out[i], "k = %d, %s", k, dot_orders[o].name);
      y[i] = (float)out[i];
    }
    ck_assert(is_accepted(op, dim, ROWS * COLS));
    take_factors(0, 0, k);
    for (int trial = 0; trial < 300; trial++) {
      int e = dot_below(&s, k), f = dot_below(&s, k);
      reject(op, dim, dot_with_fault(k, e, -1), "lost", e);
      reject(op, dim, dot_with_fault(k, -1, e), "doubled", e);
      double change = ((double)u[e] - (double)u[f]) * ((double)v[e] - (double)v[f]);
      if (change != 0)
        reject(op, dim, (float)(out[0] - change), "exchanged", e);
      if (out[0] != out[1])
        reject(op, dim, (float)out[1], "the neighbour's value", 0);
    }
  }
}
END_TEST

/* ---- special classes of products ---- */

static void dot_of(const float *a, const float *b, int k, uint32_t flags) {
  const int64_t dim[] = {1, 1, k};
  memcpy(in[0], a, (size_t)k * sizeof(float));
  memcpy(in[1], b, (size_t)k * sizeof(float));
  reference(op_of("matmul"), dim, flags, 0);
}

static int dot_accepts(float value) {
  const int64_t dim[] = {1, 1, 1};
  y[0] = value;
  return is_accepted(op_of("matmul"), dim, 1);
}

START_TEST(special_products) {
  static const struct {
    float a[3], b[3], value;
    int anything; /* 1: the order of summation decides */
  } row[] = {
      {{1, NAN, 2}, {1, 1, 1}, NAN, 0},
      {{1, 0, 2}, {1, INFINITY, 1}, NAN, 0},
      {{1, 0, 2}, {1, NAN, 1}, NAN, 0},
      {{1, INFINITY, 2}, {1, 1, 1}, INFINITY, 0},
      {{1, INFINITY, 2}, {1, -1, 1}, -INFINITY, 0},
      {{INFINITY, INFINITY, 2}, {1, -1, 1}, NAN, 0},
      {{INFINITY, -INFINITY, 2}, {1, -1, 1}, INFINITY, 0},
      {{INFINITY, INFINITY, 0}, {INFINITY, 1e-38f, 0}, INFINITY, 0},
      {{FLT_MAX, 0, 0}, {2, 0, 0}, INFINITY, 0},
      {{FLT_MAX, FLT_MAX, 0}, {1, 1, 0}, INFINITY, 0},
      {{-FLT_MAX, FLT_MAX, 0}, {1, -1, 0}, -INFINITY, 0},
      {{FLT_MAX, FLT_MAX, -FLT_MAX}, {1, 1, 1}, 0, 1},
      {{FLT_MAX, -FLT_MAX, 0}, {2, 2, 0}, 0, 1},
      {{-FLT_MAX, -FLT_MAX, INFINITY}, {1, 1, 1}, 0, 1},
      {{FLT_MAX / 2, -1, 0}, {1, 1, 0}, FLT_MAX / 2, 0},
      {{-0.0f, 0, -0.0f}, {1, -1, 1}, 0, 0},
      {{FLT_MAX, 1e-38f, 0}, {1, 1, 0}, FLT_MAX, 0},
  };
  for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
    dot_of(row[i].a, row[i].b, 3, 0);
    ck_assert_msg((bound[0] == INFINITY) == row[i].anything, "row %zu: bound %g", i, bound[0]);
    ck_assert_msg(row[i].anything || dot_accepts(row[i].value), "row %zu: %g, value %g", i, out[0], (double)row[i].value);
    ck_assert_msg(dot_accepts(NAN) == (row[i].anything || isnan(row[i].value)), "row %zu: NaN", i);
    ck_assert_msg(dot_accepts(1) == row[i].anything, "row %zu: 1", i);
  }
}
END_TEST

START_TEST(empty_products) {
  const int64_t no_depth[] = {2, 3, 0}, no_rows[] = {0, 3, 2}, no_elems[] = {0, 0};
  out[0] = out[5] = bound[5] = 1;
  reference(op_of("matmul"), no_depth, 0, 0);
  ck_assert(out[0] == 0 && out[5] == 0 && bound[5] == 0);
  out[0] = 17;
  reference(op_of("matmul"), no_rows, 0, 0);
  reference(op_of("add"), no_elems, 0, 0);
  reference(op_of("matadd"), no_elems, 0, 0);
  reference(op_of("transpose"), no_elems, 0, 0);
  ck_assert(out[0] == 17);
}
END_TEST

/* Operands, products and sums below FLT_MIN, under fast math and without. */
START_TEST(flushed_products) {
  const float small[] = {0x1p-140f, 0x1p-130f, 0}, one[] = {1, 1, 1}, large[] = {0x1p60f, 0x1p20f, 1};
  dot_of(small, one, 2, 0);
  ck_assert(bound[0] == 0 && dot_accepts(0x1.004p-130f) && !dot_accepts(0));
  dot_of(small, one, 2, WF_FAST_MATH);
  ck_assert(dot_accepts(0x1.004p-130f) && dot_accepts(0));
  const float root[] = {0x1p-65f};
  dot_of(root, root, 1, 0);
  ck_assert(bound[0] == 0 && !dot_accepts(0));
  dot_of(root, root, 1, WF_FAST_MATH);
  ck_assert(dot_accepts(0) && !dot_accepts(4 * FLT_MIN));
  dot_of(small, large, 2, 0);
  ck_assert(!dot_accepts(0) && !dot_accepts(0x1p-80f * 1.01f));
  dot_of(small, large, 2, WF_FAST_MATH);
  ck_assert(dot_accepts(0) && !dot_accepts(0x1p-79f * 1.01f));
  const float near[] = {0x1.8p-126f, -0x1p-126f, 0x1p-126f};
  dot_of(near, one, 3, 0); /* all products are floats, and so are their sums: exact */
  ck_assert(bound[0] == 0 && dot_accepts(0x1.8p-126f) && !dot_accepts(0x1p-126f));
  dot_of(near, one, 3, WF_FAST_MATH); /* the first two flushed: the third is left */
  ck_assert(dot_accepts(0x1p-126f));
  const float infinite[] = {INFINITY, 1, 1};
  dot_of(small, infinite, 2, 0);
  ck_assert(dot_accepts(INFINITY) && !dot_accepts(NAN));
  dot_of(small, infinite, 2, WF_FAST_MATH); /* 0 inf, where the subnormal is flushed */
  ck_assert(dot_accepts(INFINITY) && dot_accepts(NAN));
}
END_TEST

/* ---- relations ---- */

/* Results for changed inputs are where the relation says, and equal. */
static int relation_holds(const WfOp *op, const WfRelation *r, const int64_t *dim, int64_t n, uint64_t seed) {
  static float before[2][MAX_ELEMS], changed[2][MAX_ELEMS];
  static double was[MAX_ELEMS];
  static int64_t at[MAX_ELEMS];
  float *const to[WF_MAX_TENSORS] = {changed[0], changed[1]};
  const float *from[WF_MAX_TENSORS] = {in[0], in[1]};
  WfRefArgs a = {.dim = dim, .in = from};
  for (int t = 0; t < 2; t++)
    memcpy(changed[t], in[t], sizeof changed[t]);
  if (!r->apply(&a, (double)FLT_MAX, seed, to, at))
    return 0;
  reference(op, dim, 0, 0);
  memcpy(was, out, sizeof was);
  memcpy(before[0], in[0], sizeof before[0]);
  memcpy(before[1], in[1], sizeof before[1]);
  memcpy(in[0], changed[0], sizeof changed[0]);
  memcpy(in[1], changed[1], sizeof changed[1]);
  reference(op, dim, 0, 0);
  for (int64_t i = 0; i < n; i++) {
    ck_assert(at[i] >= 0 && at[i] < n);
    ck_assert_msg(isnan(was[i]) ? isnan(out[at[i]]) : out[at[i]] == was[i], "%s, %s: element %d", op->name, r->change, (int)i);
  }
  int is_changed = memcmp(before[0], in[0], sizeof before[0]) != 0 || memcmp(before[1], in[1], sizeof before[1]) != 0;
  memcpy(in[0], before[0], sizeof before[0]);
  memcpy(in[1], before[1], sizeof before[1]);
  return is_changed;
}

START_TEST(relations_hold) {
  static const struct {
    const char *op;
    int64_t dim[3], n;
  } problem[] = {{"add", {40, 0, 0}, 40},     {"matadd", {5, 8, 0}, 40},   {"transpose", {7, 7, 0}, 49},
                 {"transpose", {4, 9, 0}, 36}, {"matmul", {5, 6, 4}, 30}};
  uint64_t s = 8;
  for (size_t p = 0; p < sizeof problem / sizeof *problem; p++) {
    const WfOp *op = op_of(problem[p].op);
    for (const WfRelation *const *r = op->relations; *r; r++) {
      int applied = 0;
      for (int trial = 0; trial < 200; trial++) {
        for (int t = 0; t < 2; t++)
          for (int i = 0; i < MAX_ELEMS; i++)
            in[t][i] = i >= 64 ? 0 : trial % 2 ? dot_draw_bits(&s, 1) : dot_draw_normal(&s);
        applied += relation_holds(op, *r, problem[p].dim, problem[p].n, (uint64_t)trial);
      }
      int is_square_only = strstr((*r)->rule, "twice") != NULL && problem[p].dim[0] != problem[p].dim[1];
      ck_assert_msg((applied >= 90) == !is_square_only, "%s, %s: %d times", op->name, (*r)->change, applied);
    }
  }
}
END_TEST

/* ---- the tables ---- */

static const char *const names[] = {"add", "matadd", "matmul", "transpose"};

START_TEST(variants_are_complete) {
  const WfOp *op = op_of(names[_i]);
  for (size_t i = 0; i < op->n_variants; i++) {
    const WfVariant *w = &op->variants[i];
    const char *form = strchr(w->name, '.');
    size_t stem = strcspn(w->name, ".");
    char twin[64];
    int published = form && strncmp(form, ".published", 10) == 0, narrow = form && strncmp(form, ".narrow", 7) == 0;
    ck_assert_msg(published == (w->expect != 0) && published == (w->fault != NULL), "%s", w->name);
    ck_assert_msg(form || (w->flags & WF_EMPTY), "%s is not for empty tensors", w->name);
    const WfVariant *repaired = wf_variant_find(op, w->name, stem);
    ck_assert_msg(repaired != NULL, "%s has no repaired form", w->name);
    ck_assert_msg(w->name[0] != 'f' || w->name[1] < '0' || w->name[1] > '9' || w->family, "%s names no family", w->name);
    ck_assert(w->family ? strcmp(w->family, repaired->family) == 0 : repaired->family == NULL);
    snprintf(twin, sizeof twin, "%.*s.published%s", (int)stem, w->name, narrow ? form + 7 : "");
    ck_assert_msg(!narrow || wf_variant_find(op, twin, strlen(twin)), "%s has no %s", w->name, twin);
  }
}
END_TEST

int main(int argc, char **argv) {
  (void)argv;
  if (argc > 1) {
    static Rooms r;
    measure(&r);
    print_room(&r);
    return 0;
  }
  Suite *suite = suite_create("linear");
  TCase *tc = tcase_create("references");
  tcase_set_timeout(tc, 0);
  tcase_add_loop_test(tc, sums_agree_with_mpfr, 0, 2);
  tcase_add_loop_test(tc, sums_may_be_flushed_under_fast_math, 0, 2);
  tcase_add_loop_test(tc, wrong_sums_are_rejected, 0, 2);
  tcase_add_loop_test(tc, special_sums, 0, 2);
  tcase_add_test(tc, transposes_are_copies);
  tcase_add_test(tc, misplaced_elements_are_rejected);
  tcase_add_test(tc, copies_may_be_flushed_under_fast_math);
  tcase_add_test(tc, dot_products_stay_within_the_bound);
  tcase_add_test(tc, dot_products_are_accepted);
  tcase_add_test(tc, exact_products_miss_nothing);
  tcase_add_test(tc, special_products);
  tcase_add_test(tc, empty_products);
  tcase_add_test(tc, flushed_products);
  tcase_add_test(tc, relations_hold);
  tcase_add_loop_test(tc, variants_are_complete, 0, 4);
  suite_add_tcase(suite, tc);
  return suite_run(suite);
}
