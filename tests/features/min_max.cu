// min_max.cu - min, max and abs of all types, as overloads and with their C names.
#include <algorithm>
#include <cfloat>
#include <cmath>
#include "feature.h"

template <typename T> __device__ T clamp(T v, T lo, T hi) { return max(lo, min(v, hi)); }

__global__ void right(double *out, int n) {
  out[0] = clamp(n, -3, 3) + clamp(2.5f, 0.0f, 1.0f) + clamp(-7ll, -5ll, 5ll) + clamp(9.0, 1.0, 2.0);
  out[1] = min(threadIdx.x + 4u, 3) + max(1u, n);
  out[2] = fmaxf(NAN, 2.0f) + fminf(1.0f, NAN) + fmax(1.0, 3.0);
  out[3] = abs(-n) + fabsf(-2.5f) + fabs(-1.25) + llabs(-4ll) + abs(-0.5f);
  out[4] = std::max(n, 3) + std::min(1.5f, 2.5f) + ::max(2ull, 9ull);
  out[5] = __int_as_float(0x7f800000) > FLT_MAX;
}

RIGHT(min_max) { right<<<1, 1>>>(out, 7); }
EXPECTED(min_max) {
  const double value[] = {3 + 1 - 5 + 2, 3 + 7, 2 + 1 + 3, 7 + 2.5 + 1.25 + 4 + 0.5, 7 + 1.5 + 9, 1};
  return value[i];
}
