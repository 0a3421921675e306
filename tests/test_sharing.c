/* test_sharing.c - how workers share a campaign: turns by time, groups and their weights, cases of others, the corpus made small; over the engine's
 * stand-in, with features that are situations of the case. */
#define _POSIX_C_SOURCE 200809L
#include "../fuzz/balance.h"
#include "../fuzz/corpus_import.h"
#include "../fuzz/corpus_merge.h"
#include "../fuzz/turns.h"
#include "fake_simt.h"
#include "suite.h"
#include "work_dir.h"
#include <malloc.h>
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

static int reference(const WfRefArgs *a, double *out, double *bound) {
  for (int64_t i = 0; i < a->dim[0] * a->dim[1]; i++) {
    out[i] = a->in[0][i];
    bound[i] = 0;
  }
  return 0;
}

static void copy(const WfLaunchArgs *a) {
  const float *x = a->tensor[0];
  for (int64_t i = 0; i < a->dim[0] * a->dim[1]; i++) fake_store((float *)a->tensor[1] + i, x[i]);
}

static const WfVariant variants[] = {{.name = "any", .entry = copy}, {.name = "wide", .entry = copy, .requires = "cols > 40"}};
static const WfOp op = {
    .name = "copy",
    .n_dims = 2,
    .n_tensors = 2,
    .dims = {{"rows", 1, 60}, {"cols", 1, 60}},
    .tensors = {{"x", WF_IN, 2, {0, 1}}, {"y", WF_OUT, 2, {0, 1}}},
    .reference = reference,
    .variants = variants,
    .n_variants = 2,
};
static const WfOp other_op = {
    .name = "other",
    .n_dims = 2,
    .n_tensors = 2,
    .dims = {{"rows", 1, 60}, {"cols", 1, 60}},
    .tensors = {{"x", WF_IN, 2, {0, 1}}, {"y", WF_OUT, 2, {0, 1}}},
    .reference = reference,
    .variants = variants,
    .n_variants = 1,
};
/* The second kernel wants wide rows; with more than four rows, there is no launch of it at all. */
static const WfVariant few_variants[] = {{.name = "any", .entry = copy},
                                         {.name = "few_rows", .entry = copy, .requires = "cols > 40", .scratch = "4 - rows"}};
static const WfOp few_op = {
    .name = "few",
    .n_dims = 2,
    .n_tensors = 2,
    .dims = {{"rows", 1, 60}, {"cols", 1, 60}},
    .tensors = {{"x", WF_IN, 2, {0, 1}}, {"y", WF_OUT, 2, {0, 1}}},
    .reference = reference,
    .variants = few_variants,
    .n_variants = 2,
};
const WfOp *const wf_ops[] = {&op, &other_op, &few_op, NULL};

/* ---- turns ---- */

START_TEST(time_goes_by_weight) {
  WfTurns t;
  uint64_t spent[4] = {0};
  ck_assert_int_eq(wf_turns_init(&t, 4), 0);
  ck_assert_uint_eq(wf_turns_next(&t), SIZE_MAX);
  for (size_t i = 0; i < 3; i++) wf_turns_weigh(&t, i, i == 1 ? 4 : 1);
  for (int n = 0; n < 6000; n++) {
    size_t i = wf_turns_next(&t);
    uint64_t ns = i == 2 ? 50000 : 10000; /* its executions take longer: it has fewer of them, not more time */
    wf_turns_spend(&t, i, ns);
    spent[i] += ns;
  }
  ck_assert(fabs((double)spent[1] / (double)spent[0] - 4) < 0.1);
  ck_assert(fabs((double)spent[2] / (double)spent[0] - 1) < 0.1);
  ck_assert_uint_eq(spent[3], 0);
  wf_turns_weigh(&t, 3, 1); /* who comes later does not get all that the others had before */
  wf_turns_weigh(&t, 2, 0);
  int first = 0;
  for (int n = 0; n < 60; n++) {
    size_t i = wf_turns_next(&t);
    ck_assert_uint_ne(i, 2);
    wf_turns_spend(&t, i, 10000);
    first += i == 3;
  }
  ck_assert(first >= 8 && first <= 14);
  wf_turns_free(&t);
}
END_TEST

/* How many of the next n turns are variant i's. */
static int turns_of(WfTurns *t, size_t i, int n) {
  int got = 0;
  for (; n > 0; n--) {
    size_t next = wf_turns_next(t);
    ck_assert_uint_ne(next, SIZE_MAX);
    wf_turns_spend(t, next, 10000);
    got += next == i;
  }
  return got;
}

/* The last variant goes, another comes and has all turns for a while; then it shares them with whoever comes, comes back, or goes. */
START_TEST(who_was_alone_owes_nothing) {
  WfTurns t;
  ck_assert_int_eq(wf_turns_init(&t, 4), 0);
  wf_turns_weigh(&t, 0, 1);
  ck_assert_int_eq(turns_of(&t, 0, 5000), 5000);
  wf_turns_weigh(&t, 0, 0);
  ck_assert_uint_eq(wf_turns_next(&t), SIZE_MAX);
  wf_turns_weigh(&t, 1, 1);
  ck_assert_int_eq(turns_of(&t, 1, 10), 10);
  wf_turns_weigh(&t, 0, 1); /* it is 10 turns behind, not 5,000 ahead */
  int back = turns_of(&t, 0, 20);
  ck_assert_msg(back >= 8 && back <= 12, "%d", back);
  wf_turns_weigh(&t, 2, 1);
  ck_assert_int_eq(turns_of(&t, 2, 30), 10);
  for (size_t i = 0; i < 3; i++) wf_turns_weigh(&t, i, 0);
  wf_turns_weigh(&t, 3, 2); /* who was never there before is no further ahead */
  wf_turns_weigh(&t, 0, 2);
  int fresh = turns_of(&t, 3, 20);
  ck_assert_msg(fresh >= 9 && fresh <= 12, "%d", fresh);
  wf_turns_weigh(&t, 3, 0);
  wf_turns_spend(&t, 3, 10000); /* the turn that it was having */
  wf_turns_weigh(&t, 3, 2);
  fresh = turns_of(&t, 3, 20);
  ck_assert_msg(fresh >= 8 && fresh <= 12, "%d", fresh);
  wf_turns_free(&t);
}
END_TEST

/* ---- groups ---- */

enum { N_TARGETS = 40, JOBS = 3 };

static void check_owners(const WfBalance *b, const WfWorker *workers) {
  for (size_t t = 0; t < N_TARGETS; t++) {
    int owners = 0;
    for (unsigned w = 0; w < JOBS; w++) owners += workers[w].shared->counts[t].weight > 0;
    ck_assert_int_eq(owners, 1);
  }
  for (size_t i = 0; i < b->n_groups; i++) ck_assert(b->group[i].weight >= 1 && b->group[i].weight <= WF_MAX_WEIGHT);
}

START_TEST(time_follows_what_grows) {
  static WfTarget targets[N_TARGETS];
  WfWorker workers[JOBS];
  uint64_t findings[N_TARGETS] = {0};
  for (size_t i = 0; i < N_TARGETS; i++) targets[i] = (WfTarget){i < 30 ? &op : &other_op, &variants[0]};
  const WfPlan p = {.targets = targets, .n_targets = N_TARGETS, .jobs = JOBS};
  WfBalance b;
  for (unsigned w = 0; w < JOBS; w++) ck_assert_int_eq(wf_worker_init(&workers[w], w, N_TARGETS), 0);
  ck_assert_int_eq(wf_balance_init(&b, &p), 0);
  wf_balance_tell(&b, workers, JOBS);
  check_owners(&b, workers);
  for (size_t i = 0; i < b.n_groups; i++) ck_assert(targets[b.group[i].first].op == targets[b.group[i].first + b.group[i].n - 1].op);
  /* Coverage of the last group goes on growing: its worker comes to have little else. */
  WfGroup *last = &b.group[b.n_groups - 1];
  for (int period = 1; period <= 20; period++) {
    workers[last->worker].shared->counts[last->first].features += 5000;
    wf_balance_move(&b, workers, JOBS, findings);
    check_owners(&b, workers);
  }
  ck_assert_uint_eq(last->weight, WF_MAX_WEIGHT);
  size_t with_it = 0;
  for (size_t i = 0; i < b.n_groups; i++) with_it += b.group[i].worker == last->worker;
  ck_assert_uint_lt(with_it * JOBS, b.n_groups);
  /* It comes to its end: all weigh the same again. What another worker reaches of it once more is no growth. */
  workers[(last->worker + 1) % JOBS].shared->counts[last->first].features = 50000;
  for (int period = 0; period < 60; period++) wf_balance_move(&b, workers, JOBS, findings);
  for (size_t i = 0; i < b.n_groups; i++) ck_assert_uint_eq(b.group[i].weight, 1);
  findings[0] = 3;
  wf_balance_move(&b, workers, JOBS, findings);
  ck_assert_uint_gt(b.group[0].weight, 1);
  char text[64];
  wf_balance_describe(&b, &p, b.group[0].worker, text, sizeof text);
  ck_assert_msg(strncmp(text, "copy/any.. +", 12) == 0, "%s", text);
  wf_balance_free(&b);
  for (unsigned w = 0; w < JOBS; w++) wf_worker_free(&workers[w]);
}
END_TEST

/* Fewer groups than workers: nobody is idle, and who has a group of its own keeps to it. */
START_TEST(workers_without_a_group_help) {
  static const WfTarget targets[] = {{&op, &variants[0]}, {&other_op, &variants[0]}};
  WfWorker workers[JOBS];
  for (unsigned w = 0; w < JOBS; w++) ck_assert_int_eq(wf_worker_init(&workers[w], w, 2), 0);
  for (size_t n = 1; n <= 2; n++) {
    const WfPlan p = {.targets = targets, .n_targets = n, .jobs = JOBS};
    uint64_t findings[2] = {0};
    WfBalance b;
    ck_assert_int_eq(wf_balance_init(&b, &p), 0);
    wf_balance_tell(&b, workers, JOBS);
    for (int period = 0; period < 3; period++, wf_balance_move(&b, workers, JOBS, findings))
      for (unsigned w = 0; w < JOBS; w++)
        for (size_t t = 0; t < n; t++) ck_assert_uint_eq(workers[w].shared->counts[t].weight, w >= n || w == t);
    char text[64];
    wf_balance_describe(&b, &p, JOBS - 1, text, sizeof text);
    ck_assert_str_eq(text, "all");
    wf_balance_free(&b);
  }
  for (unsigned w = 0; w < JOBS; w++) wf_worker_free(&workers[w]);
}
END_TEST

/* ---- cases of others ---- */

static char dir[WORK_DIR_MAX], corpus[WORK_PATH_MAX];

static WfCase a_case(int64_t rows, int64_t cols) {
  WfCase c = {.op = &op, .dim = {rows, cols}, .grid = {1, 1, 1}, .block = {32, 1, 1}};
  c.fill[0].scale = 1;
  return c;
}

/* Under its key, or the name. Returns the key. */
static uint64_t save(const WfCase *c, const char *name) {
  char own[32], err[256], *text = wf_case_print(c);
  uint64_t key = wf_case_key(c);
  snprintf(own, sizeof own, "%016llx.case", (unsigned long long)key);
  ck_assert_int_eq(wf_file_write(corpus, name ? name : own, text, strlen(text), err, sizeof err), 0);
  free(text);
  return key;
}

static void setup(void) {
  char err[256];
  work_dir_make(dir);
  snprintf(corpus, sizeof corpus, "%s/corpus/copy", dir);
  ck_assert_int_eq(wf_dir_make(corpus, err, sizeof err), 0);
}

static void teardown(void) { work_dir_remove(dir); }

START_TEST(cases_reach_other_workers) {
  const WfTarget targets[] = {{&op, &variants[0]}, {&op, &variants[1]}};
  const uint32_t weight[] = {1, 1}, first_only[] = {1, 0};
  WfFuzzer *f;
  WfImport m = {0};
  WfStep s;
  WfCase narrow = a_case(3, 7), wide = a_case(3, 50);
  char err[256];
  ck_assert_int_eq(wf_fuzzer_create(&f, targets, 2, 1), 0);
  save(&narrow, NULL);
  ck_assert_int_eq(wf_import_note(&m, 0, save(&wide, NULL)), 0); /* target 0 has found it itself */
  ck_assert_int_eq(wf_file_write(corpus, "torn.case", "warp", 4, err, sizeof err), 0);
  ck_assert_int_eq(wf_import_all(&m, f, targets, first_only, 2, dir), 0);
  ck_assert_int_eq(wf_import_all(&m, f, targets, weight, 2, dir), 0);
  ck_assert_int_eq(wf_import_all(&m, f, targets, weight, 2, dir), 0); /* nothing is new */
  for (size_t t = 0; t < 2; t++) {
    wf_fuzzer_choose_for(f, t, &s);
    ck_assert_uint_eq(wf_case_key(s.c), wf_case_key(t == 0 ? &narrow : &wide)); /* each what it has not had, and admits */
    ck_assert_int_eq(wf_fuzzer_execute(f, &s, err, sizeof err), 0);
    ck_assert_uint_gt(wf_fuzzer_features(f, t), 0);
    wf_fuzzer_choose_for(f, t, &s);
    ck_assert_uint_ne(wf_case_key(s.c), wf_case_key(t == 0 ? &wide : &narrow));
    ck_assert_int_eq(wf_fuzzer_execute(f, &s, err, sizeof err), 0);
  }
  wf_import_free(&m);
  wf_fuzzer_destroy(f);
}
END_TEST

/* Of the cases in the corpus, one is in memory for all variants that are to run it: there may be thousands of cases, and dozens of variants. */
START_TEST(a_case_is_in_memory_once) {
  enum { MANY = 50 };
  WfTarget targets[MANY];
  uint32_t weight[MANY];
  WfFuzzer *f;
  WfImport m = {0};
  WfStep s;
  WfCase narrow = a_case(3, 7);
  uint64_t key = save(&narrow, NULL);
  for (size_t i = 0; i < MANY; i++) {
    targets[i] = (WfTarget){&op, &variants[0]};
    weight[i] = 1;
  }
  ck_assert_int_eq(wf_fuzzer_create(&f, targets, MANY, 1), 0);
  size_t before = mallinfo2().uordblks;
  ck_assert_int_eq(wf_import_all(&m, f, targets, weight, MANY, dir), 0);
  size_t taken = mallinfo2().uordblks - before; /* queues, and the table of what was seen */
  ck_assert_msg(taken < MANY / 4 * sizeof(WfCase), "%zu bytes, of cases of %zu", taken, sizeof(WfCase));
  for (size_t t = 0; t < MANY; t++) {
    wf_fuzzer_choose_for(f, t, &s);
    ck_assert_uint_eq(wf_case_key(s.c), key);
  }
  wf_import_free(&m);
  wf_fuzzer_destroy(f);
}
END_TEST

/* ---- the corpus made small ---- */

static int is_dropped(const WfMerge *m, uint64_t key) {
  for (size_t i = 0; i < m->n_drop; i++)
    if (m->drop[i] == key) return 1;
  return 0;
}

static int stop_at_once(void *arg) {
  (void)arg;
  return 1;
}

START_TEST(what_adds_nothing_is_dropped) {
  WfRunner *runner;
  WfMergeOptions opt = {0};
  WfMerge m;
  WfCase plain = a_case(4, 8), larger = a_case(5, 8), tail = a_case(4, 9), by_hand = a_case(6, 8), wide = a_case(4, 48), both = a_case(4, 49);
  ck_assert_int_eq(wf_runner_create(&runner), 0);
  uint64_t a = save(&plain, NULL), b = save(&larger, NULL);
  ck_assert_int_eq(wf_corpus_merge(&op, NULL, 0, corpus, runner, &opt, &m), 1);
  ck_assert(m.n_cases == 2 && m.n_drop == 1 && is_dropped(&m, b)); /* of two that do the same, the larger */
  free(m.drop);

  uint64_t c = save(&tail, NULL), d = save(&wide, NULL), e = save(&both, NULL);
  ck_assert_int_eq(wf_corpus_merge(&op, NULL, 0, corpus, runner, &opt, &m), 1);
  ck_assert(is_dropped(&m, b) && is_dropped(&m, c)); /* a tail is what 49 columns have, too, and they are for both variants */
  ck_assert(!is_dropped(&m, e) && m.n_drop + 1 < m.n_cases);
  ck_assert(!is_dropped(&m, a)); /* no other has more threads than columns and no tail */
  (void)d;
  free(m.drop);

  save(&by_hand, "by_hand.case"); /* not by its key: it stays, and what it does the others need not do */
  ck_assert_int_eq(wf_corpus_merge(&op, NULL, 0, corpus, runner, &opt, &m), 1);
  ck_assert(is_dropped(&m, a) && is_dropped(&m, b) && !is_dropped(&m, wf_case_key(&by_hand)));
  free(m.drop);

  opt.stop = stop_at_once;
  ck_assert_int_eq(wf_corpus_merge(&op, NULL, 0, corpus, runner, &opt, &m), 1);
  ck_assert(m.n_cases == 6 && m.n_drop == 0); /* what was not run stays */
  free(m.drop);
  ck_assert_int_eq(wf_corpus_merge(&op, NULL, 0, "/nowhere/at/all", runner, &opt, &m), 1); /* nothing there, nothing to drop */
  ck_assert(m.n_cases == 0 && m.n_drop == 0);
  free(m.drop);
  wf_runner_destroy(runner);
}
END_TEST

/* The smaller of two cases does what the other does where contracts admit them. Outside, only the other shows anything of few_rows. */
START_TEST(what_only_outside_admits_stays) {
  WfRunner *runner;
  WfMergeOptions opt = {0};
  WfMerge m;
  WfCase small = a_case(5, 8), large = a_case(4, 16);
  small.op = large.op = &few_op;
  uint64_t a = save(&small, NULL), b = save(&large, NULL);
  ck_assert_int_eq(wf_runner_create(&runner), 0);
  ck_assert_int_eq(wf_corpus_merge(&few_op, NULL, 0, corpus, runner, &opt, &m), 1);
  ck_assert(m.n_cases == 2 && m.n_drop == 1 && is_dropped(&m, b));
  free(m.drop);
  opt.outside = 1;
  ck_assert_int_eq(wf_corpus_merge(&few_op, NULL, 0, corpus, runner, &opt, &m), 1);
  ck_assert(m.n_cases == 2 && m.n_drop == 1 && is_dropped(&m, a));
  free(m.drop);
  wf_runner_destroy(runner);
}
END_TEST

int main(void) {
  Suite *s = suite_create("sharing");
  TCase *t = tcase_create("sharing");
  tcase_set_timeout(t, 0);
  tcase_add_checked_fixture(t, setup, teardown);
  tcase_add_test(t, time_goes_by_weight);
  tcase_add_test(t, who_was_alone_owes_nothing);
  tcase_add_test(t, time_follows_what_grows);
  tcase_add_test(t, workers_without_a_group_help);
  tcase_add_test(t, cases_reach_other_workers);
  tcase_add_test(t, a_case_is_in_memory_once);
  tcase_add_test(t, what_adds_nothing_is_dropped);
  tcase_add_test(t, what_only_outside_admits_stays);
  suite_add_tcase(s, t);
  return suite_run(s);
}
