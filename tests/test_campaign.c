/* test_campaign.c - campaigns of one process and of several, over the engine's stand-in and kernels that are plain C: what is found,
 * shrunk and saved, when they end, and what they make of a process that dies. */
#include "../fuzz/campaign.h"
#include "copy_op.h"
#include "suite.h"
#include "work_dir.h"
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char dir[WORK_DIR_MAX];

typedef struct Ran {
  WfCampaignResult result;
  size_t n_findings;
  unsigned failures;
  char out[8192]; /* what was printed as requested data, and the path and class of each finding */
  WfKept kept[8]; /* without their strings */
} Ran;

static Ran run(WfPlan p) {
  Ran r = {0};
  WfCollector c;
  char err[512];
  FILE *out = tmpfile(), *log = tmpfile();
  p.out = dir;
  ck_assert(out && log);
  ck_assert_msg(wf_collector_init(&c, &p, out, log, err, sizeof err) == 0, "%s", err);
  ck_assert_int_eq(wf_campaign_run(&c, &r.result), 0);
  ck_assert_msg(wf_collect_finish(&c, err, sizeof err) == 0, "%s", err);
  for (size_t i = 0; i < c.n_kept && i < 8; i++) {
    fprintf(out, "%s %s %s\n", c.kept[i].path, c.kept[i].json, c.kept[i].shown);
    ck_assert_int_eq(access(c.kept[i].path, R_OK), 0);
    ck_assert_int_eq(access(c.kept[i].shown, R_OK), 0);
    r.kept[i] = c.kept[i];
  }
  r.n_findings = c.n_kept;
  r.failures = c.failures;
  rewind(out);
  r.out[fread(r.out, 1, sizeof r.out - 1, out)] = '\0';
  fclose(out);
  fclose(log);
  wf_collector_free(&c);
  return r;
}

START_TEST(campaign_finds_and_repeats) {
  static Ran a, b;
  const WfPlan p = {.targets = copy_targets, .n_targets = COPY_N_TARGETS, .seed = 3, .runs = 802, .jobs = 1};
  work_dir_make(dir);
  a = run(p);
  ck_assert_uint_eq(a.n_findings, 3);
  ck_assert_int_eq(work_dir_lines(dir, "findings.jsonl"), 3);
  ck_assert_uint_eq(a.result.executions, 802);
  ck_assert_uint_eq(a.result.rows[COPY_PLAIN].executions, 201);
  ck_assert_uint_eq(a.result.rows[COPY_WARNING].executions, 200);
  ck_assert_str_eq(wf_row_verdict(&a.result.rows[COPY_PLAIN]), "clean");
  ck_assert_str_eq(wf_row_verdict(&a.result.rows[COPY_TAIL]), "caught");
  ck_assert_str_eq(wf_row_verdict(&a.result.rows[COPY_RACE]), "caught");
  ck_assert_str_eq(wf_row_verdict(&a.result.rows[COPY_WARNING]), "MISSED");
  ck_assert_uint_gt(a.result.rows[COPY_PLAIN].situations[WF_PARTIAL_WARP], 0);
  ck_assert_uint_eq(a.result.rows[COPY_WARNING].warnings[SIMT_RACE_WARP], 200);
  work_dir_remove(dir);
  ck_assert_int_eq(mkdir(dir, 0700), 0); /* the same again, byte for byte */
  b = run(p);
  ck_assert_str_eq(a.out, b.out);
  /* and once more over what is there: found again, still a line each */
  free(run(p).result.rows);
  ck_assert_int_eq(work_dir_lines(dir, "findings.jsonl"), 3);
  free(a.result.rows);
  free(b.result.rows);
  work_dir_remove(dir);
}
END_TEST

/* The saved case says what it shows, and is the smallest: the race needs rows > grid, so at least 2 rows. */
START_TEST(saved_cases_are_small_and_say_what_they_show) {
  WfCase c;
  char err[256], path[256], *text;
  const WfPlan p = {.targets = &copy_targets[COPY_RACE], .n_targets = 1, .seed = 3, .runs = 1500, .jobs = 1};
  work_dir_make(dir);
  Ran r = run(p);
  ck_assert_uint_eq(r.n_findings, 1);
  ck_assert_int_eq(sscanf(strstr(r.out, "\"case\":"), "\"case\":\"%255[^\"]", path), 1);
  ck_assert_msg(wf_case_load(&c, path, err, sizeof err) == 0, "%s", err);
  ck_assert_ptr_eq(c.variant, &copy_variants[COPY_RACE]);
  ck_assert_uint_eq(c.expect, 1u << SIMT_RACE_SHARED);
  ck_assert_int_le(c.dim[0] * c.dim[1], 4);
  text = wf_case_print(&c);
  ck_assert_ptr_nonnull(text);
  free(text);
  free(r.result.rows);
  work_dir_remove(dir);
}
END_TEST

START_TEST(campaign_stops_at_the_first_error) {
  work_dir_make(dir);
  Ran r = run((WfPlan){
      .targets = copy_targets, .n_targets = COPY_N_TARGETS, .seed = 3, .runs = 100000, .jobs = 1, .stop_on_first = 1});
  ck_assert_uint_lt(r.result.executions, 1000);
  ck_assert_uint_ge(r.n_findings, 1);
  ck_assert_int_eq(r.kept[r.n_findings - 1].severity, SIMT_ERROR);
  free(r.result.rows);
  work_dir_remove(dir);
}
END_TEST

START_TEST(workers_share_the_executions) {
  work_dir_make(dir);
  Ran r = run((WfPlan){.targets = copy_targets, .n_targets = COPY_N_TARGETS, .seed = 3, .runs = 1001, .jobs = 3});
  ck_assert_uint_eq(r.result.executions, 1001);
  ck_assert_uint_eq(r.n_findings, 3);
  ck_assert_uint_eq(r.failures, 0);
  free(r.result.rows);
  work_dir_remove(dir);
}
END_TEST

START_TEST(time_ends_a_campaign) {
  work_dir_make(dir);
  uint64_t start = wf_clock_ns();
  Ran r = run((WfPlan){.targets = copy_targets, .n_targets = 1, .seed = 3, .deadline_ns = start + 300000000, .jobs = 2});
  ck_assert_uint_ge(r.result.elapsed_ns, 250000000);
  ck_assert_uint_lt(r.result.elapsed_ns, UINT64_C(20000000000));
  ck_assert_int_eq(r.result.broken, 0);
  free(r.result.rows);
  work_dir_remove(dir);
}
END_TEST

/* A kernel that kills its process: the case is reported and saved, and the campaign goes on to its end, or gives up. */
START_TEST(a_death_is_a_failure_of_the_harness) {
  static const WfTarget deadly[] = {{&copy_op, &copy_variants[COPY_PLAIN]}, {&copy_op, &copy_variants[COPY_DEATH]}};
  work_dir_make(dir);
  Ran r = run((WfPlan){.targets = deadly, .n_targets = 2, .seed = 3, .runs = 200, .jobs = 1});
  ck_assert_uint_gt(r.failures, 0);
  ck_assert_uint_eq(r.n_findings, 0);
  ck_assert(r.result.executions == 200 || r.result.broken);
  char command[128];
  snprintf(command, sizeof command, "test -n \"$(cat %s/harness-copy-death.published-*.case)\"", dir);
  ck_assert_int_eq(system(command), 0);
  free(r.result.rows);
  work_dir_remove(dir);
}
END_TEST

/* ---- shrinking in a campaign ---- */

/* Every finding's case has the least that shows it, whatever was found; executions that shrinking took count apart. */
START_TEST(findings_are_shrunk) {
  work_dir_make(dir);
  Ran r = run((WfPlan){.targets = copy_targets, .n_targets = COPY_N_TARGETS, .seed = 3, .runs = 802, .jobs = 1});
  ck_assert_uint_eq(r.result.executions, 802);
  ck_assert_uint_eq(r.n_findings, 3);
  ck_assert_uint_eq(r.result.shrunk, 3);
  ck_assert_uint_gt(r.result.shrink_executions, 6);
  for (size_t i = 0; i < r.n_findings; i++) {
    const WfCase *c = &r.kept[i].c;
    const WfVariant *v = copy_targets[r.kept[i].target].variant;
    ck_assert_int_eq(c->dim[0], v == &copy_variants[COPY_RACE] ? 2 : 1);
    ck_assert_int_eq(c->dim[1], v == &copy_variants[COPY_TAIL] ? 2 : 1);
    ck_assert_uint_eq(c->block[0], 1);
    ck_assert_uint_eq(c->n_edits, 0);
    ck_assert_uint_eq(c->schedule, 0);
    ck_assert_int_eq(c->fill[0].dist, WF_DIST_CONSTANT);
  }
  free(r.result.rows);
  work_dir_remove(dir);
}
END_TEST

/* With no time for it, findings keep the cases that they were found with, or smaller ones found later; all variants are run. */
START_TEST(shrinking_has_its_time) {
  work_dir_make(dir);
  Ran r = run((WfPlan){.targets = copy_targets, .n_targets = COPY_N_TARGETS, .seed = 3, .runs = 802, .jobs = 1, .shrink_ns = 1});
  ck_assert_uint_eq(r.result.executions, 802);
  ck_assert_uint_eq(r.n_findings, 3);
  ck_assert_uint_ge(r.result.shrunk, 3);
  ck_assert_uint_eq(r.result.shrunk_in_part, r.result.shrunk);
  ck_assert_uint_le(r.result.shrink_executions, 3 * r.result.shrunk);
  free(r.result.rows);
  work_dir_remove(dir);
}
END_TEST

START_TEST(the_first_error_is_shrunk_before_the_end) {
  for (unsigned jobs = 1; jobs <= 2; jobs++) {
    work_dir_make(dir);
    Ran r = run((WfPlan){.targets = &copy_targets[COPY_TAIL], .n_targets = 1, .seed = 3, .runs = 100000, .jobs = jobs, .stop_on_first = 1});
    ck_assert_uint_eq(r.n_findings, 1);
    ck_assert_uint_ge(r.result.shrunk, 1);
    ck_assert_int_eq(r.kept[0].c.dim[0], 1);
    ck_assert_int_eq(r.kept[0].c.dim[1], 2);
    ck_assert_ptr_nonnull(strstr(r.out, "SUMMARY"));
    free(r.result.rows);
    work_dir_remove(dir);
  }
}
END_TEST

/* The finding is kept as it was found, and found again by the next process, which shrinks nothing any more. */
START_TEST(a_death_while_shrinking_loses_no_finding) {
  static const WfTarget zeros = {&copy_op, &copy_variants[COPY_ZEROS]};
  work_dir_make(dir);
  Ran r = run((WfPlan){.targets = &zeros, .n_targets = 1, .seed = 4, .runs = 300, .jobs = 1});
  ck_assert_uint_ge(r.failures, 1);
  ck_assert_int_eq(r.result.broken, 0);
  ck_assert_uint_eq(r.result.executions, 300);
  ck_assert_uint_eq(r.n_findings, 1);
  ck_assert_uint_eq(r.result.shrunk, 0);
  ck_assert_ptr_nonnull(strstr(r.out, "SUMMARY"));
  ck_assert_int_eq(work_dir_lines(dir, "findings.jsonl"), 1);
  char command[160];
  snprintf(command, sizeof command, "grep -q constant %s/harness-copy-zeros.published-*.case", dir);
  ck_assert_int_eq(system(command), 0); /* the case that ended the process, not the one that was found */
  free(r.result.rows);
  work_dir_remove(dir);
}
END_TEST

/* Findings that share a case: shrinking one leaves the other's file. */
START_TEST(a_shared_case_stays) {
  static const WfTarget twice = {&copy_op, &copy_variants[COPY_TWICE]};
  work_dir_make(dir);
  Ran r = run((WfPlan){.targets = &twice, .n_targets = 1, .seed = 3, .runs = 100, .jobs = 1});
  ck_assert_uint_eq(r.n_findings, 2);
  ck_assert_int_eq(r.kept[0].c.dim[1] + r.kept[1].c.dim[1], 7); /* 1 and 6 */
  free(r.result.rows);
  work_dir_remove(dir);
}
END_TEST

/* A warning catches only what expects one. */
START_TEST(severity_expected) {
  const uint32_t race = 1u << SIMT_RACE_SHARED, hang = 1u << SIMT_HANG;
  const WfVariant error = {.name = "a", .expect = race}, warning = {.name = "b", .expect = race, .flags = WF_EXPECT_WARNING};
  ck_assert_int_eq(wf_variant_caught(&error, race | hang, 0), 1);
  ck_assert_int_eq(wf_variant_caught(&error, hang, race), 0);
  ck_assert_int_eq(wf_variant_caught(&warning, 0, race), 1);
  ck_assert_int_eq(wf_variant_caught(&warning, race, 0), 1);
  ck_assert_int_eq(wf_variant_caught(&warning, hang, hang), 0);
  WfRow row = {.target = {&copy_op, &error}, .executions = 1, .warnings[SIMT_RACE_SHARED] = 1};
  ck_assert_str_eq(wf_row_verdict(&row), "MISSED");
  ck_assert_int_eq(wf_row_as_expected(&row, 0), 0);
  row.target.variant = &warning;
  ck_assert_str_eq(wf_row_verdict(&row), "caught");
  ck_assert_int_eq(wf_row_as_expected(&row, 1), 1);
}
END_TEST

int main(void) {
  Suite *s = suite_create("campaign");
  TCase *t = tcase_create("campaigns");
  tcase_set_timeout(t, 0);
  tcase_add_test(t, campaign_finds_and_repeats);
  tcase_add_test(t, saved_cases_are_small_and_say_what_they_show);
  tcase_add_test(t, campaign_stops_at_the_first_error);
  tcase_add_test(t, workers_share_the_executions);
  tcase_add_test(t, time_ends_a_campaign);
  tcase_add_test(t, findings_are_shrunk);
  tcase_add_test(t, shrinking_has_its_time);
  tcase_add_test(t, the_first_error_is_shrunk_before_the_end);
  tcase_add_test(t, a_death_while_shrinking_loses_no_finding);
  tcase_add_test(t, a_shared_case_stays);
  tcase_add_test(t, a_death_is_a_failure_of_the_harness);
  tcase_add_test(t, severity_expected);
  suite_add_tcase(s, t);
  return suite_run(s);
}
