/* test_limits.c - what a user narrows a campaign to, and cases outside of contracts: the text, intersections of SPECs, and
 * that everything that is drawn, mutated and crossed keeps to it. */
#include "../fuzz/limits.h"
#include "case_op.h"
#include "suite.h"
#include <check.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(a) ((int)(sizeof(a) / sizeof(a)[0]))

/* ---- both of two SPECs, against the definition ---- */

static const char *const spec_texts[] = {
    "7",     "32,64,128", "5,6,7,96",           "1..1024",           "0..10",       "3..100 multiple of 8", "96..96 multiple of 32",
    "1..40", "0..1000 multiple of 12", "1..1024 power of 2", "5..100 power of 2", "1024", "0..0", "33..63 multiple of 1",
};

static WfSpec spec_of(const char *text) {
  WfSpec s;
  char err[128] = "";
  ck_assert_msg(wf_spec_parse(text, &s, err, sizeof err) == 0, "%s: %s", text, err);
  return s;
}

static void check_both(const char *ta, const char *tb) {
  WfSpec a = spec_of(ta), b = spec_of(tb), both;
  int n = 0, rc = wf_spec_intersect(&a, &b, &both);
  for (int64_t v = 0; v <= 1100; v++) {
    int wanted = wf_spec_admits(&a, v) && wf_spec_admits(&b, v);
    n += wanted;
    if (rc == 0) ck_assert_msg(wf_spec_admits(&both, v) == wanted, "%s and %s: %d", ta, tb, (int)v);
  }
  ck_assert_msg((rc == 0) == (n > 0), "%s and %s: %d, %d numbers", ta, tb, rc, n);
  if (rc != 0) return;
  ck_assert(wf_spec_admits(&both, both.min) && wf_spec_admits(&both, both.max));
  for (int64_t v = 0; v <= 1100; v++) ck_assert(wf_spec_admits(&both, wf_spec_snap(&both, v)));
  WfChoice ch = {.state = 1};
  for (int i = 0; i < 200; i++) ck_assert(wf_spec_admits(&both, wf_spec_draw(&both, &ch)));
}

START_TEST(intersection_is_both) {
  for (int i = 0; i < COUNT(spec_texts); i++)
    for (int k = 0; k < COUNT(spec_texts); k++) check_both(spec_texts[i], spec_texts[k]);
}
END_TEST

START_TEST(intersection_of_huge_multiples) {
  WfSpec a = spec_of("1..1099511627776 multiple of 1099511627775"), b = spec_of("1..1099511627776 multiple of 1099511627773"), c;
  ck_assert_int_eq(wf_spec_intersect(&a, &b, &c), -1);
  ck_assert_int_eq(wf_spec_intersect(&a, &a, &a), 0);
  ck_assert(a.min == 1099511627775 && a.max == 1099511627775);
}
END_TEST

/* ---- the text ---- */

static const struct {
  const char *text, *dims[2]; /* SPECs that softmax's rows and cols have then; NULL: not limited */
  const char *block;
} good[] = {
    {"rows=1..8 cols=1000..1030", {"1..8", "1000..1030"}, NULL},
    {"rows=1..8,cols=1000..1030", {"1..8", "1000..1030"}, NULL},
    {"cols=32,64,96", {NULL, "32,64,96"}, NULL},
    {"cols=32, 64 ,96 , rows=5", {"5", "32,64,96"}, NULL},
    {"cols=1..4096 multiple of 4", {NULL, "4..4096 multiple of 4"}, NULL},
    {"cols=1..4096 multiple of 4,rows=2", {"2", "1..4096 multiple of 4"}, NULL},
    {"  cols = 0x10..64 power of 2  ", {NULL, "16..64 power of 2"}, NULL},
    {"block=256", {NULL, NULL}, "256"},
    {"cols=100000..200000 block=32..1024 multiple of 32", {NULL, "100000..200000"}, "32..1024 multiple of 32"},
    {"rows=1,cols=1099511627776", {"1", "1099511627776"}, NULL},
};

static void check_spec(const WfSpec *got, int given, const char *wanted) {
  ck_assert_int_eq(given, wanted != NULL);
  if (!wanted) return;
  WfSpec w = spec_of(wanted);
  for (int64_t v = 0; v < 5000; v++) ck_assert_int_eq(wf_spec_admits(got, v), wf_spec_admits(&w, v));
  ck_assert(wf_spec_admits(got, w.max) && !wf_spec_admits(got, w.max + 1));
}

START_TEST(text_is_read) {
  const WfOp *const ops[] = {&softmax_op};
  WfLimits l;
  char err[256] = "";
  ck_assert_msg(wf_limits_parse(good[_i].text, ops, 1, &l, err, sizeof err) == 0, "%s: %s", good[_i].text, err);
  for (int i = 0; i < 2; i++) check_spec(&l.dim[i], l.given >> i & 1, good[_i].dims[i]);
  check_spec(&l.block, l.block_given, good[_i].block);
}
END_TEST

START_TEST(ops_take_what_they_have) {
  const WfOp *const ops[] = {&softmax_op, &matmul_op, &softmax_op};
  WfLimits l[3];
  char err[256] = "";
  ck_assert_int_eq(wf_limits_parse("rows=3 k=16 block=32", ops, 3, l, err, sizeof err), 0);
  ck_assert_uint_eq(l[0].given, 1);
  ck_assert_uint_eq(l[1].given, 4);
  ck_assert_uint_eq(l[2].given, 1);
  ck_assert(l[0].block_given && l[1].block_given && l[2].block_given);
}
END_TEST

static const struct {
  const char *text, *err;
} bad[] = {
    {"colz=3", "no dim 'colz' (softmax has rows, cols; add has n)"},
    {"", "NAME=SPEC is missing at ''"},
    {"cols", "NAME=SPEC is missing at 'cols'"},
    {"3=cols", "NAME=SPEC is missing at '3=cols'"},
    {"cols=", "cols: a number is missing at ''"},
    {"cols=3,", "cols: a number is missing at ''"},
    {"cols=3 rows", "cols: unexpected 'rows'"},
    {"cols=5..3", "cols: nothing is in the range that begins at '5..3'"},
    {"cols=33..63 multiple of 32", "cols: nothing is in the range that begins at '33..63'"},
    {"cols=-1", "cols: a number is missing at '-1'"},
    {"cols=0..5", "cols of softmax is at least 1, not '0..5'"},
    {"cols=0", "cols of softmax is at least 1, not '0'"},
    {"cols=1,2,0", "cols of softmax is at least 1, not '1,2,0'"},
    {"rows=1,cols=2,rows=3", "given twice: 'rows'"},
    {"block=32 block=64", "given twice: 'block'"},
    {"block=1025", "a block has 1 to 1024 threads, not '1025'"},
    {"block=0..8", "a block has 1 to 1024 threads, not '0..8'"},
    {"cols=2000000000000", "cols: too large: '2000000000000'"},
    {"cols=1000000000,rows=1000000", "a tensor of softmax has at most 2^40 elements, and none is so small"},
};

START_TEST(text_is_refused) {
  const WfOp *const ops[] = {&softmax_op, &softmax_op, &add_op};
  WfLimits l[3];
  char err[256] = "";
  ck_assert_msg(wf_limits_parse(bad[_i].text, ops, 3, l, err, sizeof err) == -1, "%s", bad[_i].text);
  ck_assert_str_eq(err, bad[_i].err);
}
END_TEST

/* ---- what is drawn ---- */

static WfLimits limits_of(const char *text, const WfOp *op) {
  WfLimits l;
  char err[256] = "";
  ck_assert_msg(wf_limits_parse(text, &op, 1, &l, err, sizeof err) == 0, "%s: %s", text, err);
  return l;
}

/* The limits, and softmax variants that have cases within them. */
static const struct {
  const char *text, *variants;
} narrow[] = {
    {"rows=1..8 cols=1000..1030", "free block_row serial_row tree register_row float4 fixed warps"},
    {"cols=32,64,96", "free block_row serial_row tree register_row float4 small_row warps"},
    {"cols=1..4096 multiple of 4", "free serial_row float4 exact_block fixed multi_block"},
    {"block=256 rows=2..1000 multiple of 2", "free block_row tree register_row exact_block fixed"},
    {"rows=7 cols=5", "free block_row register_row warps small_row"},
    {"cols=100000", "free block_row serial_row tree float4"},
    {"rows=1000..2000", "free block_row serial_row tree float4"},
};

static int is_listed(const char *list, const char *name) {
  size_t n = strlen(name);
  for (const char *at = list; (at = strstr(at, name)); at += n)
    if ((at == list || at[-1] == ' ') && (at[n] == ' ' || at[n] == '\0')) return 1;
  return 0;
}

static void check_within(const WfLimits *l, const WfCase *c, const WfVariant *v) {
  char why[200] = "";
  ck_assert_msg(wf_case_admits(c, v, NULL, why, sizeof why), "%s: %s", v->name, why);
  ck_assert_msg(wf_limits_hold(l, c), "%s: rows %d, cols %d, block %u", v->name, (int)c->dim[0], (int)c->dim[1], c->block[0]);
}

static void draw_all(const WfLimits *l, const WfVariant *v, int n) {
  WfChoice ch = {.state = 5, .limits = l};
  WfCase a, b, c;
  for (int i = 0; i < n; i++) {
    wf_case_generate(&a, &softmax_op, v, &ch);
    check_within(l, &a, v);
    wf_case_generate(&b, &softmax_op, v, &ch);
    wf_case_mutate(&b, v, &ch);
    check_within(l, &b, v);
    wf_case_cross(&c, &a, &b, v, &ch);
    check_within(l, &c, v);
  }
}

START_TEST(everything_keeps_within) {
  WfLimits l = limits_of(narrow[_i].text, &softmax_op);
  int n = 0;
  for (int k = 0; k < COUNT(softmax_variants); k++) {
    const WfVariant *v = &softmax_variants[k];
    if (!is_listed(narrow[_i].variants, v->name)) continue;
    ck_assert_msg(wf_limits_leave_room(&l, &softmax_op, v), "%s: no room in %s", narrow[_i].text, v->name);
    draw_all(&l, v, 60);
    n++;
  }
  ck_assert_int_ge(n, 5);
}
END_TEST

START_TEST(a_range_is_covered) {
  WfLimits l = limits_of("rows=1..8 cols=1000..1030", &softmax_op);
  WfChoice ch = {.state = 9, .limits = &l};
  int rows[9] = {0}, cols[31] = {0};
  for (int i = 0; i < 3000; i++) {
    WfCase c;
    wf_case_generate(&c, &softmax_op, &softmax_variants[0], &ch);
    rows[c.dim[0]]++;
    cols[c.dim[1] - 1000]++;
  }
  for (int r = 1; r <= 8; r++) ck_assert_msg(rows[r] > 0, "never %d rows", r);
  for (int k = 0; k <= 30; k++) ck_assert_msg(cols[k] > 0, "never %d columns", 1000 + k);
  ck_assert(cols[0] > 50 && cols[30] > 20 && cols[24] > 20); /* the ends, and 1024 */
}
END_TEST

START_TEST(long_rows_are_reached) {
  WfLimits l = limits_of("cols=1..100000", &softmax_op);
  WfChoice ch = {.state = 9, .limits = &l};
  int longest = 0;
  for (int i = 0; i < 20000; i++) {
    WfCase c;
    wf_case_generate(&c, &softmax_op, &softmax_variants[0], &ch);
    longest += c.dim[1] == 100000;
  }
  ck_assert_int_gt(longest, 0);
}
END_TEST

START_TEST(a_mutant_comes_back) {
  WfLimits l = limits_of("rows=2 cols=64 block=64", &softmax_op);
  WfChoice plain = {.state = 3}, ch = {.state = 4, .limits = &l};
  for (int i = 0; i < 100; i++) {
    WfCase c;
    wf_case_generate(&c, &softmax_op, &softmax_variants[0], &plain);
    wf_case_mutate(&c, &softmax_variants[0], &ch);
    check_within(&l, &c, &softmax_variants[0]);
  }
}
END_TEST

START_TEST(no_room_is_told) {
  static const struct { const char *text; int variant; } none[] = {
      {"cols=5", 6}, {"block=100", 4}, {"cols=2000", 9}, {"cols=33", 11}, {"rows=2", 10}, {"cols=1024 block=512", 5}};
  for (int i = 0; i < COUNT(none); i++) {
    WfLimits l = limits_of(none[i].text, &softmax_op);
    ck_assert_msg(!wf_limits_leave_room(&l, &softmax_op, &softmax_variants[none[i].variant]), "%s", none[i].text);
  }
}
END_TEST

/* Without limits the choices give what they gave before there were any. */
START_TEST(no_limits_change_nothing) {
  WfLimits l;
  wf_limits_init(&l, &softmax_op);
  for (int k = 0; k < COUNT(softmax_variants); k++) {
    WfChoice a = {.state = (uint64_t)k}, b = {.state = (uint64_t)k, .limits = &l};
    for (int i = 0; i < 50; i++) {
      WfCase x, y;
      wf_case_generate(&x, &softmax_op, &softmax_variants[k], &a);
      wf_case_generate(&y, &softmax_op, &softmax_variants[k], &b);
      ck_assert(memcmp(&x, &y, sizeof x) == 0);
    }
  }
}
END_TEST

/* ---- outside ---- */

/* How often, of 300, each part of a contract is left. */
typedef struct Left {
  int outside, block, grid, condition;
} Left;

static Left leave(const WfVariant *v, const WfLimits *l) {
  Left n = {0};
  WfVariant block = *v, grid = *v, condition = *v;
  WfChoice ch = {.state = 11, .limits = l};
  block.grid = grid.block = condition.block = condition.grid = NULL;
  block.requires = grid.requires = NULL;
  block.shared = grid.shared = condition.shared = NULL;
  for (int i = 0; i < 300; i++) {
    WfCase c;
    WfGeometry g;
    char why[200] = "";
    wf_case_generate(&c, &softmax_op, v, &ch);
    if (i % 2) wf_case_mutate(&c, v, &ch);
    ck_assert_msg(wf_case_launch(&c, v, &g, why, sizeof why), "%s: %s", v->name, why);
    ck_assert(wf_limits_hold(l, &c));
    ck_assert(g.block[0] >= 1 && g.block[0] <= 1024 && g.grid[0] >= 1);
    if (wf_case_admits(&c, v, NULL, NULL, 0)) continue;
    n.outside++;
    n.block += !wf_case_admits(&c, &block, NULL, NULL, 0);
    n.grid += !wf_case_admits(&c, &grid, NULL, NULL, 0);
    n.condition += !wf_case_admits(&c, &condition, NULL, NULL, 0);
  }
  return n;
}

START_TEST(every_part_of_a_contract_is_left) {
  WfLimits l;
  wf_limits_init(&l, &softmax_op);
  l.outside = 1;
  for (int k = 0; k < COUNT(softmax_variants); k++) {
    const WfVariant *v = &softmax_variants[k];
    Left n = leave(v, &l);
    int may = v->block || v->grid || v->requires;
    ck_assert_msg(may ? n.outside > 60 : n.outside == 0, "%s: %d outside", v->name, n.outside);
    ck_assert_msg(!v->block || n.block > 30, "%s: block left %d times", v->name, n.block);
    ck_assert_msg(!v->grid || n.grid > 30, "%s: grid left %d times", v->name, n.grid);
    ck_assert_msg(!v->requires || n.condition > 20, "%s: condition left %d times", v->name, n.condition);
  }
}
END_TEST

START_TEST(promises_about_values_are_left) {
  static const WfVariant v = {.name = "small", .values = 10};
  WfLimits l;
  wf_limits_init(&l, &softmax_op);
  WfChoice inside = {.state = 3, .limits = &l};
  WfCase c;
  for (int i = 0; i < 200; i++) {
    wf_case_generate(&c, &softmax_op, &v, &inside);
    ck_assert(wf_case_admits(&c, &v, NULL, NULL, 0));
  }
  l.outside = 1;
  ck_assert_int_gt(leave(&v, &l).outside, 60);
}
END_TEST

START_TEST(outside_keeps_within_dims) {
  WfLimits l = limits_of("rows=1..4 cols=60..70", &softmax_op);
  l.outside = 1;
  Left n = leave(&softmax_variants[6], &l);
  ck_assert_int_gt(n.outside, 60);
}
END_TEST

START_TEST(a_launch_needs_its_formulas) {
  static const struct { WfVariant v; const char *why; } rows[] = {
      {{.name = "a", .block = "32", .requires = "cols == 1"}, NULL},
      {{.name = "b", .grid = "rows / (cols - 5)"}, "the contract's grid"},
      {{.name = "c", .shared = "4 - cols * 4"}, "the contract's shared"},
      {{.name = "d", .grid = "rows - 3"}, "gives 0 blocks"},
  };
  WfChoice ch = {.state = 1};
  WfCase c;
  wf_case_generate(&c, &softmax_op, &softmax_variants[0], &ch);
  c.dim[0] = 3;
  c.dim[1] = 5;
  c.grid[0] = 0;
  c.block[0] = 100;
  for (int i = 0; i < COUNT(rows); i++) {
    WfGeometry g;
    char why[200] = "";
    int launch = wf_case_launch(&c, &rows[i].v, &g, why, sizeof why);
    ck_assert_msg(launch == !rows[i].why && (launch || strstr(why, rows[i].why)), "%s: %s", rows[i].v.name, why);
    if (launch) ck_assert(g.grid[0] == 3 && g.block[0] == 100);
  }
  c.grid[0] = 9; /* the case's own grid stands where the formula says another */
  WfGeometry g;
  ck_assert(wf_case_launch(&c, &softmax_variants[2], &g, NULL, 0) && g.grid[0] == 9 && g.shared_bytes == 400);
  c.dim[0] = 0;
  ck_assert(!wf_case_launch(&c, &softmax_variants[2], &g, NULL, 0));
}
END_TEST

int main(void) {
  Suite *s = suite_create("limits");
  TCase *t = tcase_create("limits");
  tcase_set_timeout(t, 0);
  tcase_add_test(t, intersection_is_both);
  tcase_add_test(t, intersection_of_huge_multiples);
  tcase_add_loop_test(t, text_is_read, 0, COUNT(good));
  tcase_add_test(t, ops_take_what_they_have);
  tcase_add_loop_test(t, text_is_refused, 0, COUNT(bad));
  tcase_add_loop_test(t, everything_keeps_within, 0, COUNT(narrow));
  tcase_add_test(t, a_range_is_covered);
  tcase_add_test(t, long_rows_are_reached);
  tcase_add_test(t, a_mutant_comes_back);
  tcase_add_test(t, no_room_is_told);
  tcase_add_test(t, no_limits_change_nothing);
  tcase_add_test(t, every_part_of_a_contract_is_left);
  tcase_add_test(t, promises_about_values_are_left);
  tcase_add_test(t, outside_keeps_within_dims);
  tcase_add_test(t, a_launch_needs_its_formulas);
  suite_add_tcase(s, t);
  return suite_run(s);
}
