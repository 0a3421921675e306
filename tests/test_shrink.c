/* test_shrink.c - shrinking what the fuzzing loop finds in the published softmax kernels, and brute force over small cases:
 * none that is smaller shows the same. */
#define _POSIX_C_SOURCE 200809L
#include "../fuzz/case_order.h"
#include "../fuzz/fuzzer.h"
#include "../fuzz/shrink.h"
#include "suite.h"
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

extern const WfOp wf_op_softmax;

enum { SEEDS = 3, HUNT_EXECUTIONS = 5000, MAX_EXECUTIONS = 2000 };

typedef struct Found {
  WfCase c;
  WfVerdict verdict;
} Found;

static WfRunner *runner;

/* The nth variant with a fault; NULL: there are not so many. */
static const WfVariant *faulty(int nth) {
  for (size_t i = 0; i < wf_op_softmax.n_variants; i++)
    if (wf_op_softmax.variants[i].expect && nth-- == 0) return &wf_op_softmax.variants[i];
  return NULL;
}

static void setup(void) { ck_assert_int_eq(wf_runner_create(&runner), 0); }
static void teardown(void) { wf_runner_destroy(runner); }

/* The first case of the loop that catches the variant's fault; with `outside`, the first with a finding outside its contract. */
static void hunt(const WfVariant *v, uint64_t seed, const WfLimits *limits, int outside, Found *out) {
  const WfTarget target = {&wf_op_softmax, v};
  WfFuzzer *f;
  char err[256];
  ck_assert_int_eq(wf_fuzzer_create(&f, &target, 1, seed), 0);
  wf_fuzzer_limit(f, limits, 0, 0);
  for (int n = 0; n < HUNT_EXECUTIONS; n++) {
    WfStep s;
    wf_fuzzer_choose(f, &s);
    ck_assert_msg(wf_fuzzer_execute(f, &s, err, sizeof err) == 0, "%s: %s", v->name, err);
    int wanted = outside ? s.verdict->outside[0] && s.verdict->n
                         : !s.verdict->outside[0] && wf_variant_caught(v, s.verdict->errors, s.verdict->warnings);
    if (!wanted) continue;
    out->c = *s.c;
    out->verdict = *s.verdict;
    wf_fuzzer_destroy(f);
    return;
  }
  ck_abort_msg("%s: nothing found in %d executions", v->name, HUNT_EXECUTIONS);
}

static char *text_of(const WfCase *c) {
  char *text = wf_case_print(c);
  ck_assert_ptr_nonnull(text);
  return text;
}

/* What a replay of the case says of the finding, as text. */
static char *replayed(const WfCase *c, const WfFinding *f) {
  static WfVerdict verdict;
  const WfRunOptions opt = {.detect = SIMT_DETECT_ALL, .outside = f->outside[0] != '\0', .all_relations = 1};
  char err[256] = "";
  ck_assert_msg(wf_run(runner, c, c->variant, &opt, &verdict, err, sizeof err) == 0, "%s", err);
  ck_assert_uint_eq(verdict.errors & ~c->expect, 0);
  for (size_t i = 0; i < verdict.n; i++)
    if (wf_shrink_keeps(f, &verdict.finding[i])) {
      char *text = wf_finding_text(&verdict.finding[i], "a.case");
      ck_assert_ptr_nonnull(text);
      return text;
    }
  ck_abort_msg("%s: a replay does not show it", c->variant->name);
  return NULL;
}

/* Shrinks one finding and checks all that is promised of the result. */
static void check_shrunk(const WfCase *c, const WfFinding *f, const WfLimits *limits, WfShrunk *out) {
  static WfShrunk again;
  const WfShrinkOptions opt = {.limits = limits};
  const WfVariant *v = f->variant;
  const char *cls = simt_class_name(f->simt.cls);
  char err[256];
  WfCase read;
  WfGeometry g;
  ck_assert_msg(wf_shrink(runner, c, f, &opt, out) == 0, "%s: %s", v->name, cls);
  ck_assert_msg(out->executions < MAX_EXECUTIONS && out->is_complete, "%s: %s: %d executions", v->name, cls,
                (int)out->executions);
  ck_assert(wf_shrink_keeps(f, &out->finding));
  ck_assert_int_eq(out->finding.simt.cls, f->simt.cls);
  ck_assert_uint_eq(wf_finding_id(f), wf_finding_id(&out->finding)); /* class, variant, sites */
  ck_assert_int_le(wf_case_compare(&out->c, c, v), 0);
  ck_assert_int_eq(wf_case_admits(&out->c, v, &g, NULL, 0), !f->outside[0]);
  ck_assert(wf_limits_hold(limits, &out->c));
  ck_assert_ptr_eq(out->c.variant, v);

  char *text = text_of(&out->c), *other; /* as a file, byte for byte */
  ck_assert_msg(wf_case_parse(&read, text, strlen(text), "case", err, sizeof err) == 0, "%s", err);
  char *said = wf_finding_text(&out->finding, "a.case"), *replay = replayed(&read, f);
  ck_assert_str_eq(said, replay);
  free(said);
  free(replay);

  ck_assert_int_eq(wf_shrink(runner, c, f, &opt, &again), 0); /* the same again */
  other = text_of(&again.c);
  ck_assert_str_eq(text, other);
  ck_assert_uint_eq(out->executions, again.executions);
  free(other);
  ck_assert_int_eq(wf_shrink(runner, &read, &out->finding, &opt, &again), 0); /* and no further */
  other = text_of(&again.c);
  ck_assert_str_eq(text, other);
  free(other);
  free(text);
}

START_TEST(published_faults) {
  static Found found;
  static WfShrunk out;
  const WfVariant *v = faulty(_i);
  for (uint64_t seed = 1; seed <= SEEDS; seed++) {
    hunt(v, seed, NULL, 0, &found);
    size_t n = seed == 1 ? found.verdict.n : 1; /* one case with all that it shows */
    for (size_t i = 0; i < n; i++) check_shrunk(&found.c, &found.verdict.finding[i], NULL, &out);
  }
}
END_TEST

/* ---- outside the contract, and within a user's limits ---- */

static const char *const left_contracts[] = {"warp_row_float4", "block_shuffle.published", "register_row", "multi_block_last.published"};

START_TEST(findings_outside_stay_there) {
  static Found found;
  static WfShrunk out;
  const WfVariant *v = wf_variant_find(&wf_op_softmax, left_contracts[_i], strlen(left_contracts[_i]));
  WfLimits limits;
  wf_limits_init(&limits, &wf_op_softmax);
  limits.outside = 1;
  ck_assert_ptr_nonnull(v);
  hunt(v, 1, &limits, 1, &found);
  for (size_t i = 0; i < found.verdict.n; i++) {
    check_shrunk(&found.c, &found.verdict.finding[i], &limits, &out);
    ck_assert(out.finding.outside[0] != '\0');
  }
}
END_TEST

START_TEST(limits_are_kept) {
  static Found found;
  static WfShrunk out;
  const WfOp *ops[] = {&wf_op_softmax};
  const WfVariant *v = wf_variant_find(&wf_op_softmax, "block_shuffle.published", strlen("block_shuffle.published"));
  WfLimits limits;
  char err[256];
  ck_assert_int_eq(wf_limits_parse("rows=3..8 cols=50..90 multiple of 4, block=96,128", ops, 1, &limits, err, sizeof err), 0);
  hunt(v, 1, &limits, 0, &found);
  check_shrunk(&found.c, &found.verdict.finding[0], &limits, &out);
  ck_assert_int_eq(out.c.dim[0], 3);
  ck_assert_int_eq(out.c.dim[1], 52);
  ck_assert_uint_eq(out.c.block[0], 96);
}
END_TEST

/* ---- brute force ---- */

enum { MAX_ROWS = 2, MAX_COLS = 70, MAX_BLOCK = 64, MAX_GRID = 4 };

static int shows(const WfCase *c, const WfFinding *f) {
  static WfVerdict verdict;
  const WfRunOptions opt = {.detect = SIMT_DETECT_ALL};
  char err[256] = "";
  ck_assert_msg(wf_run(runner, c, f->variant, &opt, &verdict, err, sizeof err) == 0, "%s", err);
  for (size_t i = 0; i < verdict.n; i++)
    if (wf_shrink_keeps(f, &verdict.finding[i])) return 1;
  return 0;
}

static WfCase simple_case(int64_t rows, int64_t cols, uint32_t grid, uint32_t block) {
  WfCase c = {.op = &wf_op_softmax, .dim = {rows, cols}, .grid = {grid, 1, 1}, .block = {block, 1, 1}};
  c.fill[0] = (WfFill){.dist = WF_DIST_CONSTANT, .scale = 1};
  return c;
}

/* Every shape and launch of the race's contract within the bounds is run. Values and schedules need not be gone through: the
 * kernel's branches and addresses depend on rows, cols, grid and block alone, and whether two accesses are ordered depends on the
 * barriers between them, which every schedule meets alike; so a shape shows the race with the simplest values and schedule 0 or with
 * none. Smaller blocks than 64 are outside the contract, where no finding is this one. The smallest case that shows it is
 * what shrinking came to. */
START_TEST(no_case_of_the_race_is_smaller) {
  static Found found;
  static WfShrunk out;
  const WfVariant *v = wf_variant_find(&wf_op_softmax, "block_shuffle.published", strlen("block_shuffle.published"));
  hunt(v, (uint64_t)_i, NULL, 0, &found);
  const WfFinding *f = &found.verdict.finding[0];
  ck_assert_int_eq(f->simt.cls, SIMT_RACE_SHARED);
  check_shrunk(&found.c, f, NULL, &out);
  WfCase least = {0};
  int n_run = 0, n_shown = 0;
  for (int64_t rows = 1; rows <= MAX_ROWS; rows++)
    for (int64_t cols = 1; cols <= MAX_COLS; cols++)
      for (uint32_t block = 1; block <= MAX_BLOCK; block++)
        for (uint32_t grid = 0; grid <= MAX_GRID; grid++) {
          const WfCase c = simple_case(rows, cols, grid, block);
          if (!wf_case_admits(&c, v, NULL, NULL, 0)) continue;
          n_run++;
          if (!shows(&c, f)) continue;
          n_shown++;
          if (!least.op || wf_case_compare(&c, &least, v) < 0) least = c;
        }
  ck_assert_int_eq(n_run, MAX_ROWS * MAX_COLS * (MAX_GRID + 1)); /* of the blocks only 64 is in the contract */
  ck_assert_int_gt(n_shown, 0);
  ck_assert_msg(wf_case_compare(&out.c, &least, v) == 0, "%d cases show it, and %s", n_shown, text_of(&least));
}
END_TEST

/* Simple values: what a case may hold instead of zeros. */
static int simple_values(int which, WfCase *c) {
  static const float constants[] = {1, -1, 100, -100};
  static const WfSel all = {0, INT64_MAX, 1}, first = {0, 0, 1}, second = {1, 1, 1};
  if (which < 1) return 1;
  if (which < 5) c->fill[0].offset = (double)constants[which - 1];
  if (which == 5) c->fill[0].dist = WF_DIST_RAMP;
  if (which == 6) c->schedule = 1;
  if (which == 7) c->fill[0].base_offset_elems = 1;
  if (which >= 8 && which < 11) {
    c->n_edits = 1;
    c->edits[0] = (WfEdit){.sel = {all, which == 8 ? all : which == 9 ? first : second}, .value = -(float)INFINITY};
  }
  return which < 11;
}

/* Of every published fault: no simple case within the bounds that comes before the shrunk one shows it. */
START_TEST(no_simple_case_is_smaller) {
  static Found found;
  static WfShrunk out;
  const WfVariant *v = faulty(_i);
  hunt(v, 1, NULL, 0, &found);
  const WfFinding *f = &found.verdict.finding[0];
  check_shrunk(&found.c, f, NULL, &out);
  for (int64_t rows = 1; rows <= MAX_ROWS; rows++)
    for (int64_t cols = 1; cols <= MAX_COLS; cols++)
      for (uint32_t block = 1; block <= MAX_BLOCK; block++)
        for (uint32_t grid = 0; grid <= (v->grid ? 0 : 2); grid++) {
          WfCase c = simple_case(rows, cols, grid, block);
          for (int k = 0; simple_values(k, &c); k++, c = simple_case(rows, cols, grid, block)) {
            if (wf_case_compare(&c, &out.c, v) >= 0 || !wf_case_admits(&c, v, NULL, NULL, 0)) continue;
            ck_assert_msg(!shows(&c, f), "%s shows it, not only\n%s", text_of(&c), text_of(&out.c));
          }
        }
}
END_TEST

int main(void) {
  Suite *s = suite_create("shrink");
  TCase *t = tcase_create("softmax");
  int n = 0;
  while (faulty(n)) n++;
  tcase_set_timeout(t, 0);
  tcase_add_checked_fixture(t, setup, teardown);
  tcase_add_loop_test(t, published_faults, 0, n);
  tcase_add_loop_test(t, findings_outside_stay_there, 0, (int)(sizeof left_contracts / sizeof *left_contracts));
  tcase_add_test(t, limits_are_kept);
  tcase_add_loop_test(t, no_case_of_the_race_is_smaller, 1, 4);
  tcase_add_loop_test(t, no_simple_case_is_smaller, 0, n);
  suite_add_tcase(s, t);
  return suite_run(s);
}
