/* test_relations.c - relations between outputs and the repeat, over the engine's stand-in: what is changed, which kernels
 * break them, which do not, and for which cases they are checked. */
#include "../fuzz/relation.h"
#include "../fuzz/run.h"
#include "fake_simt.h"
#include "softmax_models.h"
#include "suite.h"
#include <check.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

extern const WfOp wf_op_softmax;

enum { MAX_ROWS = 9, MAX_COLS = 80, MAX_ELEMS = MAX_ROWS * MAX_COLS };

/* ---- the changes ---- */

typedef struct Changed {
  int64_t dim[2];
  float x[MAX_ELEMS], changed[MAX_ELEMS];
  int64_t at[MAX_ELEMS];
} Changed;

static int apply(const WfRelation *r, Changed *c, double largest, uint64_t seed) {
  const float *in[] = {c->x, NULL};
  float *changed[] = {c->changed, NULL};
  WfRefArgs a = {.dim = c->dim, .in = in, .masked = WF_MASKED_NAN, .variant_flags = 0};
  memcpy(c->changed, c->x, sizeof c->changed);
  return r->apply(&a, largest, seed, changed, c->at);
}

static void draw_changed(Changed *c, uint64_t *s) {
  c->dim[0] = 1 + model_below(s, MAX_ROWS);
  c->dim[1] = 1 + model_below(s, MAX_COLS);
  for (int64_t r = 0; r < c->dim[0]; r++) {
    float *row = c->x + r * c->dim[1];
    model_rows[model_below(s, (int)model_n_rows)].draw(row, (int)c->dim[1], s);
    if (model_below(s, 4) == 0)
      row[model_below(s, (int)c->dim[1])] = model_below(s, 2) ? NAN : INFINITY;
  }
}

static int same_bits(float a, float b) {
  return memcmp(&a, &b, sizeof a) == 0;
}

/* What was added to the row's finite elements, which must be one exact constant; the others must be as they were. */
static double shift_of_row(const float *x, const float *changed, int64_t n, double largest) {
  double by = 0;
  int any = 0;
  for (int64_t c = 0; c < n; c++) {
    if (!isfinite(x[c])) {
      ck_assert(same_bits(x[c], changed[c]));
      continue;
    }
    if (!any)
      by = (double)changed[c] - x[c];
    any = 1;
    ck_assert_msg((double)changed[c] - (double)by == (double)x[c], "%a became %a, not %a more", (double)x[c],
                  (double)changed[c], by);
    ck_assert(fabsf(changed[c]) <= fmax(largest, fabsf(x[c])));
  }
  return by;
}

START_TEST(shifts_are_exact) {
  static Changed c;
  uint64_t s = 1;
  int moved = 0;
  for (int trial = 0; trial < 3000; trial++) {
    double largest = model_below(&s, 3) ? FLT_MAX : 80;
    draw_changed(&c, &s);
    int applied = apply(&wf_relation_shift, &c, largest, model_next(&s)), any = 0;
    for (int64_t i = 0; i < c.dim[0] * c.dim[1]; i++)
      ck_assert_int_eq(c.at[i], i);
    for (int64_t r = 0; r < c.dim[0]; r++)
      any |= shift_of_row(c.x + r * c.dim[1], c.changed + r * c.dim[1], c.dim[1], largest) != 0;
    ck_assert_int_eq(applied, any);
    moved += applied;
  }
  ck_assert_int_gt(moved, 1000);
}
END_TEST

/* Integers are moved both ways and far, with every seed or nearly so. */
START_TEST(integers_are_shifted_far) {
  static Changed c = {.dim = {1, 3}, .x = {-2, 0, 5}};
  int up = 0, down = 0, far = 0;
  for (uint64_t seed = 0; seed < 200; seed++) {
    ck_assert_int_eq(apply(&wf_relation_shift, &c, FLT_MAX, seed), 1);
    double by = shift_of_row(c.x, c.changed, 3, FLT_MAX);
    up += by > 0;
    down += by < 0;
    far += fabs(by) > 1e6;
  }
  ck_assert(up > 50 && down > 50 && far > 20);
}
END_TEST

START_TEST(what_cannot_be_shifted_stays) {
  static const float rows[][2] = {{0x1p-30f, 1e8f}, {FLT_MAX, -FLT_MAX}, {-INFINITY, -INFINITY}, {NAN, INFINITY}, {0, 0}};
  static Changed c = {.dim = {1, 2}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    memcpy(c.x, rows[i], sizeof rows[i]);
    ck_assert_int_eq(apply(&wf_relation_shift, &c, FLT_MAX, i), 0);
  }
}
END_TEST

START_TEST(permutations_move_all_columns_alike) {
  static Changed c;
  uint64_t s = 2;
  for (int trial = 0; trial < 2000; trial++) {
    draw_changed(&c, &s);
    int64_t cols = c.dim[1], moved = 0;
    int taken[MAX_COLS] = {0};
    ck_assert_int_eq(apply(&wf_relation_permute, &c, FLT_MAX, model_next(&s)), cols > 1);
    if (cols == 1)
      continue;
    for (int64_t i = 0; i < cols; i++) {
      ck_assert(c.at[i] >= 0 && c.at[i] < cols);
      taken[c.at[i]]++;
      moved += c.at[i] != i;
      for (int64_t r = 0; r < c.dim[0]; r++) {
        ck_assert_int_eq(c.at[r * cols + i], r * cols + c.at[i]);
        ck_assert(same_bits(c.changed[r * cols + c.at[i]], c.x[r * cols + i]));
      }
    }
    for (int64_t i = 0; i < cols; i++)
      ck_assert_int_eq(taken[i], 1);
    ck_assert_int_gt(moved, 0);
  }
}
END_TEST

static int row_is_kept(const Changed *c, int64_t r) {
  int64_t cols = c->dim[1], compared = c->at[r * cols] >= 0;
  for (int64_t i = r * cols; i < (r + 1) * cols; i++) {
    ck_assert_int_eq(c->at[i], compared ? i : -1);
    ck_assert(!compared || same_bits(c->x[i], c->changed[i]));
  }
  return (int)compared;
}

START_TEST(some_rows_are_spoilt_and_some_kept) {
  static Changed c;
  uint64_t s = 3;
  for (int trial = 0; trial < 2000; trial++) {
    double largest = model_below(&s, 2) ? FLT_MAX : 80;
    draw_changed(&c, &s);
    ck_assert_int_eq(apply(&wf_relation_rows, &c, largest, model_next(&s)), c.dim[0] > 1);
    int64_t kept = 0;
    for (int64_t r = 0; r < c.dim[0] && c.dim[0] > 1; r++) {
      int keeps = row_is_kept(&c, r);
      kept += keeps;
      for (int64_t i = r * c.dim[1]; i < (r + 1) * c.dim[1] && !keeps; i++)
        ck_assert(largest == FLT_MAX ? isnan(c.changed[i]) || fabsf(c.changed[i]) == FLT_MAX : fabsf(c.changed[i]) == 80);
    }
    ck_assert(c.dim[0] == 1 || (kept > 0 && kept < c.dim[0]));
  }
}
END_TEST

/* ---- kernels ---- */

typedef struct Launch {
  const float *x;
  float *y;
  int rows, cols;
} Launch;

static Launch launch_of(const WfLaunchArgs *a) {
  return (Launch){a->tensor[0], a->tensor[1], (int)a->dim[0], (int)a->dim[1]};
}

static void store_row(float *y, const float *from, int n) {
  for (int c = 0; c < n; c++)
    fake_store(y + c, from[c]);
}

static void run_model(const WfLaunchArgs *a, size_t algorithm) {
  float y[MAX_COLS];
  uint64_t state = 0;
  Model m = {0, 0, 1, MODEL_EXACT, &state, 0};
  Launch l = launch_of(a);
  for (int r = 0; r < l.rows; r++) {
    model_algorithms[algorithm].run(&m, l.x + r * l.cols, y, l.cols);
    store_row(l.y + r * l.cols, y, l.cols);
  }
}

static void in_order(const WfLaunchArgs *a) { run_model(a, 0); }

static void online(const WfLaunchArgs *a) { run_model(a, 4); }

/* exp(x - m) over the first `used` columns, over their sum. */
static void simple_row(const float *x, float *y, int n, float m, int used) {
  float e[MAX_COLS], sum = 0;
  for (int c = 0; c < n; c++)
    e[c] = expf(x[c] - m);
  for (int c = 0; c < used; c++)
    sum += e[c];
  for (int c = 0; c < n; c++)
    fake_store(y + c, e[c] / sum);
}

static float max_of(const float *x, int n, float start) {
  float m = start;
  for (int c = 0; c < n; c++)
    m = fmaxf(m, x[c]);
  return m;
}

static void subtracts_nothing(const WfLaunchArgs *a) {
  Launch l = launch_of(a);
  for (int r = 0; r < l.rows; r++)
    simple_row(l.x + r * l.cols, l.y + r * l.cols, l.cols, 0, l.cols);
}

static void maximum_from_zero(const WfLaunchArgs *a) {
  Launch l = launch_of(a);
  for (int r = 0; r < l.rows; r++)
    simple_row(l.x + r * l.cols, l.y + r * l.cols, l.cols, max_of(l.x + r * l.cols, l.cols, 0), l.cols);
}

static void stops_at_maximum(const WfLaunchArgs *a) {
  Launch l = launch_of(a);
  for (int r = 0; r < l.rows; r++) {
    const float *x = l.x + r * l.cols;
    float m = max_of(x, l.cols, -INFINITY);
    int used = 0;
    while (used < l.cols && x[used++] != m) continue;
    simple_row(x, l.y + r * l.cols, l.cols, m, used);
  }
}

/* What belongs to the row before gets the weight 0, which does not make a NaN go away. */
static void multiplies_neighbour_away(const WfLaunchArgs *a) {
  Launch l = launch_of(a);
  in_order(a);
  for (int i = l.cols; i < l.rows * l.cols; i++)
    fake_store(l.y + i, l.y[i] + 0 * l.x[i - l.cols]);
}

/* The last bit of a row depends on whether some other row is ordinary. */
static void bit_from_other_rows(const WfLaunchArgs *a) {
  Launch l = launch_of(a);
  in_order(a);
  int odd = 0;
  for (int i = 0; i < l.rows * l.cols; i++)
    odd |= !(fabsf(l.x[i]) < 1e30f);
  for (int i = 0; i < l.rows * l.cols && odd; i++)
    fake_store(l.y + i, nextafterf(l.y[i], 0));
}

/* State that outlives a launch: the third one differs. */
static int launches;

static void third_differs(const WfLaunchArgs *a) {
  Launch l = launch_of(a);
  in_order(a);
  if (++launches == 3)
    fake_store(l.y + 2, nextafterf(l.y[2], 0));
}

/* ---- running them ---- */

static void make_case(WfCase *c, uint64_t schedule) {
  memset(c, 0, sizeof *c);
  c->op = &wf_op_softmax;
  c->dim[0] = 4;
  c->dim[1] = 9;
  c->grid[0] = c->grid[1] = c->grid[2] = 1;
  c->block[0] = 32;
  c->block[1] = c->block[2] = 1;
  c->schedule = schedule;
  c->fill[0].dist = WF_DIST_RAMP;
  c->fill[0].scale = 1;
}

static void run(WfRunner *r, const WfCase *c, void (*entry)(const WfLaunchArgs *), uint32_t flags, int all, WfVerdict *v) {
  const WfVariant variant = {.name = "fake", .entry = entry, .launch = "", .flags = flags};
  const WfRunOptions opt = {.detect = SIMT_DETECT_ALL, .all_relations = all};
  char err[200] = "";
  ck_assert_msg(wf_run(r, c, &variant, &opt, v, err, sizeof err) == 0, "%s", err);
}

static WfRunner *new_runner(void) {
  WfRunner *r;
  ck_assert_int_eq(wf_runner_create(&r), 0);
  return r;
}

typedef struct Broken {
  void (*entry)(const WfLaunchArgs *);
  uint32_t flags;
  SimtClass cls, other_cls; /* by what the change happens to be */
  SimtSeverity severity;
  const char *says, *rule;
} Broken;

static const Broken broken[] = {
    {subtracts_nothing, WF_DETERMINISTIC, SIMT_WRONG_SPECIAL, SIMT_WRONG_RESULT, SIMT_ERROR,
     "with a constant added to each row", "adding a constant"},
    {maximum_from_zero, 0, SIMT_WRONG_SPECIAL, SIMT_WRONG_RESULT, SIMT_ERROR, "with a constant added to each row",
     "adding a constant"},
    {stops_at_maximum, WF_DETERMINISTIC, SIMT_WRONG_RESULT, SIMT_WRONG_RESULT, SIMT_ERROR,
     "with the columns in another order", "order of a row's columns"},
    {multiplies_neighbour_away, 0, SIMT_WRONG_SPECIAL, SIMT_WRONG_SPECIAL, SIMT_ERROR, "with other values in other rows",
     "depend on other rows"},
    {bit_from_other_rows, WF_DETERMINISTIC, SIMT_WRONG_RESULT, SIMT_WRONG_RESULT, SIMT_WARNING,
     "with other values in other rows", "depend on other rows"},
    {third_differs, WF_DETERMINISTIC, SIMT_NONDETERMINISTIC, SIMT_NONDETERMINISTIC, SIMT_ERROR,
     "when the same run is repeated", "the same run, repeated"},
    {third_differs, 0, SIMT_NONDETERMINISTIC, SIMT_NONDETERMINISTIC, SIMT_WARNING, "when the same run is repeated",
     "the same run, repeated"},
};

/* Right by the reference, and caught by one check alone; not with every seed, for some changes are small. */
START_TEST(each_broken_kernel_is_caught) {
  const Broken *b = &broken[_i];
  WfRunner *r = new_runner();
  int caught = 0;
  for (uint64_t schedule = 1; schedule <= 64; schedule++) {
    WfCase c;
    WfVerdict v;
    make_case(&c, schedule);
    launches = 0;
    run(r, &c, b->entry, b->flags, 1, &v);
    if (v.n == 0)
      continue;
    const WfFinding *f = &v.finding[0];
    caught++;
    ck_assert_msg(f->simt.cls == b->cls || f->simt.cls == b->other_cls, "%s: %s", simt_class_name(f->simt.cls),
                  f->simt.detail);
    ck_assert_int_eq(f->simt.severity, b->severity);
    ck_assert_msg(strstr(f->simt.detail, b->says) != NULL, "%s", f->simt.detail);
    ck_assert_msg(strstr(f->simt.rule, b->rule) != NULL, "%s", f->simt.rule);
    ck_assert_uint_eq(f->key, wf_case_key(&c));
    ck_assert_str_eq(f->simt.object, "y");
  }
  ck_assert_msg(caught >= 12, "caught %d times of 64", caught);
  wf_runner_destroy(r);
}
END_TEST

START_TEST(findings_show_both_values) {
  WfRunner *r = new_runner();
  WfCase c;
  WfVerdict v;
  make_case(&c, 3);
  c.dim[0] = 1;
  c.dim[1] = 2;
  run(r, &c, stops_at_maximum, WF_DETERMINISTIC, 1, &v);
  ck_assert_uint_eq(v.n, 1);
  const WfFinding *f = &v.finding[0];
  ck_assert_str_eq(f->simt.detail, "with the columns in another order, y[0,0] is 0.36787945 instead of 0.26894143");
  ck_assert_int_eq(f->index, 0);
  ck_assert_int_eq(f->n_bad, 2);
  ck_assert_str_eq(f->map[0], "##");
  ck_assert(f->bound > 0 && f->bound < 1e-6 && fabs(f->expected - 0.26894143) < 1e-7);
  wf_runner_destroy(r);
}
END_TEST

/* A user's tolerance covers relations as well. */
START_TEST(tolerances_widen_relations) {
  const WfVariant variant = {.name = "fake", .entry = stops_at_maximum, .launch = "", .flags = WF_DETERMINISTIC};
  WfRunOptions opt = {.detect = SIMT_DETECT_ALL, .all_relations = 1, .atol = 1};
  WfRunner *r = new_runner();
  WfCase c;
  WfVerdict v;
  make_case(&c, 3);
  ck_assert_int_eq(wf_run(r, &c, &variant, &opt, &v, NULL, 0), 0);
  ck_assert_uint_eq(v.n, 0);
  opt.atol = 1e-3;
  ck_assert_int_eq(wf_run(r, &c, &variant, &opt, &v, NULL, 0), 0);
  ck_assert_uint_eq(v.n, 1);
  wf_runner_destroy(r);
}
END_TEST

static void draw_case(WfCase *c, uint64_t *s) {
  static const float specials[] = {-INFINITY, NAN, INFINITY, 3e38f, -3e38f, 0};
  make_case(c, model_next(s));
  c->dim[0] = 1 + model_below(s, MAX_ROWS);
  c->dim[1] = 1 + model_below(s, MAX_COLS);
  c->fill[0] = (WfFill){.dist = (WfDist)model_below(s, WF_DIST_COUNT), .seed = model_next(s), .scale = 1};
  c->fill[0].scale = model_below(s, 2) ? 1 : 30;
  c->fill[0].offset = c->fill[0].dist == WF_DIST_MEAN ? 1000 : 0;
  c->n_edits = (uint32_t)model_below(s, 3);
  for (uint32_t i = 0; i < c->n_edits; i++) {
    int64_t row = model_below(s, MAX_ROWS), col = model_below(s, MAX_COLS);
    c->edits[i] = (WfEdit){0, {{row, row, 1}, {0, INT64_MAX, 1}}, specials[model_below(s, 6)]};
    if (model_below(s, 2))
      c->edits[i].sel[1] = (WfSel){col, col, 1};
  }
}

START_TEST(right_kernels_are_clean) {
  void (*const entries[])(const WfLaunchArgs *) = {in_order, online};
  WfRunner *r = new_runner();
  uint64_t s = 4, runs = 0;
  for (int trial = 0; trial < 2000; trial++) {
    WfCase c;
    WfVerdict v;
    draw_case(&c, &s);
    run(r, &c, entries[trial % 2], WF_DETERMINISTIC, 1, &v);
    ck_assert_msg(v.n == 0, "trial %d: %s", trial, v.finding[0].simt.detail);
    runs += v.runs;
  }
  ck_assert_uint_gt(runs, 2000 * 5); /* two, the repeat, and most relations */
  wf_runner_destroy(r);
}
END_TEST

/* ---- which cases ---- */

START_TEST(some_cases_get_one_check_each) {
  WfRunner *r = new_runner();
  uint64_t extra = 0, caught = 0, most = 0;
  for (uint64_t schedule = 0; schedule < 1600; schedule++) {
    WfCase c;
    WfVerdict v, again;
    make_case(&c, schedule);
    run(r, &c, stops_at_maximum, WF_DETERMINISTIC, 0, &v);
    run(r, &c, stops_at_maximum, WF_DETERMINISTIC, 0, &again);
    ck_assert_uint_eq(v.runs, again.runs);
    ck_assert_uint_eq(v.errors, again.errors);
    extra += v.runs - 2;
    most = v.runs > most ? v.runs : most;
    caught += v.errors != 0;
  }
  ck_assert_uint_eq(most, 3);
  ck_assert_msg(extra > 300 && extra < 500, "%u further runs", (unsigned)extra); /* 4 in 16 */
  ck_assert_msg(caught > 60 && caught < 140, "%u caught", (unsigned)caught);     /* 1 in 16 */
  wf_runner_destroy(r);
}
END_TEST

START_TEST(all_at_once_when_asked_for) {
  WfRunner *r = new_runner();
  WfCase c;
  WfVerdict v;
  make_case(&c, 9);
  run(r, &c, in_order, WF_DETERMINISTIC, 1, &v);
  ck_assert_uint_eq(v.runs, 6);
  c.dim[0] = c.dim[1] = 1; /* no column and no row to change, and zero alone has no place to move to */
  run(r, &c, in_order, WF_DETERMINISTIC, 1, &v);
  ck_assert_uint_eq(v.runs, 3);
  wf_runner_destroy(r);
}
END_TEST

int main(void) {
  Suite *s = suite_create("relations");
  TCase *t = tcase_create("relations");
  tcase_set_timeout(t, 0);
  tcase_add_test(t, shifts_are_exact);
  tcase_add_test(t, integers_are_shifted_far);
  tcase_add_test(t, what_cannot_be_shifted_stays);
  tcase_add_test(t, permutations_move_all_columns_alike);
  tcase_add_test(t, some_rows_are_spoilt_and_some_kept);
  tcase_add_loop_test(t, each_broken_kernel_is_caught, 0, (int)(sizeof broken / sizeof broken[0]));
  tcase_add_test(t, findings_show_both_values);
  tcase_add_test(t, tolerances_widen_relations);
  tcase_add_test(t, right_kernels_are_clean);
  tcase_add_test(t, some_cases_get_one_check_each);
  tcase_add_test(t, all_at_once_when_asked_for);
  suite_add_tcase(s, t);
  return suite_run(s);
}
