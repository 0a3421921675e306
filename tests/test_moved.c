/* test_moved.c - findings of earlier runs in a source whose lines have moved: which is which (replay_match.h), and under what ids fuzzing goes on. */
#define _POSIX_C_SOURCE 200809L
#include "../fuzz/replay_match.h"
#include "case_op.h"
#include "suite.h"
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 4, LINES = 60 };

static const WfCase a_case;
static WfVerdict verdict;

/* ---- a race of a line of the function f with itself ---- */

static WfFinding finding_at(const SimtSite *s) {
  return (WfFinding){.op = &softmax_op,
                     .variant = &softmax_variants[1],
                     .simt = {.cls = SIMT_RACE_SHARED, .severity = SIMT_ERROR, .here.site = s, .other.site = s}};
}

static const SimtSite *line(int n) {
  static SimtSite at_line[LINES];
  at_line[n] = (SimtSite){.file = "k.cu", .func = "f", .line = (uint32_t)n, .column = 5};
  return &at_line[n];
}

static uint64_t id_at(const SimtSite *s) {
  WfFinding f = finding_at(s);
  return wf_finding_id(&f);
}

/* ---- what the runs before know ---- */

typedef struct Past {
  WfReplay r[MOST];
  json_t *line[MOST];
  size_t n;
} Past;

static void add_past(Past *p, const SimtSite *s) {
  WfFinding f = finding_at(s);
  char *text = wf_finding_line(&f, "k.case", wf_finding_id(&f));
  p->r[p->n] = (WfReplay){.cls = f.simt.cls, .id = wf_finding_id(&f), .site_id = wf_finding_id(&f), .c = &a_case};
  p->line[p->n++] = json_loads(text, 0, NULL);
  free(text);
}

static void free_past(Past *p) {
  for (size_t i = 0; i < p->n; i++) json_decref(p->line[i]);
}

/* Replays finding i; its case shows these places now. */
static void replay(Past *p, size_t i, int is_last, const SimtSite *const *shown) {
  const WfMatching m = {p->r, p->line, p->n};
  const WfFinding *at = NULL;
  for (verdict.n = 0; shown[verdict.n]; verdict.n++) verdict.finding[verdict.n] = finding_at(shown[verdict.n]);
  p->r[i].seen = wf_replay_match(&m, i, &verdict, is_last, &at);
  if (p->r[i].seen == WF_REPLAYED_OPEN || p->r[i].seen == WF_REPLAYED_MOVED) p->r[i].site_id = wf_finding_id(at);
}

/* ---- tests ---- */

enum { GONE = 0, NO_CASE = -1, NO_VERDICT = -2, NOT_KNOWN = -3 };

static const struct {
  const char *name;
  int old[MOST], shown[MOST][MOST], now[MOST]; /* lines; ended by 0. shown[i][0]: or NO_CASE, NO_VERDICT; now[i]: or GONE, NOT_KNOWN */
} moves[] = {
    {"nothing moves", {10, 20}, {{10}, {20}}, {10, 20}},
    {"one moves", {10}, {{13}}, {13}},
    {"two move", {10, 20}, {{13, 23}, {13, 23}}, {13, 23}},
    {"two move, told the other way round", {10, 20}, {{23, 13}, {23, 13}}, {13, 23}},
    {"one to where the other was", {10, 11}, {{11}, {12}}, {11, 12}},
    {"three likewise", {10, 11, 12}, {{11}, {12}, {13}}, {11, 12, 13}},
    {"each case shows both: each has a place", {10, 11}, {{11, 12}, {11, 12}}, {12, 11}},
    {"one repaired, which moves the other", {10, 20}, {{23}, {23}}, {GONE, 23}},
    {"one repaired, the other stays", {10, 20}, {{20}, {20}}, {GONE, 20}},
    {"two have become one", {10, 20}, {{15}, {15}}, {15, GONE}},
    {"further than from each other", {10, 20}, {{18}, {28}}, {18, 28}},
    {"where one was that has no case", {10, 20}, {{20}, {NO_CASE}}, {GONE, 20}},
    {"where one was that has no verdict", {10, 20}, {{20}, {NO_VERDICT}}, {NOT_KNOWN, 20}},
    {"to where one was that is gone", {20, 10}, {{0}, {20}}, {GONE, 20}},
};

/* As replay_child.c does it: all, then those again that had to wait. */
static void replay_all(Past *p, const int shown[MOST][MOST]) {
  for (int pass = 0; pass < 2; pass++)
    for (size_t i = 0; i < p->n; i++) {
      const SimtSite *sites[MOST + 1] = {NULL};
      if (shown[i][0] < 0 || (pass && p->r[i].seen != WF_REPLAYED_LATER)) continue;
      for (int k = 0; k < MOST && shown[i][k]; k++) sites[k] = line(shown[i][k]);
      replay(p, i, pass, sites);
    }
}

START_TEST(each_is_where_it_has_moved_to) {
  Past p = {0};
  for (int i = 0; i < MOST && moves[_i].old[i]; i++) {
    add_past(&p, line(moves[_i].old[i]));
    if (moves[_i].shown[i][0] == NO_CASE) p.r[i].c = NULL;
  }
  replay_all(&p, moves[_i].shown);
  for (size_t i = 0; i < p.n; i++) {
    const int now = moves[_i].now[i], is_silent = moves[_i].shown[i][0] < 0 || now == NOT_KNOWN;
    const WfReplayed seen = p.r[i].seen;
    if (is_silent) ck_assert_msg(seen == WF_REPLAYED_UNKNOWN, "%s: of %zu is said %d", moves[_i].name, i, (int)seen);
    else if (now == GONE) ck_assert_msg(seen == WF_REPLAYED_GONE, "%s: %zu is not gone but %d", moves[_i].name, i, (int)seen);
    else ck_assert_msg(p.r[i].site_id == id_at(line(now)), "%s: %zu is not at line %d", moves[_i].name, i, now);
  }
  free_past(&p);
}
END_TEST

/* One place in a function that is called from two lines: the calls tell which is which. */
START_TEST(calls_are_places_too) {
  static const uint32_t lines[] = {30, 40, 41, 51}; /* before: 30 and 40 */
  SimtSite call[4], in[4];
  Past p = {0};
  for (int i = 0; i < 4; i++) {
    call[i] = (SimtSite){.file = "k.cu", .func = "k", .line = lines[i], .column = 3};
    in[i] = (SimtSite){.file = "k.cu", .func = "f", .line = 5, .column = 5, .caller = &call[i]};
  }
  add_past(&p, &in[0]);
  add_past(&p, &in[1]);
  const SimtSite *const shown[] = {&in[3], &in[2], NULL};
  for (int pass = 0; pass < 2; pass++)
    for (size_t i = 0; i < 2; i++)
      if (!pass || p.r[i].seen == WF_REPLAYED_LATER) replay(&p, i, pass, shown);
  ck_assert_uint_eq(p.r[0].site_id, id_at(&in[3])); /* line 41 is one line from 40 */
  ck_assert_uint_eq(p.r[1].site_id, id_at(&in[2]));
  free_past(&p);
}
END_TEST

/* What fuzzing finds in the same run. */
START_TEST(ids_go_with_the_findings) {
  static const int shown[MOST][MOST] = {{11}, {12}};
  Past p = {0};
  add_past(&p, line(10));
  add_past(&p, line(11));
  replay_all(&p, shown);
  const WfPlan plan = {.replays = p.r, .n_replays = p.n};
  ck_assert_uint_eq(wf_plan_id(&plan, id_at(line(11))), p.r[0].id);
  ck_assert_uint_eq(wf_plan_id(&plan, id_at(line(12))), p.r[1].id);
  ck_assert_uint_eq(wf_plan_id(&plan, id_at(line(50))), id_at(line(50)));
  const uint64_t fresh = wf_plan_id(&plan, id_at(line(10))); /* where the first one was by its id: another finding */
  ck_assert(fresh != p.r[0].id && fresh != p.r[1].id);
  ck_assert_uint_eq(wf_plan_id(&plan, id_at(line(10))), fresh);
  p.r[p.n] = (WfReplay){.id = fresh, .site_id = id_at(line(10))}; /* in the next run it has that id, too */
  const WfPlan next = {.replays = p.r, .n_replays = p.n + 1};
  ck_assert_uint_eq(wf_plan_id(&next, id_at(line(10))), fresh);
  free_past(&p);
}
END_TEST

/* One that is gone was where the other is now. */
START_TEST(who_is_there_goes_before_who_was) {
  static const int shown[MOST][MOST] = {{0}, {20}};
  Past p = {0};
  add_past(&p, line(20));
  add_past(&p, line(10));
  replay_all(&p, shown);
  const WfPlan plan = {.replays = p.r, .n_replays = p.n};
  ck_assert_uint_eq(wf_plan_id(&plan, id_at(line(20))), p.r[1].id);
  free_past(&p);
}
END_TEST

int main(void) {
  Suite *s = suite_create("moved");
  TCase *t = tcase_create("moved");
  tcase_add_loop_test(t, each_is_where_it_has_moved_to, 0, sizeof moves / sizeof *moves);
  tcase_add_test(t, calls_are_places_too);
  tcase_add_test(t, ids_go_with_the_findings);
  tcase_add_test(t, who_is_there_goes_before_who_was);
  suite_add_tcase(s, t);
  return suite_run(s);
}
