/* accumulate.c - sums and dot products with their bounds. */
#include "accumulate.h"
#include "../fuzz/op.h"
#include <limits.h>
#include <string.h>

double wf_gamma_of(WfDtype arith, double d) {
  double t = d * wf_dtype_unit(arith);
  return t < 1 ? t / (1 - t) : INFINITY;
}

double wf_gamma(double d) { return wf_gamma_of(WF_F32, d); }

/* All numbers of the type are multiples of 2^this. */
static int least_exponent(WfDtype t) { return wf_dtype_least(t) - wf_dtype_digits(t) + 1; }

void wf_sum_init(WfSum *s) { *s = (WfSum){.unit_exponent = INT_MAX}; }

/* Exponent of the lowest bit that is set: the largest e with t a multiple of 2^e. t is finite and not 0. */
static int lowest_bit(double t) {
  uint64_t bits;
  memcpy(&bits, &t, sizeof bits);
  int exponent = (int)(bits >> 52 & 0x7ff);
  uint64_t fraction = bits & (((uint64_t)1 << 52) - 1);
  if (exponent)
    fraction |= (uint64_t)1 << 52;
  else
    exponent = 1;
  return exponent - 1075 + __builtin_ctzll(fraction);
}

/* Neumaier: what rounding takes from the sum is kept. */
static void add_compensated(WfSum *s, double t) {
  double sum = s->high + t;
  s->low += fabs(s->high) >= fabs(t) ? (s->high - sum) + t : (t - sum) + s->high;
  s->high = sum;
}

void wf_sum_add(WfSum *s, double t) {
  if (!isfinite(t)) {
    s->infinity += t;
    return;
  }
  if (t == 0)
    return;
  add_compensated(s, t);
  *(t > 0 ? &s->positive : &s->negative) += fabs(t);
  s->n++;
  int e = lowest_bit(t);
  s->unit_exponent = e < s->unit_exponent ? e : s->unit_exponent;
}

void wf_sum_add_product(WfSum *s, float a, float b) {
  double t = (double)a * (double)b; /* 48 bits: exact */
  wf_sum_add(s, t);
  if (!isfinite(t) || t == 0)
    return;
  s->products += fabs(t) * wf_dtype_unit(s->arith);
  if (s->arith == WF_F32)
    s->products += fabs(t) < (double)FLT_MIN ? (double)FLT_MIN : 0;
  else if (lowest_bit(t) < least_exponent(s->arith))
    s->products += wf_dtype_spacing(s->arith, 0) / 2;
}

void wf_sum_add_inexact(WfSum *s, double t, double error) {
  wf_sum_add(s, t);
  s->inexact += error;
}

static int is_exact(const WfSum *s, double magnitude) {
  int unit = s->unit_exponent < 128 ? s->unit_exponent : 128;
  return s->inexact == 0 && s->unit_exponent >= least_exponent(s->arith) && magnitude <= ldexp(1, unit + wf_dtype_digits(s->arith)) &&
         magnitude <= wf_dtype_max(s->arith);
}

/* May a partial sum, in some order, pass the largest number in the direction of `largest`, the sum of the magnitudes of one sign? */
static int may_overflow(const WfSum *s, double largest, double error) { return largest + error > wf_dtype_max(s->arith); }

enum { COMPENSATED_DEPTH = 2 }; /* accumulate.h, "Compensated sums" */

WfApprox wf_sum_result(const WfSum *s, int64_t depth) {
  double magnitude = s->positive + s->negative, error = s->inexact + s->products;
  int64_t most = s->n > 1 ? s->n - 1 : 0, d = depth > 0 && depth < most ? depth : most;
  d = depth <= 0 && most == 1 ? COMPENSATED_DEPTH : d;
  WfApprox r = {s->high + s->low, 0};
  if (!is_exact(s, magnitude))
    r.bound = error + wf_gamma_of(s->arith, (double)d) * (magnitude + error) + magnitude * ((double)s->n * 0x1p-104) + fabs(r.value) * 0x1p-52;
  int overflows = may_overflow(s, s->positive, r.bound) || may_overflow(s, s->negative, r.bound);
  int one_sign = (s->positive == 0 || s->negative == 0) && s->inexact == 0 && s->arith == WF_F32;
  if (s->infinity != 0) { /* NaN too */
    int against = s->infinity > 0 ? may_overflow(s, s->negative, r.bound) : may_overflow(s, s->positive, r.bound);
    return (WfApprox){s->infinity, against && !isnan(s->infinity) ? INFINITY : 0};
  }
  if (overflows && !one_sign)
    r.bound = INFINITY;
  return r;
}

/* ---- sums of products ---- */

void wf_dot_init(WfDot *d, uint32_t flags) {
  wf_sum_init(&d->sum);
  d->fast = (flags & WF_FAST_MATH) != 0;
  d->doubtful = 0;
}

/* 0 inf or inf, by what is flushed. */
static int may_be_nan(float a, float b) { return (isinf(a) && wf_flushed((double)b) > 0) || (isinf(b) && wf_flushed((double)a) > 0); }

void wf_dot_add(WfDot *d, float a, float b) {
  if (d->fast) {
    double lost = wf_flushed((double)a) * fabs((double)b) + fabs((double)a) * wf_flushed((double)b);
    if (isfinite(lost) && lost > 0)
      d->sum.inexact += lost;
    d->doubtful |= may_be_nan(a, b);
  }
  wf_sum_add_product(&d->sum, a, b);
}

WfApprox wf_dot_result(WfDot *d, int64_t depth) {
  const int lowest = FLT_MIN_EXP - 1; /* FLT_MIN = 2^lowest */
  if (d->fast && d->sum.unit_exponent < lowest)
    d->sum.inexact += (double)d->sum.n * (double)FLT_MIN;
  WfApprox r = wf_sum_result(&d->sum, depth);
  if (d->doubtful && !isnan(r.value))
    r.bound = INFINITY;
  return r;
}
