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

enum { TRIALS = 10000, DENSE = 130, POSITIONS = 32, MAX_LENGTHS = DENSE + 16 };

static Tight t;

/* As ck_assert_msg, which writes to a file each time: too slow for millions of times. */
#define must(condition, ...)                                                                                           \
  do {                                                                                                                 \
    if (!(condition))                                                                                                  \
      ck_abort_msg(__VA_ARGS__);                                                                                       \
  } while (0)

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
    must(t.bound[i] == 0, "%s, n = %d: output %d has a bound of %g", t.kind->name, t.n, (int)i, t.bound[i]);
}

/* One fault of one element: 1 if these inputs make it one. */
static int reject(int fault, int at, uint64_t *s) {
  tight_pick(&t, at, s);
  t.kind->draw_seen(&t, fault, s);
  tight_reference(&t);
  if (t.kind->is_exact)
    must_be_exact();
  t.kind->run_fault(&t, -1);
  must(tight_is_accepted(&t), "%s, n = %d: a right result is rejected", t.kind->name, t.n);
  if (!t.kind->run_fault(&t, fault))
    return 0;
  must(!tight_is_accepted(&t), "%s, n = %d: element %d %s (%d), and accepted", t.kind->name, t.n, at, fault_names[fault], t.other);
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
    must(2 * faults >= trials, "%s, %s: %d of %d inputs were of use", t.kind->name, fault_names[fault], faults, trials);
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
  must(tight_is_accepted(&t), "%s, trial %d, n = %d, flags %x: a right kernel is rejected", t.kind->name, trial, t.n, t.flags);
  must(tight_invariant_holds(&t), "%s, trial %d, n = %d: the invariant is violated", t.kind->name, trial, t.n);
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

/* ---- what is seen of other values, without that all must be ---- */

enum { DRAWS = 10, FAULTS_A_DRAW = 10, N_LENGTHS = 3, N_VALUES = 3 };
static const int share_lengths[N_LENGTHS] = {16, 256, 4096};
static const struct {
  const char *name;
  WfDist dist;
  double scale, offset;
} values[N_VALUES] = {{"normal", WF_DIST_NORMAL, 1, 0}, {"positive", WF_DIST_UNIFORM, 0.5, 1.5}, {"wide", WF_DIST_MIXED, 10, 0}};

typedef struct Share {
  int faults, rejected;
} Share;

static void draw_values(int v, uint64_t *s) {
  for (int i = 0; i < t.op->n_tensors; i++)
    if (t.op->tensors[i].role == WF_IN)
      tight_draw_fill(&t, i, values[v].dist, values[v].scale, values[v].offset, s);
}

static void share_of(int v, int n, int depth_told, Share share[TIGHT_N_FAULTS]) {
  uint64_t s = 3;
  memset(share, 0, TIGHT_N_FAULTS * sizeof *share);
  t.kind->shape(&t, n);
  t.depth = depth_told ? t.kind->lanes_depth(t.n) : 0;
  for (int draw = 0; draw < DRAWS; draw++) {
    draw_values(v, &s);
    tight_reference(&t);
    for (int i = 0; i < FAULTS_A_DRAW * TIGHT_N_FAULTS; i++) {
      int fault = i % TIGHT_N_FAULTS;
      tight_pick(&t, dot_below(&s, t.n), &s);
      if (!tight_has(t.kind, fault) || !t.kind->run_fault(&t, fault))
        continue;
      share[fault].faults++;
      share[fault].rejected += !tight_is_accepted(&t);
    }
  }
}

/* ---- the tables of doc/ORACLE.md ---- */

static void print_faults(FILE *f, const TightOp *kind) {
  for (int fault = 0, any = 0; fault < TIGHT_N_FAULTS; fault++)
    if (tight_has(kind, fault))
      fprintf(f, "%s%s", any++ ? ", " : "", fault_names[fault]);
}

static void print_rooms(FILE *f) {
  fprintf(f, "| op | every element | of | bound | largest error / bound |\n|---|---|---|---|---|\n");
  for (int i = 0; i < count_ops(); i++) {
    const TightOp *kind = op_at(i);
    fprintf(f, "| %s | ", kind->name);
    print_faults(f, kind);
    double most = accept_all(kind);
    fprintf(f, " | %s | %s | ", kind->seen, kind->is_exact ? "0" : "above 0");
    fprintf(f, most > 0 ? "%.2f |\n" : "0 of 0 |\n", most);
  }
}

/* "97/100/-": percent, rounded down, and - for what is no fault of the op. */
static void print_shares(FILE *f, const Share share[TIGHT_N_FAULTS]) {
  for (int fault = 0; fault < TIGHT_N_FAULTS; fault++) {
    fprintf(f, fault ? "/" : " ");
    if (share[fault].faults)
      fprintf(f, "%d", 100 * share[fault].rejected / share[fault].faults);
    else
      fprintf(f, "-");
  }
  fprintf(f, " |");
}

static void print_seen(FILE *f, int depth_told) {
  fprintf(f, "| %s |", depth_told ? "depth told" : "depth not told");
  for (int v = 0; v < N_VALUES; v++)
    for (int n = 0; n < N_LENGTHS; n++)
      fprintf(f, " %s, %d |", values[v].name, share_lengths[n]);
  fprintf(f, "\n|---|---|---|---|---|---|---|---|---|---|\n");
  for (int i = 0; i < count_ops(); i++) {
    tight_begin(&t, op_at(i));
    if (depth_told && !t.kind->lanes_depth)
      continue;
    fprintf(f, "| %s |", t.kind->name);
    for (int v = 0; v < N_VALUES; v++)
      for (int n = 0; n < N_LENGTHS; n++) {
        Share share[TIGHT_N_FAULTS];
        share_of(v, share_lengths[n], depth_told, share);
        print_shares(f, share);
      }
    fprintf(f, "\n");
  }
}

enum { ROOMS, NOT_TOLD, TOLD, N_TABLES };

static void print_table(FILE *f, int which) {
  switch (which) {
  case ROOMS: print_rooms(f); break;
  case NOT_TOLD: print_seen(f, 0); break;
  case TOLD: print_seen(f, 1); break;
  }
}

static char *read_document(void) {
  const char *dir = getenv("WF_SRCDIR");
  char path[4096];
  static char text[1 << 18];
  snprintf(path, sizeof path, "%s/doc/ORACLE.md", dir ? dir : ".");
  FILE *f = fopen(path, "r");
  ck_assert_msg(f != NULL, "%s", path);
  text[fread(text, 1, sizeof text - 1, f)] = 0;
  fclose(f);
  return text;
}

static void compare(int which) {
  char *table = NULL;
  size_t size = 0;
  FILE *f = open_memstream(&table, &size);
  ck_assert_ptr_nonnull(f);
  print_table(f, which);
  fclose(f);
  const char *document = read_document();
  ck_assert_msg(size > 1000 && strstr(document, table) != NULL, "doc/ORACLE.md lacks this table of tests/test_tightness:\n%s", table);
  free(table);
}

/* And use as much of the bounds as the document says. */
START_TEST(right_kernels_are_accepted) { compare(ROOMS); }
END_TEST

START_TEST(document_says_what_is_seen) { compare(_i); }
END_TEST

/* Every op has a row, those of families of faults too. */
START_TEST(ops_are_complete) {
  int n = 0;
  for (; wf_ops[n]; n++)
    must(n < count_ops() && strcmp(op_at(n)->name, wf_ops[n]->name) == 0, "%s has no row, or two", wf_ops[n]->name);
  ck_assert_int_eq(count_ops(), n);
}
END_TEST

int main(int argc, char **argv) {
  (void)argv;
  if (argc > 1) {
    for (int i = 0; i < N_TABLES; i++) {
      print_table(stdout, i);
      printf("\n");
    }
    return 0;
  }
  Suite *suite = suite_create("tightness");
  TCase *tc = tcase_create("oracle");
  tcase_set_timeout(tc, 0);
  tcase_add_test(tc, ops_are_complete);
  tcase_add_loop_test(tc, faults_are_rejected, 0, count_ops());
  tcase_add_test(tc, right_kernels_are_accepted);
  tcase_add_loop_test(tc, document_says_what_is_seen, NOT_TOLD, N_TABLES);
  suite_add_tcase(suite, tc);
  return suite_run(suite);
}
