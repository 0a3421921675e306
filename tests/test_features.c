/* test_features.c - CUDA as real files use it, a file a feature in tests/features: compiled as it is, each computes what it should, with
 * nothing found, and the faulty twin in the same file is caught in its class. features.def lists them. */
#include "../simt/simt.h"
#include "suite.h"
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N_MAX = 1024, N_RIGHT = 5, N_WRONG = 12 };

typedef struct Feature {
  const char *name;
  int n; /* doubles of out */
  void (*right)(double *out);
  double (*expected)(int i);
  void (*wrong)(double *out); /* NULL: there is none */
  SimtClass cls;              /* of that */
} Feature;

#define FEATURE(NAME, N)                                                                                               \
  void NAME##_right(double *out);                                                                                      \
  double NAME##_expected(int i);
#define TWIN(NAME, N, CLASS) FEATURE(NAME, N) void NAME##_wrong(double *out);
#include "features/features.def"
#undef FEATURE
#undef TWIN
#define FEATURE(NAME, N) {#NAME, N, NAME##_right, NAME##_expected, NULL, SIMT_CLASS_COUNT},
#define TWIN(NAME, N, CLASS) {#NAME, N, NAME##_right, NAME##_expected, NAME##_wrong, SIMT_##CLASS},
static const Feature features[] = {
#include "features/features.def"
};
enum { N_FEATURES = sizeof features / sizeof features[0] };

typedef struct Call {
  void (*launch)(double *out);
  void *out;
} Call;

static void launch(void *arg) {
  const Call *c = arg;
  c->launch(c->out);
}

/* The number of findings; *stats of the run. The result is in call->out. */
static size_t run(Simt *simt, Call *call, int n, unsigned k, SimtStats *stats) {
  const SimtRun how = {.schedule = k / 2 ? (k / 2) * 0x9e3779b97f4a7c15u : 0, .detect = SIMT_DETECT_ALL, .fill = 0x7fc0beef,
                       .reverse_blocks = k & 1};
  simt_free_all(simt);
  ck_assert_int_eq(simt_alloc(simt, "out", (size_t)n * sizeof(double), 0, 0, &call->out), 0);
  simt_begin(simt, &how);
  simt_call(simt, launch, call);
  return simt_end(simt, stats);
}

static int same(double a, double b) { return a == b || (isnan(a) && isnan(b)); }

static void judge_right(const Feature *f, const Call *call, unsigned k, const SimtStats *stats, const SimtFinding *found, size_t n) {
  ck_assert_msg(n == 0, "%s, run %u: %s, line %u: %s", f->name, k, simt_class_name(found->cls),
                found->here.site ? found->here.site->line : 0, found->detail);
  ck_assert_msg(!stats->poison_read && !stats->abandoned, "%s, run %u: a value nobody wrote, line %u", f->name, k,
                stats->poison_read && stats->poison[0].here.site ? stats->poison[0].here.site->line : 0);
  for (int i = 0; i < f->n; i++) {
    double got = ((double *)call->out)[i], wanted = f->expected(i);
    ck_assert_msg(same(got, wanted), "%s, run %u: out[%d] is %.17g, not %.17g", f->name, k, i, got, wanted);
  }
}

static int is_caught(const Feature *f, const Call *call, const SimtStats *stats, const SimtFinding *found, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (found[i].cls == f->cls && found[i].severity == SIMT_ERROR) return 1;
  for (int i = 0; i < stats->poison_read && i < SIMT_MAX_POISON; i++)
    if (stats->poison[i].cls == f->cls) return 1;
  for (int i = 0; f->cls == SIMT_WRONG_RESULT && i < f->n; i++)
    if (!same(((double *)call->out)[i], f->expected(i))) return 1;
  return 0;
}

START_TEST(right_forms_are_right) {
  const Feature *f = &features[_i];
  SimtStats stats;
  Simt *simt;
  size_t n;
  ck_assert_int_eq(simt_create(&simt), 0);
  for (unsigned k = 0; k < N_RIGHT; k++) {
    Call call = {f->right, NULL};
    run(simt, &call, f->n, k, &stats);
    const SimtFinding *found = simt_findings(simt, &n);
    judge_right(f, &call, k, &stats, found, n);
  }
  simt_destroy(simt);
}
END_TEST

START_TEST(wrong_twins_are_caught) {
  const Feature *f = &features[_i];
  SimtStats stats;
  Simt *simt;
  size_t n, caught = 0;
  if (!f->wrong) return;
  ck_assert_int_eq(simt_create(&simt), 0);
  for (unsigned k = 0; k < N_WRONG; k++) {
    Call call = {f->wrong, NULL};
    run(simt, &call, f->n, k, &stats);
    const SimtFinding *found = simt_findings(simt, &n);
    caught += (size_t)is_caught(f, &call, &stats, found, n);
  }
  ck_assert_msg(caught > 0, "%s: %s is not found", f->name, simt_class_name(f->cls));
  simt_destroy(simt);
}
END_TEST

int main(void) {
  Suite *s = suite_create("features");
  TCase *right = tcase_create("right"), *wrong = tcase_create("wrong");
  tcase_set_timeout(right, 0);
  tcase_set_timeout(wrong, 0);
  tcase_add_loop_test(right, right_forms_are_right, 0, N_FEATURES);
  tcase_add_loop_test(wrong, wrong_twins_are_caught, 0, N_FEATURES);
  suite_add_tcase(s, right);
  suite_add_tcase(s, wrong);
  return suite_run(s);
}
