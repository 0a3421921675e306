/* test_sums.c - reduce_sum, reduce_max, col_sum and row_sum: the references against MPFR, and what their bounds let through. With an
 * argument it prints the table of doc/ORACLE.md instead of testing. */
#include "../fuzz/run.h"
#include "dot_exact.h"
#include "dot_models.h"
#include "suite.h"
#include <check.h>
#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TRIALS = 10000, MAX_OUTPUTS = 3, N_SUMS = 3 };

static float in[DOT_MAX * MAX_OUTPUTS], y[MAX_OUTPUTS];
static double out[MAX_OUTPUTS], bound[MAX_OUTPUTS];

/* An op whose outputs are sums of k addends: output i has in[i * of_output + e * of_addend], e = 0 .. k-1. */
typedef struct Sums {
  const char *name;
  int outputs;
  int is_column; /* 1: the addends of an output are `outputs` apart, else next to each other */
} Sums;
static const Sums sums[N_SUMS] = {{"reduce_sum", 1, 0}, {"col_sum", 3, 1}, {"row_sum", 2, 0}};

static const WfOp *op_of(const char *name) {
  const WfOp *op = wf_op_find(name, strlen(name));
  if (!op)
    abort();
  return op;
}

static int at(const Sums *p, int output, int e, int k) { return p->is_column ? e * p->outputs + output : output * k + e; }

static void set_dims(const Sums *p, int k, int64_t dim[2]) {
  dim[0] = p->is_column || p->outputs == 1 ? k : p->outputs;
  dim[1] = p->is_column ? p->outputs : k;
}

static void reference(const Sums *p, int k, int64_t depth) {
  int64_t dim[2];
  const float *tensors[WF_MAX_TENSORS] = {in};
  set_dims(p, k, dim);
  WfRefArgs a = {.dim = dim, .in = tensors, .depth = depth};
  if (op_of(p->name)->reference(&a, out, bound) != 0)
    abort();
}

/* By the oracle: class and value of all of y. */
static int is_accepted(const char *name, const int64_t *dim, int outputs) {
  static WfVerdict v;
  memset(&v, 0, sizeof v);
  const WfOp *op = op_of(name);
  WfJudge j = {.op = op, .variant = &op->variants[0], .dim = dim, .y = y, .ref = out, .bound = bound, .n_elems = outputs};
  wf_judge(&j, &v);
  return v.errors == 0;
}

static int sums_accepted(const Sums *p, int k) {
  int64_t dim[2];
  set_dims(p, k, dim);
  return is_accepted(p->name, dim, p->outputs);
}

/* ---- addends, and their sums in float ---- */

static float addend[DOT_MAX], ones[DOT_MAX];

static void take_addends(const Sums *p, int output, int k) {
  for (int e = 0; e < k; e++) {
    addend[e] = in[at(p, output, e, k)];
    ones[e] = 1;
  }
}

/* Of dot products, rounded: what is hard for them is hard for their products, as addends. */
static void draw_addends(const Sums *p, int kind, int k, uint64_t *s) {
  static float a[DOT_ROWS * DOT_MAX], b[DOT_COLS * DOT_MAX];
  for (int i = 0; i < p->outputs; i++) {
    dot_draw_factors(kind, k, a, b, s);
    for (int e = 0; e < k; e++)
      in[at(p, i, e, k)] = kind == DOT_BITS ? a[e] : a[e] * b[e * DOT_COLS];
  }
}

enum { N_ORDERS = DOT_N_ORDERS + 2 };

static const char *order_name(int o) {
  return o < DOT_N_ORDERS ? dot_orders[o].name : o == DOT_N_ORDERS ? "in order, atomicAdd" : "blocks of 32, atomicAdd";
}

static float run_order(int o, int k) {
  if (o < DOT_N_ORDERS)
    return dot_orders[o].run(addend, ones, k);
  return o == DOT_N_ORDERS ? dot_atomics(addend, k) : dot_atomic_blocks(addend, k);
}

static int64_t depth_of(int o, int k) { return o < DOT_N_ORDERS ? dot_orders[o].depth(k) : o == DOT_N_ORDERS ? k : 32 + (k + 31) / 32; }

/* ---- room: the largest error of a sum over its bound ---- */

typedef struct Rooms {
  double own[DOT_N_KINDS]; /* of the reference: of |value| 2^-52 + sum of magnitudes k 2^-104 */
  double room[N_ORDERS][2][DOT_N_KINDS]; /* bound by k, by the order's own depth */
} Rooms;

static void raise(double *most, double part) { *most = part > *most || isnan(part) ? part : *most; }

static double own_share(int k) {
  double sum = 0;
  for (int e = 0; e < k; e++)
    sum += fabs((double)addend[e]);
  return fabs(out[0]) * 0x1p-52 + sum * k * 0x1p-104;
}

static void measure_sum(const Sums *p, int kind, int k, mpfr_t sum, Rooms *r) {
  take_addends(p, 0, k);
  dot_exact(sum, addend, ones, k);
  reference(p, k, 0);
  raise(&r->own[kind], dot_part(dot_distance(sum, out[0]), own_share(k)));
  for (int o = 0; o < N_ORDERS; o++)
    for (int known = 0; known < 2; known++) {
      reference(p, k, known ? depth_of(o, k) : 0);
      raise(&r->room[o][known][kind], dot_part(dot_distance(sum, (double)run_order(o, k)), bound[0]));
    }
}

/* Sums of `least` to DOT_MAX addends. */
static void measure(const Sums *p, int least, Rooms *r) {
  uint64_t s = 5;
  mpfr_t sum;
  mpfr_init2(sum, DOT_EXACT_BITS);
  memset(r, 0, sizeof *r);
  for (int kind = 0; kind < DOT_BITS; kind++)
    for (int trial = 0; trial < 300; trial++) {
      int k = trial == 0 ? DOT_MAX : dot_draw_depth(&s);
      k = k < least ? k + least : k;
      draw_addends(p, kind, k, &s);
      measure_sum(p, kind, k, sum, r);
    }
  mpfr_clear(sum);
}

static void print_rooms(void) {
  static Rooms r;
  measure(&sums[0], 33, &r);
  printf("| largest error / bound |");
  for (int kind = 0; kind < DOT_BITS; kind++)
    printf(" %s |", dot_kind_names[kind]);
  printf("\n|---|");
  for (int kind = 0; kind < DOT_BITS; kind++)
    printf("---|");
  for (int o = 0; o < N_ORDERS; o++)
    for (int known = 0; known < 2; known++) {
      if (known && depth_of(o, DOT_MAX) == DOT_MAX)
        continue;
      printf("\n| %s%s |", order_name(o), known ? ", depth known" : "");
      for (int kind = 0; kind < DOT_BITS; kind++)
        printf(" %.2f |", r.room[o][known][kind]);
    }
  printf("\n");
}

START_TEST(sums_stay_within_the_bound) {
  static Rooms r;
  double most = 0;
  measure(&sums[_i], 1, &r);
  for (int kind = 0; kind < DOT_BITS; kind++) {
    ck_assert_msg(r.own[kind] <= 1, "the reference, %s: %g of its share", dot_kind_names[kind], r.own[kind]);
    for (int o = 0; o < N_ORDERS; o++)
      for (int known = 0; known < 2; known++) {
        ck_assert_msg(r.room[o][known][kind] <= 1, "%s, %s: %g of the bound", order_name(o), dot_kind_names[kind], r.room[o][known][kind]);
        raise(&most, r.room[o][known][kind]);
      }
  }
  ck_assert_msg(most > 0.99, "the worst order uses %g of the bound", most);
}
END_TEST

/* The oracle itself, NaN, infinities and overflow included. */
START_TEST(sums_are_accepted) {
  const Sums *p = &sums[_i];
  uint64_t s = 6;
  for (int trial = 0; trial < TRIALS; trial++) {
    int kind = dot_below(&s, DOT_N_KINDS), k = dot_draw_depth(&s), o = dot_below(&s, N_ORDERS);
    k = kind == DOT_BITS ? 1 + k % 5 : k;
    draw_addends(p, kind, k, &s);
    reference(p, k, dot_below(&s, 2) ? depth_of(o, k) : 0);
    for (int i = 0; i < p->outputs; i++) {
      take_addends(p, i, k);
      y[i] = run_order(o, k);
    }
    ck_assert_msg(sums_accepted(p, k), "trial %d: %s, %s, k = %d", trial, order_name(o), dot_kind_names[kind], k);
  }
}
END_TEST

/* ---- exact sums ---- */

static void reject(const Sums *p, int k, float value, const char *what, int e) {
  float right = y[0];
  y[0] = value;
  ck_assert_msg(!sums_accepted(p, k), "%s, k = %d: %s at %d", p->name, k, what, e);
  y[0] = right;
}

/* Distinct integers: a lost or doubled one, wherever it is, however many there are. */
START_TEST(exact_sums_miss_nothing) {
  static const int depths[] = {1, 2, 3, 8, 31, 32, 33, 100, 1000, 2048, 4095, DOT_MAX};
  const Sums *p = &sums[_i];
  uint64_t s = 7;
  for (size_t d = 0; d < sizeof depths / sizeof *depths; d++) {
    int k = depths[d];
    for (int i = 0; i < p->outputs; i++)
      for (int e = 0; e < k; e++)
        in[at(p, i, e, k)] = (float)((dot_below(&s, 2) ? 1 : -1) * (1 + (e + i * 7) % k));
    reference(p, k, 0);
    for (int i = 0; i < p->outputs; i++) {
      take_addends(p, i, k);
      ck_assert_msg(bound[i] == 0, "k = %d: %g", k, bound[i]);
      for (int o = 0; o < N_ORDERS; o++)
        ck_assert_msg((double)run_order(o, k) == out[i], "k = %d, %s", k, order_name(o));
      y[i] = (float)out[i];
    }
    ck_assert(sums_accepted(p, k));
    for (int e = 0; e < k; e++) {
      reject(p, k, y[0] - in[at(p, 0, e, k)], "lost", e);
      reject(p, k, y[0] + in[at(p, 0, e, k)], "doubled", e);
    }
  }
}
END_TEST

/* What atomicAdd may flush is allowed for where something is subnormal, and only there. */
START_TEST(flushed_sums) {
  static const struct {
    float x[2];
    double least, most; /* of the bound */
  } row[] = {{{0x1p-140f, 0}, 0x1p-140, 0x1p-124},
             {{FLT_MIN, 0}, 0, 0},
             {{0x1.8p-126f, 0}, 0, 0},
             {{0x1.8p-126f, -FLT_MIN}, 0x1p-127, 0x1p-123}, /* the difference is flushed */
             {{FLT_MIN, -FLT_MIN}, 0, 0},
             {{0x1p-102f, 0x1.8p-102f}, 0, 0}};
  for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
    in[0] = row[i].x[0];
    in[1] = row[i].x[1];
    reference(&sums[0], 2, 0);
    ck_assert_msg(bound[0] >= row[i].least && bound[0] <= row[i].most, "row %zu: %a", i, bound[0]);
  }
}
END_TEST

START_TEST(special_sums) {
  static const struct {
    float x[4];
    double sum;
    int is_open; /* 1: anything is accepted */
  } row[] = {{{1, NAN, 2, 3}, NAN, 0},
             {{NAN, INFINITY, 0, 0}, NAN, 0},
             {{INFINITY, 1, -INFINITY, 0}, NAN, 0},
             {{INFINITY, INFINITY, -FLT_MAX, 0}, INFINITY, 0},
             {{INFINITY, -FLT_MAX, -FLT_MAX, 0}, INFINITY, 1}, /* -inf may come first */
             {{-INFINITY, 1, 1, 1}, -INFINITY, 0},
             {{FLT_MAX, FLT_MAX, 0, 0}, 2 * (double)FLT_MAX, 0},
             {{FLT_MAX, -FLT_MAX, FLT_MAX, -FLT_MAX}, 0, 1},
             {{FLT_MAX, -FLT_MAX, 1, -1}, 0, 1}, /* 1 may be added to FLT_MAX, and rounded up on the way */
             {{-0.0f, -0.0f, 0, 0}, 0, 0},
             {{1, -1, 0x1p-24f, 0}, 0x1p-24, 0}};
  for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
    memcpy(in, row[i].x, sizeof row[i].x);
    reference(&sums[0], 4, 0);
    ck_assert_msg(isnan(row[i].sum) ? isnan(out[0]) : out[0] == row[i].sum, "row %zu: %g", i, out[0]);
    ck_assert_msg((bound[0] == INFINITY) == row[i].is_open, "row %zu: %g", i, bound[0]);
    y[0] = (float)row[i].sum;
    ck_assert_msg(sums_accepted(&sums[0], 4), "row %zu", i);
    y[0] = isnan(row[i].sum) ? 0 : NAN;
    ck_assert_msg(sums_accepted(&sums[0], 4) == row[i].is_open, "row %zu", i);
  }
}
END_TEST

/* Dims of 0: sums of nothing are 0, in as many outputs as there are. */
START_TEST(empty_sums) {
  const Sums *p = &sums[_i];
  for (int i = 0; i < p->outputs; i++)
    out[i] = bound[i] = 7;
  reference(p, 0, 0);
  for (int i = 0; i < p->outputs; i++)
    ck_assert(out[i] == 0 && bound[i] == 0);
}
END_TEST

/* ---- maxima ---- */

static void max_reference(int n) {
  const int64_t dim[] = {n};
  const float *tensors[WF_MAX_TENSORS] = {in};
  WfRefArgs a = {.dim = dim, .in = tensors};
  if (op_of("reduce_max")->reference(&a, out, bound) != 0)
    abort();
}

static int max_accepted(int n, float value) {
  const int64_t dim[] = {n};
  y[0] = value;
  return is_accepted("reduce_max", dim, 1);
}

static float mpfr_largest(int n) {
  mpfr_t most, v;
  mpfr_inits2(24, most, v, (mpfr_ptr)NULL);
  mpfr_set_inf(most, -1);
  int is_nan = 0;
  for (int e = 0; e < n; e++) {
    mpfr_set_flt(v, in[e], MPFR_RNDN);
    is_nan |= isnan(in[e]) != 0;
    mpfr_max(most, most, v, MPFR_RNDN);
  }
  float largest = is_nan ? NAN : mpfr_get_flt(most, MPFR_RNDN);
  mpfr_clears(most, v, (mpfr_ptr)NULL);
  return largest;
}

START_TEST(maxima_agree_with_mpfr) {
  uint64_t s = 8;
  for (int trial = 0; trial < TRIALS; trial++) {
    int n = 1 + dot_below(&s, trial % 50 ? 40 : DOT_MAX);
    for (int e = 0; e < n; e++)
      in[e] = trial % 3 ? dot_draw_normal(&s) : dot_draw_bits(&s, e ? in[e - 1] : 1);
    float want = mpfr_largest(n);
    max_reference(n);
    ck_assert_msg(isnan(want) ? isnan(out[0]) : out[0] == (double)want, "trial %d: %g", trial, out[0]);
    ck_assert(bound[0] == 0 && max_accepted(n, want));
    if (isfinite(want))
      ck_assert(!max_accepted(n, nextafterf(want, -INFINITY)) && !max_accepted(n, nextafterf(want, INFINITY)) && !max_accepted(n, NAN));
  }
}
END_TEST

/* The largest of distinct elements lost, wherever it is. */
START_TEST(lost_maxima_are_rejected) {
  for (int n = 1; n <= DOT_MAX; n = n < 40 ? n + 1 : 2 * n)
    for (int largest = 0; largest < n; largest += 1 + n / 50) {
      for (int e = 0; e < n; e++)
        in[e] = (float)(e == largest ? 1 : -1 - e);
      max_reference(n);
      ck_assert(max_accepted(n, 1));
      in[largest] = -INFINITY;
      ck_assert_msg(!max_accepted(n, mpfr_largest(n)), "%d of %d", largest, n);
    }
}
END_TEST

START_TEST(special_maxima) {
  static const struct {
    float x[2], max, wrong;
  } row[] = {{{1, NAN}, NAN, 1},
             {{NAN, INFINITY}, NAN, INFINITY},
             {{-INFINITY, -INFINITY}, -INFINITY, -FLT_MAX},
             {{-INFINITY, -FLT_MAX}, -FLT_MAX, -INFINITY},
             {{INFINITY, FLT_MAX}, INFINITY, FLT_MAX},
             {{-0.0f, 0}, 0, 0x1p-149f},
             {{-0x1p-149f, -1}, -0x1p-149f, 0},
             {{-5, -3}, -3, 0}};
  for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
    memcpy(in, row[i].x, sizeof row[i].x);
    max_reference(2);
    ck_assert_msg(max_accepted(2, row[i].max), "row %zu", i);
    ck_assert_msg(!max_accepted(2, row[i].wrong), "row %zu", i);
  }
  max_reference(2 - 2);
  ck_assert(out[0] == -INFINITY && max_accepted(0, -INFINITY));
}
END_TEST

int main(int argc, char **argv) {
  (void)argv;
  if (argc > 1) {
    print_rooms();
    return 0;
  }
  Suite *suite = suite_create("sums");
  TCase *t = tcase_create("references");
  tcase_set_timeout(t, 0);
  tcase_add_loop_test(t, sums_stay_within_the_bound, 0, N_SUMS);
  tcase_add_loop_test(t, sums_are_accepted, 0, N_SUMS);
  tcase_add_loop_test(t, exact_sums_miss_nothing, 0, N_SUMS);
  tcase_add_test(t, flushed_sums);
  tcase_add_test(t, special_sums);
  tcase_add_loop_test(t, empty_sums, 0, N_SUMS);
  tcase_add_test(t, maxima_agree_with_mpfr);
  tcase_add_test(t, lost_maxima_are_rejected);
  tcase_add_test(t, special_maxima);
  suite_add_tcase(suite, t);
  return suite_run(suite);
}
