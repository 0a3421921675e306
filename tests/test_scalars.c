/* test_scalars.c - conditions on scalars and flags: what they say, and that whatever is drawn, mutated, crossed or made smaller keeps to
 * them; equalities, sets and ranges are met in every case, conditions that cannot be met come to an end. */
#include "../fuzz/limits.h"
#include "suite.h"
#include <check.h>
#include <math.h>
#include <string.h>

#define COUNT(a) ((int)(sizeof(a) / sizeof(a)[0]))

static const WfOp attention_op = {
    .name = "attention",
    .n_dims = 3,
    .n_tensors = 3,
    .n_scalars = 2,
    .dims = {{"rows", 1, 100}, {"keys", 1, 300}, {"d", 1, 128}},
    .tensors = {{.name = "q", .role = WF_IN, .rank = 2, .dim = {0, 2}},
                {.name = "k", .role = WF_IN, .rank = 2, .dim = {1, 2}},
                {.name = "o", .role = WF_OUT, .rank = 2, .dim = {0, 2}}},
    .scalars = {{"scale", WF_REAL, {0.125, 1, 0.5}, 3, "1 / sqrt(d)"}, {"causal", WF_FLAG, {0}, 0, "0"}},
};
const WfOp *const wf_ops[] = {&attention_op, NULL};

static const double scalars[] = {0.125, 1};
static const int64_t dim[] = {3, 5, 64};
static const uint32_t grid[3] = {2, 1, 1}, block[3] = {32, 1, 1};
static const WfVars vars = {&attention_op, dim, grid, block, 0, NULL};

/* ---- expressions ---- */

static const struct {
  const char *text;
  int64_t value;
} good[] = {
    {"causal", 1},
    {"!causal", 0},
    {"causal == 1 && scale == 0.125", 1},
    {"scale == .125f", 1},
    {"scale == 1.25e-1F", 1},
    {"scale == 1 / sqrt(d)", 1},
    {"scale == rsqrtf(d) && 1.0 / d < scale", 1},
    {"scale == 1 / 8", 0}, /* of integers, as in C */
    {"scale * 8 == 1 && -scale < 0 && +scale > 0", 1},
    {"scale ? 2 : 3", 2},
    {"!(scale - 0.125)", 1},
    {"min(scale, rows) == scale && max(scale, rows) == rows", 1},
    {"1e1 == 10 && 1.5 != 1", 1},
    {"0.1", 1}, /* a condition: as a truth */
    {"d % 64 == 0 && 0x10 == 16", 1},
};

START_TEST(evaluates) {
  int64_t v = -1;
  char err[128] = "";
  ck_assert_msg(wf_expr_eval_scalars(good[_i].text, &vars, scalars, NULL, &v, err, sizeof err) == 0, "%s: %s", good[_i].text, err);
  ck_assert_msg(v == good[_i].value, "%s is %lld", good[_i].text, (long long)v);
}
END_TEST

static const char *const bad[][2] = {
    {"scale % 2", "% takes whole numbers"}, {"1e", "'1e' is not a number"},    {"1e999", "'1e999' is no float"},
    {"eps == 1", "unknown name 'eps'"},     {"sqrt(", "the expression ends"}, {"1.5.2", "'1.5.2' is not a number"},
};

START_TEST(says_what_is_wrong) {
  int64_t v;
  char err[128] = "";
  ck_assert_int_eq(wf_expr_eval_scalars(bad[_i][0], &vars, scalars, NULL, &v, err, sizeof err), -1);
  ck_assert_msg(strstr(err, bad[_i][1]) == err, "%s: %s", bad[_i][0], err);
}
END_TEST

/* Formulas for grids and the like know no scalars. */
START_TEST(none_without_scalars) {
  int64_t v;
  char err[128] = "";
  ck_assert_int_eq(wf_expr_eval("scale == 1", &vars, &v, err, sizeof err), -1);
  ck_assert_str_eq(err, "unknown name 'scale'");
  ck_assert_int_eq(wf_expr_eval("rows * 0.5", &vars, &v, err, sizeof err), -1);
  ck_assert_str_eq(err, "'0.5' is not a number");
}
END_TEST

START_TEST(a_double_is_compared_as_a_float) {
  const double odd[] = {(double)0.1f, 0};
  int64_t v = 0;
  ck_assert_int_eq(wf_expr_eval_scalars("scale == 0.1 && 0.1f == scale && scale == 1.0 / 10", &vars, odd, NULL, &v, NULL, 0), 0);
  ck_assert_int_eq(v, 1);
}
END_TEST

/* ---- cases ---- */

typedef struct Wanted {
  const char *requires;
  int least; /* different pairs of scalars that must come in CASES cases */
} Wanted;

enum { CASES = 200 };

static const Wanted wanted[] = {
    {"causal == 0", 3},
    {"causal", 3},
    {"scale == 0.37", 2},
    {"scale == 0.37 && causal == 1", 1},
    {"scale == 1 / sqrt(d)", 10},
    {"1 / sqrt(d) == scale && !causal", 5},
    {"scale == 0.3 || scale == 0.7 || scale == 1e-3f", 6},
    {"scale >= 0.2 && scale <= 0.3", 20},
    {"scale > 1e-20 && scale < 1e-10 && causal == 0", 10},
    {"scale > 0", 6},
    {"causal == 0 || rows == keys", 6},
    {"causal ? scale == 0.25 : scale == 0.75", 2},
    {"d % 32 == 0 && causal == 0 && scale == 1 / sqrt(d) && rows <= keys", 2},
    {"(rows % 4 == 0 && scale == 2) || scale == 3", 3},
    {"-scale == 4", 0}, /* not alone on its side: nothing to go by */
};

/* Holds by what C makes of it, not by what is under test. */
static int holds(int i, const WfCase *c) {
  float scale = (float)c->scalar[0], root = (float)(1 / sqrt((double)c->dim[2]));
  int causal = c->scalar[1] != 0;
  long long rows = c->dim[0], keys = c->dim[1], d = c->dim[2];
  switch (i) {
  case 0: return causal == 0;
  case 1: return causal;
  case 2: return scale == 0.37f;
  case 3: return scale == 0.37f && causal == 1;
  case 4: return scale == root;
  case 5: return scale == root && !causal;
  case 6: return scale == 0.3f || scale == 0.7f || scale == 1e-3f;
  case 7: return scale >= 0.2f && scale <= 0.3f;
  case 8: return scale > 1e-20f && scale < 1e-10f && causal == 0;
  case 9: return scale > 0;
  case 10: return causal == 0 || rows == keys;
  case 11: return causal ? scale == 0.25f : scale == 0.75f;
  case 12: return d % 32 == 0 && causal == 0 && scale == root && rows <= keys;
  case 13: return (rows % 4 == 0 && scale == 2) || scale == 3;
  default: return 0;
  }
}

/* Counts pairs that were not there before. */
static int note(double seen[][2], int n, const WfCase *c) {
  for (int i = 0; i < n; i++)
    if (seen[i][0] == c->scalar[0] && seen[i][1] == c->scalar[1])
      return n;
  memcpy(seen[n], c->scalar, sizeof seen[n]);
  return n + 1;
}

START_TEST(what_is_drawn_keeps_to_it) {
  const Wanted *w = &wanted[_i];
  const WfVariant v = {.name = "v", .grid = "rows", .requires = w->requires};
  static double seen[3 * CASES][2];
  WfChoice ch = {.state = 5};
  WfCase drawn, other;
  int n = 0;
  for (int i = 0; i < CASES && w->least; i++) {
    char why[160];
    wf_case_generate(&drawn, &attention_op, &v, &ch);
    ck_assert_msg(wf_case_admits(&drawn, &v, NULL, why, sizeof why) && holds(_i, &drawn), "%s: %g %g: %s", w->requires, drawn.scalar[0], drawn.scalar[1], why);
    n = note(seen, n, &drawn);
    other = drawn;
    for (int k = 0; k < 3; k++)
      wf_case_mutate(&other, &v, &ch);
    ck_assert_msg(wf_case_admits(&other, &v, NULL, why, sizeof why) && holds(_i, &other), "%s, mutated: %g %g: %s", w->requires, other.scalar[0], other.scalar[1], why);
    n = note(seen, n, &other);
    wf_case_cross(&other, &drawn, &other, &v, &ch);
    ck_assert_msg(wf_case_admits(&other, &v, NULL, why, sizeof why) && holds(_i, &other), "%s, crossed: %g %g: %s", w->requires, other.scalar[0], other.scalar[1], why);
    n = note(seen, n, &other);
  }
  ck_assert_msg(n >= w->least, "%s: %d different ones", w->requires, n);
}
END_TEST

static const char *const impossible[] = {"causal == 2", "scale < 0 && scale > 0", "scale == 0.5 && scale == 0.25", "-scale == 4",
                                         "causal == 0 && rows == 0 && scale == 1"};

START_TEST(what_cannot_be_met_comes_to_an_end) {
  const WfVariant v = {.name = "v", .grid = "rows", .requires = impossible[_i]};
  WfLimits limits;
  wf_limits_init(&limits, &attention_op);
  ck_assert_int_eq(wf_limits_leave_room(&limits, &attention_op, &v), 0);
}
END_TEST

/* Without choices: the same for the same shape, and usual values first. */
START_TEST(settles_by_shape_alone) {
  const WfVariant v = {.name = "v", .grid = "rows", .requires = "scale == 1 / sqrt(d) && causal == 0"};
  const WfVariant range = {.name = "v", .grid = "rows", .requires = "scale > 0.1"};
  WfCase c = {.op = &attention_op, .dim = {2, 3, 16}, .scalar = {9, 1}, .grid = {0, 1, 1}, .block = {32, 1, 1}};
  ck_assert_int_eq(wf_case_settle_scalars(&c, &v, NULL), 1);
  ck_assert(c.scalar[0] == 0.25 && c.scalar[1] == 0);
  c.dim[2] = 64;
  ck_assert_int_eq(wf_case_settle_scalars(&c, &v, NULL), 1);
  ck_assert(c.scalar[0] == 0.125);
  c.scalar[0] = 0.01;
  ck_assert_int_eq(wf_case_settle_scalars(&c, &range, NULL), 1);
  ck_assert(c.scalar[0] == 0.125);
  c.scalar[0] = 7; /* it holds: nothing changes */
  ck_assert_int_eq(wf_case_settle_scalars(&c, &range, NULL), 1);
  ck_assert(c.scalar[0] == 7);
}
END_TEST

/* A contract that says nothing about scalars is drawn as ever, and one about values may let -inf through. */
START_TEST(minus_inf_besides_values) {
  const WfVariant bounded = {.name = "v", .grid = "rows", .values = 10}, masks = {.name = "v", .grid = "rows", .values = 10, .flags = WF_MINUS_INF};
  WfChoice ch = {.state = 3};
  int n_masks = 0;
  for (int i = 0; i < 400; i++) {
    WfCase c;
    wf_case_generate(&c, &attention_op, i % 2 ? &bounded : &masks, &ch);
    for (uint32_t k = 0; k < c.n_edits; k++) {
      int is_mask = c.edits[k].value == -INFINITY;
      ck_assert(is_mask ? i % 2 == 0 : fabsf(c.edits[k].value) <= 10);
      n_masks += is_mask;
    }
    ck_assert(wf_case_admits(&c, i % 2 ? &bounded : &masks, NULL, NULL, 0));
  }
  ck_assert_int_gt(n_masks, 20);
}
END_TEST

int main(void) {
  Suite *s = suite_create("scalars");
  TCase *t = tcase_create("scalars");
  tcase_set_timeout(t, 0);
  tcase_add_loop_test(t, evaluates, 0, COUNT(good));
  tcase_add_loop_test(t, says_what_is_wrong, 0, COUNT(bad));
  tcase_add_test(t, none_without_scalars);
  tcase_add_test(t, a_double_is_compared_as_a_float);
  tcase_add_loop_test(t, what_is_drawn_keeps_to_it, 0, COUNT(wanted));
  tcase_add_loop_test(t, what_cannot_be_met_comes_to_an_end, 0, COUNT(impossible));
  tcase_add_test(t, settles_by_shape_alone);
  tcase_add_test(t, minus_inf_besides_values);
  suite_add_tcase(s, t);
  return suite_run(s);
}
