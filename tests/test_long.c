/* test_long.c - lengths past the limits that kernels have built in: one long dim at a time, inside the contract and not too dear; and ranges
 * of --dims, of which both ends and the middle are drawn. */
#include "../fuzz/limits.h"
#include "case_op.h"
#include "suite.h"
#include <check.h>
#include <string.h>

enum { CASES = 300 };

/* How many of the cases have a dim of at least `from`; all are admitted. */
static int count_long(const WfOp *op, const WfVariant *v, unsigned longer, int64_t from, int64_t *longest) {
  WfChoice ch = {.state = 11};
  int n = 0;
  for (int i = 0; i < CASES; i++) {
    WfCase c;
    char why[160] = "";
    int64_t most = 0, work = 1;
    ch.longer = longer ? longer + (unsigned)i % 3 : 0; /* dims take turns */
    wf_case_generate(&c, op, v, &ch);
    ck_assert_msg(wf_case_admits(&c, v, NULL, why, sizeof why), "%s: %s", v->name, why);
    for (int k = 0; k < op->n_dims; k++) {
      most = c.dim[k] > most ? c.dim[k] : most;
      work *= c.dim[k];
    }
    ck_assert_msg(work <= 1 << 21, "%s: %lld", v->name, (long long)work);
    n += most >= from;
    *longest = most > *longest ? most : *longest;
  }
  return n;
}

START_TEST(long_ones_are_drawn_when_wanted) {
  const WfVariant v = {.name = "warp_row", .block = "32", .grid = "rows"}, quarters = {.name = "float4", .block = "32", .grid = "rows", .requires = "cols % 4 == 0"};
  int64_t longest = 0;
  ck_assert_int_eq(count_long(&softmax_op, &v, 0, 8000, &longest), 0);
  ck_assert_int_gt(count_long(&softmax_op, &v, 1, 2000, &longest), CASES / 2);
  ck_assert_int_gt(count_long(&softmax_op, &v, 8, 4097, &longest), CASES / 2);
  ck_assert_int_gt(longest, 131072);
  ck_assert_int_gt(count_long(&softmax_op, &quarters, 8, 4097, &longest), CASES / 2);
  ck_assert_int_gt(count_long(&matmul_op, &(WfVariant){.name = "free"}, 8, 1025, &longest), CASES / 2);
}
END_TEST

/* Contracts that have none go on as ever, and so does an op whose dims are bounded. */
START_TEST(short_ones_where_there_are_no_others) {
  const WfVariant narrow = {.name = "narrow", .block = "32", .requires = "rows <= 100 && cols <= 1024"};
  WfOp bounded = softmax_op;
  int64_t longest = 0;
  ck_assert_int_eq(count_long(&softmax_op, &narrow, 8, 1025, &longest), 0);
  bounded.is_bounded = 1;
  longest = 0;
  count_long(&bounded, &(WfVariant){.name = "free", .block = "32"}, 8, 4097, &longest);
  ck_assert_int_le(longest, 4096);
}
END_TEST

static const struct {
  const char *dims;
  int64_t least, most; /* of rows */
} ranges[] = {{"rows=60000..66000 cols=1..8", 60000, 66000}, {"rows=1..100000 cols=1", 1, 100000}, {"rows=4..80000 multiple of 4", 4, 80000}};

START_TEST(both_ends_of_a_range_and_the_middle) {
  const WfVariant v = {.name = "warp_row", .block = "32", .grid = "(rows + 31) / 32"};
  const WfOp *op = &softmax_op;
  const int64_t least = ranges[_i].least, most = ranges[_i].most, third = (most - least) / 3;
  WfLimits limits;
  WfChoice ch = {.state = 7, .limits = &limits};
  char err[128] = "";
  int n_least = 0, n_most = 0, n_middle = 0;
  ck_assert_msg(wf_limits_parse(ranges[_i].dims, &op, 1, &limits, err, sizeof err) == 0, "%s", err);
  for (int i = 0; i < 2 * CASES; i++) {
    WfCase c;
    wf_case_generate(&c, op, &v, &ch);
    ck_assert(wf_limits_hold(&limits, &c));
    n_least += c.dim[0] == least;
    n_most += c.dim[0] == most;
    n_middle += c.dim[0] > least + third && c.dim[0] < most - third;
  }
  ck_assert_msg(n_least > 0 && n_most > 0 && n_middle > 0, "%s: %d %d %d", ranges[_i].dims, n_least, n_middle, n_most);
}
END_TEST

/* A grid that a device refuses costs nothing: its lengths are drawn. */
START_TEST(grids_that_are_refused) {
  const WfVariant v = {.name = "row_a_block", .block = "256", .grid = "1", .grid_y = "rows"};
  int64_t longest = 0;
  count_long(&softmax_op, &v, 8, 65536, &longest);
  ck_assert_int_gt(longest, 65536);
}
END_TEST

int main(void) {
  Suite *s = suite_create("long");
  TCase *t = tcase_create("long");
  tcase_set_timeout(t, 0);
  tcase_add_test(t, long_ones_are_drawn_when_wanted);
  tcase_add_test(t, short_ones_where_there_are_no_others);
  tcase_add_loop_test(t, both_ends_of_a_range_and_the_middle, 0, (int)(sizeof ranges / sizeof *ranges));
  tcase_add_test(t, grids_that_are_refused);
  suite_add_tcase(s, t);
  return suite_run(s);
}
