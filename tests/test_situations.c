/* test_situations.c - the situations that reports count, each at both sides of its edge. */
#include "../fuzz/situations.h"
#include "suite.h"
#include <check.h>
#include <math.h>
#include <string.h>

#define BIT(s) (1u << (s))

static const WfOp softmax = {
    .name = "softmax",
    .n_dims = 2,
    .n_tensors = 2,
    .dims = {{"rows", 1, 64}, {"cols", 1, 64}},
    .tensors = {{"x", WF_IN, 2, {0, 1}}, {"y", WF_OUT, 2, {0, 1}}},
};
static const WfOp add = {
    .name = "add",
    .n_dims = 1,
    .n_tensors = 3,
    .dims = {{"n", 1, 64}},
    .tensors = {{"a", WF_IN, 1, {0, 0}}, {"b", WF_IN, 1, {0, 0}}, {"c", WF_OUT, 1, {0, 0}}},
};
/* Apart from the others: which dims differ, and whether columns are a multiple of 4, changes with every shape. */
#define OF_DIMS (BIT(WF_DIMS_DIFFER) | BIT(WF_TAIL))
static uint32_t others(const WfCase *c, const WfVariant *v, const WfGeometry *g, const float *const *values) {
  return wf_situations(c, v, g, c->dim, values) & ~OF_DIMS;
}

static const WfVariant free_grid = {.name = "free"}, own_grid = {.name = "own", .grid = "rows"};

/* A case of 2 x 32, or of 64 elements, that is in no situation with these 32 threads and 2 blocks. */
static void start(WfCase *c, WfGeometry *g, const WfOp *op) {
  memset(c, 0, sizeof *c);
  c->op = op;
  c->dim[0] = op == &add ? 32 : 2;
  c->dim[1] = 32;
  *g = (WfGeometry){.grid = {2, 1, 1}, .block = {32, 1, 1}};
}

START_TEST(launch_and_shape) {
  static const float x[4 * 64];
  const float *values[] = {x, NULL};
  WfCase c;
  WfGeometry g;
  start(&c, &g, &softmax);
  ck_assert_uint_eq(others(&c, &free_grid, &g, values), 0);
  g.block[0] = 33;
  ck_assert_uint_eq(others(&c, &free_grid, &g, values), BIT(WF_PARTIAL_WARP) | BIT(WF_BLOCK_OVER_COLS));
  g.block[0] = 8;
  g.block[1] = 4; /* 32 threads: a whole warp */
  ck_assert_uint_eq(others(&c, &free_grid, &g, values), 0);
  c.dim[1] = 33;
  ck_assert_uint_eq(others(&c, &free_grid, &g, values), BIT(WF_COLS_OVER_BLOCK));
  c.dim[1] = 32;
  c.dim[0] = 3;
  ck_assert_uint_eq(others(&c, &free_grid, &g, values), BIT(WF_ROWS_OVER_GRID));
  ck_assert_uint_eq(others(&c, &own_grid, &g, values), 0);
  c.dim[0] = 1;
  ck_assert_uint_eq(others(&c, &free_grid, &g, values), BIT(WF_SINGLE_ROW));
}
END_TEST

START_TEST(base_pointers) {
  static const float x[64];
  const float *values[] = {x, NULL};
  WfCase c;
  WfGeometry g;
  start(&c, &g, &softmax);
  c.fill[0].base_offset_elems = 4;
  ck_assert_uint_eq(others(&c, &free_grid, &g, values), 0);
  c.fill[1].base_offset_elems = 5;
  ck_assert_uint_eq(others(&c, &free_grid, &g, values), BIT(WF_UNALIGNED_BASE));
}
END_TEST

START_TEST(input_values) {
  float x[64] = {0};
  const float *values[] = {x, NULL};
  WfCase c;
  WfGeometry g;
  start(&c, &g, &softmax);
  x[63] = NAN;
  ck_assert_uint_eq(others(&c, &free_grid, &g, values), BIT(WF_NAN_INPUT));
  x[63] = INFINITY;
  ck_assert_uint_eq(others(&c, &free_grid, &g, values), BIT(WF_INF_INPUT));
  for (int i = 31; i < 63; i++) /* 32 neighbours, but in two rows */
    x[i] = -INFINITY;
  x[63] = 0;
  ck_assert_uint_eq(others(&c, &free_grid, &g, values), BIT(WF_INF_INPUT));
  x[63] = -INFINITY;
  ck_assert_uint_eq(others(&c, &free_grid, &g, values), BIT(WF_INF_INPUT) | BIT(WF_MASKED_ROW));
}
END_TEST

START_TEST(one_dimension_is_one_row) {
  float a[33] = {0}, b[33] = {0};
  const float *values[] = {a, b, NULL};
  WfCase c;
  WfGeometry g;
  start(&c, &g, &add);
  ck_assert_uint_eq(others(&c, &free_grid, &g, values), 0);
  b[31] = NAN;
  ck_assert_uint_eq(others(&c, &free_grid, &g, values), BIT(WF_NAN_INPUT));
  c.dim[0] = 33;
  ck_assert_uint_eq(others(&c, &free_grid, &g, values), BIT(WF_NAN_INPUT) | BIT(WF_COLS_OVER_BLOCK));
}
END_TEST

START_TEST(dims_and_tiles) {
  static const float x[64 * 64];
  const float *values[] = {x, NULL};
  const WfVariant tiled = {.name = "tiled", .tile = 16};
  WfCase c;
  WfGeometry g = {.grid = {64, 1, 1}, .block = {32, 1, 1}};
  static const struct {
    int64_t rows, cols;
    uint32_t in_place, set;
  } rows[] = {
      {32, 32, 0, BIT(WF_OVER_TILE)},
      {16, 16, 0, BIT(WF_BLOCK_OVER_COLS)},
      {16, 32, 0, BIT(WF_DIMS_DIFFER) | BIT(WF_OVER_TILE)},
      {16, 33, 0, BIT(WF_DIMS_DIFFER) | BIT(WF_TAIL) | BIT(WF_PARTIAL_TILE) | BIT(WF_OVER_TILE) | BIT(WF_COLS_OVER_BLOCK)},
      {15, 32, 0, BIT(WF_DIMS_DIFFER) | BIT(WF_PARTIAL_TILE) | BIT(WF_OVER_TILE)},
      {16, 32, 1, BIT(WF_DIMS_DIFFER) | BIT(WF_OVER_TILE) | BIT(WF_IN_PLACE)},
      {0, 32, 0, BIT(WF_DIMS_DIFFER) | BIT(WF_OVER_TILE) | BIT(WF_EMPTY_DIM)},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    start(&c, &g, &softmax);
    c.dim[0] = rows[i].rows;
    c.dim[1] = rows[i].cols;
    c.in_place = rows[i].in_place;
    g.grid[0] = 64;
    uint32_t set = wf_situations(&c, &tiled, &g, c.dim, values);
    ck_assert_msg(set == rows[i].set, "row %zu: %#x, not %#x", i, set, rows[i].set);
  }
}
END_TEST

START_TEST(contracts_leave_room) {
  const uint32_t never = BIT(WF_PARTIAL_TILE) | BIT(WF_OVER_TILE) | BIT(WF_EMPTY_DIM) | BIT(WF_IN_PLACE) | BIT(WF_EXACT);
  const uint32_t every = (BIT(WF_SITUATION_COUNT) - 1) & ~never, all = every & ~BIT(WF_PAST_31_BITS);
  const WfVariant whole_warps = {.name = "whole", .block = "64..1024 multiple of 32"},
                  aligned = {.name = "aligned", .requires = "align % 4 == 0"},
                  narrow = {.name = "narrow", .requires = "cols <= block.x"},
                  one_row = {.name = "one", .grid = "1", .requires = "rows == 1 && cols > block.x"},
                  finite = {.name = "finite", .values = 1},
                  owner = {.name = "owner", .owns = "b .. rows step grid.x", .flags = WF_BLOCKS_INDEPENDENT},
                  nothing = {.name = "nothing", .requires = "rows < 1"};
  const WfVariant tiled = {.name = "tiled", .tile = 16, .in_place = "x", .flags = WF_EMPTY};
  WfOp sliced = softmax, empty = softmax, bounded = softmax;
  empty.dims[0].min = empty.dims[1].min = 0;
  empty.exact = 1;
  ck_assert_uint_eq(wf_situations_allowed(&empty, &tiled), all | never);
  ck_assert_uint_eq(wf_situations_allowed(&empty, &free_grid), all | BIT(WF_EXACT));
  sliced.slices_independent = 1;
  ck_assert_uint_eq(wf_situations_allowed(&softmax, &free_grid), all);
  ck_assert_uint_eq(wf_situations_allowed(&softmax, &owner), all);
  ck_assert_uint_eq(wf_situations_allowed(&sliced, &free_grid), all);
  ck_assert_uint_eq(wf_situations_allowed(&sliced, &owner), every);
  ck_assert_uint_eq(wf_situations_allowed(&softmax, &own_grid), all & ~BIT(WF_ROWS_OVER_GRID));
  /* dims go up to 64: no row is longer than 64 threads, but for the long ones that are drawn now and then, where that may be */
  bounded.is_bounded = 1;
  ck_assert_uint_eq(wf_situations_allowed(&bounded, &whole_warps), all & ~BIT(WF_PARTIAL_WARP) & ~BIT(WF_COLS_OVER_BLOCK));
  ck_assert_uint_eq(wf_situations_usual(&softmax, &whole_warps), all & ~BIT(WF_PARTIAL_WARP) & ~BIT(WF_COLS_OVER_BLOCK));
  ck_assert_uint_eq(wf_situations_allowed(&softmax, &whole_warps), all & ~BIT(WF_PARTIAL_WARP));
  ck_assert_uint_eq(wf_situations_allowed(&softmax, &aligned), all & ~BIT(WF_UNALIGNED_BASE));
  ck_assert_uint_eq(wf_situations_allowed(&softmax, &narrow), all & ~BIT(WF_COLS_OVER_BLOCK));
  ck_assert_uint_eq(wf_situations_allowed(&softmax, &one_row), all & ~BIT(WF_ROWS_OVER_GRID) & ~BIT(WF_BLOCK_OVER_COLS));
  ck_assert_uint_eq(wf_situations_allowed(&softmax, &finite),
                    all & ~(BIT(WF_MASKED_ROW) | BIT(WF_NAN_INPUT) | BIT(WF_INF_INPUT)));
  ck_assert_uint_eq(wf_situations_allowed(&softmax, &nothing),
                    BIT(WF_MASKED_ROW) | BIT(WF_NAN_INPUT) | BIT(WF_INF_INPUT));
  ck_assert_uint_eq(wf_situations_allowed(&add, &free_grid), all & ~BIT(WF_SINGLE_ROW) & ~BIT(WF_ROWS_OVER_GRID) & ~BIT(WF_DIMS_DIFFER));
}
END_TEST

START_TEST(names_are_distinct) {
  for (int i = 0; i < WF_SITUATION_COUNT; i++)
    for (int j = 0; j < i; j++)
      ck_assert_str_ne(wf_situation_name((WfSituation)i), wf_situation_name((WfSituation)j));
  ck_assert_str_eq(wf_situation_name(WF_MASKED_ROW), "masked-row");
}
END_TEST

int main(void) {
  Suite *s = suite_create("situations");
  TCase *t = tcase_create("situations");
  tcase_add_test(t, launch_and_shape);
  tcase_add_test(t, base_pointers);
  tcase_add_test(t, input_values);
  tcase_add_test(t, one_dimension_is_one_row);
  tcase_add_test(t, dims_and_tiles);
  tcase_add_test(t, contracts_leave_room);
  tcase_add_test(t, names_are_distinct);
  suite_add_tcase(s, t);
  return suite_run(s);
}
