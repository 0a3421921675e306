/* test_shapes.c - ops that are no rows and columns: extents that are formulas, launches in two and three dimensions, empty dims,
 * outputs that hold a value before the launch or lie in an input's memory, flags among the scalars. The engine is the tests' own. */
#include "../fuzz/draw.h"
#include "../fuzz/run.h"
#include "../fuzz/situations.h"
#include "fake_simt.h"
#include "primes.h"
#include "suite.h"
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BIT(c) (1u << (c))
#define COUNT(a) ((int)(sizeof(a) / sizeof *(a)))

/* ---- ops ---- */

static const WfVariant window_variants[] = {
    {.name = "plain", .grid = "(m - k + block.x) / block.x", .grid_y = "(n - k + block.y) / block.y", .block_y = "1..32"},
    {.name = "tiled", .block = "32", .block_y = "32", .tile = 32, .grid = "(m - k + 32) / 32", .grid_y = "(n - k + 32) / 32"},
    {.name = "deep", .block = "8,16", .block_y = "4..8", .block_z = "2,4,8", .grid = "m", .requires = "block.y * block.z <= 32"},
};
static const WfOp window = {
    .name = "window",
    .n_dims = 3,
    .n_tensors = 3,
    .dims = {{"m", 1, 200}, {"n", 1, 200}, {"k", 1, 200}},
    .requires = "k <= m && k <= n",
    .work = "(m - k + 1) * (n - k + 1) * k * k",
    .tensors = {{"x", WF_IN, 2, {0, 1}, 0}, {"w", WF_IN, 1, {WF_TIMES(2, 2)}, 0}, {"y", WF_OUT, 2, {WF_VALID(0, 2), WF_VALID(1, 2)}, 0}},
    .variants = window_variants,
    .n_variants = 3,
};

/* y = factor * x, or -factor * x; entries below. */
static void scale_right(const WfLaunchArgs *a);
static void scale_in_two_steps(const WfLaunchArgs *a);
static const WfVariant scale_variants[] = {
    {.name = "right", .entry = scale_right, .launch = "", .grid = "(n + block.x - 1) / block.x", .in_place = "b x", .flags = WF_EMPTY},
    {.name = "two_steps", .entry = scale_in_two_steps, .launch = "", .in_place = "x"},
};
static int scale_reference(const WfRefArgs *a, double *out, double *bound) {
  for (int64_t i = 0; i < a->dim[0]; i++) {
    out[i] = (a->scalar[1] != 0 ? -1 : 1) * a->scalar[0] * (double)a->in[0][i];
    bound[i] = 0;
  }
  return 0;
}
static const WfOp scale = {
    .name = "scale",
    .n_dims = 1,
    .n_tensors = 2,
    .n_scalars = 2,
    .dims = {{"n", 0, 200}},
    .tensors = {{"x", WF_IN, 1, {0}, 0}, {"y", WF_OUT, 1, {0}, 0}},
    .scalars = {{"factor", WF_REAL, {2, 0.5, 4}, 3}, {"negative", WF_FLAG, {0}, 0}},
    .reference = scale_reference,
    .exact = 1,
    .variants = scale_variants,
    .n_variants = 2,
};

/* out = 0 + sum of x. */
static void sum_right(const WfLaunchArgs *a);
static void sum_nothing(const WfLaunchArgs *a);
static const WfVariant sum_variants[] = {
    {.name = "right", .entry = sum_right, .launch = "", .flags = WF_EMPTY, .depth = "n / block.x + 2"},
    {.name = "nothing", .entry = sum_nothing, .launch = "", .flags = WF_EMPTY},
};
static int sum_reference(const WfRefArgs *a, double *out, double *bound) {
  out[0] = 0;
  for (int64_t i = 0; i < a->dim[0]; i++)
    out[0] += (double)a->in[0][i];
  bound[0] = a->depth == 7 ? 0 : INFINITY; /* what the test below expects of the contract's text */
  return 0;
}
static const WfOp sum = {
    .name = "sum",
    .n_dims = 1,
    .n_tensors = 2,
    .dims = {{"n", 0, 200}},
    .tensors = {{"x", WF_IN, 1, {0}, 0}, {"out", WF_OUT, 1, {WF_ONE}, WF_START_ZERO}},
    .reference = sum_reference,
    .variants = sum_variants,
    .n_variants = 2,
};
static const WfOp *const all_ops[] = {&window, &scale, &sum};
const WfOp *const wf_ops[] = {&window, &scale, &sum, NULL};

/* ---- kernels ---- */

static float scaled(const WfLaunchArgs *a, float x) { return (float)((a->scalar[1] != 0 ? -1 : 1) * a->scalar[0] * (double)x); }

static void scale_right(const WfLaunchArgs *a) {
  const float *x = a->tensor[0];
  for (int64_t i = 0; i < a->dim[0]; i++)
    fake_store((float *)a->tensor[1] + i, scaled(a, x[i]));
}

/* Right only where y has memory of its own. */
static void scale_in_two_steps(const WfLaunchArgs *a) {
  const float *x = a->tensor[0];
  for (int64_t i = 0; i < a->dim[0]; i++)
    fake_store((float *)a->tensor[1] + i, 0);
  for (int64_t i = 0; i < a->dim[0]; i++)
    fake_store((float *)a->tensor[1] + i, scaled(a, x[i]));
}

static void sum_right(const WfLaunchArgs *a) {
  float *out = a->tensor[1];
  for (int64_t i = 0; i < a->dim[0]; i++)
    fake_store(out, *out + ((const float *)a->tensor[0])[i]);
}

static void sum_nothing(const WfLaunchArgs *a) { (void)a; }

/* ---- extents ---- */

START_TEST(extents_are_formulas) {
  const int64_t dim[] = {10, 7, 3}, small[] = {2, 7, 3}, large[] = {1, 1, (int64_t)1 << 40};
  char text[WF_EXTENT_TEXT];
  ck_assert_int_eq(wf_extent(&window.tensors[2], 0, dim), 8);
  ck_assert_int_eq(wf_extent(&window.tensors[2], 1, dim), 5);
  ck_assert_int_eq(wf_extent(&window.tensors[1], 0, dim), 9);
  ck_assert_int_eq(wf_extent(&sum.tensors[1], 0, dim), 1);
  ck_assert_int_eq(wf_extent(&window.tensors[2], 0, small), 0);
  ck_assert_int_eq(wf_extent(&window.tensors[1], 0, large), -1);
  ck_assert_str_eq(wf_extent_text(&window, &window.tensors[2], 0, text), "m-k+1");
  ck_assert_str_eq(wf_extent_text(&window, &window.tensors[1], 0, text), "k*k");
  ck_assert_str_eq(wf_extent_text(&window, &window.tensors[0], 1, text), "n");
  ck_assert_str_eq(wf_extent_text(&sum, &sum.tensors[1], 0, text), "1");
}
END_TEST

/* ---- admission ---- */

typedef struct Admission {
  const char *op, *variant, *text, *why; /* why NULL: admitted, with this grid */
  uint32_t grid[3];
} Admission;

#define WINDOW "x normal\nw normal\n"
static const Admission admissions[] = {
    {"window", "plain", WINDOW "m 9\nn 20\nk 3\nblock 4 8\n", NULL, {2, 3, 1}},
    {"window", "plain", WINDOW "m 9\nn 20\nk 3\nblock 4 8\ngrid 2 3\n", NULL, {2, 3, 1}},
    {"window", "plain", WINDOW "m 9\nn 20\nk 3\nblock 4 8\ngrid 2 4\n", "grid.y is 4, and the contract's grid '(n - k + block.y) / block.y' gives 3", {0}},
    {"window", "plain", WINDOW "m 9\nn 20\nk 3\nblock 4 8\ngrid 2 3 2\n", "grid.z is 2, and the contract's grid '1' gives 1", {0}},
    {"window", "plain", WINDOW "m 9\nn 20\nk 3\nblock 4 33\n", "block.y is 33, and the contract wants 1..32", {0}},
    {"window", "plain", WINDOW "m 9\nn 20\nk 3\nblock 4 8 2\n", "block.z is 2, and the contract wants 1", {0}},
    {"window", "plain", WINDOW "m 9\nn 20\nk 3\nblock 64 32\n", "a block has 1 to 1024 threads, not 2048", {0}},
    {"window", "plain", WINDOW "m 9\nn 20\nk 10\nblock 4 8\n", "the op requires k <= m && k <= n", {0}},
    {"window", "plain", WINDOW "m 9\nn 9\nk 9\nblock 4 8\n", NULL, {1, 1, 1}},
    {"window", "deep", WINDOW "m 9\nn 20\nk 3\nblock 8 8 4\n", NULL, {9, 1, 1}},
    {"window", "deep", WINDOW "m 9\nn 20\nk 3\nblock 16 8 8\n", "the contract requires block.y * block.z <= 32", {0}},
    {"scale", "right", "x normal\nn 0\nblock 32\nscalars 2 0\n", NULL, {0, 1, 1}},
    {"scale", "two_steps", "x normal\nn 0\nblock 32\nscalars 2 0\n", "n is 0, and the contract admits no empty tensors", {0}},
    {"scale", "right", "x normal\nn 5\nblock 32\nscalars 2 1\nin-place x\n", NULL, {1, 1, 1}},
    {"sum", "right", "x normal\nn 5\nblock 32\nin-place x\n", "the contract does not admit the output in the memory of x", {0}},
    {"sum", "right", "x normal\nn 0\nblock 32\n", NULL, {1, 1, 1}},
};

static void parse(const char *op, const char *lines, WfCase *c) {
  char text[512], err[256];
  snprintf(text, sizeof text, "warpfuzz case 1\nop %s\n%s", op, lines);
  ck_assert_msg(wf_case_parse(c, text, strlen(text), "t", err, sizeof err) == 0, "%s", err);
}

START_TEST(contract_admits) {
  const Admission *a = &admissions[_i];
  char why[256] = "";
  WfCase c;
  WfGeometry g = {0};
  parse(a->op, a->text, &c);
  int admitted = wf_case_admits(&c, wf_variant_find(c.op, a->variant, strlen(a->variant)), &g, why, sizeof why);
  ck_assert_str_eq(why, a->why ? a->why : "");
  ck_assert_int_eq(admitted, a->why == NULL);
  ck_assert_mem_eq(g.grid, a->grid, sizeof g.grid);
}
END_TEST

/* The launch that a case outside the contract gets: what the case says, formulas where it leaves room. */
START_TEST(launch_outside_the_contract) {
  WfCase c;
  WfGeometry g;
  char why[128];
  parse("window", WINDOW "m 9\nn 20\nk 3\nblock 64 2 3\n", &c);
  ck_assert_msg(wf_case_launch(&c, &window_variants[1], &g, why, sizeof why), "%s", why);
  const uint32_t grid[] = {1, 1, 1}, block[] = {64, 2, 3};
  ck_assert_mem_eq(g.grid, grid, sizeof grid);
  ck_assert_mem_eq(g.block, block, sizeof block);
  parse("window", WINDOW "m 9\nn 20\nk 3\nblock 64\ngrid 5 6 7\n", &c);
  ck_assert_msg(wf_case_launch(&c, &window_variants[1], &g, why, sizeof why), "%s", why);
  const uint32_t given[] = {5, 6, 7};
  ck_assert_mem_eq(g.grid, given, sizeof given);
  ck_assert_int_eq(wf_geometry_threads(&g), 5 * 6 * 7 * 64);
}
END_TEST

/* ---- text ---- */

START_TEST(place_of_the_output_in_text) {
  static const struct { const char *lines, *err; } bad[] = {
      {"in-place y\n", "t:3: the op has no input 'y'"},
      {"in-place\n", "t:3: the op has no input <end of line>"},
      {"in-place x\nin-place x\n", "t:4: given twice: 'in-place'"},
      {"in-place x y\n", "t:3: unexpected 'y'"},
  };
  WfCase c, again;
  char err[256];
  parse("scale", "x normal\nn 5\nblock 32\nscalars 2 1\nin-place x\n", &c);
  ck_assert_uint_eq(c.in_place, 1);
  char *text = wf_case_print(&c);
  ck_assert_ptr_nonnull(strstr(text, "\nin-place x\n"));
  ck_assert_int_eq(wf_case_parse(&again, text, strlen(text), "t", err, sizeof err), 0);
  ck_assert_mem_eq(&c, &again, sizeof c);
  free(text);
  for (int i = 0; i < COUNT(bad); i++) {
    char whole[200];
    snprintf(whole, sizeof whole, "warpfuzz case 1\nop scale\n%s", bad[i].lines);
    ck_assert_int_eq(wf_case_parse(&c, whole, strlen(whole), "t", err, sizeof err), -1);
    ck_assert_str_eq(err, bad[i].err);
  }
}
END_TEST

/* ---- generator ---- */

typedef struct Seen {
  int blocks_of_more_dims, empty, in_place, flags[2], scalars, exact;
  uint8_t edge[3][3]; /* dim, tile - 1 .. tile + 1 */
  int differ, all_one, primes;
} Seen;

static void note(Seen *s, const WfCase *c, int64_t tile) {
  int n = c->op->n_dims, ones = 0, primes = 0;
  for (int i = 0; i < n; i++) {
    s->empty += c->dim[i] == 0;
    ones += c->dim[i] == 1;
    primes += is_prime(c->dim[i]);
    if (c->dim[i] >= tile - 1 && c->dim[i] <= tile + 1)
      s->edge[i][c->dim[i] - tile + 1] = 1;
  }
  s->blocks_of_more_dims += c->block[1] > 1 || c->block[2] > 1;
  s->in_place += c->in_place != 0;
  s->flags[c->scalar[1] != 0]++;
  s->scalars += c->scalar[0] != 2;
  s->exact += c->fill[0].dist == WF_DIST_DISTINCT;
  s->differ += n == 3 && c->dim[0] != c->dim[1] && c->dim[1] != c->dim[2] && c->dim[0] != c->dim[2];
  s->all_one += ones == n;
  s->primes += primes == n;
}

/* Cases of all sources in turn: drawn, mutated, crossed. */
static void draw_cases(const WfOp *op, const WfVariant *v, int n, Seen *s) {
  WfChoice ch = {.state = 1};
  WfCase c, other;
  char why[256];
  memset(s, 0, sizeof *s);
  wf_case_generate(&other, op, v, &ch);
  for (int i = 0; i < n; i++) {
    if (i % 3 == 0)
      wf_case_generate(&c, op, v, &ch);
    else if (i % 3 == 1)
      wf_case_mutate(&c, v, &ch);
    else
      wf_case_cross(&c, &c, &other, v, &ch);
    ck_assert_msg(wf_case_admits(&c, v, NULL, why, sizeof why), "%s: case %d: %s", v->name, i, why);
    note(s, &c, v->tile ? v->tile : 32);
    other = i % 7 == 0 ? c : other;
  }
}

START_TEST(generated_cases_stay_inside) {
  enum { CASES = 3000 };
  for (int o = 0; o < COUNT(all_ops); o++)
    for (size_t k = 0; k < all_ops[o]->n_variants; k++) {
      const WfVariant *v = &all_ops[o]->variants[k];
      Seen s;
      draw_cases(all_ops[o], v, CASES, &s);
      ck_assert_int_eq(s.blocks_of_more_dims > CASES / 3, v->block_y != NULL);
      ck_assert_int_eq(s.empty > CASES / 200, (v->flags & WF_EMPTY) != 0);
      ck_assert_int_le(s.empty, CASES / 10); /* they show little */
      ck_assert_int_eq(s.in_place > CASES / 20, v->in_place != NULL);
      ck_assert_int_eq(s.exact > CASES / 20, all_ops[o]->exact);
      ck_assert(!all_ops[o]->n_scalars || (s.flags[0] > CASES / 4 && s.flags[1] > CASES / 4 && s.scalars > CASES / 8));
    }
}
END_TEST

/* Shapes in which m, n and k are exchanged or rounded wrongly show it: each is reached soon. */
START_TEST(three_dims_reach_their_edges) {
  enum { CASES = 6000 };
  Seen s;
  draw_cases(&window, &window_variants[1], CASES, &s);
  for (int dim = 0; dim < 3; dim++)
    for (int edge = 0; edge < 3; edge++)
      ck_assert_msg(s.edge[dim][edge], "%s never is %d", window.dims[dim].name, 31 + edge);
  ck_assert_msg(s.differ > CASES / 4, "m, n and k differ in %d cases", s.differ);
  ck_assert_msg(s.all_one > 0, "m, n and k are never 1 together");
  ck_assert_msg(s.primes > 10, "m, n and k are primes in %d cases", s.primes);
}
END_TEST

/* ---- runs ---- */

static void run_case(const WfCase *c, const WfVariant *v, WfVerdict *out) {
  const WfRunOptions opt = {.detect = SIMT_DETECT_ALL};
  WfRunner *r;
  char err[256] = "";
  ck_assert_int_eq(wf_runner_create(&r), 0);
  ck_assert_msg(wf_run(r, c, v, &opt, out, err, sizeof err) == 0, "%s", err);
  wf_runner_destroy(r);
}

START_TEST(output_in_place) {
  WfCase c;
  WfVerdict v;
  const char *const lines[] = {"x ramp offset=1\nn 5\nblock 32\nscalars 2 1\n", "x ramp offset=1\nn 5\nblock 32\nscalars 2 1\nin-place x\n"};
  for (int k = 0; k < 2; k++) {
    parse("scale", lines[k], &c);
    run_case(&c, &scale_variants[0], &v);
    ck_assert_msg(v.errors == 0 && v.warnings == 0, "%#x", v.errors); /* the input has changed, as it should */
    ck_assert_uint_eq(v.situations >> WF_EXACT & 1, 1);
    run_case(&c, &scale_variants[1], &v);
    ck_assert_uint_eq(v.errors, k ? BIT(SIMT_WRONG_RESULT) : 0);
  }
}
END_TEST

START_TEST(outputs_with_a_start_value) {
  WfCase c;
  WfVerdict v;
  parse("sum", "x ramp offset=1\nn 5\nblock 1\n", &c);
  run_case(&c, &sum_variants[0], &v); /* would be 15 and more if the second run went on from the first */
  ck_assert_uint_eq(v.errors | v.warnings, 0);
  parse("sum", "x constant offset=1\nn 5\nblock 1\n", &c);
  WfVariant deep = sum_variants[1];
  deep.depth = "7";
  run_case(&c, &deep, &v); /* nobody wrote it: not for that, but for its value */
  ck_assert_uint_eq(v.errors, BIT(SIMT_WRONG_RESULT));
  parse("sum", "x normal\nn 0\nblock 1\n", &c);
  run_case(&c, &deep, &v);
  ck_assert_uint_eq(v.errors, 0); /* 0 it was, and 0 it is */
  WfVariant shallow = sum_variants[1];
  shallow.depth = "6";
  parse("sum", "x constant offset=1\nn 5\nblock 1\n", &c);
  run_case(&c, &shallow, &v);
  ck_assert_uint_eq(v.errors, 0); /* the reference of this test accepts all then */
}
END_TEST

int main(void) {
  Suite *s = suite_create("shapes");
  TCase *t = tcase_create("shapes");
  tcase_add_test(t, extents_are_formulas);
  tcase_add_loop_test(t, contract_admits, 0, COUNT(admissions));
  tcase_add_test(t, launch_outside_the_contract);
  tcase_add_test(t, place_of_the_output_in_text);
  tcase_add_test(t, generated_cases_stay_inside);
  tcase_add_test(t, three_dims_reach_their_edges);
  tcase_add_test(t, output_in_place);
  tcase_add_test(t, outputs_with_a_start_value);
  suite_add_tcase(s, t);
  return suite_run(s);
}
