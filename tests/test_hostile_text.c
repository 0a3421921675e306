/* test_hostile_text.c - the smaller readers of text that a user can hand over (SPECs, --dims, expressions, numbers, times, sizes,
 * findings.jsonl), with what a fuzzer would make of good examples: each answers, and an error is one line. In a build with
 * AddressSanitizer every text ends where its memory does. */
#include "../fuzz/arith.h"
#include "../fuzz/limits.h"
#include "../fuzz/number.h"
#include "../fuzz/options.h"
#include "../fuzz/resume.h"
#include "case_op.h"
#include "suite.h"
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROUNDS = 100000, MAX_BYTES = 200, ERROR_BYTES = 160 };

static uint64_t state;

static unsigned below(unsigned n) { return n ? (unsigned)(wf_split_mix(&state) % n) : 0; }

/* One to eight changes: a byte changed, inserted or removed, a piece doubled, a word of the grammar, the end cut off. malloc'ed,
 * exactly as long as it is. */
static char *mutant(const char *from, const char *const *words, unsigned n_words) {
  char text[2 * MAX_BYTES];
  snprintf(text, MAX_BYTES, "%s", from);
  for (unsigned left = 1 + below(8); left; left--) {
    unsigned n = (unsigned)strlen(text), at = below(n + 1);
    const char *word = words[below(n_words)];
    char tail[2 * MAX_BYTES];
    strcpy(tail, text + at);
    switch (below(6)) {
    case 0: if (at < n) text[at] = (char)(1 + below(255)); break;
    case 1: if (at < n) strcpy(text + at, tail + 1); break;
    case 2: snprintf(text + at, sizeof text - at, "%c%.*s", 1 + (int)below(255), MAX_BYTES - 2, tail); break;
    case 3: snprintf(text + at, sizeof text - at, "%.*s%.*s", (int)below(20), tail, MAX_BYTES - 20, tail); break;
    case 4: snprintf(text + at, sizeof text - at, "%s%.*s", word, MAX_BYTES - 40, tail); break;
    default: text[at] = '\0'; break;
    }
    text[MAX_BYTES] = '\0';
  }
  char *exact = strdup(text);
  ck_assert_ptr_nonnull(exact);
  return exact;
}

static void check_error(const char *text, const char *err) {
  ck_assert_msg(*err != '\0', "no message for '%s'", text);
  ck_assert_msg(strlen(err) < ERROR_BYTES, "'%s'", text);
}

#define COUNT(a) (sizeof(a) / sizeof(a)[0])

/* ---- SPECs and --dims ---- */

static const char *const specs[] = {"256", "32,64,128", "1..1024", "32..1024 multiple of 32", "32..1024 power of 2", "0x10..0xff"};
static const char *const spec_words[] = {"..", ",", " multiple of ", " power of 2", "0", "1099511627776", "0x", "18446744073709551616", " ", "\t"};

START_TEST(specs_of_any_text) {
  unsigned good = 0;
  for (int i = 0; i < ROUNDS; i++) {
    char err[ERROR_BYTES] = "", *text = mutant(specs[below(COUNT(specs))], spec_words, COUNT(spec_words));
    WfSpec s;
    if (wf_spec_parse(text, &s, err, sizeof err) != 0) {
      check_error(text, err);
    } else {
      good++;
      ck_assert_msg(0 <= s.min && s.min <= s.max && s.max <= WF_MAX_EXTENT && s.multiple >= 1, "'%s'", text);
      WfChoice ch = {.state = (uint64_t)i};
      for (int k = 0; k < 4; k++) ck_assert_msg(wf_spec_admits(&s, wf_spec_draw(&s, &ch)), "'%s'", text);
      ck_assert_msg(wf_spec_admits(&s, wf_spec_snap(&s, (int64_t)wf_split_mix(&state) >> below(64))), "'%s'", text);
    }
    free(text);
  }
  ck_assert_uint_gt(good, ROUNDS / 20);
}
END_TEST

static const char *const dims[] = {"rows=1..8 cols=1000..1030", "cols=32,64,96", "cols=4..4096 multiple of 4, block=256", "rows=1,cols=2"};
static const char *const dims_words[] = {"rows=", "cols=", "block=", "n=", "=", "..", ",", " multiple of ", " power of 2", "0", "1099511627776", " "};

START_TEST(limits_of_any_text) {
  const WfOp *const ops[] = {&softmax_op, &add_op};
  unsigned good = 0;
  for (int i = 0; i < ROUNDS; i++) {
    char err[ERROR_BYTES] = "", *text = mutant(dims[below(COUNT(dims))], dims_words, COUNT(dims_words));
    WfLimits l[2];
    if (wf_limits_parse(text, ops, 2, l, err, sizeof err) != 0) {
      check_error(text, err);
    } else {
      good++;
      for (int d = 0; d < 2; d++) ck_assert_msg(wf_spec_admits(&l[0].dim[d], l[0].dim[d].min) && l[0].dim[d].min >= 1, "'%s'", text);
      ck_assert_msg(l[0].block.min >= 1 && l[0].block.max <= 1024, "'%s'", text);
    }
    free(text);
  }
  ck_assert_uint_gt(good, ROUNDS / 50);
}
END_TEST

/* ---- expressions ---- */

static const char *const expressions[] = {"(rows + block.x - 1) / block.x", "cols % 4 == 0 && align % 4 == 0", "block.x >= cols || cols > 1024",
                                          "grid.x < rows ? 1 : min(rows, 65535)", "-(-9223372036854775807 - 1) * max(2, !0)"};
static const char *const expr_words[] = {"(", ")", "rows", "block.y", "min(", ",", "?", ":", "&&", "||", "!", "-", "*", "/", "%", "0", "9223372036854775807", "<=", "=="};

START_TEST(expressions_of_any_text) {
  const int64_t dim[WF_MAX_DIMS] = {7, INT64_MAX, 0};
  const uint32_t extents[3] = {0, 1, UINT32_MAX};
  const WfVars vars = {&softmax_op, dim, extents, extents, 63, NULL};
  unsigned good = 0;
  for (int i = 0; i < ROUNDS; i++) {
    char err[ERROR_BYTES] = "", *text = mutant(expressions[below(COUNT(expressions))], expr_words, COUNT(expr_words));
    int64_t v, again;
    if (wf_expr_eval(text, &vars, &v, err, sizeof err) != 0) {
      check_error(text, err);
    } else {
      good++;
      ck_assert(wf_expr_eval(text, &vars, &again, NULL, 0) == 0 && again == v);
    }
    free(text);
  }
  ck_assert_uint_gt(good, ROUNDS / 50);
}
END_TEST

START_TEST(deep_expressions_are_refused) {
  const int64_t dim[WF_MAX_DIMS] = {1, 1, 1};
  const uint32_t extents[3] = {1, 1, 1};
  const WfVars vars = {&softmax_op, dim, extents, extents, 0, NULL};
  static const char *const openings[] = {"(", "-", "!", "min(1,", "1?", "1?1:", "1||(", "2*("};
  char *text = malloc(1 << 20), err[ERROR_BYTES];
  ck_assert_ptr_nonnull(text);
  for (unsigned k = 0; k < COUNT(openings); k++) {
    size_t n = strlen(openings[k]), used = 0;
    while (used + n < (1 << 20) - 1) {
      memcpy(text + used, openings[k], n);
      used += n;
    }
    text[used] = '\0';
    int64_t v;
    ck_assert_int_eq(wf_expr_eval(text, &vars, &v, err, sizeof err), -1);
    ck_assert_str_eq(err, "nested too deeply");
  }
  free(text);
}
END_TEST

/* ---- numbers, times, sizes ---- */

static const char *const numbers[] = {"0", "18446744073709551615", "0x1.8p3", "-1e-45", "3.4028235e38", "nan", "+inf", "60s", "8h", "4g", "512m"};
static const char *const number_words[] = {"0x", "e", "p-", ".", "-", "+", "inf", "nan", "999999999999", "000000000000", "s", "m", "h", "k", "g"};

START_TEST(numbers_of_any_text) {
  unsigned good = 0;
  for (int i = 0; i < ROUNDS; i++) {
    char *text = mutant(numbers[below(COUNT(numbers))], number_words, COUNT(number_words));
    uint64_t u = 1;
    float f = 1;
    double d = 1;
    int rc = wf_number_u64(text, strlen(text), &u);
    good += rc == 0;
    if (rc) ck_assert_uint_eq(u, 1);
    rc = wf_number_float(text, strlen(text), &f);
    good += rc == 0;
    if (rc) ck_assert(f == 1);
    rc = wf_number_double(text, strlen(text), &d);
    if (rc) ck_assert(d == 1);
    else if (isfinite(d) && isfinite(f)) ck_assert_msg(f == 1 || (float)d == f || fabs(d - (double)f) <= fabs(d) * 0x1p-23 || fabs(d) < 0x1p-126, "%s", text);
    if (wf_time_parse(text, &u) == 0) ck_assert_msg(u >= 1000000000u && u <= INT64_MAX, "%s", text);
    if (wf_size_parse(text, &u) == 0) ck_assert_msg(u >= 1 && u <= INT64_MAX, "%s", text);
    free(text);
  }
  ck_assert_uint_gt(good, ROUNDS / 20);
}
END_TEST

/* ---- findings.jsonl ---- */

#define LINE                                                                                                          \
  "{\"id\":\"00000000000000%02x\",\"severity\":\"error\",\"class\":\"race-shared\",\"op\":\"softmax\",\"variant\":\"free\","          \
  "\"file\":\"k\\u00e4.cu\",\"line\":3,\"column\":5,\"function\":\"f\",\"other_file\":null,\"outside\":null,\"case\":\"x/a.case\"}"

static const char *const json_words[] = {"\\", "\\u", "\\u00", "\"", "{", "}", "null", ":", "1e999", "\"id\":\"", "\xff"};

START_TEST(findings_of_any_text) {
  char dir[] = "/tmp/test_hostile_text.XXXXXX", path[64], err[512], line[512];
  const WfTarget target = {&softmax_op, &softmax_variants[0]};
  ck_assert_ptr_nonnull(mkdtemp(dir));
  snprintf(path, sizeof path, "%s/findings.jsonl", dir);
  const WfPlan plan = {.targets = &target, .n_targets = 1, .out = dir};
  FILE *log = fopen("/dev/null", "w");
  ck_assert_ptr_nonnull(log);
  for (int i = 0; i < ROUNDS / 200; i++) {
    FILE *f = fopen(path, "w");
    ck_assert_ptr_nonnull(f);
    for (unsigned k = 0; k < 8; k++) {
      snprintf(line, sizeof line, LINE, k);
      size_t at = below((unsigned)strlen(line));
      char *piece = mutant(line + at, json_words, COUNT(json_words));
      if (k % 4) fprintf(f, "%.*s%s\n", (int)at, line, piece);
      else fprintf(f, "%s\n", line);
      free(piece);
    }
    fprintf(f, "%.*s", (int)below((unsigned)strlen(line)), line); /* cut off */
    ck_assert_int_eq(fclose(f), 0);
    WfCollector c = {.plan = &plan, .out = log, .log = log};
    uint64_t *ids;
    size_t n;
    ck_assert_msg(wf_collect_resume(&c, 0, &ids, &n, err, sizeof err) == 0, "%s", err);
    ck_assert_uint_ge(n, 2); /* those left alone: 0 and 4 */
    ck_assert(ids[0] == 0 && n == c.n_kept);
    for (size_t a = 0; a < n; a++)
      for (size_t b = 0; b < a; b++) ck_assert(ids[a] != ids[b]);
    ck_assert_str_eq(c.kept[0].places, "k\xc3\xa4.cu:3:5 in f");
    ck_assert_msg(wf_collect_finish(&c, err, sizeof err) == 0, "%s", err);
    size_t n_before = c.n_kept;
    wf_collector_free(&c);
    free(ids);
    c = (WfCollector){.plan = &plan, .out = log, .log = log}; /* what is written at the end is read back */
    ck_assert_int_eq(wf_collect_resume(&c, 0, &ids, &n, err, sizeof err), 0);
    ck_assert_uint_eq(n, n_before);
    wf_collector_free(&c);
    free(ids);
  }
  fclose(log);
  ck_assert_int_eq(unlink(path), 0);
  ck_assert_int_eq(rmdir(dir), 0);
}
END_TEST

static void setup(void) { state = 1; }

int main(void) {
  Suite *s = suite_create("hostile_text");
  TCase *t = tcase_create("hostile_text");
  tcase_set_timeout(t, 0);
  tcase_add_checked_fixture(t, setup, NULL);
  tcase_add_test(t, specs_of_any_text);
  tcase_add_test(t, limits_of_any_text);
  tcase_add_test(t, expressions_of_any_text);
  tcase_add_test(t, deep_expressions_are_refused);
  tcase_add_test(t, numbers_of_any_text);
  tcase_add_test(t, findings_of_any_text);
  suite_add_tcase(s, t);
  return suite_run(s);
}
