/* test_softmax_room.c - how near float softmaxes of every kind come to the reference's bound, against MPFR. With an argument
 * it prints the tables of doc/ORACLE.md instead of testing. */
#include "../fuzz/op.h"
#include "softmax_models.h"
#include "suite.h"
#include <check.h>
#include <math.h>
#include <mpfr.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const WfOp wf_op_softmax;

enum { MAX_KINDS = 16, MAX_ALGORITHMS = 16, PRECISION = 200, MAX_LOST_COLS = 1 << 19 };

static double out[MAX_LOST_COLS], bound[MAX_LOST_COLS], exact[MODEL_MAX_COLS];
static float x[MAX_LOST_COLS], y[MODEL_MAX_COLS];

static void reference(int n, uint32_t flags) {
  const int64_t dim[] = {1, n};
  const float *in[] = {x, NULL};
  WfRefArgs a = {.dim = dim, .in = in, .masked = WF_MASKED_NAN, .variant_flags = flags};
  if (wf_op_softmax.reference(&a, out, bound) != 0)
    abort();
}

/* ---- MPFR ---- */

static double max_of_row(int n) {
  double max = -INFINITY;
  for (int c = 0; c < n; c++)
    max = fmax(max, x[c]);
  return max;
}

static void weight(mpfr_t w, double max, int c) {
  mpfr_set_d(w, x[c], MPFR_RNDN);
  mpfr_sub_d(w, w, max, MPFR_RNDN);
  mpfr_exp(w, w, MPFR_RNDN);
}

/* exact[] rounded to double, and of out[] the largest part used of what the bound keeps for the reference's own error: the
 * derivation's step 7. Values below 1e-300 are left to the bound's underflow term. */
static double exact_row(int n) {
  static mpfr_t w[MODEL_MAX_COLS];
  double max = max_of_row(n), used = 0;
  mpfr_t sum, error;
  mpfr_inits2(PRECISION, sum, error, (mpfr_ptr)NULL);
  mpfr_set_zero(sum, 1);
  for (int c = 0; c < n; c++) {
    mpfr_init2(w[c], PRECISION);
    weight(w[c], max, c);
    mpfr_add(sum, sum, w[c], MPFR_RNDN);
  }
  for (int c = 0; c < n; c++) {
    mpfr_div(w[c], w[c], sum, MPFR_RNDN);
    exact[c] = mpfr_get_d(w[c], MPFR_RNDN);
    mpfr_sub_d(error, w[c], out[c], MPFR_RNDN);
    double own = (n + (max - x[c]) + 8) * 0x1p-53 * exact[c];
    if (exact[c] > 1e-300)
      used = fmax(used, fabs(mpfr_get_d(error, MPFR_RNDN)) / own);
    mpfr_clear(w[c]);
  }
  mpfr_clears(sum, error, (mpfr_ptr)NULL);
  return used;
}

/* ---- room: the largest error of an element over its bound ---- */

typedef struct Rooms {
  double own[MAX_KINDS];                    /* of the reference */
  double room[MAX_ALGORITHMS][2][MAX_KINDS]; /* of algorithms, with expf and __expf */
} Rooms;

static int is_accepted(float v, int c) {
  return fabs(v - out[c]) <= bound[c];
}

/* y[c] is right, and no other float is. */
static int is_only_right(int c) {
  return is_accepted(y[c], c) && !is_accepted(nextafterf(y[c], INFINITY), c) && !is_accepted(nextafterf(y[c], -INFINITY), c);
}

/* INFINITY: an error where the bound is 0, or NaN. Where one float alone is accepted there is no room to speak of. */
static double used_of_bound(int n) {
  double used = 0;
  for (int c = 0; c < n; c++) {
    double error = fabs(y[c] - exact[c]);
    if (error == 0 || is_only_right(c))
      continue;
    double part = error / bound[c];
    if (!(part <= used))
      used = isnan(part) ? INFINITY : part;
  }
  return used;
}

static void try_algorithms(int kind, int n, int fast, Rooms *r, uint64_t *state) {
  reference(n, fast ? WF_FAST_EXP : 0);
  for (size_t a = 0; a < model_n_algorithms; a++)
    for (int e = 0; e < MODEL_N_ERRORS; e++) {
      Model m = {fast, model_below(state, 2), model_below(state, 2), (ModelError)e, state, 0};
      model_algorithms[a].run(&m, x, y, n);
      r->room[a][fast][kind] = fmax(r->room[a][fast][kind], used_of_bound(n));
    }
}

static void measure_kind(int kind, Rooms *r, uint64_t *state) {
  static const struct {
    int cols, rows;
  } shapes[] = {{1, 5}, {2, 40}, {3, 40}, {8, 40}, {33, 20}, {100, 12}, {1000, 3}, {MODEL_MAX_COLS, 1}};
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
    for (int row = 0; row < shapes[i].rows; row++) {
      int n = shapes[i].cols;
      model_rows[kind].draw(x, n, state);
      reference(n, 0);
      r->own[kind] = fmax(r->own[kind], exact_row(n));
      for (int fast = 0; fast < 2; fast++)
        try_algorithms(kind, n, fast, r, state);
    }
}

static void measure(Rooms *r) {
  uint64_t state = 11;
  memset(r, 0, sizeof *r);
  for (size_t kind = 0; kind < model_n_rows; kind++)
    measure_kind((int)kind, r, &state);
}

/* ---- one lost element ---- */

/* Does the bound see that one element of average weight is missing from the sum? It makes every result larger by 1 / (n - 1). */
static int sees_lost_element(int kind, int n, int fast) {
  uint64_t state = 5;
  int seen = 0;
  model_rows[kind].draw(x, n, &state);
  reference(n, fast ? WF_FAST_EXP : 0);
  for (int c = 0; c < n && !seen; c++)
    seen = out[c] / (n - 1) > bound[c];
  return seen;
}

/* The longest row of 2^k columns in which it does, and in all shorter ones; 0: in none. */
static int longest_seen(int kind, int fast) {
  int longest = 0;
  for (int n = 2; n <= MAX_LOST_COLS && sees_lost_element(kind, n, fast); n *= 2)
    longest = n;
  return longest;
}

/* ---- tables ---- */

static void print_room(const Rooms *r) {
  printf("| largest error / bound |");
  for (size_t k = 0; k < model_n_rows; k++)
    printf(" %s |", model_rows[k].name);
  printf("\n|---|");
  for (size_t k = 0; k < model_n_rows; k++)
    printf("---|");
  printf("\n| the reference itself, of its share |");
  for (size_t k = 0; k < model_n_rows; k++)
    printf(" %.2f |", r->own[k]);
  printf("\n");
  for (size_t a = 0; a < model_n_algorithms; a++)
    for (int fast = 0; fast < 2; fast++) {
      printf("| %s%s |", model_algorithms[a].name, fast ? ", fast" : "");
      for (size_t k = 0; k < model_n_rows; k++)
        printf(" %.2f |", r->room[a][fast][k]);
      printf("\n");
    }
}

/* Rows in which an element of average weight is one of many, and the columns up to which its loss must be seen. */
static const struct {
  const char *kind;
  int least_cols;
} lost[] = {{"normal", 1024}, {"ascending", 1024}, {"denormal", 512}, {"half -inf", 1024},
            {"mean 1000", 1024}, {"ties", 1024}, {"equal", 1 << 16}};
enum { N_LOST = sizeof lost / sizeof *lost };

static int kind_of(const char *name) {
  for (size_t k = 0; k < model_n_rows; k++)
    if (strcmp(model_rows[k].name, name) == 0)
      return (int)k;
  abort();
}

static void print_lost(void) {
  printf("\n| one lost element is seen up to so many columns | with expf | with __expf |\n|---|---|---|\n");
  for (int i = 0; i < N_LOST; i++)
    printf("| %s | %d | %d |\n", lost[i].kind, longest_seen(kind_of(lost[i].kind), 0), longest_seen(kind_of(lost[i].kind), 1));
}

/* ---- tests ---- */

START_TEST(every_error_is_within_the_bound) {
  static Rooms r;
  measure(&r);
  for (size_t k = 0; k < model_n_rows; k++) {
    ck_assert_msg(r.own[k] <= 1, "the reference, %s: %g of its share", model_rows[k].name, r.own[k]);
    for (size_t a = 0; a < model_n_algorithms; a++)
      for (int fast = 0; fast < 2; fast++)
        ck_assert_msg(r.room[a][fast][k] <= 1, "%s%s, %s: %g of the bound", model_algorithms[a].name, fast ? ", fast" : "",
                      model_rows[k].name, r.room[a][fast][k]);
  }
}
END_TEST

/* ... and comes near it: some algorithm uses a part of the bound that shows it is no mere formality. */
START_TEST(bound_is_used) {
  static const char *const kinds[] = {"normal", "ascending", "huge", "denormal", "half -inf", "mean 1000", "ties", "equal"};
  static Rooms r;
  measure(&r);
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    for (int fast = 0; fast < 2; fast++) {
      double most = 0;
      for (size_t a = 0; a < model_n_algorithms; a++)
        most = fmax(most, r.room[a][fast][kind_of(kinds[i])]);
      ck_assert_msg(most > 0.2, "%s: %g of the bound at most", kinds[i], most);
    }
}
END_TEST

/* Long rows in which a lost element must be seen: the bound is not so wide that it sees nothing. */
START_TEST(lost_elements_are_seen) {
  for (int i = 0; i < N_LOST; i++)
    for (int fast = 0; fast < 2; fast++) {
      int longest = longest_seen(kind_of(lost[i].kind), fast);
      ck_assert_msg(longest >= lost[i].least_cols, "%s: seen up to %d columns", lost[i].kind, longest);
    }
}
END_TEST

int main(int argc, char **argv) {
  (void)argv;
  if (argc > 1) {
    static Rooms r;
    measure(&r);
    print_room(&r);
    print_lost();
    return 0;
  }
  Suite *suite = suite_create("softmax_room");
  TCase *tc = tcase_create("room");
  tcase_set_timeout(tc, 0);
  tcase_add_test(tc, every_error_is_within_the_bound);
  tcase_add_test(tc, bound_is_used);
  tcase_add_test(tc, lost_elements_are_seen);
  suite_add_tcase(suite, tc);
  return suite_run(suite);
}
