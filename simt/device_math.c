/* device_math.c - float functions by way of the C library's double ones, rounded once.
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

/* What __frsqrt_rn() stays where fast math makes an approximation of rsqrtf(), and the exact form of fdividef(). */
float simt_frsqrt_rn(float x) { return simt_rsqrtf(x); }
float simt_fdividef(float x, float y) { return x / y; }

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
