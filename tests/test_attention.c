/* test_attention.c - the attention reference against MPFR, its bound against float kernels of every kind, causal, masked and special
 * rows. With an argument it prints how near those come to the bound. */
#include "../fuzz/op.h"
#include "softmax_models.h" /* random numbers */
#include "suite.h"
#include <float.h>
#include <math.h>
#include <mpfr.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const WfOp wf_op_attention;

enum { MAX_ROWS = 4, MAX_KEYS = 1000, MAX_D = 32, TRIALS = 10000, PRECISION = 300 };

static float q[MAX_ROWS * MAX_D], k[MAX_KEYS * MAX_D], v[MAX_KEYS * MAX_D], o[MAX_ROWS * MAX_D];
static double out[MAX_ROWS * MAX_D], bound[MAX_ROWS * MAX_D];

typedef struct Shape {
  int rows, keys, d, causal;
  float scale;
} Shape;

static void reference(const Shape *s, WfMasked masked, uint32_t flags, const int64_t *slice) {
  const int64_t dim[] = {s->rows, s->keys, s->d};
  const float *in[] = {q, k, v, NULL};
  const double scalar[] = {(double)s->scale, s->causal};
  WfRefArgs a = {.dim = dim, .in = in, .scalar = scalar, .masked = masked, .variant_flags = flags, .slice = slice};
  if (wf_op_attention.reference(&a, out, bound) != 0)
    abort();
}

static int seen(const Shape *s, int row) { return s->causal && row + 1 < s->keys ? row + 1 : s->keys; }

static int is_right(int i, double value) {
  if (bound[i] == INFINITY)
    return 1;
  return isfinite(out[i]) ? fabs(value - out[i]) <= bound[i] : isnan(out[i]) ? isnan(value) : value == out[i];
}

/* ---- inputs ---- */

static double normal(uint64_t *s) {
  double sum = 0;
  for (int i = 0; i < 12; i++)
    sum += model_unit(s);
  return sum - 6;
}

enum { NORMAL, PEAKED, HUGE_SCORES, TIES, ASCENDING, MIXED, ZERO_QUERY, DENORMAL, MASKED_KEYS, LARGE_VALUES, N_KINDS };
static const char *const kind_names[N_KINDS] = {"normal",     "peaked",   "huge scores", "near ties",    "ascending",
                                                "mixed", "query of 0", "denormal",    "masked keys", "values of 1e30"};

static void draw_inputs(int kind, const Shape *s, uint64_t *state) {
  double scale = kind == PEAKED ? 5 : kind == HUGE_SCORES ? 3e4 : kind == DENORMAL ? 1e-20 : kind == ZERO_QUERY ? 0 : 1;
  for (int i = 0; i < s->rows * s->d; i++)
    q[i] = (float)(scale * (kind == TIES || kind == ASCENDING ? 1 : normal(state)));
  for (int j = 0; j < s->keys; j++)
    for (int i = 0; i < s->d; i++) {
      double value = kind == TIES ? 100 + 1e-5 * normal(state) : kind == ASCENDING ? 0.3 * j / s->d : scale * normal(state);
      if (kind == MIXED)
        value = ldexp(value, model_below(state, 20) - 10);
      k[j * s->d + i] = kind == MASKED_KEYS && j % 3 == 1 && s->d == 1 ? copysignf(INFINITY, -q[0]) : (float)value;
      v[j * s->d + i] = (float)((kind == LARGE_VALUES ? 1e30 : kind == DENORMAL ? 1e-38 : 1) * normal(state));
    }
}

static Shape draw_shape(uint64_t *s) {
  static const float scales[] = {0.125f, 1, 0.17677669f, 0.5f};
  int kind = model_below(s, 32), keys = kind == 0 ? 1 + model_below(s, MAX_KEYS) : 1 + model_below(s, kind < 4 ? 100 : 12);
  return (Shape){1 + model_below(s, MAX_ROWS), keys, 1 + model_below(s, kind % 2 ? 4 : MAX_D), model_below(s, 2), scales[model_below(s, 4)]};
}

/* ---- float kernels ---- */

typedef struct Kernel {
  int error; /* how exponentials and quotients err: -1, 0 or 1 times the most that is documented; 2: one way or the other by the argument */
  int fast;  /* those of fast math, subnormals flushed */
  int exp2;  /* exponentials as powers of 2, the scale times log2(e) multiplied into q */
  int weights_first; /* p = w / sum, then the sum over p v */
} Kernel;

static float flush(const Kernel *m, double x) {
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

static int direction(const Kernel *m, float a) { return m->error == 2 ? (a < -1 ? 1 : -1) : m->error; }

/* exp(a), or 2^a. */
static float exponential(const Kernel *m, float a) {
  if (a == 0 || isinf(a))
    return a == 0 ? 1 : a < 0 ? 0 : INFINITY;
  float exact = (float)(m->exp2 ? exp2((double)a) : exp((double)a));
  int most = m->fast && !m->exp2 && fabsf(a) < 1e4f ? 2 + (int)(1.173f * fabsf(a)) : 2;
  float r = exact == 0 ? 0 : ulps(exact, direction(m, a) * most);
  return flush(m, (double)(r < 0 ? 0 : r));
}

static float divide(const Kernel *m, float a, float b) {
  return flush(m, (double)ulps(a / b, m->fast && a != 0 ? 2 * direction(m, a) : 0));
}

static float score(const Kernel *m, const Shape *s, int row, int j) {
  float dot = 0, c = m->exp2 ? s->scale * 1.44269504f : s->scale;
  for (int i = 0; i < s->d; i++) {
    float a = flush(m, (double)q[row * s->d + i]), b = flush(m, (double)k[j * s->d + i]);
    dot = flush(m, (double)(dot + (m->exp2 ? flush(m, (double)(a * c)) * b : a * b)));
  }
  return m->exp2 ? dot : flush(m, (double)(dot * c));
}

/* All scores, their maximum, the weights. */
static void naive(const Kernel *m, const Shape *s, int row) {
  static float w[MAX_KEYS];
  int n = seen(s, row);
  float max = -INFINITY, sum = 0;
  for (int j = 0; j < n; j++) {
    w[j] = score(m, s, row, j);
    max = fmaxf(max, w[j]);
  }
  for (int j = 0; j < n; j++) {
    w[j] = exponential(m, flush(m, (double)(w[j] - max)));
    sum += w[j];
  }
  for (int i = 0; i < s->d; i++) {
    float r = 0;
    for (int j = 0; j < n; j++)
      r = flush(m, (double)(r + (m->weights_first ? divide(m, w[j], sum) : w[j]) * flush(m, (double)v[j * s->d + i])));
    o[row * s->d + i] = m->weights_first ? r : divide(m, r, sum);
  }
}

/* Tiles of some keys, rescaled to a running maximum. */
static void online(const Kernel *m, const Shape *s, int row, int tile, int backwards) {
  int n = seen(s, row);
  float max = -INFINITY, sum = 0, r[MAX_D] = {0};
  for (int first = 0; first < n; first += tile) {
    int count = n - first < tile ? n - first : tile;
    float w[64], next = max;
    for (int t = 0; t < count; t++) {
      w[t] = score(m, s, row, backwards ? n - 1 - first - t : first + t);
      next = fmaxf(next, w[t]);
    }
    if (next == -INFINITY)
      continue;
    float rescale = exponential(m, flush(m, (double)(max - next)));
    sum = flush(m, (double)(sum * rescale));
    for (int i = 0; i < s->d; i++)
      r[i] = flush(m, (double)(r[i] * rescale));
    for (int t = 0; t < count; t++) {
      int j = backwards ? n - 1 - first - t : first + t;
      float p = exponential(m, flush(m, (double)(w[t] - next)));
      sum += p;
      for (int i = 0; i < s->d; i++)
        r[i] = flush(m, (double)(r[i] + p * flush(m, (double)v[j * s->d + i])));
    }
    max = next;
  }
  for (int i = 0; i < s->d; i++)
    o[row * s->d + i] = divide(m, r[i], sum);
}

static void online_1(const Kernel *m, const Shape *s, int row) { online(m, s, row, 1, 0); }
static void online_backwards(const Kernel *m, const Shape *s, int row) { online(m, s, row, 1, 1); }
static void online_64(const Kernel *m, const Shape *s, int row) { online(m, s, row, 64, 0); }

static const struct {
  const char *name;
  void (*run)(const Kernel *m, const Shape *s, int row);
} algorithms[] = {{"all scores", naive}, {"online", online_1}, {"online, backwards", online_backwards}, {"online, tiles of 64", online_64}};
enum { N_ALGORITHMS = sizeof algorithms / sizeof *algorithms };

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
  for (int j = 0; j < seen(s, row); j++) {
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
    Shape shape = draw_shape(&s);
    shape.keys = shape.keys > 100 ? 100 : shape.keys;
    int row = model_below(&s, shape.rows), col = model_below(&s, shape.d), at = row * shape.d + col, kind = trial % N_KINDS;
    draw_inputs(kind == MASKED_KEYS ? NORMAL : kind, &shape, &s);
    reference(&shape, WF_MASKED_NAN, 0, NULL);
    exact(want, &shape, row, col);
    mpfr_sub_d(want, want, out[at], MPFR_RNDN);
    double error = fabs(mpfr_get_d(want, MPFR_RNDN));
    ck_assert_msg(error <= bound[at] * 0x1p-10, "trial %d, %s: off by %g, bound %g", trial, kind_names[kind], error, bound[at]);
  }
  mpfr_clear(want);
}
END_TEST

typedef struct Room {
  double most[N_ALGORITHMS][N_KINDS];
  int judged, infinite;
  char first_bad[400];
} Room;

static void judge(const Shape *s, const Kernel *m, int a, int kind, Room *r) {
  for (int i = 0; i < s->rows * s->d; i++) {
    r->judged++;
    r->infinite += bound[i] == INFINITY;
    if (!is_right(i, (double)o[i]) && !r->first_bad[0])
      snprintf(r->first_bad, sizeof r->first_bad, "%s, %s, %d x %d x %d, causal %d, error %d, fast %d, exp2 %d, first %d: o[%d] = %a, reference %a, bound %a",
               algorithms[a].name, kind_names[kind], s->rows, s->keys, s->d, s->causal, m->error, m->fast, m->exp2,
               m->weights_first, i, (double)o[i], out[i], bound[i]);
    if (bound[i] > 0 && bound[i] < INFINITY)
      r->most[a][kind] = fmax(r->most[a][kind], fabs((double)o[i] - out[i]) / bound[i]);
  }
}

static void measure(Room *r) {
  uint64_t s = 3;
  memset(r, 0, sizeof *r);
  for (int trial = 0; trial < TRIALS; trial++) {
    Shape shape = draw_shape(&s);
    int kind = trial % N_KINDS, a = model_below(&s, N_ALGORITHMS);
    Kernel m = {model_below(&s, 4) - 1, model_below(&s, 2), model_below(&s, 2), model_below(&s, 2)};
    draw_inputs(kind, &shape, &s);
    if (kind == MASKED_KEYS) /* some key is left, for each of the rows */
      shape.rows = 1;
    for (int row = 0; row < shape.rows; row++)
      algorithms[a].run(&m, &shape, row);
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
  for (int a = 0; a < N_ALGORITHMS; a++)
    most = fmax(most, r.most[a][NORMAL]);
  ck_assert_msg(most > 0.15, "%g of the bound at most", most);
}
END_TEST

/* In how many of 200 rows of 1,000 keys the loss of one of them shows. */
static int lost_seen(void) {
  enum { ROWS = 200 };
  uint64_t s = 9;
  int n = 0;
  Kernel m = {0, 0, 0, 0};
  Shape all = {1, MAX_KEYS, 16, 0, 0.25f}, fewer = {1, MAX_KEYS - 1, 16, 0, 0.25f};
  for (int row = 0; row < ROWS; row++) {
    draw_inputs(NORMAL, &all, &s);
    naive(&m, &fewer, 0);
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
  for (int kind = 0; kind < N_KINDS; kind++)
    printf(" %s |", kind_names[kind]);
  for (int a = 0; a < N_ALGORITHMS; a++) {
    printf("\n| %s |", algorithms[a].name);
    for (int kind = 0; kind < N_KINDS; kind++)
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
  tcase_add_test(tc, causal_rows_see_no_later_key);
  tcase_add_loop_test(tc, special_rows, 0, (int)(sizeof specials / sizeof *specials));
  tcase_add_test(tc, no_keys);
  suite_add_tcase(suite, tc);
  return suite_run(suite);
}
