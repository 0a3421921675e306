// half_pairs.cu - half2: loads of 16 bytes as eight halves, arithmetic, shuffles, atomics.
#include <cuda_fp16.h>
#include "feature.h"

#define HALF2(value) (reinterpret_cast<half2 *>(&(value))[0])

__device__ half x[256];
__device__ half2 total;

__global__ void fill() { x[threadIdx.x] = __int2half_rn(threadIdx.x % 16); }
__global__ void zero() { total = __float2half2_rn(0.0f); }

__global__ void right() {
  half pack[8];
  reinterpret_cast<float4 *>(pack)[0] = reinterpret_cast<float4 *>(x)[threadIdx.x];
  half2 s = __float2half2_rn(0.f);
#pragma unroll
  for (int i = 0; i < 8; i += 2) s = __hadd2(s, HALF2(pack[i]));
  s = __hfma2(s, __floats2half2_rn(1.0f, 2.0f), s);
  for (int o = 16; o > 0; o >>= 1) s += __shfl_down_sync(0xffffffff, s, o);
  if (threadIdx.x == 0) atomicAdd(&total, s);
}
__global__ void tell(double *out) {
  const float2 f = __half22float2(total);
  out[0] = f.x, out[1] = f.y, out[2] = __low2float(__hmul2(total, total)), out[3] = __half2float(__high2half(__h2div(total, total)));
}
__global__ void wrong(double *out) {
  if (threadIdx.x == 0) total = __floats2half2_rn(1.0f, 2.0f); // beside the atomics of others
  atomicAdd(&total, __float2half2_rn(1.0f));
  out[threadIdx.x % 4] = 0;
}

RIGHT(half_pairs) {
  fill<<<1, 256>>>();
  zero<<<1, 1>>>();
  right<<<1, 32>>>();
  tell<<<1, 1>>>(out);
}
WRONG(half_pairs) { wrong<<<1, 64>>>(out); }
EXPECTED(half_pairs) {
  const double value[] = {16 * 56 * 2, 16 * 64 * 3, HUGE_VAL, 1};
  return value[i];
}
