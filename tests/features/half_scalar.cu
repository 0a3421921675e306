// half_scalar.cu - half as kernels use it: conversions, operators, intrinsics, generic code.
#include <cuda_fp16.h>
#include "feature.h"

template <typename T> __device__ T silu(const T &x) { return (T)(((float)x) / (1.0f + expf((float)-x))); }

__global__ void right(double *out) {
  const half a = __float2half(1.5f), b = half(2), c = 0.25f;
  out[0] = __half2float(a * b + c);
  out[1] = float(__hadd(a, __hmul(b, c)));
  out[2] = __half2float(__float2half_rn(65520.0f));
  out[3] = __half2float(silu(b));
  out[4] = __hgt(a, b) + 2 * __hlt(a, b) + 4 * (a >= c);
  out[5] = __half2float(hexp(c)) + __half2int_rn(a);
  out[6] = __half_as_ushort(__hneg(a));
  out[7] = __half2float(__hmax(a, b)) + __half2float(__hfma(a, b, c));
}

RIGHT(half_scalar) { right<<<1, 1>>>(out); }
EXPECTED(half_scalar) {
  const double value[] = {3.25, 2, HUGE_VAL, 1.76171875, 6, 1.2841796875 + 2, 0xbe00, 2 + 3.25};
  return value[i];
}
