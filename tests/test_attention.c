/* test_attention.c - the attention reference against MPFR, its bound against float kernels of every kind, causal, masked and special
 * rows. With an argument it prints how near those come to the bound. */
#include "../fuzz/op.h"
#include "attention_models.h"
#include "softmax_models.h" /* random numbers */
#include "suite.h"
#include <float.h>
#include <math.h>
#include <mpfr.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const WfOp wf_op_attention;

enum { MAX_KEYS = 1000, TRIALS = 10000, PRECISION = 300, MAX_OUTPUTS = ATTENTION_MAX_ROWS * ATTENTION_MAX_D };

typedef AttentionShape Shape;
typedef AttentionKernel Kernel;

static AttentionArrays arrays;
static float *const q = arrays.q, *const k = arrays.k, *const v = arrays.v, *const o = arrays.o;
static double out[MAX_OUTPUTS], bound[MAX_OUTPUTS];

static void reference(const Shape *s, WfMasked masked, uint32_t flags, const int64_t *slice) {
  const int64_t dim[] = {s->rows, s->keys, s->d};
  const float *in[] = {q, k, v, NULL};
  const double scalar[] = {(double)s->scale, s->causal};
  WfRefArgs a = {.dim = dim, .in = in, .scalar = scalar, .masked = masked, .variant_flags = flags, .slice = slice};
  if (wf_op_attention.reference(&a, out, bound) != 0)
    abort();
}

static int is_right(int i, double value) {
  if (bound[i] == INFINITY)
    return 1;
  return isfinite(out[i]) ? fabs(value - out[i]) <= bound[i] : isnan(out[i]) ? isnan(value) : value == out[i];
}

/* ---- MPFR ---- */

static void exact_score(mpfr_t r, const Shape *s, int row, int j) {
  mpfr_t t;
  mpfr_init2(t, PRECISION);
  mpfr_set_zero(r, 1);
  for (int i = 0; i < s->d; i++) {
    mpfr_set_flt(t, q[row * s->d + i], MPFR_RNDN);
    mpfr_mul_d(t, t, (double)k[j * s->d + i], MPFR_RNDN);
    mpfr_add(r, r, t, MPFR_RNDN);
  }
  mpfr_mul_d(r, r, (double)s->scale, MPFR_RNDN);
  mpfr_clear(t);
}

/* o[row,col], of finite inputs. No maximum is subtracted: MPFR's exponents are large enough. */
static void exact(mpfr_t r, const Shape *s, int row, int col) {
  mpfr_t sum, w;
  mpfr_inits2(PRECISION, sum, w, (mpfr_ptr)NULL);
  mpfr_set_zero(r, 1);
  mpfr_set_zero(sum, 1);
  for (int j = 0; j < attention_seen(s, row); j++) {
    exact_score(w, s, row, j);
    mpfr_exp(w, w, MPFR_RNDN);
    mpfr_add(sum, sum, w, MPFR_RNDN);
    mpfr_mul_d(w, w, (double)v[j * s->d + col], MPFR_RNDN);
    mpfr_add(r, r, w, MPFR_RNDN);
  }
  mpfr_div(r, r, sum, MPFR_RNDN);
  mpfr_clears(sum, w, (mpfr_ptr)NULL);
}

/* ---- tests ---- */

/* The reference's own error is nothing beside the bound, which holds for it. */
START_TEST(reference_agrees_with_mpfr) {
  uint64_t s = 1;
  mpfr_t want;
  mpfr_set_emax(mpfr_get_emax_max());
  mpfr_set_emin(mpfr_get_emin_min());
  mpfr_init2(want, PRECISION);
  for (int trial = 0; trial < 2000; trial++) {
    Shape shape = attention_draw_shape(MAX_KEYS, &s);
    shape.keys = shape.keys > 100 ? 100 : shape.keys;
    int row = model_below(&s, shape.rows), col = model_below(&s, shape.d), at = row * shape.d + col, kind = trial % ATTENTION_N_KINDS;
    attention_draw_inputs(kind == ATTENTION_MASKED_KEYS ? ATTENTION_NORMAL : kind, &shape, &arrays, &s);
    reference(&shape, WF_MASKED_NAN, 0, NULL);
    exact(want, &shape, row, col);
    mpfr_sub_d(want, want, out[at], MPFR_RNDN);
    double error = fabs(mpfr_get_d(want, MPFR_RNDN));
    ck_assert_msg(error <= bound[at] * 0x1p-10, "trial %d, %s: off by %g, bound %g", trial, attention_kind_names[kind], error, bound[at]);
  }
  mpfr_clear(want);
}
END_TEST

typedef struct Room {
  double most[ATTENTION_N_ALGORITHMS][ATTENTION_N_KINDS];
  int judged, infinite;
  char first_bad[400];
} Room;

static void judge(const Shape *s, const Kernel *m, int a, int kind, Room *r) {
  for (int i = 0; i < s->rows * s->d; i++) {
    r->judged++;
    r->infinite += bound[i] == INFINITY;
    if (!is_right(i, (double)o[i]) && !r->first_bad[0])
      snprintf(r->first_bad, sizeof r->first_bad, "%s, %s, %d x %d x %d, causal %d, error %d, fast %d, exp2 %d, first %d: o[%d] = %a, reference %a, bound %a",
               attention_algorithms[a].name, attention_kind_names[kind], s->rows, s->keys, s->d, s->causal, m->error, m->fast, m->exp2,
               m->weights_first, i, (double)o[i], out[i], bound[i]);
    if (bound[i] > 0 && bound[i] < INFINITY)
      r->most[a][kind] = fmax(r->most[a][kind], fabs((double)o[i] - out[i]) / bound[i]);
  }
}

static void measure(Room *r) {
  uint64_t s = 3;
  memset(r, 0, sizeof *r);
  for (int trial = 0; trial < TRIALS; trial++) {
    Shape shape = attention_draw_shape(MAX_KEYS, &s);
    int kind = trial % ATTENTION_N_KINDS, a = model_below(&s, ATTENTION_N_ALGORITHMS);
    Kernel m = attention_draw_kernel(&s);
    attention_draw_inputs(kind, &shape, &arrays, &s);
    if (kind == ATTENTION_MASKED_KEYS) /* some key is left, for each of the rows */
      shape.rows = 1;
    for (int row = 0; row < shape.rows; row++)
      attention_algorithms[a].run(&m, &shape, &arrays, row);
    reference(&shape, WF_MASKED_NAN, m.fast ? WF_FAST_MATH : 0, NULL);
    judge(&shape, &m, a, kind, r);
  }
}

START_TEST(bound_admits_float_kernels) {
  static Room r;
  measure(&r);
  ck_assert_msg(!r.first_bad[0], "%s", r.first_bad);
  ck_assert_int_eq(r.infinite, 0);
  double most = 0;
  for (int a = 0; a < ATTENTION_N_ALGORITHMS; a++)
    most = fmax(most, r.most[a][ATTENTION_NORMAL]);
  ck_assert_msg(most > 0.15, "%g of the bound at most", most);
}
END_TEST

/* In how many of 200 rows of 1,000 keys the loss of one of them shows. */
static int lost_seen(void) {
  enum { ROWS = 200 };
  uint64_t s = 9;
  int n = 0;
  Kernel m = {0};
  Shape all = {1, MAX_KEYS, 16, 0, 0.25f}, fewer = {1, MAX_KEYS - 1, 16, 0, 0.25f};
  for (int row = 0; row < ROWS; row++) {
    attention_draw_inputs(ATTENTION_NORMAL, &all, &arrays, &s);
    attention_algorithms[ATTENTION_ALL_SCORES].run(&m, &fewer, &arrays, 0);
    reference(&all, WF_MASKED_NAN, 0, NULL);
    int bad = 0;
    for (int i = 0; i < all.d; i++)
      bad |= !is_right(i, (double)o[i]);
    n += bad;
  }
  return n;
}

START_TEST(lost_keys_are_seen) { ck_assert_int_ge(lost_seen(), 160); }
END_TEST

/* A query of 0 makes a mean of the values. Of 2^k keys, and of causal rows that see so many, it is exact for integers, whatever the algorithm; of
 * others the bound grows with their number, as weights of 1 / n are rounded. */
START_TEST(means_of_integers_are_exact) {
  static const int numbers[] = {1, 2, 64, 512, 3, 100, 513};
  uint64_t s = 4;
  Shape shape = {1, numbers[_i], 3, 0, 0.125f};
  for (int i = 0; i < shape.keys * shape.d; i++) {
    k[i] = (float)model_below(&s, 9);
    v[i] = (float)((model_below(&s, 2) ? 1 : -1) * (i + 1));
  }
  memset(q, 0, sizeof(float) * (size_t)shape.d);
  for (int trial = 0; trial < 100; trial++) {
    Kernel m = attention_draw_kernel(&s);
    attention_algorithms[trial % ATTENTION_N_ALGORITHMS].run(&m, &shape, &arrays, 0);
    reference(&shape, WF_MASKED_NAN, m.fast ? WF_FAST_MATH : 0, NULL);
    for (int i = 0; i < shape.d; i++) {
      ck_assert_msg(is_right(i, (double)o[i]), "%d keys: %g, not %g within %g", shape.keys, (double)o[i], out[i], bound[i]);
      ck_assert_msg((bound[i] < 1e-30) == (_i < 4 && !m.fast), "%d keys: %g", shape.keys, bound[i]);
      ck_assert_msg(_i >= 4 || m.fast || (double)o[i] == out[i], "%d keys: %g, not %g", shape.keys, (double)o[i], out[i]);
    }
  }
}
END_TEST

START_TEST(causal_rows_see_no_later_key) {
  Shape s = {3, 3, 1, 1, 1};
  for (int j = 0; j < 3; j++) {
    q[j] = 1;
    k[j] = j == 2 ? NAN : 0;
    v[j] = j == 1 ? INFINITY : (float)(j + 4);
  }
  reference(&s, WF_MASKED_NAN, 0, NULL);
  ck_assert(out[0] == 4 && bound[0] < 1e-5 && out[1] == INFINITY && bound[1] == 0 && isnan(out[2]) && bound[2] == 0);
  const int64_t slice[] = {0, 2};
  s.rows = 2;
  reference(&s, WF_MASKED_NAN, 0, slice); /* rows 0 and 2 */
  ck_assert(out[0] == 4 && isnan(out[1]));
}
END_TEST

/* A row of two keys with the scores and values given, one column: the result, as in test_norm.c. */
typedef struct Special {
  float q, k[2], v[2];
  WfMasked masked;
  char result;
  double value; /* of 'f' */
} Special;

#define I INFINITY
static const Special specials[] = {
    {1, {0, 0}, {1, 2}, WF_MASKED_NAN, 'f', 1.5},
    {1, {NAN, 0}, {1, 2}, WF_MASKED_NAN, 'n', 0},
    {NAN, {0, 0}, {1, 2}, WF_MASKED_NAN, 'n', 0},
    {1, {I, 0}, {1, 2}, WF_MASKED_NAN, 'n', 0},
    {0, {I, 0}, {1, 2}, WF_MASKED_NAN, 'n', 0},     /* 0 inf */
    {1, {-I, 0}, {1, 2}, WF_MASKED_NAN, 'f', 2},
    {-1, {I, 0}, {1, 2}, WF_MASKED_ZERO, 'f', 2},
    {1, {-I, -I}, {1, 2}, WF_MASKED_NAN, 'n', 0},
    {1, {-I, -I}, {1, 2}, WF_MASKED_ZERO, 'f', 0},
    {1, {-I, -I}, {1, 2}, WF_MASKED_UNIFORM, 'f', 1.5},
    {1, {0, 0}, {I, 2}, WF_MASKED_NAN, '+', 0},
    {1, {0, 0}, {I, -I}, WF_MASKED_NAN, 'n', 0},
    {1, {0, 0}, {-I, NAN}, WF_MASKED_NAN, 'n', 0},
    {1, {-I, 0}, {I, 2}, WF_MASKED_NAN, '?', 0},    /* 0 inf, or left out */
    {1, {-200, 0}, {I, 2}, WF_MASKED_NAN, '?', 0},  /* a weight that may be 0 */
    {1, {-200, 0}, {I, NAN}, WF_MASKED_NAN, 'n', 0},
    {1, {-30, 0}, {I, 2}, WF_MASKED_NAN, '+', 0},
    {1e20f, {1e20f, 0}, {1, 2}, WF_MASKED_NAN, '?', 0}, /* a score past FLT_MAX */
    {1, {0, 0}, {3e38f, 3e38f}, WF_MASKED_NAN, '?', 0}, /* their sum is past it */
    {1e18f, {1e18f, 0}, {1, 2}, WF_MASKED_NAN, 'f', 1},
    {1e-30f, {I, 0}, {1, 2}, WF_MASKED_NAN, 'n', 0},
    {1e-39f, {-I, 0}, {1, 2}, WF_MASKED_NAN, '?', 0},   /* may be flushed, and 0 inf is NaN */
};

START_TEST(special_rows) {
  const Special *t = &specials[_i];
  Shape s = {1, 2, 1, 0, 1};
  q[0] = t->q;
  memcpy(k, t->k, sizeof t->k);
  memcpy(v, t->v, sizeof t->v);
  reference(&s, t->masked, 0, NULL);
  int good = t->result == 'n'   ? isnan(out[0]) && bound[0] == 0
             : t->result == '+' ? out[0] == INFINITY && bound[0] == 0
             : t->result == 'f' ? fabs(out[0] - t->value) < 1e-9 && bound[0] < 1e-5
                                : bound[0] == INFINITY;
  ck_assert_msg(good, "%d: %g, bound %g", _i, out[0], bound[0]);
}
END_TEST

START_TEST(no_keys) {
  Shape s = {2, 0, 3, 0, 1};
  reference(&s, WF_MASKED_NAN, 0, NULL);
  ck_assert(isnan(out[0]) && isnan(out[5]) && bound[5] == 0);
  reference(&s, WF_MASKED_ZERO, 0, NULL);
  ck_assert(out[0] == 0 && out[5] == 0 && bound[5] == 0);
  s = (Shape){2, 3, 0, 1, 1};
  reference(&s, WF_MASKED_NAN, 0, NULL);
  s = (Shape){0, 3, 2, 1, 1};
  reference(&s, WF_MASKED_NAN, 0, NULL);
}
END_TEST

static void print_room(void) {
  static Room r;
  measure(&r);
  printf("| largest error / bound |");
  for (int kind = 0; kind < ATTENTION_N_KINDS; kind++)
    printf(" %s |", attention_kind_names[kind]);
  for (int a = 0; a < ATTENTION_N_ALGORITHMS; a++) {
    printf("\n| %s |", attention_algorithms[a].name);
    for (int kind = 0; kind < ATTENTION_N_KINDS; kind++)
      printf(" %.2f |", r.most[a][kind]);
  }
  printf("\n%s\none lost key of 1,000 is seen in %d of 200 rows; everything accepted: %d of %d\n", r.first_bad, lost_seen(), r.infinite, r.judged);
}

int main(int argc, char **argv) {
  (void)argv;
  if (argc > 1) {
    print_room();
    return 0;
  }
  Suite *suite = suite_create("attention");
  TCase *tc = tcase_create("reference");
  tcase_set_timeout(tc, 0);
  tcase_add_test(tc, reference_agrees_with_mpfr);
  tcase_add_test(tc, bound_admits_float_kernels);
  tcase_add_test(tc, lost_keys_are_seen);
  tcase_add_loop_test(tc, means_of_integers_are_exact, 0, 7);
  tcase_add_test(tc, causal_rows_see_no_later_key);
  tcase_add_loop_test(tc, special_rows, 0, (int)(sizeof specials / sizeof *specials));
  tcase_add_test(tc, no_keys);
  suite_add_tcase(suite, tc);
  return suite_run(suite);
}
