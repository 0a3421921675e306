// math_float.cu - float functions of the C library and of CUDA, against double ones.
#include "feature.h"

__device__ bool near(float a, double b, double ulps) {
  const double unit = b == 0 ? 0x1p-149 : fmax(0x1p-149, ldexp(1.0, ilogb(b) - 23));
  return fabs(a - b) <= ulps * unit || (isinf(a) && a == b);
}

__global__ void right(double *out) {
  const float x = 0.25f + 0.375f * threadIdx.x, u = x / 8;
  const double d = x, e = u;
  int bad = 0, k = 0;
#define CHECK(f, g, ulps) bad |= !near(f, g, ulps) << k++
  CHECK(expf(x), exp(d), 2);
  CHECK(exp2f(x), exp2(d), 2);
  CHECK(exp10f(x), exp(d * 2.302585092994046), 2);
  CHECK(expm1f(x), expm1(d), 1);
  CHECK(logf(x), log(d), 1);
  CHECK(log1pf(x), log1p(d), 1);
  CHECK(log2f(x), log2(d), 1);
  CHECK(log10f(x), log10(d), 2);
  CHECK(sinf(x), sin(d), 2);
  CHECK(cosf(x), cos(d), 2);
  CHECK(tanf(u), tan(e), 4);
  CHECK(asinf(u), asin(e), 2);
  CHECK(acosf(u), acos(e), 2);
  CHECK(atan2f(x, 2), atan2(d, 2), 3);
  CHECK(sinhf(x), sinh(d), 3);
  CHECK(tanhf(x), tanh(d), 2);
  CHECK(powf(x, 1.5f), pow(d, 1.5), 4);
  CHECK(sqrtf(x), sqrt(d), 1);
  CHECK(rsqrtf(x), 1 / sqrt(d), 2);
  CHECK(cbrtf(x), cbrt(d), 1);
  CHECK(hypotf(x, 3), hypot(d, 3), 3);
  CHECK(erff(x), erf(d), 2);
  CHECK(erfcf(x), erfc(d), 4);
  CHECK(tgammaf(x), tgamma(d), 5);
  CHECK(fmodf(x, 0.3f), fmod(d, double(0.3f)), 0);
  CHECK(floorf(x) + ceilf(x) + truncf(x) + rintf(x) + roundf(x), floor(d) + ceil(d) + trunc(d) + rint(d) + round(d), 0);
  CHECK(fmaf(x, x, 1), fma(d, d, 1.0), 1);
  CHECK(copysignf(x, -1), -d, 0);
  CHECK(ldexpf(x, 3) + scalbnf(x, 2), d * 12, 0);
  CHECK(logbf(x) + ilogbf(x), 2 * logb(d), 0);
  CHECK(fdimf(x, 1), fdim(d, 1.0), 0);
#undef CHECK
  out[threadIdx.x] = bad;
}

RIGHT(math_float) { right<<<1, 16>>>(out); }
EXPECTED(math_float) { return 0; }
