/* device_bessel.c - modified Bessel functions of the first kind, by their power series (DLMF 10.25.2): all its terms have one sign, so
 * nothing is lost but the rounding of a long double. */
#include "device_math.h"
#include <math.h>

/* The sum over k of (x^2/4)^k / (k! (k + order)!), order! in front. */
static long double series(long double x, int order) {
  long double q = x * x / 4, term = 1, sum = 1;
  for (int k = 1; term > sum * 0x1p-66L && k < 4000; k++) {
    term *= q / ((long double)k * (k + order));
    sum += term;
  }
  return sum;
}

double simt_cyl_bessel_i0(double x) { return fabs(x) > 720 ? INFINITY : x != x ? x : (double)series(x, 0); }
double simt_cyl_bessel_i1(double x) { return fabs(x) > 720 ? copysign(INFINITY, x) : x != x ? x : (double)(x / 2 * series(x, 1)); }
