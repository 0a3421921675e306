/* exponential.c - exponentials in double, and the errors of those in float. */
#include "exponential.h"
#include "../fuzz/op.h"
#include "accumulate.h"
#include <math.h>
#include <string.h>

#define NEGLIGIBLE_DISTANCE 40 /* exp(-40) is no part of a float's sum */

/* exp(-a) = 2^-k exp(r), |r| <= log(2) / 2, by a Taylor polynomial of degree 13. */
double wf_exp_of_minus(double a) {
  static const double log2e = 1.4426950408889634, ln2_high = 0x1.62e42feep-1, ln2_low = 0x1.a39ef35793c76p-33;
  static const double coefficient[] = {1.0 / 6227020800, 1.0 / 479001600, 1.0 / 39916800, 1.0 / 3628800, 1.0 / 362880,
                                       1.0 / 40320, 1.0 / 5040, 1.0 / 720, 1.0 / 120, 1.0 / 24, 1.0 / 6, 0.5, 1, 1};
  if (!(a < 700))
    return 0;
  int k = (int)(a * log2e + 0.5);
  double r = (k * ln2_high - a) + k * ln2_low; /* ln2_high has zeros below: k times it is exact */
  double p = 0;
  for (int i = 0; i <= 13; i++)
    p = p * r + coefficient[i]; /* 1 / (13 - i)! */
  uint64_t bits = (uint64_t)(1023 - k) << 52;
  double scale;
  memcpy(&scale, &bits, sizeof scale);
  return p * scale;
}

double wf_log_above(double s) {
  int e;
  return frexp(s, &e) == 0.5 ? (e - 1) * 0.6931472 : e * 0.6931472;
}

double wf_compose(double t) {
  return t < 1 ? t / (1 - t) : INFINITY;
}

/* 1 / (1 - d) <= exp(1.01 d) up to there. */
double wf_compose_large(double t) { return 1 / wf_exp_of_minus(1.01 * t) - 1; }

double wf_weight_error(double a, double steps, uint32_t flags) {
  if (flags & WF_PLAIN_EXP)
    return 5 * WF_HALF_ULP;
  double argument = flags & (WF_FAST_EXP | WF_FAST_MATH) ? 3 + WF_FAST_EXP_ERROR : 3;
  return WF_HALF_ULP * (argument * a + 6 * steps);
}

/* ---- ranks ---- */

static int bucket_of(const WfRanks *k, double a) {
  double b = a * k->per_unit;
  return b < WF_RANK_BUCKETS - 1 ? (int)b : WF_RANK_BUCKETS - 1;
}

void wf_ranks_init(WfRanks *k, double span) {
  if (!(span < NEGLIGIBLE_DISTANCE))
    span = NEGLIGIBLE_DISTANCE;
  k->per_unit = span > 0 ? (WF_RANK_BUCKETS - 1) / span : 0;
  memset(k->above, 0, sizeof k->above);
}

void wf_ranks_add(WfRanks *k, double a, double value) {
  int b = bucket_of(k, a);
  if (k->above[b] == 1 && k->value[b] == value)
    return;
  k->value[b] = value;
  k->above[b]++;
}

void wf_ranks_finish(WfRanks *k) {
  uint32_t before = 0;
  for (int b = 0; b < WF_RANK_BUCKETS; b++) {
    uint32_t distinct = k->above[b];
    k->above[b] = before + (distinct ? distinct - 1 : 0);
    before += distinct;
  }
}

double wf_rank_above(const WfRanks *k, double a) {
  return a > 0 ? k->above[bucket_of(k, a)] : 0;
}

/* ---- sums of weights ---- */

static double unit_of(const WfSumError *e) { return e->unit > 0 ? e->unit : WF_HALF_ULP; }

void wf_sum_error_add(WfSumError *e, double share, double t) {
  if (!(share > 0))
    return;
  e->weights += share * (e->unit > 0 ? wf_compose_large(t) : wf_compose(t));
  e->n++;
  if (share >= unit_of(e))
    e->n_big++;
  else
    e->small += share;
}

double wf_sum_error_total(const WfSumError *e) {
  double additions = (double)(e->n_big > 1 ? e->n_big - 1 : 0) * unit_of(e) + e->small;
  return e->weights + additions * (1 + (double)e->n * unit_of(e));
}
