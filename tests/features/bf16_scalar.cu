// bf16_scalar.cu - __nv_bfloat16: conversions with their roundings, operators, intrinsics, comparisons.
#include <cuda_bf16.h>
#include "feature.h"

template <typename T> __device__ T relu(T v) { return v > T(0.0f) ? v : T(0.0f); }

__global__ void right(double *out) {
  const __nv_bfloat16 a = __float2bfloat16(1.0f + threadIdx.x), b = 3.0f;
  out[0] = __bfloat162float(a + b);
  out[1] = float(__hmul(a, b) - __hsub(b, a));
  out[2] = __bfloat162float(__float2bfloat16(1.00390625f));  // a middle: to even
  out[3] = __bfloat162float(__float2bfloat16(1.01171875f));  // another one, upwards
  out[4] = __bfloat162float(__float2bfloat16_rz(1.01171875f));
  out[5] = __bfloat162float(__float2bfloat16_ru(1.0000001f));
  out[6] = __bfloat162float(__float2bfloat16_rn(3.4e38f)); // the largest is 3.39e38
  out[7] = __bfloat162float(__hfma(a, b, __float2bfloat16(-3.0f)));
  out[8] = (float)relu(__hneg(b)) + (float)relu(b);
  out[9] = __bfloat16_as_ushort(__int2bfloat16_rn(257));
  out[10] = __bfloat162int_rz(__ushort_as_bfloat16(0xc0b0)); // -5.5
  out[11] = __hgt(b, a) + 2 * __hisnan(CUDART_NAN_BF16) + 4 * (a == b) + 8 * __heq(a, a);
  out[12] = __bfloat162float(hexp(__float2bfloat16(1.0f)));
  out[13] = __bfloat162float(hsqrt(b) * hrsqrt(__float2bfloat16(4.0f)));
  out[14] = __bfloat162float(__hfma(__int2bfloat16_rn(131), b, __float2bfloat16(1e-20f)));
  out[15] = sizeof(nv_bfloat16) + alignof(__nv_bfloat16);
}

// A bfloat16 is an access of two bytes: a race is one of those bytes only.
__global__ void wrong(double *out) {
  __shared__ __nv_bfloat16 s[32];
  s[threadIdx.x] = __float2bfloat16(threadIdx.x);
  out[threadIdx.x % 16] = __bfloat162float(s[threadIdx.x ^ 1]);
}

RIGHT(bf16_scalar) { right<<<1, 1>>>(out); }
WRONG(bf16_scalar) { wrong<<<1, 32>>>(out); }
EXPECTED(bf16_scalar) {
  // 131 * 3 is in the middle of 392 and 394; what is added decides
  const double value[] = {4, 1, 1, 1.015625, 1.0078125, 1.0078125, HUGE_VAL, 0, 3, 0x4380, -5, 11, 2.71875, 0.8671875, 394, 4};
  return value[i];
}
