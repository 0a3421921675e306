/* test_run.c - one variant on one case, over the engine's stand-in: which runs are made, what is judged, and which
 * findings are the cause and which only the consequence. */
#include "../fuzz/run.h"
#include "../fuzz/situations.h"
#include "fake_kernels.h"
#include "fake_simt.h"
#include "suite.h"
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BIT(c) (1u << (c))

static const WfRunOptions plain = {.detect = SIMT_DETECT_ALL};

static void make_case(WfCase *c) {
  memset(c, 0, sizeof *c);
  c->op = &fake_op;
  c->dim[0] = FAKE_ROWS;
  c->dim[1] = FAKE_COLS;
  c->grid[0] = 2;
  c->grid[1] = c->grid[2] = 1;
  c->block[0] = 33;
  c->block[1] = c->block[2] = 1;
  c->schedule = 0x51f3;
  c->fill[0].dist = WF_DIST_RAMP;
  c->fill[0].scale = 1;
  c->fill[0].base_offset_elems = 3;
  c->fill[1].base_offset_elems = 1;
}

static void run_with(void (*entry)(const WfLaunchArgs *), uint32_t flags, const WfRunOptions *opt, WfVerdict *v) {
  const WfVariant variant = {.name = "fake", .entry = entry, .launch = "fake<<<grid, block>>>(x, y)", .flags = flags};
  WfCase c;
  WfRunner *r;
  char err[200] = "";
  make_case(&c);
  ck_assert_int_eq(wf_runner_create(&r), 0);
  ck_assert_msg(wf_run(r, &c, &variant, opt, v, err, sizeof err) == 0, "%s", err);
  wf_runner_destroy(r);
}

static void run(void (*entry)(const WfLaunchArgs *), WfVerdict *v) {
  run_with(entry, WF_DETERMINISTIC, &plain, v);
}

static const WfFinding *find(const WfVerdict *v, SimtClass cls) {
  for (size_t i = 0; i < v->n; i++)
    if (v->finding[i].simt.cls == cls)
      return &v->finding[i];
  return NULL;
}

/* Every kernel with the errors it must give, all of them, and the runs that takes. */
typedef struct Row {
  const char *name;
  void (*entry)(const WfLaunchArgs *);
  uint32_t flags, errors, warnings;
  uint64_t runs;
} Row;

#define ROW(kernel, flags, errors, warnings, runs) {#kernel, fake_##kernel, flags, errors, warnings, runs}

static const Row rows[] = {
    ROW(clean, WF_DETERMINISTIC, 0, 0, 2),
    ROW(looks_around, WF_DETERMINISTIC, 0, 0, 2),
    ROW(wrong, WF_DETERMINISTIC, BIT(SIMT_WRONG_RESULT), 0, 2),
    ROW(wrong_nan, WF_DETERMINISTIC, BIT(SIMT_WRONG_SPECIAL), 0, 2),
    ROW(wrong_and_warning, 0, BIT(SIMT_WRONG_RESULT), BIT(SIMT_RACE_SHARED), 2),
    ROW(race, WF_DETERMINISTIC, BIT(SIMT_RACE_SHARED), 0, 1),
    ROW(race_when_reversed, 0, BIT(SIMT_RACE_GLOBAL), 0, 2),
    ROW(warning_then_error, 0, BIT(SIMT_RACE_WARP), BIT(SIMT_RACE_WARP), 2),
    ROW(misaligned, WF_DETERMINISTIC, BIT(SIMT_MISALIGNED), 0, 2),
    ROW(writes_input, 0, BIT(SIMT_INPUT_WRITTEN), 0, 2),
    ROW(leaves_tail, 0, BIT(SIMT_UNWRITTEN_OUTPUT), 0, 2),
    ROW(leaves_tail_when_reversed, WF_DETERMINISTIC, BIT(SIMT_UNWRITTEN_OUTPUT), 0, 2),
    ROW(harmless_poison, WF_DETERMINISTIC, 0, 0, 16), /* each schedule traced, then with six more fills */
    ROW(overflow_beside_poison, WF_DETERMINISTIC, BIT(SIMT_INT_OVERFLOW), 0, 16),
    ROW(poison_to_output, WF_DETERMINISTIC, BIT(SIMT_UNINIT_SHARED), 0, 4),
    ROW(second_poison, WF_DETERMINISTIC, BIT(SIMT_UNINIT_SHARED), 0, 11), /* all fills at the first place alone, then the second */
    ROW(poison_beyond_nan, WF_DETERMINISTIC, BIT(SIMT_UNINIT_SHARED), 0, 4),
    ROW(poison_to_branch, WF_DETERMINISTIC, BIT(SIMT_SHUFFLE_MASK), 0, 5),
    ROW(poison_from_output, WF_DETERMINISTIC, BIT(SIMT_UNINIT_GLOBAL), 0, 4),
    ROW(poison_beside_unwritten, WF_DETERMINISTIC, BIT(SIMT_UNWRITTEN_OUTPUT), 0, 16),
    ROW(cut_short, WF_DETERMINISTIC, BIT(SIMT_HANG), 0, 1),
    ROW(wild_address, 0, BIT(SIMT_OOB_GLOBAL) | BIT(SIMT_UNINIT_SHARED), 0, 8),
    ROW(cut_short_when_reversed, WF_DETERMINISTIC, BIT(SIMT_BARRIER_DIVERGENCE), 0, 2),
    ROW(refused, WF_DETERMINISTIC, BIT(SIMT_LAUNCH_ERROR), 0, 1), /* no unwritten-output: the launch is why */
    ROW(last_bit_by_schedule, WF_DETERMINISTIC, BIT(SIMT_NONDETERMINISTIC), 0, 2),
    ROW(last_bit_by_schedule, 0, 0, 0, 2),
    ROW(wrong_when_reversed, WF_DETERMINISTIC, BIT(SIMT_NONDETERMINISTIC), 0, 2),
    ROW(wrong_when_reversed, 0, BIT(SIMT_WRONG_RESULT), 0, 2),
    ROW(nan_payload_by_schedule, WF_DETERMINISTIC, BIT(SIMT_WRONG_SPECIAL), 0, 2),
    ROW(breaks_invariant, WF_DETERMINISTIC, BIT(SIMT_WRONG_RESULT), 0, 2),
};

START_TEST(each_kernel) {
  const Row *r = &rows[_i];
  WfVerdict v;
  run_with(r->entry, r->flags, &plain, &v);
  ck_assert_msg(v.errors == r->errors, "%s: errors %#x, not %#x", r->name, v.errors, r->errors);
  ck_assert_msg(v.warnings == r->warnings, "%s: warnings %#x, not %#x", r->name, v.warnings, r->warnings);
  ck_assert_msg(v.runs == r->runs, "%s: %u runs, not %u", r->name, (unsigned)v.runs, (unsigned)r->runs);
  ck_assert_uint_eq(v.n, (size_t)__builtin_popcount(r->errors | r->warnings));
  for (size_t i = 0; i < v.n; i++)
    ck_assert_ptr_eq(v.finding[i].op, &fake_op);
}
END_TEST

/* Nothing is known of what the engine could not finish: neither clean nor wrong. */
START_TEST(giving_up_is_no_verdict) {
  WfVerdict v;
  run(fake_gives_up, &v);
  ck_assert(v.no_verdict && !v.n);
  run(fake_gives_up_when_reversed, &v);
  ck_assert(v.no_verdict && !v.n);
  run(fake_cut_short, &v);
  ck_assert(!v.no_verdict && v.errors == BIT(SIMT_HANG));
  run(fake_clean, &v);
  ck_assert(!v.no_verdict && !v.n);
}
END_TEST

START_TEST(findings_carry_the_case_key) {
  WfVerdict v;
  WfCase c;
  run(fake_race, &v);
  make_case(&c);
  ck_assert_uint_eq(v.n, 1);
  ck_assert_uint_eq(v.finding[0].key, wf_case_key(&c));
  ck_assert_ptr_eq(v.finding[0].simt.here.site, &fake_site_a);
  ck_assert_ptr_eq(v.finding[0].simt.other.site, &fake_site_b);
  run(fake_wrong, &v);
  ck_assert_uint_eq(v.finding[0].key, wf_case_key(&c));
}
END_TEST

START_TEST(a_wrong_element_s_writer_is_named) {
  WfVerdict v;
  run(fake_wrong, &v);
  ck_assert_ptr_eq(v.finding[0].writer.site, &fake_store_site);
  ck_assert_uint_eq(v.finding[0].writer.thread[0], (uint32_t)v.finding[0].index);
  ck_assert_ptr_null(v.finding[0].simt.here.site); /* no part of what the finding is */
  run(fake_race, &v);
  ck_assert_ptr_null(v.finding[0].writer.site);
}
END_TEST

START_TEST(input_written_names_element_and_values) {
  WfVerdict v;
  run(fake_writes_input, &v);
  const WfFinding *f = find(&v, SIMT_INPUT_WRITTEN);
  ck_assert_ptr_nonnull(f);
  ck_assert_str_eq(f->simt.object, "x");
  ck_assert_uint_eq(f->simt.offset_bytes, 24);
  ck_assert_int_eq(f->index, 6);
  ck_assert_int_eq(f->n_bad, 2);
  ck_assert(f->expected == 1 && f->got == 9);
  ck_assert_str_eq(f->simt.detail, "input x[1,1] changed from 1 to 9");
  ck_assert_str_eq(f->map[1], ".#...");
  ck_assert_str_eq(f->map[2], "....#");
}
END_TEST

START_TEST(unwritten_output_has_index_count_and_map) {
  WfVerdict v;
  run(fake_leaves_tail, &v);
  const WfFinding *f = find(&v, SIMT_UNWRITTEN_OUTPUT);
  ck_assert_ptr_nonnull(f);
  ck_assert_int_eq(f->index, 3);
  ck_assert_int_eq(f->n_bad, 4);
  ck_assert_int_eq(f->n_elems, FAKE_ROWS * FAKE_COLS);
  ck_assert_str_eq(f->simt.detail, "no thread wrote y[0,3]");
  ck_assert_str_eq(f->map[0], "...##");
  ck_assert_str_eq(f->map[1], ".....");
  ck_assert_str_eq(f->map[2], "...##");
  ck_assert(fabs(f->expected - 0.234121657) < 1e-9); /* e^3 / (1 + e + .. + e^4) */
  ck_assert(isnan(f->got));
}
END_TEST

START_TEST(poison_says_what_it_changes) {
  WfVerdict v;
  run(fake_poison_to_output, &v);
  ck_assert_str_eq(find(&v, SIMT_UNINIT_SHARED)->simt.detail, "it changes y[1,2]");
  ck_assert_int_eq(find(&v, SIMT_UNINIT_SHARED)->simt.severity, SIMT_ERROR);
  ck_assert_str_eq(find(&v, SIMT_UNINIT_SHARED)->simt.object, "slots");
  ck_assert_uint_eq(find(&v, SIMT_UNINIT_SHARED)->simt.count, 1);
  run(fake_poison_to_branch, &v);
  ck_assert_str_eq(find(&v, SIMT_SHUFFLE_MASK)->simt.detail, "it decides a branch or an address");
}
END_TEST

START_TEST(nondeterministic_shows_both_values) {
  WfVerdict v;
  run(fake_last_bit_by_schedule, &v);
  const WfFinding *f = find(&v, SIMT_NONDETERMINISTIC);
  ck_assert_int_eq(f->index, 8);
  ck_assert_int_eq(f->n_bad, 1);
  ck_assert(nextafterf((float)f->expected, 1) == f->got);
  ck_assert_str_eq(f->simt.detail, "y[1,3] is 0.23412165 under one schedule and 0.23412167 under another");
}
END_TEST

START_TEST(invariants_speak_where_values_are_right) {
  WfVerdict v;
  WfRunOptions wide = plain;
  run(fake_breaks_invariant, &v); /* off by far more than the bound: the value is judged, the invariant is not asked */
  ck_assert_ptr_null(strstr(v.finding[0].simt.detail, "negative"));
  run_with(fake_breaks_invariant, WF_DETERMINISTIC | WF_FAST_EXP, &plain, &v); /* whose bound is wide */
  ck_assert_uint_eq(v.n, 1);
  ck_assert_int_eq(v.finding[0].simt.cls, SIMT_WRONG_RESULT);
  ck_assert_str_eq(v.finding[0].simt.detail, "a softmax is never negative");
  ck_assert_int_eq(v.finding[0].index, 3);
  ck_assert_int_eq(v.finding[0].n_bad, 1);
  ck_assert_str_eq(v.finding[0].map[0], "...#.");
  wide.atol = 1; /* the user accepts such values, which is all there is to say */
  run_with(fake_breaks_invariant, WF_DETERMINISTIC, &wide, &v);
  ck_assert_uint_eq(v.n, 0);
}
END_TEST

START_TEST(tolerances_widen_the_bound) {
  WfVerdict v;
  WfRunOptions wide = plain;
  wide.atol = 2e-3;
  run_with(fake_wrong, WF_DETERMINISTIC, &wide, &v);
  ck_assert_uint_eq(v.n, 0);
  wide.atol = 0.5e-3; /* off by 1e-3 */
  run_with(fake_wrong, WF_DETERMINISTIC, &wide, &v);
  ck_assert_uint_eq(v.n, 1);
  ck_assert(v.finding[0].atol == 0.5e-3 && v.finding[0].rtol == 0);
  ck_assert(v.finding[0].bound > 0.5e-3 && v.finding[0].bound < 0.6e-3);
  wide.atol = 0;
  wide.rtol = 1;
  run_with(fake_wrong, WF_DETERMINISTIC, &wide, &v);
  ck_assert_uint_eq(v.n, 0);
}
END_TEST

START_TEST(verdict_has_stats_and_situations) {
  WfVerdict v;
  run(fake_harmless_poison, &v);
  ck_assert_int_eq(v.stats.poison_read, 1);
  ck_assert_uint_eq(v.situations & ~(BIT(WF_DIMS_DIFFER) | BIT(WF_TAIL)),
                    BIT(WF_PARTIAL_WARP) | BIT(WF_BLOCK_OVER_COLS) | BIT(WF_ROWS_OVER_GRID) | BIT(WF_UNALIGNED_BASE));
}
END_TEST

START_TEST(scratch_memory_is_handed_over) {
  WfVariant variant = {.name = "fake", .entry = fake_wants_scratch, .launch = "", .scratch = "4 * rows"};
  WfCase c;
  WfRunner *r;
  WfVerdict v;
  char err[200] = "";
  make_case(&c);
  ck_assert_int_eq(wf_runner_create(&r), 0);
  ck_assert_int_eq(wf_run(r, &c, &variant, &plain, &v, err, sizeof err), 0);
  ck_assert_uint_eq(v.errors | v.warnings, 0);
  ck_assert_uint_eq(v.runs, 2);
  variant.scratch = NULL; /* the kernel must see the difference */
  ck_assert_int_eq(wf_run(r, &c, &variant, &plain, &v, err, sizeof err), 0);
  ck_assert_uint_eq(v.errors, BIT(SIMT_TRAP));
  wf_runner_destroy(r);
}
END_TEST

START_TEST(contract_is_checked_first) {
  const WfVariant variant = {.name = "fake", .entry = fake_clean, .launch = "", .requires = "cols % 4 == 0"},
                  greedy = {.name = "greedy", .entry = fake_clean, .launch = "", .scratch = "1152921504606846976"};
  WfCase c;
  WfRunner *r;
  WfVerdict v;
  char err[200] = "";
  make_case(&c);
  ck_assert_int_eq(wf_runner_create(&r), 0);
  ck_assert_int_eq(wf_run(r, &c, &variant, &plain, &v, err, sizeof err), -2);
  ck_assert_ptr_nonnull(strstr(err, "cols % 4 == 0"));
  ck_assert_int_eq(wf_run(r, &c, &variant, &plain, &v, NULL, 0), -2);
  ck_assert_uint_eq(v.runs, 0);
  c.dim[0] = c.dim[1] = INT64_C(1) << 15;
  ck_assert_int_eq(wf_run(r, &c, &variant, &plain, &v, err, sizeof err), -2);
  ck_assert_ptr_nonnull(strstr(err, "too large to run as a whole"));
  make_case(&c);
  ck_assert_int_eq(wf_run(r, &c, &greedy, &plain, &v, err, sizeof err), -1);
  ck_assert_str_eq(err, "out of memory");
  wf_runner_destroy(r);
}
END_TEST

/* All a report is made of, as text. */
static void describe(const WfVerdict *v, char *buf, size_t size) {
  size_t at = (size_t)snprintf(buf, size, "%zu %zu %x %x %llu\n", v->n, v->n_dropped, v->errors, v->warnings,
                               (unsigned long long)v->runs);
  for (size_t i = 0; i < v->n; i++) {
    const WfFinding *f = &v->finding[i];
    at += (size_t)snprintf(buf + at, size - at, "%d %d %s %p %p %llu %llx %lld %lld %s|%s|%s|%s\n", f->simt.cls,
                           f->simt.severity, f->simt.object, (const void *)f->simt.here.site,
                           (const void *)f->simt.other.site, (unsigned long long)f->simt.count,
                           (unsigned long long)f->key, (long long)f->index, (long long)f->n_bad, f->simt.detail,
                           f->map[0], f->map[1], f->map[2]);
  }
}

START_TEST(a_used_runner_gives_the_same_verdicts) {
  WfRunner *used, *fresh;
  WfCase c;
  WfVerdict v;
  char a[4000], b[4000];
  make_case(&c);
  ck_assert_int_eq(wf_runner_create(&used), 0);
  for (size_t i = 0; i < 2 * sizeof rows / sizeof rows[0]; i++) {
    const Row *r = &rows[i % (sizeof rows / sizeof rows[0])];
    const WfVariant variant = {.name = "fake", .entry = r->entry, .launch = "", .flags = r->flags};
    ck_assert_int_eq(wf_run(used, &c, &variant, &plain, &v, NULL, 0), 0);
    describe(&v, a, sizeof a);
    ck_assert_int_eq(wf_runner_create(&fresh), 0);
    ck_assert_int_eq(wf_run(fresh, &c, &variant, &plain, &v, NULL, 0), 0);
    describe(&v, b, sizeof b);
    wf_runner_destroy(fresh);
    ck_assert_str_eq(a, b);
  }
  wf_runner_destroy(used);
}
END_TEST

int main(void) {
  Suite *s = suite_create("run");
  TCase *t = tcase_create("run");
  tcase_add_loop_test(t, each_kernel, 0, (int)(sizeof rows / sizeof rows[0]));
  tcase_add_test(t, giving_up_is_no_verdict);
  tcase_add_test(t, findings_carry_the_case_key);
  tcase_add_test(t, a_wrong_element_s_writer_is_named);
  tcase_add_test(t, input_written_names_element_and_values);
  tcase_add_test(t, unwritten_output_has_index_count_and_map);
  tcase_add_test(t, poison_says_what_it_changes);
  tcase_add_test(t, nondeterministic_shows_both_values);
  tcase_add_test(t, invariants_speak_where_values_are_right);
  tcase_add_test(t, tolerances_widen_the_bound);
  tcase_add_test(t, verdict_has_stats_and_situations);
  tcase_add_test(t, scratch_memory_is_handed_over);
  tcase_add_test(t, contract_is_checked_first);
  tcase_add_test(t, a_used_runner_gives_the_same_verdicts);
  suite_add_tcase(s, t);
  return suite_run(s);
}
