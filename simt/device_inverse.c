/* device_inverse.c - CUDA's inverses of the error functions and of the normal distribution, and erfcx: in long double, of whose
 * functions the C library has one variant, then rounded. */
#include "device_math.h"
#include <math.h>

#define SQRT_PI_L 1.77245385090551602729816748334114518L
#define SQRT_2_L 1.41421356237309504880168872420969808L

enum { MOST_STEPS = 40 }; /* more than either iteration below ever takes */

/* y with erf(y) = x, 0 < x <= 1/2, by Newton's method. erf is concave here and the start, its tangent's at 0, too small: the
 * steps go up to y and do not pass it. */
static long double inverse_of_erf(long double x) {
  long double y = x * (SQRT_PI_L / 2);
  for (int i = 0; i < MOST_STEPS; i++) {
    const long double step = (x - erfl(y)) * (SQRT_PI_L / 2) * expl(y * y);
    y += step;
    if (fabsl(step) <= y * 0x1p-62L) break;
  }
  return y;
}

/* y with erfc(y) = q, 0 < q <= 1/2, by Newton's method on log erfc, which is concave. erfc(y) <= exp(-y^2), so that the start
 * is too large: the steps go down to y. */
static long double inverse_of_erfc(long double q) {
  const long double log_q = logl(q);
  long double y = sqrtl(-log_q);
  for (int i = 0; i < MOST_STEPS; i++) {
    const long double e = erfcl(y), step = (logl(e) - log_q) * e * (SQRT_PI_L / 2) * expl(y * y);
    y += step;
    if (fabsl(step) <= y * 0x1p-60L) break;
  }
  return y;
}

/* Both take any number: outside their domains they give NaN, at its ends infinities, and erfinv keeps zeros. */
static long double erfinv_long(long double x) {
  const long double size = fabsl(x);
  if (!(size <= 1)) return NAN;
  if (size == 1 || size == 0) return size == 1 ? copysignl(INFINITY, x) : x;
  return copysignl(size <= 0.5L ? inverse_of_erf(size) : inverse_of_erfc(1 - size), x);
}

static long double erfcinv_long(long double x) {
  if (!(x >= 0 && x <= 2)) return NAN;
  if (x == 0 || x == 2) return x == 0 ? INFINITY : -INFINITY;
  if (x <= 0.5L) return inverse_of_erfc(x);
  return x >= 1.5L ? -inverse_of_erfc(2 - x) : erfinv_long(1 - x);
}

static long double normcdfinv_long(long double x) { return -SQRT_2_L * erfcinv_long(2 * x); }

/* exp(x^2) erfc(x). From 60 on the asymptotic series 1 / (x sqrt(pi)) (1 - t + 3 t^2 - 15 t^3 + 105 t^4), t = 1 / (2 x^2), is
 * good to 945 t^5 < 2^-53; x^2 of a double is rounded, which matters below that. */
static long double erfcx_long(long double x) {
  if (x < -30) return INFINITY; /* above DBL_MAX */
  if (x >= 60) {
    const long double t = 1 / (2 * x * x);
    return (1 - t * (1 - t * (3 - t * (15 - t * 105)))) / (x * SQRT_PI_L);
  }
  const long double square = x * x, rest = fmal(x, x, -square);
  return expl(square) * (1 + rest) * erfcl(x);
}

#define BOTH(name)                                                                                                     \
  float simt_##name##f(float x) { return (float)name##_long(x); }                                                      \
  double simt_##name(double x) { return (double)name##_long(x); }
BOTH(erfinv)
BOTH(erfcinv)
BOTH(normcdfinv)
BOTH(erfcx)
