/* device_explog.c - expf, exp2f, exp10f, logf, log2f, log10f: the functions of hot loops, without the C library.
 *
 * Fixed sequences of IEEE double operations, a table each, to be compiled without contraction into fused operations.
 * __expf and __exp10f, and what fast math makes of exp2f, are here for the same reason, with the error that device_fast.c
 * speaks of.
 *
 * Method: P. T. P. Tang, "Table-driven implementation of the exponential function in IEEE floating-point arithmetic" (ACM
 * TOMS 15, 1989) and "... of the logarithm function ..." (ACM TOMS 16, 1990); here in double for float arguments. */
#include "device_error.h"
#include "device_math.h"
#include "device_tables.h"
#include <math.h>
#include <string.h>

static uint64_t bits_of(double v) {
  uint64_t u;
  memcpy(&u, &v, sizeof u);
  return u;
}

static double double_of(uint64_t u) {
  double v;
  memcpy(&v, &u, sizeof v);
  return v;
}

/* ---- exponentials ---- */

/* Adding and subtracting it rounds to an integer, which the low bits of the sum hold meanwhile. */
#define SHIFTER 0x1.8p52

/* 2^((hi + lo) / 128) for |hi| < 2^17, |lo| < 2^-6. With k the integer next to hi, r = hi - k + lo (the difference is exact)
 * and t = r ln2 / 128: 2^(k/128) * e^t, e^t by its Taylor polynomial of degree 4. |t| < 0.00271, so the truncation is
 * below t^5/120 < 2^-49.5 relative, the rounding about 2^-52. */
static inline double exp2_128th(double hi, double lo) {
  const double c1 = 0x1.62e42fefa39efp-8, c2 = 0x1.ebfbdff82c58fp-17; /* (ln2/128)^i / i! */
  const double c3 = 0x1.c6b08d704a0c0p-26, c4 = 0x1.3b2ab6fba4e77p-35;
  const double shifted = hi + SHIFTER;
  const uint64_t k = bits_of(shifted);
  const double r = (hi - (shifted - SHIFTER)) + lo;
  const double r2 = r * r;
  const double scale = double_of(exp2_table[k & 127] + (k << 45));
  const double p = c1 * r + r2 * ((c2 + c3 * r) + c4 * r2);
  return scale + scale * p;
}

/* Arguments from 256 in size on, infinities and NaN. */
static __attribute__((noinline)) float exp_edge(float x) {
  if (isnan(x)) return x + x;
  return x > 0 ? INFINITY : 0.0f;
}

/* The factors 128 / ln 2 and 128 log2(10) are split after 29 bits, so that the product of a float with the first part is
 * exact. Results above FLT_MAX and below FLT_MIN are ordinary doubles: the conversion rounds them once, too. */
static inline double exp_inner(float x) { return exp2_128th((double)x * 0x1.7154765000000p+7, (double)x * 0x1.5c17f0bbbe880p-24); }
static inline double exp2_inner(float x) { return exp2_128th((double)x * 128.0, 0.0); }
static inline double exp10_inner(float x) { return exp2_128th((double)x * 0x1.a934f09000000p+8, (double)x * 0x1.e68dc57f24960p-22); }

#define EXPONENTIAL(name, value)                                                                                       \
  float name(float x) {                                                                                                \
    if (__builtin_expect(!(fabsf(x) < 256.0f), 0)) return exp_edge(x);                                                 \
    return (float)(value);                                                                                             \
  }
EXPONENTIAL(simt_expf, exp_inner(x))
EXPONENTIAL(simt_exp2f, exp2_inner(x))
EXPONENTIAL(simt_exp10f, exp10_inner(x))

/* The same to about 2^-38, which is enough where an error is added: the polynomial has degree 3. */
static inline double exp2_128th_roughly(double hi) {
  const double c1 = 0x1.62e42fefa39efp-8, c2 = 0x1.ebfbdff82c58fp-17, c3 = 0x1.c6b08d704a0c0p-26;
  const double shifted = hi + SHIFTER;
  const uint64_t k = bits_of(shifted);
  const double r = hi - (shifted - SHIFTER);
  const double scale = double_of(exp2_table[k & 127] + (k << 45));
  return scale + scale * (c1 * r + (r * r) * (c2 + c3 * r));
}

/* Neither the sign nor, here, the mixing of simt_error_hash() takes part: both zeros have an error of 0, and it is fast. */
static inline double off(double y, float x, uint32_t ulps) {
  return simt_error_moved(y, (int32_t)(simt_float_bits(x) * 0x3c6ef362u), ulps);
}

static inline uint32_t whole(float v) { return (uint32_t)(int32_t)v; }

/* CUDA C++ Programming Guide, "Intrinsic Functions": 2 + floor(|1.173 x|) and 2 + floor(|2.97 x|) ulp, of which products in
 * float must not be above. */
EXPONENTIAL(simt_fast_expf, off(exp2_128th_roughly((double)x * 0x1.71547652b82fep+7), x, 2 + whole(fabsf(x) * 1.17299f)))
EXPONENTIAL(simt_fast_exp10f, off(exp2_128th_roughly((double)x * 0x1.a934f0979a371p+8), x, 2 + whole(fabsf(x) * 2.96999f)))

/* PTX ISA, ex2.approx: 2 ulp. Powers of 2 are exact. */
static inline double off_unless_exact(double y, float x) { return bits_of(y) << 12 ? off(y, x, 2) : y; }
EXPONENTIAL(simt_fast_exp2f, off_unless_exact(exp2_128th_roughly((double)x * 128.0), x))

/* ---- logarithms ---- */

typedef struct Log {
  double k, rest; /* ln x = k ln 2 + rest */
} Log;

/* ln of a positive normal float, given its bits, as 2^k z with z in [0.697, 1.395) and r = z / middle of its interval - 1,
 * |r| < 2^-8, exact. ln(1 + r) by its Taylor polynomial of degree 6: truncated below r^6/7 < 2^-50.8 relative to r. In the
 * interval around 1 the table holds 1 and 0, so that the relative error stays small there as well. */
static inline Log log_of_bits(uint32_t ix, int k) {
  const uint32_t offset = ix - 0x3f328000u;
  const uint32_t i = (offset >> 16) & 127;
  k += (int32_t)offset >> 23;
  const uint32_t iz = ix - (offset & 0xff800000u);
  float z;
  memcpy(&z, &iz, sizeof z);
  const double r = (double)z * log_table[i].inverse - 1.0;
  const double r2 = r * r;
  const double high = (0.25 - 0.2 * r) + r2 * (1.0 / 6.0);
  const double p = r2 * ((r * (1.0 / 3.0) - 0.5) - r2 * high);
  return (Log){k, log_table[i].log + (r + p)};
}

/* What is no positive normal float: 1 when *special is the result, otherwise *ix and *k describe a subnormal, scaled. */
static __attribute__((noinline)) int log_edge(float x, uint32_t *ix, int *k, float *special) {
  if (x > 0 && !isinf(x)) {
    *ix = simt_float_bits(x * 0x1p23f);
    *k = -23;
    return 0;
  }
  if (x == 0) *special = -INFINITY;
  else if (x < 0) *special = NAN;
  else *special = x + x; /* +inf or NaN */
  return 1;
}

static inline int is_positive_normal(uint32_t ix) { return ix - 0x00800000u < 0x7f000000u; }

#define LN2 0x1.62e42fefa39efp-1
#define INV_LN2 0x1.71547652b82fep+0
#define INV_LN10 0x1.bcb7b1526e50ep-2

float simt_logf(float x) {
  uint32_t ix = simt_float_bits(x);
  int k = 0;
  float special;
  if (__builtin_expect(!is_positive_normal(ix), 0) && log_edge(x, &ix, &k, &special)) return special;
  const Log l = log_of_bits(ix, k);
  return (float)(l.k * LN2 + l.rest);
}

float simt_log2f(float x) {
  uint32_t ix = simt_float_bits(x);
  int k = 0;
  float special;
  if (__builtin_expect(!is_positive_normal(ix), 0) && log_edge(x, &ix, &k, &special)) return special;
  const Log l = log_of_bits(ix, k);
  return (float)(l.k + l.rest * INV_LN2);
}

float simt_log10f(float x) {
  uint32_t ix = simt_float_bits(x);
  int k = 0;
  float special;
  if (__builtin_expect(!is_positive_normal(ix), 0) && log_edge(x, &ix, &k, &special)) return special;
  const Log l = log_of_bits(ix, k);
  return (float)((l.k * LN2 + l.rest) * INV_LN10);
}
