/* device_math.c - float functions by way of the C library's double ones, rounded once; the fast intrinsics' models.
 *
 * The library's double functions differ in the last place between CPUs (it picks variants with and without fused
 * operations at run time). That changes a float result only next to the middle between two floats; there the long double
 * function decides, of which there is one variant. */
#include "device_math.h"
#include <math.h>

/* Bound on the relative error of the double functions, 16 units of 2^-53; the manual of glibc, "Known Maximum Errors in
 * Math Functions", has at most 5 for those used here. */
#define DOUBLE_ERROR 0x1p-49
/* The same of the long double functions, at most 5 units of 2^-64. */
#define LONG_ERROR 0x1p-61L

/* Do all values that y may stand for round to the same float? */
static inline int is_settled(double y) {
  return (float)(y * (1 - DOUBLE_ERROR)) == (float)(y * (1 + DOUBLE_ERROR)) || isnan(y);
}

/* y and yl approximate the same value. If yl leaves the rounding open as well, the value is the middle itself, which only a
 * result that is exact in double can be: then y is it. */
static __attribute__((noinline)) float settle(double y, long double yl) {
  const float low = (float)(yl * (1 - LONG_ERROR)), high = (float)(yl * (1 + LONG_ERROR));
  return low == high ? low : (float)y;
}

#define ROUNDED1(fn)                                                                                                   \
  float simt_##fn##f(float x) {                                                                                        \
    const double y = fn(x);                                                                                            \
    return is_settled(y) ? (float)y : settle(y, fn##l(x));                                                             \
  }
#define ROUNDED2(fn)                                                                                                   \
  float simt_##fn##f(float x, float z) {                                                                               \
    const double y = fn(x, z);                                                                                         \
    return is_settled(y) ? (float)y : settle(y, fn##l(x, z));                                                          \
  }

ROUNDED1(expm1)
ROUNDED1(log1p)
ROUNDED1(cbrt)
ROUNDED1(sin)
ROUNDED1(cos)
ROUNDED1(tan)
ROUNDED1(asin)
ROUNDED1(acos)
ROUNDED1(atan)
ROUNDED1(sinh)
ROUNDED1(cosh)
ROUNDED1(tanh)
ROUNDED1(asinh)
ROUNDED1(acosh)
ROUNDED1(atanh)
ROUNDED1(erf)
ROUNDED1(erfc)
ROUNDED2(pow)
ROUNDED2(atan2)
ROUNDED2(hypot)

float simt_rsqrtf(float x) {
  const double y = 1 / sqrt(x);
  return is_settled(y) ? (float)y : settle(y, 1 / sqrtl(x));
}

float simt_rcbrtf(float x) {
  const double y = 1 / cbrt(x);
  return is_settled(y) ? (float)y : settle(y, 1 / cbrtl(x));
}

float simt_rhypotf(float x, float z) {
  const double y = 1 / hypot(x, z);
  return is_settled(y) ? (float)y : settle(y, 1 / hypotl(x, z));
}

#define PI_L 3.14159265358979323846264338327950288L
#define SQRT_HALF_L 0.707106781186547524400844362104849039L

/* erfc multiplies the relative error of its argument by about its square: not for double. */
float simt_normcdff(float x) { return (float)(0.5L * erfcl(-x * SQRT_HALF_L)); }

double simt_normcdf(double x) { return (double)(0.5L * erfcl(-x * SQRT_HALF_L)); }

#define PI_D 0x1.921fb54442d18p+1

/* x = 2n + q/2 + r with whole n and q and |r| <= 1/4, all exact; *quadrant = q mod 4. Infinities give NaN. */
static inline double quarter_turns(double x, int *quadrant) {
  const double y = x - 2 * rint(x / 2);
  const double q = rint(y * 2);
  *quadrant = isnan(q) ? 0 : (int)q & 3;
  return y - q / 2;
}

/* sin(pi (quadrant / 2 + r)); the zeros of a multiple of 1 are dealt with before. */
static long double sine_long(double r, int quadrant) {
  const long double t = PI_L * r;
  const long double v = quadrant & 1 ? cosl(t) : sinl(t);
  return quadrant & 2 ? -v : v;
}

static inline double sine(double r, int quadrant) {
  const double t = PI_D * r;
  const double v = quadrant & 1 ? cos(t) : sin(t);
  return quadrant & 2 ? -v : v;
}

/* A multiple of 1 gives zero with the sign of x, as sinPi of IEEE 754 has it; cosPi gives +0 in the middle between two. */
float simt_sinpif(float x) {
  int quadrant;
  const double r = quarter_turns(x, &quadrant);
  if (r == 0 && !(quadrant & 1)) return copysignf(0, x);
  const double y = sine(r, quadrant);
  return is_settled(y) ? (float)y : settle(y, sine_long(r, quadrant));
}

float simt_cospif(float x) {
  int quadrant;
  const double r = quarter_turns(x, &quadrant);
  if (r == 0 && quadrant & 1) return 0;
  const double y = sine(r, quadrant + 1);
  return is_settled(y) ? (float)y : settle(y, sine_long(r, quadrant + 1));
}

double simt_sinpi(double x) {
  int quadrant;
  const double r = quarter_turns(x, &quadrant);
  return r == 0 && !(quadrant & 1) ? copysign(0, x) : (double)sine_long(r, quadrant);
}

double simt_cospi(double x) {
  int quadrant;
  const double r = quarter_turns(x, &quadrant);
  return r == 0 && quadrant & 1 ? 0 : (double)sine_long(r, quadrant + 1);
}

/* ---- fast intrinsics: CUDA C++ Programming Guide, "Mathematical Functions", "Intrinsic Functions" ---- */

/* ex2.approx of the rounded product with log2(e): within 2 + floor(|1.173 x|) ulp. */
float simt_fast_expf(float x) { return simt_exp2f(x * 0x1.715476p+0f); }

/* The same with log2(10): within 2 + floor(|2.97 x|) ulp. */
float simt_fast_exp10f(float x) { return simt_exp2f(x * 0x1.a934f0p+1f); }

/* lg2.approx times ln 2: in [0.5, 2] within 2^-21.41, elsewhere within 3 ulp. */
float simt_fast_logf(float x) { return simt_log2f(x) * 0x1.62e430p-1f; }

/* In [0.5, 2] within 2^-22, elsewhere within 2 ulp. */
float simt_fast_log2f(float x) { return simt_log2f(x); }

/* lg2.approx times log10(2): in [0.5, 2] within 2^-24, elsewhere within 3 ulp. */
float simt_fast_log10f(float x) { return simt_log2f(x) * 0x1.344136p-2f; }

/* ex2.approx(y lg2.approx(x)): no error bound; NaN for negative x, whatever y. */
float simt_fast_powf(float x, float y) { return simt_exp2f(y * simt_log2f(x)); }

/* sin.approx works on turns, so the argument is divided by 2 pi in float: in [-pi, pi] within 2^-21.41. */
static float turns(float x) { return x * 0x1.45f306p-3f; }
float simt_fast_sinf(float x) { return simt_sinpif(2 * turns(x)); }

/* In [-pi, pi] within 2^-21.19. */
float simt_fast_cosf(float x) { return simt_cospif(2 * turns(x)); }

/* sin times the reciprocal of cos. */
float simt_fast_tanf(float x) { return simt_fast_sinf(x) * (1 / simt_fast_cosf(x)); }

/* tanh.approx: within a relative 2^-11; here without error. */
float simt_fast_tanhf(float x) { return simt_tanhf(x); }

/* x times the reciprocal of y: within 2 ulp for |y| in [2^-126, 2^126]. Above that the reciprocal is subnormal and counts as
 * zero: 0, or NaN for infinite x. Below 2^-126 the hardware scales both operands first. */
float simt_fast_fdividef(float x, float y) {
  const float size = fabsf(y);
  if (size < 0x1p-126f) return x / y;
  if (size > 0x1p126f && !isinf(size)) return x * copysignf(0, y);
  return x * (1 / y);
}
