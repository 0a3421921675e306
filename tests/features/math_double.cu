// math_double.cu - double functions, and overloads that take what they are given: exp(float), pow(float, int), abs.
#include <cmath>
#include "feature.h"

__device__ bool near(double a, double b) { return fabs(a - b) <= 1e-12 * fabs(b); }

__global__ void right(double *out, double x, float f) {
  out[0] = near(exp(log(x)), x) && near(pow(x, 2.0), x * x) && near(sqrt(x) * rsqrt(x), 1) && near(cbrt(x * x * x), x);
  out[1] = near(sin(x) * sin(x) + cos(x) * cos(x), 1) && near(tan(atan(x)), x) && near(sinh(asinh(x)), x) && near(tanh(atanh(0.5)), 0.5);
  out[2] = near(lgamma(5.0), log(24.0)) && near(tgamma(5.0), 24) && near(erf(x) + erfc(x), 1) && near(exp10(2.0), 100);
  out[3] = sizeof(exp(f)) + sizeof(::sqrt(f)) + sizeof(fabs(f)) + sizeof(std::exp(f)) + sizeof(pow(f, f)) + sizeof(floor(f));
  out[4] = sizeof(exp(1)) + sizeof(abs(f)) + sizeof(abs(1)) + sizeof(max(f, 1.0f)) + sizeof(fmod(x, 1.0));
  int e;
  double whole;
  const double fraction = frexp(x, &e), rest = modf(2.75, &whole);
  out[5] = fraction + 10 * e + rest + 100 * whole + remainder(5.0, 3.0) + nearbyint(2.5) + lround(2.5);
  out[6] = isnan(NAN) + 2 * isinf(INFINITY) + 4 * isfinite(x) + 8 * signbit(-0.0) + 16 * (nextafter(1.0, 2.0) > 1);
}

RIGHT(math_double) { right<<<1, 1>>>(out, 1.5, 1.5f); }
EXPECTED(math_double) {
  const double value[] = {1, 1, 1, 24, 28, 0.75 + 10 + 0.75 + 200 - 1 + 2 + 3, 31};
  return value[i];
}
