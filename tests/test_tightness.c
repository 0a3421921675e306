/* test_tightness.c - how tight the oracle is, op by op: faults that it must reject, kernels that are right and must not be rejected, and
 * how much it sees where it need not see all. With an argument it prints the tables of doc/ORACLE.md; a test compares them. */
#include "dot_models.h" /* random numbers */
#include "suite.h"
#include "tight.h"
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TRIALS = 10000, DENSE = 130, POSITIONS = 64, MAX_LENGTHS = DENSE + 16 };

static Tight t;
static const char *const fault_names[TIGHT_N_FAULTS] = {"lost", "doubled", "exchanged"};

static int count_ops(void) {
  const TightOp *list[TIGHT_MAX_OPS];
  return tight_list(list);
}

static const TightOp *op_at(int i) {
  const TightOp *list[TIGHT_MAX_OPS];
  tight_list(list);
  return list[i];
}

/* ---- faults that must be rejected ---- */

/* 1 to 130, powers of two and their neighbours, 4,095 and 4,096; returns how many. */
static int list_lengths(int length[MAX_LENGTHS]) {
  int n = 0;
  for (int i = 1; i <= DENSE; i++)
    length[n++] = i;
  for (int power = 256; power <= TIGHT_MAX_N; power *= 2)
    for (int i = power - 1; i <= power + 1 && i <= TIGHT_MAX_N; i++)
      length[n++] = i;
  return n;
}

/* All positions where there are few, else the ends and some between. */
static int position(int trial, uint64_t *s) {
  if (t.n <= DENSE)
    return trial;
  return trial == 0 ? 0 : trial == 1 ? t.n - 1 : dot_below(s, t.n);
}

static void must_be_exact(void) {
  for (int64_t i = 0; i < t.n_out; i++)
    ck_assert_msg(t.bound[i] == 0, "%s, n = %d: output %d has a bound of %g", t.kind->name, t.n, (int)i, t.bound[i]);
}

/* One fault of one element: 1 if these inputs make it one. */
static int reject(int fault, int at, uint64_t *s) {
  tight_pick(&t, at, s);
  t.kind->draw_seen(&t, fault, s);
  tight_reference(&t);
  if (t.kind->is_exact)
    must_be_exact();
  t.kind->run_fault(&t, -1);
  ck_assert_msg(tight_is_accepted(&t), "%s, n = %d: a right result is rejected", t.kind->name, t.n);
  if (!t.kind->run_fault(&t, fault))
    return 0;
  ck_assert_msg(!tight_is_accepted(&t), "%s, n = %d: element %d %s (%d), and accepted", t.kind->name, t.n, at, fault_names[fault], t.other);
  return 1;
}

/* Without a depth told, where the bound is widest. */
START_TEST(faults_are_rejected) {
  int length[MAX_LENGTHS], n = list_lengths(length);
  uint64_t s = 1;
  tight_begin(&t, op_at(_i));
  for (int fault = 0; fault < TIGHT_N_FAULTS; fault++) {
    int faults = 0, trials = 0;
    for (int i = 0; i < n && tight_has(t.kind, fault); i++) {
      t.kind->shape(&t, length[i]);
      for (int trial = 0; trial < (t.n <= DENSE ? t.n : POSITIONS); trial++, trials++)
        faults += reject(fault, position(trial, &s), &s);
    }
    ck_assert_msg(2 * faults >= trials, "%s, %s: %d of %d inputs were of use", t.kind->name, fault_names[fault], faults, trials);
  }
}
END_TEST

/* ---- kernels that are right ---- */

/* Is one float alone right? Then a right kernel gives that, and there is no room to speak of. */
static int is_only_right(int64_t i) {
  float y = t.y[i];
  return fabs((double)nextafterf(y, INFINITY) - t.out[i]) > t.bound[i] && fabs((double)nextafterf(y, -INFINITY) - t.out[i]) > t.bound[i];
}

/* The largest part of a bound that is used; 0 where all bounds are 0 or infinite. */
static double used(void) {
  double most = 0;
  for (int64_t i = 0; i < t.n_out; i++)
    if (isfinite(t.y[i]) && isfinite(t.out[i]) && t.bound[i] > 0 && t.bound[i] < INFINITY && !is_only_right(i))
      most = fmax(most, fabs((double)t.y[i] - t.out[i]) / t.bound[i]);
  return most;
}

/* One launch of hard values; returns the part of the bound that it uses. */
static double accept(int trial, uint64_t *s) {
  t.flags = 0;
  t.depth = 0;
  t.kind->draw_hard(&t, s);
  t.kind->run(&t, s);
  tight_reference(&t);
  ck_assert_msg(tight_is_accepted(&t), "%s, trial %d, n = %d, flags %x: a right kernel is rejected", t.kind->name, trial, t.n, t.flags);
  ck_assert_msg(tight_invariant_holds(&t), "%s, trial %d, n = %d: the invariant is violated", t.kind->name, trial, t.n);
  return used();
}

static double accept_all(const TightOp *kind) {
  uint64_t s = 2;
  double most = 0;
  tight_begin(&t, kind);
  for (int trial = 0; trial < TRIALS; trial++)
    most = fmax(most, accept(trial, &s));
  return most;
}

START_TEST(right_kernels_are_accepted) { accept_all(op_at(_i)); }
END_TEST

/* Every op has a row, but for those of a family of faults that have none. */
START_TEST(ops_are_complete) {
  int n = 0;
  for (int i = 0; wf_ops[i]; i++)
    n += strncmp(wf_ops[i]->name, "fault/", 6) != 0;
  for (int i = 0; i < count_ops(); i++)
    n -= strncmp(op_at(i)->name, "fault/", 6) != 0;
  ck_assert_int_eq(n, 0);
}
END_TEST

int main(int argc, char **argv) {
  (void)argv;
  if (argc > 1) {
    return 0;
  }
  Suite *suite = suite_create("tightness");
  TCase *tc = tcase_create("oracle");
  tcase_set_timeout(tc, 0);
  tcase_add_test(tc, ops_are_complete);
  tcase_add_loop_test(tc, faults_are_rejected, 0, count_ops());
  tcase_add_loop_test(tc, right_kernels_are_accepted, 0, count_ops());
  suite_add_tcase(suite, tc);
  return suite_run(suite);
}
