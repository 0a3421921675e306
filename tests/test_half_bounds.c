/* test_half_bounds.c - the bounds of tensors of 16 bits: right kernels of several styles are never rejected (sums and functions in float
 * behind 16-bit loads, pairs of accumulators, accumulators of 16 bits, exponentials of either kind), a lost or doubled element is found
 * where it can be, and 16-bit sums are rejected where the contract says float. */
#include "../fuzz/arith.h"
#include "../fuzz/run.h"
#include "suite.h"
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

extern const WfOp wf_op_add, wf_op_matadd, wf_op_row_sum, wf_op_matmul, wf_op_softmax, wf_op_conv1d;

enum { TRIALS = 10000, MOST = 300 };

static const WfDtype halves[] = {WF_F16, WF_BF16};

typedef struct Problem {
  WfDtype type;
  int n;
  float a[MOST], b[MOST], y[MOST];
  double ref[MOST], bound[MOST];
  uint64_t state;
} Problem;

static int below(uint64_t *state, int n) { return (int)(wf_split_mix(state) % (uint64_t)n); }
static double unit(uint64_t *state) { return (double)(wf_split_mix(state) >> 11) * 0x1p-53; }

static double to(WfDtype t, double v) { return wf_dtype_round(t, v); }

/* ---- values: normal, of one sign, small ones that sum up exactly, mixed magnitudes, subnormal ---- */
static void draw(Problem *p, float *x, int kind) {
  for (int i = 0; i < p->n; i++) {
    double u = unit(&p->state) * 2 - 1, v = u;
    switch (kind) {
    case 1: v = fabs(u) + 0.25; break;
    case 2: v = floor(u * 4); break;
    case 3: v = ldexp(u, below(&p->state, 12) - 6); break;
    case 4: v = ldexp(u, wf_dtype_least(p->type) + 2); break;
    }
    x[i] = (float)to(p->type, v);
  }
}

/* ---- sums of products, and of elements where b is NULL ---- */

static double factor(const float *b, int i) { return b ? (double)b[i] : 1; }

/* fused: one rounding for product and sum. */
static double step(WfDtype t, int fused, double sum, double a, double b) {
  return fused ? to(t, a * b + sum) : to(t, sum + to(t, a * b));
}

/* In the accumulator's type, `lanes` accumulators that are added as a tree: 1, a loop; 2, pairs. */
static double sum_in(WfDtype t, int lanes, int fused, const float *a, const float *b, int n) {
  double lane[32] = {0};
  for (int i = 0; i < n; i++)
    lane[i % lanes] = step(t, fused, lane[i % lanes], (double)a[i], factor(b, i));
  for (int half = lanes / 2; half > 0; half /= 2)
    for (int i = 0; i < half; i++)
      lane[i] = to(t, lane[i] + lane[i + half]);
  return lane[0];
}

typedef struct Style {
  const char *name;
  int in_16_bits, lanes, fused;
} Style;

static const Style styles[] = {
    {"float, in order", 0, 1, 0}, {"float, fused, pairs", 0, 2, 1}, {"float, 32 lanes", 0, 32, 1},
    {"16 bits, in order", 1, 1, 0}, {"16 bits, fused", 1, 1, 1}, {"16 bits, pairs", 1, 2, 1}, {"16 bits, 32 lanes", 1, 32, 0},
};
enum { N_STYLES = sizeof styles / sizeof *styles };

/* The additions that an element goes through. */
static int depth_of(const Style *s, int n) { return (n + s->lanes - 1) / s->lanes + (s->lanes == 32 ? 5 : s->lanes - 1); }

static void refer(const WfOp *op, Problem *p, const int64_t *dim, WfDtype arith, int64_t depth) {
  WfRefArgs args = {.dim = dim, .in = (const float *const[]){p->a, p->b, NULL}, .depth = depth, .stored = p->type, .arith = arith};
  for (int t = 0; t < WF_MAX_TENSORS; t++)
    args.dtype[t] = p->type;
  ck_assert_int_eq(op->reference(&args, p->ref, p->bound), 0);
}

static int all_right(const WfOp *op, Problem *p, const int64_t *dim, int n_out, WfDtype type) {
  static const WfVariant plain = {.name = "plain"};
  WfJudge j = {.op = op, .variant = &plain, .dim = dim, .y = p->y, .ref = p->ref, .bound = p->bound, .n_elems = n_out, .dtype = type};
  return wf_judge_all_right(&j);
}

/* One launch: a row's sum, a dot product or one window. */
static int is_right(Problem *p, int which, const Style *s, WfDtype arith, int tells_depth, WfDtype stored) {
  static const WfOp *const ops[] = {&wf_op_row_sum, &wf_op_matmul, &wf_op_conv1d};
  const int64_t dims[][3] = {{1, p->n}, {1, 1, p->n}, {p->n, p->n}};
  const float *b = which ? p->b : NULL;
  WfDtype in = s->in_16_bits ? p->type : WF_F32;
  p->y[0] = (float)to(stored, sum_in(in, s->lanes, s->fused, p->a, b, p->n));
  refer(ops[which], p, dims[which], arith, tells_depth ? depth_of(s, p->n) : 0);
  return all_right(ops[which], p, dims[which], 1, stored);
}

START_TEST(right_sums_are_accepted) {
  Problem p = {.type = halves[_i % 2], .state = (uint64_t)_i};
  const Style *s = &styles[_i / 2];
  for (int i = 0; i < TRIALS; i++) {
    int which = i % 3, kind = below(&p.state, 5);
    p.n = 1 + below(&p.state, MOST);
    draw(&p, p.a, kind);
    draw(&p, p.b, which == 1 ? below(&p.state, 5) : kind);
    WfDtype stored = i % 7 == 0 ? WF_F32 : p.type;
    if (!is_right(&p, which, s, s->in_16_bits ? p.type : WF_F32, i % 2, stored))
      ck_abort_msg("%s of %s, n = %d, values %d: %a, not %a within %g", s->name, wf_dtype_name(p.type), p.n, kind, (double)p.y[0], p.ref[0],
                   p.bound[0]);
  }
}
END_TEST

/* ---- one addition ---- */

/* Kernels that add, by what they round: the sum to float, to nothing, or to the inputs' type, or the inputs to the output's type. Then they store. */
enum { IN_FLOAT, EXACTLY, IN_THE_INPUTS_TYPE, ROUNDED_INPUTS, N_ADDERS };

static double add_in(int how, WfDtype in, WfDtype stored, double a, double b) {
  switch (how) {
  case IN_FLOAT: return to(stored, (double)(float)(a + b));
  case EXACTLY: return to(stored, a + b);
  case IN_THE_INPUTS_TYPE: return to(stored, to(in, a + b));
  default: return to(stored, to(stored, a) + to(stored, b));
  }
}

static const struct {
  WfDtype in, stored, arith;
  int is_right[N_ADDERS];
} additions[] = {
    {WF_F16, WF_F16, WF_F32, {1, 1, 1, 1}},   {WF_BF16, WF_BF16, WF_F32, {1, 1, 1, 1}},  {WF_F16, WF_F16, WF_F16, {1, 1, 1, 1}},
    {WF_F16, WF_F32, WF_F32, {1, 1, 0, 1}},   {WF_BF16, WF_F32, WF_F32, {1, 1, 0, 1}},   {WF_F16, WF_F32, WF_F16, {1, 1, 1, 1}},
    {WF_F16, WF_BF16, WF_F32, {1, 1, 0, 0}},  {WF_F16, WF_BF16, WF_F16, {1, 1, 1, 0}},   {WF_F32, WF_F16, WF_F32, {1, 1, 1, 0}},
    {WF_F32, WF_BF16, WF_F32, {1, 1, 1, 0}},  {WF_BF16, WF_F16, WF_F32, {1, 1, 0, 0}},   {WF_BF16, WF_F32, WF_BF16, {1, 1, 1, 1}},
};
enum { N_ADDITIONS = sizeof additions / sizeof *additions };

static float draw_addend(uint64_t *state, WfDtype in) {
  double v = ldexp(unit(state) * 2 - 1, below(state, 3) ? below(state, 4) : below(state, 40) - 26);
  return (float)to(in, v);
}

/* How many of the elements are wrong, of a kernel that adds p->a and p->b. */
static int n_wrong_sums(const WfOp *op, Problem *p, int which, int how) {
  const WfDtype in = additions[which].in, stored = additions[which].stored;
  const int64_t dim[] = {p->n, 1};
  WfRefArgs args = {.dim = dim, .in = (const float *const[]){p->a, p->b, NULL}, .dtype = {in, in, stored}, .stored = stored, .arith = additions[which].arith};
  static const WfVariant plain = {.name = "plain"};
  WfJudge j = {.op = op, .variant = &plain, .dim = dim, .y = p->y, .ref = p->ref, .bound = p->bound, .n_elems = (size_t)p->n, .dtype = stored};
  int n = 0;
  ck_assert_int_eq(op->reference(&args, p->ref, p->bound), 0);
  for (int i = 0; i < p->n; i++) {
    p->y[i] = (float)add_in(how, in, stored, (double)p->a[i], (double)p->b[i]);
    n += !wf_judge_is_right(&j, i);
  }
  return n;
}

START_TEST(one_addition_is_rounded_once) {
  const WfOp *const ops[] = {&wf_op_add, &wf_op_matadd};
  const int which = _i % N_ADDITIONS;
  Problem p = {.n = MOST, .state = (uint64_t)_i};
  int n_wrong[N_ADDERS] = {0};
  for (int round = 0; round < 100; round++) {
    for (int i = 0; i < p.n; i++) {
      p.a[i] = draw_addend(&p.state, additions[which].in);
      p.b[i] = draw_addend(&p.state, additions[which].in);
    }
    for (int how = 0; how < N_ADDERS; how++) n_wrong[how] += n_wrong_sums(ops[_i / N_ADDITIONS], &p, which, how);
  }
  for (int how = 0; how < N_ADDERS; how++)
    ck_assert_msg(additions[which].is_right[how] == (n_wrong[how] == 0), "addition %d, kernel %d: %d of 30000 are wrong", which, how, n_wrong[how]);
}
END_TEST

/* Next to what is half way between two numbers of the output's type, float and the exact sum go apart; nothing beyond is right. */
START_TEST(sums_half_way_have_two_results) {
  static const struct {
    WfDtype in, stored;
    double a, b, result[4]; /* two right ones, two wrong ones */
  } edges[] = {
      {WF_F16, WF_BF16, 0x1.01p0, 0x1p-24, {1, 0x1.02p0, 0x1.fep-1, 0x1.04p0}},
      {WF_F32, WF_F16, 0x1.002p0, 0x1p-30, {1, 0x1.004p0, 0x1.ffcp-1, 0x1.008p0}},
      {WF_F32, WF_F16, 0x1.004p0, 0x1p-30, {0x1.004p0, 0x1.004p0, 1, 0x1.008p0}},
  };
  for (size_t e = 0; e < sizeof edges / sizeof *edges; e++) {
    Problem p = {.n = 4};
    const int64_t dim[] = {4, 1};
    WfRefArgs args = {.dim = dim, .in = (const float *const[]){p.a, p.b, NULL}, .dtype = {edges[e].in, edges[e].in, edges[e].stored}, .stored = edges[e].stored};
    static const WfVariant plain = {.name = "plain"};
    WfJudge j = {.op = &wf_op_add, .variant = &plain, .dim = dim, .y = p.y, .ref = p.ref, .bound = p.bound, .n_elems = 4, .dtype = edges[e].stored};
    for (int i = 0; i < 4; i++) {
      p.a[i] = (float)edges[e].a;
      p.b[i] = (float)edges[e].b;
      p.y[i] = (float)edges[e].result[i];
    }
    ck_assert_int_eq(wf_op_add.reference(&args, p.ref, p.bound), 0);
    for (int i = 0; i < 4; i++) ck_assert_msg(wf_judge_is_right(&j, i) == (i < 2), "edge %zu, result %d: %a", e, i, (double)p.y[i]);
  }
}
END_TEST

/* Where the contract says float: of 300 elements of one sign hardly a sum of 16 bits comes near. */
START_TEST(sums_of_16_bits_are_no_float_sums) {
  Problem p = {.type = halves[_i], .n = MOST, .state = 5};
  int n_wrong = 0;
  for (int i = 0; i < 1000; i++) {
    draw(&p, p.a, 1);
    n_wrong += !is_right(&p, 0, &styles[3], WF_F32, 0, p.type);
  }
  ck_assert_int_gt(n_wrong, 800);
}
END_TEST

/* ---- lost and doubled elements ---- */

/* Small integers that are exact to whoever adds them and to the result. */
static void draw_exact(Problem *p) {
  int most = (p->type == WF_F16 ? 2048 : 256) / p->n;
  for (int i = 0; i < p->n; i++) {
    int v = 1 + below(&p->state, most);
    p->a[i] = (float)(below(&p->state, 2) ? v : -v);
    p->b[i] = 1;
  }
}

START_TEST(one_lost_element_is_found) {
  Problem p = {.type = halves[_i % 2], .state = 9};
  WfDtype arith = _i / 2 ? p.type : WF_F32;
  for (int i = 0; i < 2000; i++) {
    int which = i % 3, at;
    p.n = 1 + below(&p.state, p.type == WF_F16 ? MOST : 256);
    draw_exact(&p);
    const Style *s = &styles[_i / 2 ? 3 + i % 4 : i % 3];
    if (!is_right(&p, which, s, arith, 0, p.type))
      ck_abort_msg("a right sum of %d elements", p.n);
    at = below(&p.state, p.n);
    float right = p.y[0], lost = p.a[at];
    p.y[0] = right - lost;
    ck_assert(!all_right(&wf_op_row_sum, &p, (const int64_t[]){1, p.n}, 1, p.type));
    p.y[0] = right + lost;
    ck_assert(!all_right(&wf_op_row_sum, &p, (const int64_t[]){1, p.n}, 1, p.type));
  }
}
END_TEST

/* ---- softmax ---- */

/* exp, correctly rounded or off by one unit of the last place; exact at 0 and -inf. */
static double exponential(Problem *p, WfDtype t, double x) {
  double v = to(t, exp(x));
  return x == 0 || isinf(x) || t == WF_F32 ? v : v + (below(&p->state, 3) - 1) * wf_dtype_spacing(t, v);
}

typedef struct SoftmaxStyle {
  const char *name;
  int exp_in_16_bits, sum_in_16_bits, lanes, by_reciprocal;
} SoftmaxStyle;
static const SoftmaxStyle softmax_styles[] = {
    {"float", 0, 0, 1, 0}, {"float, 32 lanes", 0, 0, 32, 1}, {"exponentials of 16 bits", 1, 0, 2, 0},
    {"16 bits", 1, 1, 1, 0}, {"16 bits, 32 lanes, reciprocal", 1, 1, 32, 1}, {"float exponentials, 16-bit sum", 0, 1, 2, 1},
};
enum { N_SOFTMAX_STYLES = sizeof softmax_styles / sizeof *softmax_styles };

static void softmax(Problem *p, const SoftmaxStyle *s) {
  WfDtype e = s->exp_in_16_bits ? p->type : WF_F32, acc = s->sum_in_16_bits ? p->type : WF_F32;
  float weight[MOST] = {0};
  double most = -INFINITY;
  for (int i = 0; i < p->n; i++)
    most = fmax(most, (double)p->a[i]);
  for (int i = 0; i < p->n; i++)
    weight[i] = (float)exponential(p, e, to(e, (double)p->a[i] - most));
  double sum = sum_in(acc, s->lanes, 0, weight, NULL, p->n);
  for (int i = 0; i < p->n; i++) {
    double q = s->by_reciprocal ? to(acc, (double)weight[i] * to(acc, 1 / sum)) : to(acc, (double)weight[i] / sum);
    p->y[i] = (float)to(p->type, q);
  }
}

static void draw_logits(Problem *p) {
  static const double scales[] = {0, 0.125, 1, 1, 3, 8, 30, 1000};
  double scale = scales[below(&p->state, 8)], offset = below(&p->state, 3) * 20;
  for (int i = 0; i < p->n; i++) {
    p->a[i] = (float)to(p->type, offset + scale * (unit(&p->state) * 2 - 1));
    if (below(&p->state, 40) == 0 && i > 0)
      p->a[i] = -INFINITY;
  }
}

START_TEST(right_softmaxes_are_accepted) {
  Problem p = {.type = halves[_i % 2], .state = (uint64_t)_i};
  const SoftmaxStyle *s = &softmax_styles[_i / 2];
  WfDtype arith = s->exp_in_16_bits || s->sum_in_16_bits ? p.type : WF_F32;
  for (int i = 0; i < TRIALS / 4; i++) {
    p.n = 1 + below(&p.state, i % 4 ? 40 : MOST);
    draw_logits(&p);
    softmax(&p, s);
    const int64_t dim[] = {1, p.n};
    refer(&wf_op_softmax, &p, dim, arith, 0);
    if (!all_right(&wf_op_softmax, &p, dim, p.n, p.type))
      ck_abort_msg("%s of %s, %d columns", s->name, wf_dtype_name(p.type), p.n);
    WfRefArgs args = {.dim = dim, .in = (const float *const[]){p.a, NULL}, .stored = p.type, .arith = arith};
    char msg[160];
    ck_assert_msg(wf_op_softmax.invariant(&args, p.y, msg, sizeof msg) < 0, "%s of %s: %s", s->name, wf_dtype_name(p.type), msg);
  }
}
END_TEST

/* Exponentials that go through 16 bits where the contract says float. */
START_TEST(coarse_exponentials_are_found) {
  Problem p = {.type = halves[_i], .state = 3};
  int n_wrong = 0;
  for (int i = 0; i < 500; i++) {
    p.n = 16;
    for (int c = 0; c < p.n; c++)
      p.a[c] = (float)to(p.type, 3 * unit(&p.state));
    softmax(&p, &softmax_styles[2]);
    refer(&wf_op_softmax, &p, (const int64_t[]){1, p.n}, WF_F32, 0);
    n_wrong += !all_right(&wf_op_softmax, &p, (const int64_t[]){1, p.n}, p.n, p.type);
  }
  ck_assert_int_gt(n_wrong, 450);
}
END_TEST

/* A weight that is lost from the sum of comparable ones makes every result larger. */
START_TEST(a_lost_weight_is_found) {
  Problem p = {.type = halves[_i], .state = 4};
  int n_wrong = 0;
  for (int i = 0; i < 500; i++) {
    p.n = 2 + below(&p.state, p.type == WF_F16 ? 200 : 60);
    for (int c = 0; c < p.n; c++)
      p.a[c] = (float)to(p.type, unit(&p.state));
    softmax(&p, &softmax_styles[0]);
    double without = 1 - (double)p.y[p.n - 1];
    for (int c = 0; c < p.n; c++)
      p.y[c] = (float)to(p.type, (double)p.y[c] / without);
    refer(&wf_op_softmax, &p, (const int64_t[]){1, p.n}, WF_F32, 0);
    n_wrong += !all_right(&wf_op_softmax, &p, (const int64_t[]){1, p.n}, p.n, p.type);
  }
  ck_assert_int_eq(n_wrong, 500);
}
END_TEST

int main(void) {
  Suite *s = suite_create("half_bounds");
  TCase *t = tcase_create("half_bounds");
  tcase_set_timeout(t, 0);
  tcase_add_loop_test(t, right_sums_are_accepted, 0, 2 * N_STYLES);
  tcase_add_loop_test(t, one_addition_is_rounded_once, 0, 2 * N_ADDITIONS);
  tcase_add_test(t, sums_half_way_have_two_results);
  tcase_add_loop_test(t, sums_of_16_bits_are_no_float_sums, 0, 2);
  tcase_add_loop_test(t, one_lost_element_is_found, 0, 4);
  tcase_add_loop_test(t, right_softmaxes_are_accepted, 0, 2 * N_SOFTMAX_STYLES);
  tcase_add_loop_test(t, coarse_exponentials_are_found, 0, 2);
  tcase_add_loop_test(t, a_lost_weight_is_found, 0, 2);
  suite_add_tcase(s, t);
  return suite_run(s);
}
