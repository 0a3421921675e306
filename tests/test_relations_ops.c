/* test_relations_ops.c - the relations of layernorm, rmsnorm, attention, sums, maxima and convolutions: what they change, that the
 * references obey them whatever the input, that right kernels do, and a kernel that each one rejects. Kernels are the references, rounded
 * to float, with a fault in what they read, over the engine's stand-in. */
#include "../fuzz/case.h"
#include "../fuzz/run.h"
#include "dot_models.h" /* random numbers */
#include "fake_simt.h"
#include "suite.h"
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const WfOp wf_op_attention, wf_op_col_sum, wf_op_conv1d, wf_op_conv2d, wf_op_fault_F78, wf_op_layernorm, wf_op_reduce_max,
    wf_op_reduce_sum, wf_op_rmsnorm, wf_op_row_sum;

/* In place of fuzz/ops.c. */
const WfOp *const wf_ops[] = {&wf_op_attention,  &wf_op_col_sum,    &wf_op_conv1d,     &wf_op_conv2d,  &wf_op_fault_F78, &wf_op_layernorm,
                              &wf_op_reduce_max, &wf_op_reduce_sum, &wf_op_rmsnorm, &wf_op_row_sum, NULL};
enum { N_OPS = sizeof wf_ops / sizeof *wf_ops - 1, MAX_ELEMS = 400, MAX_DIM = 12 };

/* ---- inputs ---- */

typedef struct Problem {
  const WfOp *op;
  int64_t dim[WF_MAX_DIMS];
  double scalar[WF_MAX_SCALARS];
  float in[WF_MAX_TENSORS][MAX_ELEMS];
  int64_t n[WF_MAX_TENSORS];
  int output;
} Problem;

enum { ORDINARY, BITS, EQUAL, LARGE, N_FILLS };

static float draw_value(int fill, float last, uint64_t *s) {
  switch (fill) {
  case BITS: return dot_draw_bits(s, last);
  case EQUAL: return (float)(dot_below(s, 3) - 1);
  case LARGE: return ldexpf(dot_draw_normal(s), dot_below(s, 2) ? 126 : -100);
  default: return dot_draw_normal(s);
  }
}

static void measure_tensors(Problem *p) {
  for (int t = 0; t < p->op->n_tensors; t++) {
    const WfTensorDesc *d = &p->op->tensors[t];
    p->n[t] = wf_extent(d, 0, p->dim) * (d->rank > 1 ? wf_extent(d, 1, p->dim) : 1);
    p->output = d->role == WF_OUT ? t : p->output;
  }
}

/* Convolutions have their filter last, which fits. */
static void draw_problem(Problem *p, const WfOp *op, uint64_t *s) {
  memset(p, 0, sizeof *p);
  p->op = op;
  for (int d = 0; d < op->n_dims; d++) {
    p->dim[d] = dot_below(s, 8) ? 1 + dot_below(s, MAX_DIM) : op->dims[d].min;
    for (int i = 0; i < d && op->requires && d == op->n_dims - 1; i++)
      p->dim[d] = p->dim[d] < p->dim[i] ? p->dim[d] : p->dim[i];
  }
  p->scalar[0] = op->n_scalars > 1 ? 0.125 : (double)1e-5f;
  p->scalar[1] = dot_below(s, 2);
  measure_tensors(p);
  int fill = dot_below(s, N_FILLS);
  for (int t = 0; t < op->n_tensors; t++)
    for (int64_t i = 0; i < p->n[t]; i++)
      p->in[t][i] = draw_value(fill, i ? p->in[t][i - 1] : 1, s);
}

static void reference(const Problem *p, uint32_t flags, double *out, double *bound) {
  const float *in[WF_MAX_TENSORS] = {NULL};
  for (int t = 0; t < p->op->n_tensors; t++)
    in[t] = t == p->output ? NULL : p->in[t];
  WfRefArgs a = {.dim = p->dim, .in = in, .scalar = p->scalar, .variant_flags = flags};
  if (p->op->reference(&a, out, bound) != 0)
    abort();
}

/* 1: changed. *factor: of the output. */
static int apply(const WfRelation *r, const Problem *p, double largest, uint64_t seed, Problem *changed, int64_t *at, double *factor) {
  const float *in[WF_MAX_TENSORS] = {NULL};
  float *to[WF_MAX_TENSORS] = {NULL};
  *changed = *p;
  for (int t = 0; t < p->op->n_tensors; t++)
    if (t != p->output) {
      in[t] = p->in[t];
      to[t] = changed->in[t];
    }
  WfRefArgs a = {.dim = p->dim, .in = in, .scalar = p->scalar};
  *factor = r->factor ? r->factor(&a, largest, seed) : 1;
  return *factor != 0 && r->apply(&a, largest, seed, to, at);
}

/* ---- references ---- */

static float largest_of(const Problem *p) {
  float largest = 0;
  for (int t = 0; t < p->op->n_tensors; t++)
    for (int64_t i = 0; i < p->n[t]; i++)
      largest = isfinite(p->in[t][i]) ? fmaxf(largest, fabsf(p->in[t][i])) : largest;
  return largest;
}

typedef struct Results {
  double out[MAX_ELEMS], bound[MAX_ELEMS];
} Results;

/* Far nearer than the bounds are: what is left is the references' own rounding. */
static int agrees(double was, double was_bound, double is, double is_bound, double factor) {
  if (was_bound == INFINITY || is_bound == INFINITY)
    return 1;
  if (!isfinite(was) || !isfinite(is))
    return isnan(was) ? isnan(is) : is == was * factor;
  return fabs(is - was * factor) <= (fabs(factor) * was_bound + is_bound) * 0x1p-8;
}

static int check_reference(const WfRelation *r, const Problem *p, double largest, uint64_t seed, uint32_t flags) {
  static Problem changed;
  static Results was, is;
  static int64_t at[MAX_ELEMS];
  double factor;
  if (!apply(r, p, largest, seed, &changed, at, &factor))
    return 0;
  reference(p, flags, was.out, was.bound);
  reference(&changed, flags, is.out, is.bound);
  ck_assert(largest_of(&changed) <= fmaxf((float)largest, largest_of(p)));
  for (int64_t i = 0; i < p->n[p->output]; i++) {
    ck_assert(at[i] >= -1 && at[i] < p->n[p->output]);
    ck_assert_msg(at[i] < 0 || agrees(was.out[i], was.bound[i], is.out[at[i]], is.bound[at[i]], factor),
                  "%s, with %s: element %d was %g, bound %g, and is %g, bound %g, factor %g", p->op->name, r->change, (int)i, was.out[i],
                  was.bound[i], is.out[at[i]], is.bound[at[i]], factor);
  }
  return memcmp(changed.in, p->in, sizeof p->in) != 0;
}

START_TEST(references_obey_relations) {
  static Problem p;
  const WfOp *op = wf_ops[_i];
  uint64_t s = 1;
  for (const WfRelation *const *r = op->relations; *r; r++) {
    int applied = 0;
    for (int trial = 0; trial < 2000; trial++) {
      draw_problem(&p, op, &s);
      double largest = dot_below(&s, 3) ? (double)FLT_MAX : 100;
      applied += check_reference(*r, &p, largest, (uint64_t)trial, dot_below(&s, 2) ? WF_FAST_MATH : 0);
    }
    ck_assert_msg(applied > 300, "%s, with %s: %d times", op->name, (*r)->change, applied);
  }
}
END_TEST

/* ---- kernels ---- */

typedef void Fault(Problem *p); /* in what a kernel reads */

static const WfOp *current_op; /* of the case that is run */
static Fault *current_fault;

static void kernel(const WfLaunchArgs *a) {
  static Problem p;
  static Results r;
  memset(&p, 0, sizeof p);
  p.op = current_op;
  memcpy(p.dim, a->dim, sizeof p.dim);
  memcpy(p.scalar, a->scalar, sizeof p.scalar);
  measure_tensors(&p);
  for (int t = 0; t < p.op->n_tensors; t++)
    if (t != p.output)
      memcpy(p.in[t], a->tensor[t], (size_t)p.n[t] * sizeof(float));
  if (current_fault)
    current_fault(&p);
  reference(&p, 0, r.out, r.bound);
  for (int64_t i = 0; i < p.n[p.output]; i++)
    fake_store((float *)a->tensor[p.output] + i, (float)r.out[i]);
}

static void run(WfRunner *r, const WfCase *c, Fault *fault, WfVerdict *v) {
  const WfVariant variant = {.name = "fake", .entry = kernel, .launch = "", .flags = WF_DETERMINISTIC | WF_EMPTY};
  const WfRunOptions opt = {.detect = SIMT_DETECT_ALL, .all_relations = 1};
  char err[200] = "";
  current_op = c->op;
  current_fault = fault;
  ck_assert_msg(wf_run(r, c, &variant, &opt, v, err, sizeof err) == 0, "%s", err);
}

static int64_t row_length(const Problem *p, int t) { return p->n[t] / (p->dim[0] > 0 ? p->dim[0] : 1); }

/* The first element, or row of an input, counts as 0; or the first and the last. */
static void first_is_lost(Problem *p) { p->in[0][0] = 0; }
static void ends_are_lost(Problem *p) { p->in[0][0] = p->in[0][p->n[0] - 1] = 0; }
static void last_weight_is_lost(Problem *p) { p->in[1][p->n[1] - 1] = 0; }
static void first_is_least(Problem *p) { p->in[0][0] = -INFINITY; }

static void first_column_is_lost(Problem *p) {
  for (int64_t r = 0; r < p->dim[0]; r++)
    p->in[0][r * p->dim[1]] = 0;
}

static void first_row_is_lost(Problem *p) { memset(p->in[0], 0, (size_t)row_length(p, 0) * sizeof(float)); }

static void first_key_is_lost(Problem *p) {
  for (int64_t c = 0; c < p->dim[2]; c++)
    p->in[1][c] = -INFINITY;
}

/* No element is taken for larger than the first row's largest. */
static void first_row_limits(Problem *p) {
  float most = -INFINITY;
  for (int64_t c = 0; c < row_length(p, 0); c++)
    most = fmaxf(most, p->in[0][c]);
  for (int64_t i = 0; i < p->n[0]; i++)
    p->in[0][i] = fminf(p->in[0][i], most);
}

/* The same, of the first column. */
static void first_column_limits(Problem *p) {
  float most = -INFINITY;
  for (int64_t r = 0; r < p->dim[0]; r++)
    most = fmaxf(most, p->in[0][r * p->dim[1]]);
  for (int64_t i = 0; i < p->n[0]; i++)
    p->in[0][i] = fminf(p->in[0][i], most);
}

/* What belongs to the row before is multiplied by 0, which does not make a NaN go away. */
static void neighbour_has_no_weight(Problem *p) {
  int64_t n = row_length(p, 0);
  for (int64_t i = p->n[0] - 1; i >= n; i--)
    p->in[0][i] += 0 * p->in[0][i - n];
}

/* The last key is multiplied by 0 in every row. */
static void last_key_has_no_weight(Problem *p) {
  for (int64_t c = 0; c < p->dim[2]; c++)
    p->in[2][c] += 0 * p->in[2][(p->dim[1] - 1) * p->dim[2] + c];
}

static void limit(float *x, int64_t n, float least, float most) {
  for (int64_t i = 0; i < n; i++)
    x[i] = x[i] < least ? least : x[i] > most ? most : x[i];
}

static void elements_are_limited(Problem *p) { limit(p->in[0], p->n[0], -1e6f, 1e6f); }
static void values_are_limited(Problem *p) { limit(p->in[2], p->n[2], -1e6f, 1e6f); }
static void least_is_finite(Problem *p) { limit(p->in[0], p->n[0], -1e20f, FLT_MAX); }

/* `which` of the op's relations, and a case in which the fault changes nothing. */
#define LAYERNORM "op layernorm\nrows 4\ncols 6\nscalars 1e-05\nblock 32\ngamma constant offset=1\nbeta ramp\n"
#define RMSNORM "op rmsnorm\nrows 4\ncols 6\nscalars 1e-05\nblock 32\ngamma constant offset=1\n"
#define F78 "op fault/F78\nrows 4\ncols 6\nscalars 1e-05\nblock 32\n"
#define ATTENTION "op attention\nrows 4\nkeys 6\nd 3\nblock 32\nv normal seed=3\n"
static const struct {
  const WfOp *op;
  int which;
  Fault *fault;
  const char *text;
} broken[] = {
    {&wf_op_layernorm, 0, first_row_limits, LAYERNORM "x normal\nx[0,0] = 9"},
    {&wf_op_layernorm, 1, first_column_is_lost, LAYERNORM "x normal\nx[*,0] = 0"},
    {&wf_op_layernorm, 2, neighbour_has_no_weight, LAYERNORM "x normal"},
    {&wf_op_rmsnorm, 0, first_row_limits, RMSNORM "x normal\nx[0,0] = 9"},
    {&wf_op_rmsnorm, 1, first_column_is_lost, RMSNORM "x normal\nx[*,0] = 0"},
    {&wf_op_rmsnorm, 2, neighbour_has_no_weight, RMSNORM "x normal"},
    {&wf_op_fault_F78, 0, first_row_limits, F78 "x normal\nx[0,0] = 9"},
    {&wf_op_fault_F78, 1, first_column_is_lost, F78 "x normal\nx[*,0] = 0"},
    {&wf_op_fault_F78, 2, neighbour_has_no_weight, F78 "x normal"},
    {&wf_op_attention, 0, first_row_limits, ATTENTION "scalars 0.5 0\nq normal\nq[0,*] = 9\nk normal seed=2"},
    {&wf_op_attention, 1, first_key_is_lost, ATTENTION "scalars 0.5 0\nq constant offset=1\nk normal seed=2\nk[0,*] = -inf"},
    {&wf_op_attention, 2, neighbour_has_no_weight, ATTENTION "scalars 0.5 1\nq normal\nk normal seed=2"},
    {&wf_op_attention, 3, last_key_has_no_weight, ATTENTION "scalars 0.5 1\nq normal\nk normal seed=2"},
    {&wf_op_attention, 4, elements_are_limited, ATTENTION "scalars 0.5 1\nq normal\nk normal seed=2"},
    {&wf_op_attention, 5, values_are_limited, ATTENTION "scalars 0.5 1\nq normal\nk normal seed=2"},
    {&wf_op_reduce_sum, 0, first_is_lost, "op reduce_sum\nn 30\nblock 32\na normal\na[0] = 0"},
    {&wf_op_reduce_sum, 1, elements_are_limited, "op reduce_sum\nn 30\nblock 32\na normal"},
    {&wf_op_reduce_max, 0, first_is_least, "op reduce_max\nn 5\nblock 32\na normal\na[0] = -9\na[4] = 9"},
    {&wf_op_reduce_max, 1, least_is_finite, "op reduce_max\nn 5\nblock 32\na normal offset=-9"},
    {&wf_op_col_sum, 0, first_row_is_lost, "op col_sum\nm 5\nn 6\nblock 32\na normal\na[0,*] = 0"},
    {&wf_op_col_sum, 1, first_column_limits, "op col_sum\nm 5\nn 6\nblock 32\na normal\na[0,0] = 9"},
    {&wf_op_col_sum, 2, elements_are_limited, "op col_sum\nm 5\nn 6\nblock 32\na normal"},
    {&wf_op_row_sum, 0, first_column_is_lost, "op row_sum\nm 5\nn 6\nblock 32\na normal\na[*,0] = 0"},
    {&wf_op_row_sum, 1, first_row_limits, "op row_sum\nm 5\nn 6\nblock 32\na normal\na[0,0] = 9"},
    {&wf_op_row_sum, 2, elements_are_limited, "op row_sum\nm 5\nn 6\nblock 32\na normal"},
    {&wf_op_conv1d, 0, last_weight_is_lost, "op conv1d\nn 30\nk 4\nblock 32\nx normal\nw normal seed=2\nw[3] = 0"},
    {&wf_op_conv1d, 1, ends_are_lost, "op conv1d\nn 30\nk 4\nblock 32\nx normal\nx[0] = 0\nx[29] = 0\nw normal seed=2"},
    {&wf_op_conv1d, 2, elements_are_limited, "op conv1d\nn 30\nk 4\nblock 32\nx normal\nw normal seed=2"},
    {&wf_op_conv2d, 0, last_weight_is_lost, "op conv2d\nm 5\nn 6\nk 2\nblock 32\nx normal\nw normal seed=2\nw[1,1] = 0"},
    {&wf_op_conv2d, 1, ends_are_lost, "op conv2d\nm 5\nn 6\nk 2\nblock 32\nx normal\nx[0,0] = 0\nx[4,5] = 0\nw normal seed=2"},
    {&wf_op_conv2d, 2, elements_are_limited, "op conv2d\nm 5\nn 6\nk 2\nblock 32\nx normal\nw normal seed=2"},
};
enum { N_BROKEN = sizeof broken / sizeof *broken };

static void parse(WfCase *c, const char *text, uint64_t schedule) {
  char whole[600], err[WF_CASE_ERROR_MAX] = "";
  int len = snprintf(whole, sizeof whole, "warpfuzz case 1\n%s\nschedule %u\n", text, (unsigned)schedule);
  ck_assert_msg(wf_case_parse(c, whole, (size_t)len, "case", err, sizeof err) == 0, "%s", err);
}

static WfRunner *new_runner(void) {
  WfRunner *r;
  ck_assert_int_eq(wf_runner_create(&r), 0);
  return r;
}

/* Right by the reference, and rejected by one relation; not with every seed, for some changes are small. */
START_TEST(each_relation_rejects_a_kernel) {
  WfRunner *r = new_runner();
  const WfRelation *relation = broken[_i].op->relations[broken[_i].which];
  int caught = 0;
  for (uint64_t schedule = 1; schedule <= 64; schedule++) {
    WfCase c;
    static WfVerdict v;
    parse(&c, broken[_i].text, schedule);
    run(r, &c, broken[_i].fault, &v);
    for (uint32_t i = 0; i < v.n; i++) {
      ck_assert_msg(strncmp(v.finding[i].simt.detail, "with ", 5) == 0, "%s", v.finding[i].simt.detail);
      caught += strcmp(v.finding[i].simt.rule, relation->rule) == 0 && v.finding[i].simt.severity == SIMT_ERROR;
    }
  }
  ck_assert_msg(caught >= 12, "%s, with %s: caught %d times of 64", broken[_i].op->name, relation->change, caught);
  wf_runner_destroy(r);
}
END_TEST

START_TEST(every_relation_has_such_a_kernel) {
  for (int o = 0; o < N_OPS; o++)
    for (int which = 0; wf_ops[o]->relations[which]; which++) {
      int any = 0;
      for (int i = 0; i < N_BROKEN; i++)
        any |= broken[i].op == wf_ops[o] && broken[i].which == which;
      ck_assert_msg(any, "%s, with %s", wf_ops[o]->name, wf_ops[o]->relations[which]->change);
    }
}
END_TEST

/* ---- right kernels ---- */

static void draw_edit(WfEdit *e, const WfOp *op, uint64_t *s) {
  static const float specials[] = {-INFINITY, NAN, INFINITY, FLT_MAX, -FLT_MAX, 0, 1e-40f};
  int64_t i = dot_below(s, MAX_DIM), j = dot_below(s, MAX_DIM);
  *e = (WfEdit){(uint8_t)dot_below(s, op->n_tensors - 1), {{i, i, 1}, {0, 0, 0}}, specials[dot_below(s, 7)]};
  if (op->tensors[e->tensor].rank > 1)
    e->sel[1] = dot_below(s, 2) ? (WfSel){j, j, 1} : (WfSel){0, INT64_MAX, 1};
}

static void draw_case(WfCase *c, const WfOp *op, uint64_t *s) {
  static Problem p;
  draw_problem(&p, op, s);
  memset(c, 0, sizeof *c);
  c->op = op;
  memcpy(c->dim, p.dim, sizeof c->dim);
  memcpy(c->scalar, p.scalar, sizeof c->scalar);
  c->scalar[0] = op->n_scalars == 1 && dot_below(s, 4) == 0 ? 0 : c->scalar[0];
  c->grid[0] = c->grid[1] = c->grid[2] = 1;
  c->block[0] = c->block[1] = c->block[2] = 1;
  c->schedule = (uint64_t)dot_below(s, 1 << 30);
  for (int t = 0; t < op->n_tensors - 1; t++)
    c->fill[t] = (WfFill){.dist = (WfDist)dot_below(s, WF_DIST_COUNT),
                          .seed = (uint64_t)dot_below(s, 1000),
                          .scale = dot_below(s, 2) ? 1 : 30};
  c->n_edits = (uint32_t)dot_below(s, 4);
  for (uint32_t i = 0; i < c->n_edits; i++)
    draw_edit(&c->edits[i], op, s);
}

START_TEST(right_kernels_are_clean) {
  WfRunner *r = new_runner();
  uint64_t s = 2, runs = 0;
  const WfOp *op = wf_ops[_i];
  for (int trial = 0; trial < 2000; trial++) {
    WfCase c;
    static WfVerdict v;
    draw_case(&c, op, &s);
    run(r, &c, NULL, &v);
    ck_assert_msg(v.n == 0, "%s, trial %d: %s", op->name, trial, v.finding[0].simt.detail);
    runs += v.runs;
  }
  ck_assert_uint_gt(runs, 2000 * 4); /* two, the repeat, and more than one relation in each case or nearly so */
  wf_runner_destroy(r);
}
END_TEST

/* Where the reference says infinity, and that everything is right all the same, a relation must not know better. */
START_TEST(what_may_be_anything_may_change) {
  static const char *const text = "op layernorm\nrows 1\ncols 2\nscalars 0\nblock 32\nx constant offset=1e-40\nx[0,1] = 2e-40\n"
                                  "gamma constant\ngamma[*] = inf\nbeta constant";
  WfRunner *r = new_runner();
  for (uint64_t schedule = 1; schedule <= 16; schedule++) {
    WfCase c;
    static WfVerdict v;
    parse(&c, text, schedule);
    run(r, &c, first_is_lost, &v);
    ck_assert_msg(v.n == 0, "%s", v.finding[0].simt.detail);
  }
  wf_runner_destroy(r);
}
END_TEST

/* A sum beyond FLT_MAX is infinite, half of it is not. */
START_TEST(overflow_need_not_scale) {
  WfRunner *r = new_runner();
  for (uint64_t schedule = 1; schedule <= 64; schedule++) {
    WfCase c;
    static WfVerdict v;
    parse(&c, "op reduce_sum\nn 4\nblock 32\na constant offset=2e+38", schedule);
    run(r, &c, NULL, &v);
    ck_assert_msg(v.n == 0, "%s", v.finding[0].simt.detail);
  }
  wf_runner_destroy(r);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("relations_ops");
  TCase *tc = tcase_create("relations");
  tcase_set_timeout(tc, 0);
  tcase_add_loop_test(tc, references_obey_relations, 0, N_OPS);
  tcase_add_loop_test(tc, each_relation_rejects_a_kernel, 0, N_BROKEN);
  tcase_add_test(tc, every_relation_has_such_a_kernel);
  tcase_add_loop_test(tc, right_kernels_are_clean, 0, N_OPS);
  tcase_add_test(tc, what_may_be_anything_may_change);
  tcase_add_test(tc, overflow_need_not_scale);
  suite_add_tcase(suite, tc);
  return suite_run(suite);
}
