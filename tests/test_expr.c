/* test_expr.c - expressions and SPECs. */
#include "case_op.h"
#include "suite.h"
#include <check.h>
#include <stdlib.h>
#include <string.h>

static const int64_t dim[] = {3, 100};
static const uint32_t grid[] = {2, 5, 6}, block[] = {96, 7, 8};
static const WfVars vars = {&softmax_op, dim, grid, block, 12, NULL};

typedef struct Good {
  const char *text;
  int64_t value;
} Good;

static const Good good[] = {
    {"0", 0},
    {"0x7fffffffffffffff", INT64_MAX},
    {"-9223372036854775807 - 1", INT64_MIN},
    {" rows*cols ", 300},
    {"block.x+block.y*10+block.z*100", 966},
    {"grid.x + grid.y * 10 + grid.z * 100", 652},
    {"align", 12},
    {"(rows + block.x - 1) / block.x", 1},
    {"2 + 3 * 4 - 6 / 2 % 2", 13},
    {"10 - 4 - 3", 3},
    {"100 / 10 / 5", 2},
    {"-7 / 2", -3},
    {"-7 % 2", -1},
    {"- - 3", 3},
    {"!0 + !5 + !!7", 2},
    {"-!0", -1},
    {"1 < 2 == 2 > 1", 1},
    {"1 <= 1 && 2 >= 3", 0},
    {"1 || 0 && 0", 1},
    {"5 != 5 || 5 == 5", 1},
    {"7 && 8", 1},
    {"1 ? 2 : 0 ? 3 : 4", 2},
    {"0 ? 2 : 0 ? 3 : 4", 4},
    {"(1 ? 0 : 1) ? 5 : 6", 6},
    {"min(rows, cols) + max(rows, cols)", 103},
    {"min(max(1, 2), max(3, 4))", 2},
    {"rows == 0 || cols / rows > 3", 1},
    {"0 && 1 / 0", 0},
    {"1 || 1 / 0", 1},
    {"1 ? 2 : 1 / 0", 2},
    {"0 ? 9223372036854775807 + 1 : 3", 3},
    {"0 && (1 || 1 / 0) && 1 / 0", 0},
    {"((((((((((1))))))))))", 1},
};

START_TEST(evaluates) {
  int64_t v = 0;
  char err[128] = "";
  ck_assert_msg(wf_expr_eval(good[_i].text, &vars, &v, err, sizeof err) == 0, "%s: %s", good[_i].text, err);
  ck_assert_msg(v == good[_i].value, "%s is %lld", good[_i].text, (long long)v);
}
END_TEST

typedef struct Bad {
  const char *text, *err;
} Bad;

static const Bad bad[] = {
    {"", "the expression ends where a value should follow"},
    {"1 +", "the expression ends where a value should follow"},
    {"1 2", "unexpected '2'"},
    {"1 = 1", "unexpected '= 1'"},
    {"1 << 2", "unexpected '<'"},
    {"1 & 2", "unexpected '& 2'"},
    {"(1", "')' is missing at the end"},
    {"(1 2)", "')' is missing before '2'"},
    {"1)", "unexpected ')'"},
    {"min(1)", "',' is missing before ')'"},
    {"min 1", "'(' is missing before '1'"},
    {"1 ? 2", "':' is missing at the end"},
    {"depth", "unknown name 'depth'"},
    {"block", "unknown name 'block'"},
    {"block.w", "unknown name 'block.w'"},
    {"row", "unknown name 'row'"},
    {"0 && depth", "unknown name 'depth'"},
    {"1.5", "'1.5' is not a number"},
    {"3rows", "'3rows' is not a number"},
    {"9223372036854775808", "'9223372036854775808' is too large"},
    {"99999999999999999999999", "'99999999999999999999999' is too large"},
    {"1 / 0", "division by zero"},
    {"1 % (rows - 3)", "division by zero"},
    {"9223372036854775807 + 1", "overflow of 64 bits"},
    {"-9223372036854775807 - 2", "overflow of 64 bits"},
    {"4294967296 * 4294967296", "overflow of 64 bits"},
    {"(-9223372036854775807 - 1) / -1", "overflow of 64 bits"},
    {"(-9223372036854775807 - 1) % -1", "overflow of 64 bits"},
    {"-(-9223372036854775807 - 1)", "overflow of 64 bits"},
    {"1 && 1 / 0", "division by zero"},
    {"1 ? 1 / 0 : 2", "division by zero"},
    {"\xff", "unexpected '?'"},
};

START_TEST(refuses) {
  int64_t v = 77;
  char err[128] = "";
  ck_assert_int_eq(wf_expr_eval(bad[_i].text, &vars, &v, err, sizeof err), -1);
  ck_assert_str_eq(err, bad[_i].err);
  ck_assert_int_eq(v, 77);
  ck_assert_int_eq(wf_expr_eval(bad[_i].text, &vars, &v, NULL, 0), -1);
}
END_TEST

START_TEST(deep_nesting_is_an_error) {
  static const char *const units[] = {"(", "-", "1?", "1?1:", "min(", "! "};
  for (size_t u = 0; u < sizeof units / sizeof units[0]; u++) {
    char *text = calloc(1, 300000), err[128] = "";
    for (int i = 0, n = (int)strlen(units[u]); i < 50000; i++)
      memcpy(text + i * n, units[u], (size_t)n);
    int64_t v;
    ck_assert_int_eq(wf_expr_eval(text, &vars, &v, err, sizeof err), -1);
    ck_assert_str_eq(err, "nested too deeply");
    free(text);
  }
}
END_TEST

/* ---- SPECs ---- */
typedef struct SpecRow {
  const char *text;
  const char *in, *out; /* numbers admitted and not */
} SpecRow;

static const SpecRow specs[] = {
    {"256", "256", "0 1 255 257"},
    {" 32, 64 ,128 ", "32 64 128", "0 33 96 256"},
    {"128,32", "32 128", "31 64 129"},
    {"1..1024", "1 2 1023 1024", "0 1025"},
    {"0 .. 0x10", "0 16", "17"},
    {"32..1024 multiple of 32", "32 64 96 1024", "0 1 33 1056"},
    {"33..1000 multiple  of 32", "64 992", "32 33 1024"},
    {"32..1024 power of 2", "32 64 1024", "1 16 33 96 2048"},
    {"0..5 power of 2", "1 2 4", "0 3 5"},
    {"5..5", "5", "4 6"},
};

static void check_numbers(const WfSpec *s, const char *numbers, int admitted) {
  for (char *end; *numbers; numbers = end) {
    int64_t v = strtoll(numbers, &end, 10);
    ck_assert_msg(wf_spec_admits(s, v) == admitted, "%lld", (long long)v);
  }
}

static WfSpec parse_spec(const char *text) {
  WfSpec s;
  char err[128] = "";
  ck_assert_msg(wf_spec_parse(text, &s, err, sizeof err) == 0, "%s: %s", text, err);
  return s;
}

START_TEST(spec_admits) {
  WfSpec s = parse_spec(specs[_i].text);
  check_numbers(&s, specs[_i].in, 1);
  check_numbers(&s, specs[_i].out, 0);
}
END_TEST

START_TEST(spec_draws_only_what_it_admits) {
  WfSpec s = parse_spec(specs[_i].text);
  WfChoice ch = {.state = 1}, zeros = {.bytes = (const uint8_t *)""};
  int64_t low = INT64_MAX, high = -1;
  for (int i = 0; i < 2000; i++) {
    int64_t v = wf_spec_draw(&s, &ch);
    ck_assert_msg(wf_spec_admits(&s, v), "%s: %lld", specs[_i].text, (long long)v);
    low = v < low ? v : low;
    high = v > high ? v : high;
    ck_assert(wf_spec_admits(&s, wf_spec_snap(&s, i)));
  }
  check_numbers(&s, specs[_i].in, 1);
  ck_assert(low == wf_spec_snap(&s, s.min) && wf_spec_admits(&s, high) && high == wf_spec_snap(&s, s.max));
  ck_assert(wf_spec_admits(&s, wf_spec_draw(&s, &zeros)));
}
END_TEST

START_TEST(spec_favours_edges) {
  WfSpec s = parse_spec("1..1024");
  WfChoice ch = {.state = 7};
  static const int64_t edges[] = {1, 2, 7, 31, 32, 33, 63, 64, 65, 96, 127, 128, 129, 256, 512, 1024};
  int seen[1025] = {0};
  for (int i = 0; i < 10000; i++)
    seen[wf_spec_draw(&s, &ch)]++;
  for (size_t i = 0; i < sizeof edges / sizeof edges[0]; i++)
    ck_assert_msg(seen[edges[i]] >= 30, "%lld drawn %d times", (long long)edges[i], seen[edges[i]]);
}
END_TEST

static const Bad bad_specs[] = {
    {"", "a number is missing at ''"},
    {"x", "a number is missing at 'x'"},
    {"-1", "a number is missing at '-1'"},
    {"1..", "a number is missing at ''"},
    {"1,", "a number is missing at ''"},
    {"1,,2", "a number is missing at ''"},
    {"1 2", "unexpected '2'"},
    {"1.5", "unexpected '.5'"},
    {"9..1", "nothing is in the range that begins at '9..1'"},
    {"33..63 multiple of 32", "nothing is in the range that begins at '33..63'"},
    {"33..63 power of 2", "nothing is in the range that begins at '33..63'"},
    {"0..0 power of 2", "nothing is in the range that begins at '0..0'"},
    {"1..9 multiple of 0", "no multiples of '0'"},
    {"1..9 multiple of", "unexpected 'multiple'"},
    {"1..9 multiples of 3", "unexpected 'multiples'"},
    {"1..9 power of 3", "only powers of 2 can be asked for, not of '3'"},
    {"1..9 power of 2 2", "unexpected '2'"},
    {"5 multiple of 5", "unexpected 'multiple'"},
    {"1..2..3", "unexpected '..3'"},
    {"1..99999999999999", "too large: '99999999999999'"},
    {"1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33",
     "more than 32 numbers in the list, at '33'"},
};

START_TEST(spec_refuses) {
  WfSpec s;
  char err[128] = "";
  ck_assert_msg(wf_spec_parse(bad_specs[_i].text, &s, err, sizeof err) == -1, "%s", bad_specs[_i].text);
  ck_assert_str_eq(err, bad_specs[_i].err);
  ck_assert_int_eq(wf_spec_parse(bad_specs[_i].text, &s, NULL, 0), -1);
}
END_TEST

#define COUNT(a) ((int)(sizeof(a) / sizeof(a)[0]))

int main(void) {
  Suite *s = suite_create("expr");
  TCase *t = tcase_create("expr");
  tcase_add_loop_test(t, evaluates, 0, COUNT(good));
  tcase_add_loop_test(t, refuses, 0, COUNT(bad));
  tcase_add_test(t, deep_nesting_is_an_error);
  tcase_add_loop_test(t, spec_admits, 0, COUNT(specs));
  tcase_add_loop_test(t, spec_draws_only_what_it_admits, 0, COUNT(specs));
  tcase_add_test(t, spec_favours_edges);
  tcase_add_loop_test(t, spec_refuses, 0, COUNT(bad_specs));
  suite_add_tcase(s, t);
  return suite_run(s);
}
