/* test_fast_bounds.c - what fast math and __expf do to the bounds, over all ops: what is right without them is right with them, which
 * fuzz/run_company.c relies on; a kernel that flushes what it reads and writes is right; and each reference knows the flags that concern it.
 * Inputs are the distributions of cases, and values at which something happens, infinities and NaN among them. */
#include "../fuzz/case.h"
#include "../fuzz/run.h"
#include "dot_models.h" /* random numbers */
#include "suite.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TRIALS = 600, MAX_ELEMS = 4096, MAX_WIDE = 40, MAX_NARROW = 6, DUMMY_BLOCK = 1 };

typedef struct Problem {
  const WfOp *op;
  WfCase c; /* shape, scalars, and what the values are drawn from */
  float in[WF_MAX_TENSORS][MAX_ELEMS];
  int64_t n[WF_MAX_TENSORS], depth;
  WfMasked masked;
  int output;
} Problem;

typedef struct Answer {
  double out[MAX_ELEMS], bound[MAX_ELEMS];
} Answer;

/* ---- problems ---- */

/* Whether the tensors of this shape are small enough; fills n. */
static int measure(Problem *p) {
  for (int t = 0; t < p->op->n_tensors; t++) {
    p->n[t] = wf_case_elems(&p->c, t);
    p->output = p->op->tensors[t].role == WF_OUT ? t : p->output;
    if (p->n[t] < 0 || p->n[t] > MAX_ELEMS)
      return 0;
  }
  return 1;
}

static int is_possible(const Problem *p) {
  static const uint32_t one[] = {DUMMY_BLOCK, DUMMY_BLOCK, DUMMY_BLOCK};
  const WfVars vars = {p->op, p->c.dim, one, one, 0, NULL};
  int64_t holds = 1;
  return !p->op->requires || (wf_expr_eval(p->op->requires, &vars, &holds, NULL, 0) == 0 && holds);
}

static void draw_shape(Problem *p, uint64_t *s) {
  int wide = dot_below(s, p->op->n_dims);
  do
    for (int d = 0; d < p->op->n_dims; d++)
      p->c.dim[d] = 1 + dot_below(s, d == wide ? MAX_WIDE : MAX_NARROW);
  while (!is_possible(p) || !measure(p));
}

/* Seldom below FLT_MIN. */
static double draw_scalar(const WfScalarDesc *d, uint64_t *s) {
  if (d->kind == WF_FLAG)
    return dot_below(s, 2);
  return dot_below(s, 8) ? d->usual[dot_below(s, d->n_usual)] : 0x1.8p-128;
}

static WfFill draw_fill(uint64_t *s) {
  static const double scales[] = {1, 1, 10, 100, 0x1p-64, 0x1p-130};
  WfFill f = {.dist = (WfDist)dot_below(s, WF_DIST_COUNT), .seed = (uint64_t)dot_below(s, 1 << 30), .scale = 1};
  switch (f.dist) {
  case WF_DIST_NORMAL:
  case WF_DIST_UNIFORM:
  case WF_DIST_RAMP:
  case WF_DIST_HASH: f.scale = scales[dot_below(s, 6)]; break;
  case WF_DIST_INTEGERS:
  case WF_DIST_DISTINCT: f.scale = 1 + dot_below(s, 100); break;
  case WF_DIST_MIXED: f.scale = 1 + dot_below(s, 126); break;
  case WF_DIST_MEAN: f.offset = 1000; break;
  case WF_DIST_CONSTANT: f.offset = scales[dot_below(s, 6)]; break;
  case WF_DIST_HUGE:
  case WF_DIST_DENORMAL:
  case WF_DIST_COUNT: break;
  }
  return f;
}

/* Around the smallest normal number, its root and reciprocal, and the largest; what is not finite. */
static float draw_edge(uint64_t *s) {
  static const float edges[] = {0,           0x1p-149f,   0x1p-140f, 0x1.fffffcp-127f, 0x1p-126f, 0x1.8p-126f, 0x1p-125f, 0x1p-64f,
                                0x1.8p-63f,  0x1p-24f,    1,         0x1.8p0f,         80,        0x1p63f,     0x1p100f,  0x1p126f,
                                FLT_MAX,     INFINITY,    NAN};
  float v = edges[dot_below(s, (int)(sizeof edges / sizeof *edges))];
  return dot_below(s, 2) ? v : -v;
}

static void draw_values(Problem *p, uint64_t *s) {
  int edges = dot_below(s, 4); /* none, some, many, all */
  for (int t = 0; t < p->op->n_tensors; t++) {
    p->c.fill[t] = draw_fill(s);
    wf_case_values(&p->c, t, p->in[t]);
    for (int64_t i = 0; edges > 0 && i < p->n[t]; i++)
      if (edges == 3 || dot_below(s, edges == 1 ? 16 : 2) == 0)
        p->in[t][i] = draw_edge(s);
  }
}

static void draw_problem(Problem *p, const WfOp *op, uint64_t *s) {
  memset(&p->c, 0, sizeof p->c);
  p->op = p->c.op = op;
  draw_shape(p, s);
  draw_values(p, s);
  for (int i = 0; i < op->n_scalars; i++)
    p->c.scalar[i] = draw_scalar(&op->scalars[i], s);
  p->masked = (WfMasked)dot_below(s, 3);
  p->depth = dot_below(s, 2) ? 0 : 1 + dot_below(s, 8);
}

/* Finite numbers of ordinary size, and the usual scalars. */
static void draw_plain_problem(Problem *p, const WfOp *op, uint64_t *s) {
  draw_problem(p, op, s);
  for (int t = 0; t < op->n_tensors; t++)
    for (int64_t i = 0; i < p->n[t]; i++)
      p->in[t][i] = dot_draw_normal(s);
  for (int i = 0; i < op->n_scalars; i++)
    p->c.scalar[i] = op->scalars[i].kind == WF_FLAG ? 0 : op->scalars[i].usual[0];
}

static void answer(const Problem *p, uint32_t flags, Answer *to) {
  const float *in[WF_MAX_TENSORS] = {NULL};
  for (int t = 0; t < p->op->n_tensors; t++)
    in[t] = t == p->output ? NULL : p->in[t];
  const WfRefArgs a = {
      .dim = p->c.dim, .in = in, .scalar = p->c.scalar, .masked = p->masked, .variant_flags = flags, .depth = p->depth};
  ck_assert_int_eq(p->op->reference(&a, to->out, to->bound), 0);
}

/* ---- wider, never narrower ---- */

/* Accepts b all that a accepts, at this element? */
static int contains(const Answer *b, const Answer *a, int64_t i) {
  if (b->bound[i] == INFINITY)
    return 1;
  int same = b->out[i] == a->out[i] || (isnan(b->out[i]) && isnan(a->out[i]));
  return same && b->bound[i] >= a->bound[i];
}

static void check_contains(const Problem *p, const Answer *b, uint32_t more, const Answer *a, uint32_t flags) {
  for (int64_t i = 0; i < p->n[p->output]; i++)
    ck_assert_msg(contains(b, a, i), "%s, element %d: %a within %a with the flags 0x%x, %a within %a with 0x%x", p->op->name, (int)i,
                  a->out[i], a->bound[i], flags, b->out[i], b->bound[i], more);
}

static uint32_t flags_of(const WfOp *op) {
  uint32_t flags = 0;
  for (size_t i = 0; i < op->n_variants; i++)
    flags |= op->variants[i].flags;
  return flags;
}

static void check_widening(const Problem *p, uint32_t base) {
  static Answer none, exp, math, both;
  answer(p, base, &none);
  answer(p, base | WF_FAST_EXP, &exp);
  answer(p, base | WF_FAST_MATH, &math);
  answer(p, base | WF_FAST_EXP | WF_FAST_MATH, &both);
  check_contains(p, &exp, base | WF_FAST_EXP, &none, base);
  check_contains(p, &math, base | WF_FAST_MATH, &none, base);
  check_contains(p, &both, base | WF_FAST_EXP | WF_FAST_MATH, &exp, base | WF_FAST_EXP);
  check_contains(p, &both, base | WF_FAST_EXP | WF_FAST_MATH, &math, base | WF_FAST_MATH);
}

START_TEST(bounds_are_never_narrower) {
  static Problem p;
  const WfOp *op = wf_ops[_i];
  uint64_t s = 1;
  for (int trial = 0; trial < TRIALS; trial++) {
    draw_problem(&p, op, &s);
    check_widening(&p, 0);
    check_widening(&p, flags_of(op) & (WF_PLAIN_EXP | WF_KEEPS_SUBNORMALS));
  }
}
END_TEST

/* ---- kernels that flush ---- */

static float flush(float x) { return fabsf(x) < FLT_MIN ? copysignf(0, x) : x; }

/* Of every operand and result, and exact but for that. */
static void run_flushing(const Problem *p, float *y) {
  static Problem flushed;
  static Answer a;
  flushed = *p;
  for (int t = 0; t < p->op->n_tensors; t++)
    for (int64_t i = 0; i < p->n[t]; i++)
      flushed.in[t][i] = flush(p->in[t][i]);
  for (int i = 0; i < p->op->n_scalars; i++)
    flushed.c.scalar[i] = (double)flush((float)p->c.scalar[i]);
  answer(&flushed, 0, &a);
  for (int64_t i = 0; i < p->n[p->output]; i++)
    y[i] = flush((float)a.out[i]);
}

static int64_t count_wrong(const Problem *p, uint32_t flags, const float *y) {
  static Answer a;
  answer(p, flags, &a);
  const WfJudge j = {.op = p->op,
                     .variant = &p->op->variants[0],
                     .dim = p->c.dim,
                     .y = y,
                     .ref = a.out,
                     .bound = a.bound,
                     .n_elems = p->n[p->output]};
  int64_t wrong = 0;
  for (int64_t i = 0; i < j.n_elems; i++)
    wrong += !wf_judge_is_right(&j, i);
  return wrong;
}

/* Ops whose kernels may flush in either flavor: by atomicAdd (reference/sums.h), or since it is nothing beside their other errors. */
static int may_always_flush(const WfOp *op) {
  static const char *const names[] = {"col_sum",   "reduce_sum", "row_sum",   "softmax",  "fault/F40",
                                      "layernorm", "rmsnorm",    "fault/F78", "fault/F82"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(op->name, names[i]) == 0)
      return 1;
  return 0;
}

START_TEST(flushing_kernels_are_right) {
  static Problem p;
  static float y[MAX_ELEMS];
  const WfOp *op = wf_ops[_i];
  uint64_t s = 2;
  int64_t rejected = 0;
  for (int trial = 0; trial < TRIALS; trial++) {
    draw_problem(&p, op, &s);
    run_flushing(&p, y);
    int64_t wrong = count_wrong(&p, WF_FAST_MATH, y);
    ck_assert_msg(wrong == 0, "%s, trial %d: %d of %d elements", op->name, trial, (int)wrong, (int)p.n[p.output]);
    rejected += count_wrong(&p, 0, y);
  }
  ck_assert_msg(may_always_flush(op) || rejected > 10, "%s: %d", op->name, (int)rejected);
}
END_TEST

/* ---- the flags are known ---- */

static int64_t count_wider(const Problem *p, uint32_t more, uint32_t flags) {
  static Answer a, b;
  int64_t n = 0;
  answer(p, flags, &a);
  answer(p, more, &b);
  for (int64_t i = 0; i < p->n[p->output]; i++)
    n += b.bound[i] > a.bound[i];
  return n;
}

/* Quotients, roots and exponentials are off by more whatever the values are. */
START_TEST(approximations_widen_the_bounds_of_ordinary_values) {
  static Problem p;
  const char *const names[] = {"softmax", "fault/F40", "attention", "layernorm", "rmsnorm", "fault/F78", "fault/F82"};
  const WfOp *op = wf_op_find(names[_i], strlen(names[_i]));
  int is_exponential = _i < 3;
  uint64_t s = 3;
  int64_t by_math = 0, by_exp = 0, by_plain = 0, n = 0;
  ck_assert_ptr_nonnull(op);
  for (int trial = 0; trial < TRIALS; trial++) {
    draw_plain_problem(&p, op, &s);
    n += p.n[p.output];
    by_math += count_wider(&p, WF_FAST_MATH, 0);
    by_exp += count_wider(&p, WF_FAST_EXP, 0);
    by_plain += count_wider(&p, WF_PLAIN_EXP | WF_FAST_EXP, WF_PLAIN_EXP);
  }
  ck_assert_int_gt(by_math, n / 2); /* not where a bound is infinite, or a row has one element */
  ck_assert(is_exponential ? by_exp > n / 2 : by_exp == 0);
  ck_assert(_i < 2 ? by_plain > n / 2 : 1);
}
END_TEST

/* exp(x) as it is, by __expf: off by 2 + floor(1.173 |x|) ulp whatever the maximum, which is as large. */
START_TEST(plain_exponentials_are_off_by_their_size) {
  static Problem p;
  static float y[MAX_ELEMS];
  const WfOp *op = wf_op_find("softmax", 7);
  const float x[] = {3, 20, 60, -60};
  p = (Problem){.op = op, .c = {.op = op, .dim = {1, 2}}};
  ck_assert(measure(&p));
  p.in[0][0] = p.in[0][1] = x[_i];
  double off = (2 + floor(1.173 * fabs((double)x[_i]))) * 0x1p-24; /* half ulp and more: at least so much */
  y[0] = (float)(0.5 * (1 + off / 2));
  y[1] = (float)(0.5 * (1 - off / 2));
  ck_assert_int_eq(count_wrong(&p, WF_PLAIN_EXP | WF_FAST_MATH, y), 0);
  ck_assert_int_eq(count_wrong(&p, WF_PLAIN_EXP | WF_FAST_EXP, y), 0);
  ck_assert_int_eq(count_wrong(&p, WF_PLAIN_EXP, y), _i < 2 ? 0 : 2);
  ck_assert_int_eq(count_wrong(&p, WF_FAST_MATH, y), _i < 2 ? 0 : 2); /* equal elements: their differences are exact */
  y[0] = (float)(0.5 * (1 + 8 * (off + 10 * 0x1p-24)));
  ck_assert_int_gt(count_wrong(&p, WF_PLAIN_EXP | WF_FAST_MATH, y), 0);
}
END_TEST

/* n exponentials of 80, 5.54e34 each: above 2^126 a quotient is 0 under fast math, and nowhere else. */
START_TEST(quotients_by_large_sums_may_be_0) {
  enum { JUST_BELOW = 1500, JUST_ABOVE = 1560 };
  static Problem p;
  static float y[MAX_ELEMS];
  char msg[200];
  const WfOp *op = wf_op_find("softmax", 7);
  const int64_t n[] = {JUST_BELOW, JUST_ABOVE};
  for (int above = 0; above < 2; above++) {
    p = (Problem){.op = op, .c = {.op = op, .dim = {1, n[above]}}};
    const float *const in[] = {p.in[0], NULL};
    const WfRefArgs a = {.dim = p.c.dim, .in = in, .variant_flags = WF_PLAIN_EXP | WF_FAST_MATH};
    ck_assert(measure(&p));
    for (int64_t i = 0; i < n[above]; i++)
      p.in[0][i] = 80;
    memset(y, 0, sizeof y);
    ck_assert_int_eq(count_wrong(&p, WF_PLAIN_EXP | WF_FAST_MATH, y), above ? 0 : n[above]);
    ck_assert_int_eq(op->invariant(&a, y, msg, sizeof msg), above ? -1 : 0);
    ck_assert_int_eq(count_wrong(&p, WF_PLAIN_EXP, y), n[above]);
    ck_assert_int_eq(count_wrong(&p, WF_FAST_MATH, y), n[above]);
  }
}
END_TEST

static int n_ops(void) {
  int n = 0;
  while (wf_ops[n])
    n++;
  return n;
}

int main(void) {
  Suite *s = suite_create("fast_bounds");
  TCase *t = tcase_create("all");
  tcase_add_loop_test(t, bounds_are_never_narrower, 0, n_ops());
  tcase_add_loop_test(t, flushing_kernels_are_right, 0, n_ops());
  tcase_add_loop_test(t, approximations_widen_the_bounds_of_ordinary_values, 0, 7);
  tcase_add_loop_test(t, plain_exponentials_are_off_by_their_size, 0, 4);
  tcase_add_test(t, quotients_by_large_sums_may_be_0);
  suite_add_tcase(s, t);
  return suite_run(s);
}
