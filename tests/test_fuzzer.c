/* test_fuzzer.c - the corpus, the loop in one process, and the libFuzzer callbacks, over the engine's stand-in and kernels that are
 * plain C. */
#include "../fuzz/corpus.h"
#include "../fuzz/fuzz_target.h"
#include "../fuzz/fuzzer.h"
#include "copy_op.h"
#include "suite.h"
#include "work_dir.h"
#include <check.h>
#include <stdlib.h>
#include <string.h>

/* ---- corpus ---- */

static WfCase a_case(int64_t rows) {
  WfCase c = {.op = &copy_op, .dim = {rows, 3}, .grid = {1, 1, 1}, .block = {32, 1, 1}};
  c.fill[0].scale = 1;
  return c;
}

/* Offers a case whose number of rows is its name and size. */
static int offer(WfCorpus *c, int64_t rows, const uint8_t *counters, size_t n, uint32_t situations) {
  WfCase k = a_case(rows);
  return wf_corpus_offer(c, &k, (uint64_t)rows, counters, n, situations);
}

static WfCorpus *new_corpus(void) {
  WfCorpus *c;
  ck_assert_int_eq(wf_corpus_create(&c), 0);
  return c;
}

START_TEST(counters_are_bucketed) {
  static const uint8_t edges[][2] = {{1, 0}, {2, 0}, {3, 0}, {4, 7}, {8, 15}, {16, 31}, {32, 127}, {128, 255}};
  WfCorpus *c = new_corpus();
  uint8_t counters[11] = {0};
  for (size_t i = 0; i < sizeof edges / sizeof *edges; i++) {
    counters[10] = edges[i][0];
    ck_assert_int_eq(offer(c, 5, counters, 11, 0), 1);
    counters[10] = edges[i][1];
    ck_assert_int_eq(offer(c, 5, counters, 11, 0), 0);
  }
  ck_assert_uint_eq(wf_corpus_features(c), 8);
  ck_assert_uint_eq(wf_corpus_count(c), 8);
  wf_corpus_destroy(c);
}
END_TEST

START_TEST(smaller_cases_take_over) {
  WfCorpus *c = new_corpus();
  WfChoice ch = {.state = 1};
  const uint8_t both[2] = {1, 1}, one[2] = {1, 0};
  WfCase picked = {.n_edits = WF_MAX_EDITS};
  ck_assert_int_eq(wf_corpus_pick(c, &ch, &picked), 0);
  ck_assert_int_eq(offer(c, 9, both, 2, 0), 2);
  ck_assert_int_eq(offer(c, 9, one, 2, 0), 0);
  ck_assert_int_eq(offer(c, 4, one, 2, 0), 0); /* takes one feature: both stay */
  ck_assert_uint_eq(wf_corpus_count(c), 2);
  ck_assert_int_eq(offer(c, 3, both, 2, 0), 0); /* takes both: alone */
  ck_assert_uint_eq(wf_corpus_count(c), 1);
  memset(&picked, 0xff, sizeof picked);
  ck_assert_int_eq(wf_corpus_pick(c, &ch, &picked), 1);
  ck_assert_int_eq(picked.dim[0], 3);
  ck_assert_int_eq(picked.edits[WF_MAX_EDITS - 1].tensor, 0); /* what it does not use is empty */
  ck_assert_int_eq(offer(c, 50, one, 2, 6), 2); /* two situations */
  ck_assert_uint_eq(wf_corpus_count(c), 2);
  ck_assert_uint_eq(wf_corpus_features(c), 4);
  wf_corpus_destroy(c);
}
END_TEST

START_TEST(corpus_grows) {
  enum { N = 5000 };
  static uint8_t counters[N];
  WfCorpus *c = new_corpus();
  for (int i = 0; i < N; i++) {
    memset(counters, 0, sizeof counters);
    counters[i] = 1;
    ck_assert_int_eq(offer(c, 1 + i, counters, N, 0), 1);
  }
  ck_assert_uint_eq(wf_corpus_count(c), N);
  memset(counters, 1, sizeof counters);
  ck_assert_int_eq(offer(c, 1, counters, N, 0), 0); /* smaller than all but the first */
  ck_assert_uint_eq(wf_corpus_count(c), 2);
  wf_corpus_destroy(c);
}
END_TEST

START_TEST(sizes_order_cases) {
  WfGeometry g = {.grid = {1, 1, 1}, .block = {32, 1, 1}}, wide = {.grid = {UINT32_MAX, 65535, 65535}, .block = {1024, 1, 1}};
  WfCase small = a_case(2), large = a_case(3);
  ck_assert_uint_lt(wf_case_size(&small, &wide), wf_case_size(&large, &g)); /* elements first */
  ck_assert_uint_lt(wf_case_size(&small, &g), wf_case_size(&small, &wide));
  large = small;
  large.n_edits = 1;
  ck_assert_uint_lt(wf_case_size(&small, &g), wf_case_size(&large, &g));
}
END_TEST

/* ---- the loop ---- */

typedef struct Trace {
  uint64_t key[512];
  uint32_t errors[512];
  int n;
} Trace;

/* The cases that the variant `only` meets in the first `n` steps of a fuzzer over the targets. */
static void trace(const WfTarget *t, size_t n_targets, size_t only, int n, uint64_t seed, Trace *out) {
  WfFuzzer *f;
  char err[256];
  out->n = 0;
  ck_assert_int_eq(wf_fuzzer_create(&f, t, n_targets, seed), 0);
  for (int i = 0; i < n; i++) {
    WfStep s;
    wf_fuzzer_choose(f, &s);
    ck_assert_msg(wf_fuzzer_execute(f, &s, err, sizeof err) == 0, "%s", err);
    if (s.target != only) continue;
    out->key[out->n] = wf_case_key(s.c);
    out->errors[out->n++] = s.verdict->errors;
  }
  wf_fuzzer_destroy(f);
}

static int same_trace(const Trace *a, const Trace *b) {
  return a->n == b->n && memcmp(a->key, b->key, sizeof *a->key * (size_t)a->n) == 0 &&
         memcmp(a->errors, b->errors, sizeof *a->errors * (size_t)a->n) == 0;
}

START_TEST(seed_decides_everything) {
  static Trace a, b;
  trace(copy_targets, COPY_N_TARGETS, COPY_RACE, 800, 7, &a);
  trace(copy_targets, COPY_N_TARGETS, COPY_RACE, 800, 7, &b);
  ck_assert_int_eq(a.n, 200);
  ck_assert(same_trace(&a, &b));
  trace(copy_targets, COPY_N_TARGETS, COPY_RACE, 800, 8, &b);
  ck_assert(!same_trace(&a, &b));
}
END_TEST

START_TEST(a_filter_changes_nothing) {
  static Trace all, alone;
  trace(copy_targets, COPY_N_TARGETS, COPY_RACE, 800, 7, &all);
  trace(&copy_targets[COPY_RACE], 1, 0, 200, 7, &alone);
  ck_assert(same_trace(&all, &alone));
}
END_TEST

START_TEST(faults_are_found) {
  static Trace t;
  const uint32_t classes[COPY_N_TARGETS] = {0, 1u << SIMT_UNWRITTEN_OUTPUT, 1u << SIMT_RACE_SHARED, 0};
  for (size_t only = 0; only < COPY_N_TARGETS; only++) {
    uint32_t found = 0;
    trace(copy_targets, COPY_N_TARGETS, only, 800, 1, &t);
    for (int i = 0; i < t.n; i++) found |= t.errors[i];
    ck_assert_uint_eq(found, classes[only]);
  }
}
END_TEST

START_TEST(given_cases_come_first) {
  WfFuzzer *f;
  WfStep s;
  char err[256];
  WfCase c = a_case(17);
  c.variant = &copy_variants[COPY_TAIL]; /* does not matter */
  ck_assert_int_eq(wf_fuzzer_create(&f, copy_targets, COPY_N_TARGETS, 1), 0);
  ck_assert_int_eq(wf_fuzzer_add(f, &c), COPY_N_TARGETS);
  for (size_t i = 0; i < COPY_N_TARGETS; i++) {
    wf_fuzzer_choose(f, &s);
    ck_assert_uint_eq(s.target, i);
    ck_assert_int_eq(s.c->dim[0], 17);
    ck_assert_ptr_null(s.c->variant);
    ck_assert_int_eq(wf_fuzzer_execute(f, &s, err, sizeof err), 0);
    ck_assert_int_gt(s.new_features, 0);
  }
  size_t n_cases, n_features;
  wf_fuzzer_totals(f, &n_cases, &n_features);
  ck_assert_uint_eq(n_cases, COPY_N_TARGETS);
  ck_assert_uint_ge(n_features, COPY_N_TARGETS);
  wf_fuzzer_destroy(f);
}
END_TEST

/* ---- libFuzzer's callbacks ---- */

static char dir[WORK_DIR_MAX];

static WfFuzzTarget new_target(char *argument) {
  WfFuzzTarget t;
  char err[256], *argv[] = {"fuzz_copy", argument, NULL};
  ck_assert_msg(wf_fuzz_target_init(&t, "copy", argument ? 2 : 1, argv, err, sizeof err) == 0, "%s", err);
  t.out = dir;
  return t;
}

START_TEST(any_bytes_are_an_input) {
  WfFuzzTarget t = new_target(NULL);
  ck_assert_uint_eq(t.n_variants, 1); /* the clean one */
  uint64_t state = 5;
  uint8_t data[64];
  for (int round = 0; round < 300; round++) {
    size_t size = (size_t)(state % sizeof data);
    for (size_t i = 0; i < size; i++) data[i] = (uint8_t)((state = wf_seed_derive(state, i)) >> 20);
    state = wf_seed_derive(state, size);
    ck_assert_int_eq(wf_fuzz_target_run(&t, data, size, stderr), 0);
  }
  ck_assert_int_eq(wf_fuzz_target_run(&t, NULL, 0, stderr), 0);
  ck_assert_int_eq(wf_fuzz_target_run(&t, (const uint8_t *)"warpfuzz case 1\nnonsense\n", 25, stderr), 0);
  wf_fuzz_target_free(&t);
}
END_TEST

START_TEST(mutants_are_cases_in_the_contract) {
  WfFuzzTarget t = new_target("--variant=copy/race.*");
  uint8_t a[4096] = {1, 2, 3}, b[4096] = {7}, mixed[4096];
  size_t a_size = 3, b_size = 1;
  WfGeometry g;
  WfCase c;
  char err[256];
  for (unsigned seed = 0; seed < 300; seed++) {
    a_size = wf_fuzz_target_mutate(&t, a, a_size, sizeof a, seed);
    b_size = wf_fuzz_target_mutate(&t, b, b_size, sizeof b, seed + 1000);
    size_t n = wf_fuzz_target_cross(&t, a, a_size, b, b_size, mixed, sizeof mixed, seed);
    ck_assert_msg(wf_case_parse(&c, (char *)a, a_size, "mutant", err, sizeof err) == 0, "%s", err);
    ck_assert_ptr_eq(c.variant, &copy_variants[COPY_RACE]);
    ck_assert(wf_case_admits(&c, c.variant, &g, err, sizeof err));
    ck_assert_msg(wf_case_parse(&c, (char *)mixed, n, "cross", err, sizeof err) == 0, "%s", err);
    ck_assert(wf_case_admits(&c, c.variant, &g, err, sizeof err));
  }
  uint8_t tiny[4] = {9, 9, 9, 9};
  ck_assert_uint_eq(wf_fuzz_target_mutate(&t, tiny, 4, sizeof tiny, 1), 4); /* does not fit: as it was */
  ck_assert_uint_eq(tiny[3], 9);
  wf_fuzz_target_free(&t);
}
END_TEST

/* As libFuzzer does it: after the first mutation it takes the result for as long as the input was. */
START_TEST(inputs_that_are_to_be_smaller_get_smaller) {
  WfFuzzTarget t = new_target("--variant=copy/race.*");
  const char text[] = "warpfuzz case 1\nop copy\nvariant race.published\nrows 4\ncols 33\ngrid 2 1 1\nblock 32 1 1\nschedule 0x12ab\n"
                      "x normal seed=15 scale=30 offset=2\nx[1,*] = 0.5\n";
  size_t size = strlen(text), shortest = size;
  int readable = 0;
  for (unsigned seed = 0; seed < 400; seed++) {
    uint8_t data[sizeof text];
    char err[256];
    WfCase c;
    if (seed % 4 == 0) memcpy(data, text, sizeof text);
    size_t n = wf_fuzz_target_mutate(&t, data, size, size - 1, seed);
    ck_assert_uint_lt(n, size);
    int good = wf_case_parse(&c, (char *)data, n, "smaller", err, sizeof err) == 0;
    readable += good;
    if (good && n < shortest) shortest = n;
    if (!good) memcpy(data, text, sizeof text);
    ck_assert_int_eq(data[size], '\0');
  }
  ck_assert_int_gt(readable, 350);
  ck_assert_uint_lt(shortest, size - 15);
  wf_fuzz_target_free(&t);
}
END_TEST

START_TEST(choices_that_are_to_be_fewer_get_fewer) {
  WfFuzzTarget t = new_target("--variant=copy/race.*");
  for (unsigned seed = 0; seed < 200; seed++) {
    uint8_t data[41];
    memset(data, 7, sizeof data);
    data[40] = 9;
    size_t n = wf_fuzz_target_mutate(&t, data, 40, 39, seed);
    ck_assert(n > 0 && n < 40);
    for (size_t i = 0; i < n; i++) ck_assert_int_eq(data[i], 7);
    ck_assert_int_eq(data[40], 9);
  }
  uint8_t one[2] = {7, 9};
  ck_assert_uint_le(wf_fuzz_target_mutate(&t, one, 1, 0, 1), 0);
  wf_fuzz_target_free(&t);
}
END_TEST

START_TEST(a_finding_saves_its_case) {
  work_dir_make(dir);
  WfFuzzTarget t = new_target("--variant=copy/race.published");
  const char text[] = "warpfuzz case 1\nop copy\nrows 4\ncols 3\ngrid 2 1 1\nblock 32 1 1\nschedule 0x1\n"
                      "x normal seed=1 scale=1 offset=0\n";
  FILE *log = tmpfile();
  ck_assert_int_eq(wf_fuzz_target_run(&t, (const uint8_t *)text, strlen(text), log), 1 + SIMT_RACE_SHARED);
  char command[160];
  snprintf(command, sizeof command, "grep -qx 'expect race-shared' %s/copy-race.published-race-shared-*.case", dir);
  ck_assert_int_eq(system(command), 0);
  ck_assert_int_gt(ftell(log), 0);
  fclose(log);
  wf_fuzz_target_free(&t);
  work_dir_remove(dir);
}
END_TEST

/* Executions of the case while the target goes on; lines of its findings.jsonl. */
static long told_after(WfFuzzTarget *t, const char *text, int times) {
  FILE *log = tmpfile();
  for (int i = 0; i < times; i++)
    ck_assert_int_eq(wf_fuzz_target_run(t, (const uint8_t *)text, strlen(text), log), 1 + SIMT_RACE_SHARED);
  fclose(log);
  char command[160], out[32] = "";
  snprintf(command, sizeof command, "grep -c race-shared %s/findings.jsonl", dir);
  FILE *f = popen(command, "r");
  ck_assert_ptr_nonnull(f);
  ck_assert_ptr_nonnull(fgets(out, sizeof out, f));
  pclose(f);
  return strtol(out, NULL, 10);
}

START_TEST(what_was_told_is_counted) {
  work_dir_make(dir);
  ck_assert_int_eq(setenv("WARPFUZZ_ABORT", "0", 1) | setenv("WARPFUZZ_OUT", dir, 1), 0);
  WfFuzzTarget t = new_target("--variant=copy/twice.published");
  ck_assert_int_eq(t.goes_on, 1);
  static const char few[] = "warpfuzz case 1\nop copy\nrows 4\ncols 3\ngrid 2 1 1\nblock 32 1 1\nschedule 0x1\n"
                            "x normal seed=1 scale=1 offset=0\n";
  static const char many[] = "warpfuzz case 1\nop copy\nrows 4\ncols 9\ngrid 2 1 1\nblock 32 1 1\nschedule 0x1\n"
                             "x normal seed=1 scale=1 offset=0\n";
  ck_assert_int_eq(told_after(&t, few, 3), 1);
  ck_assert_int_eq(told_after(&t, many, 3), 2); /* the second of two findings is new */
  ck_assert_uint_eq(t.n_told, 2);
  ck_assert_uint_eq(t.n_bad, 6);
  wf_fuzz_target_free(&t);
  work_dir_remove(dir);
}
END_TEST

START_TEST(wrong_variables_are_told_in_a_line) {
  static const struct { const char *name, *value, *says; } wrong[] = {
      {"WARPFUZZ_ABORT", "yes", "WARPFUZZ_ABORT is to be 0 or 1, not 'yes'"},
      {"WARPFUZZ_ABORT", "01", "WARPFUZZ_ABORT is to be 0 or 1, not '01'"},
      {"WARPFUZZ_VARIANT", "add/scalar", "WARPFUZZ_VARIANT: no variant matches 'add/scalar'"},
      {"WARPFUZZ_VARIANT", "copy/a\nb", "WARPFUZZ_VARIANT: no variant matches 'copy/a?b'"},
      {"WARPFUZZ_OUT", "/dev/null/out", "WARPFUZZ_OUT: /dev/null: Not a directory"},
  };
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    WfFuzzTarget t;
    char err[1024] = "", *argv[] = {"fuzz_copy", NULL};
    ck_assert_int_eq(setenv(wrong[i].name, wrong[i].value, 1), 0);
    ck_assert_int_eq(wf_fuzz_target_init(&t, "copy", 1, argv, err, sizeof err), -1);
    ck_assert_msg(strncmp(err, wrong[i].says, strlen(wrong[i].says)) == 0 && !strchr(err, '\n'), "%s", err);
    wf_fuzz_target_free(&t);
    ck_assert_int_eq(setenv(wrong[i].name, "", 1), 0); /* as if it were not set */
    ck_assert_int_eq(wf_fuzz_target_init(&t, "copy", 1, argv, err, sizeof err), 0);
    wf_fuzz_target_free(&t);
  }
}
END_TEST

int main(void) {
  Suite *s = suite_create("fuzzer");
  TCase *t = tcase_create("corpus, loop and libFuzzer");
  tcase_set_timeout(t, 0);
  tcase_add_test(t, counters_are_bucketed);
  tcase_add_test(t, smaller_cases_take_over);
  tcase_add_test(t, corpus_grows);
  tcase_add_test(t, sizes_order_cases);
  tcase_add_test(t, seed_decides_everything);
  tcase_add_test(t, a_filter_changes_nothing);
  tcase_add_test(t, faults_are_found);
  tcase_add_test(t, given_cases_come_first);
  tcase_add_test(t, any_bytes_are_an_input);
  tcase_add_test(t, inputs_that_are_to_be_smaller_get_smaller);
  tcase_add_test(t, choices_that_are_to_be_fewer_get_fewer);
  tcase_add_test(t, mutants_are_cases_in_the_contract);
  tcase_add_test(t, what_was_told_is_counted);
  tcase_add_test(t, wrong_variables_are_told_in_a_line);
  tcase_add_test(t, a_finding_saves_its_case);
  suite_add_tcase(s, t);
  return suite_run(s);
}
