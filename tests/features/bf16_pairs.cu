// bf16_pairs.cu - __nv_bfloat162: loads of four values as two pairs, arithmetic of pairs, shuffles, atomics.
#include <cuda_bf16.h>
#include "feature.h"

__device__ __nv_bfloat16 x[128];
__device__ __nv_bfloat162 total;

__global__ void fill() {
  x[threadIdx.x] = __float2bfloat16(threadIdx.x % 8);
  if (threadIdx.x == 0) total = __float2bfloat162_rn(0.0f);
}

__global__ void right(double *out) {
  const uint2 raw = reinterpret_cast<const uint2 *>(x)[threadIdx.x];
  const __nv_bfloat162 *two = reinterpret_cast<const __nv_bfloat162 *>(&raw);
  __nv_bfloat162 s = __hadd2(two[0], two[1]);
  s = __hfma2(s, __floats2bfloat162_rn(2.0f, 1.0f), __bfloat162bfloat162(__float2bfloat16(0.5f)));
  for (int o = 16; o; o >>= 1) s = __hadd2(s, __shfl_xor_sync(0xffffffff, s, o));
  atomicAdd(&total, __halves2bfloat162(__float2bfloat16(1.0f), __low2bfloat16(two[0])));
  const float2 f = __bfloat1622float2(s);
  if (threadIdx.x == 0) out[0] = f.x, out[1] = f.y;
}

__global__ void tell(double *out) {
  out[2] = __low2float(total);
  out[3] = __high2float(total);
}

__global__ void wrong(double *out) { out[0] = __low2float(*reinterpret_cast<const __nv_bfloat162 *>(x + 2 * threadIdx.x + 1)); }

RIGHT(bf16_pairs) {
  fill<<<1, 128>>>();
  right<<<1, 32>>>(out);
  tell<<<1, 1>>>(out);
}
WRONG(bf16_pairs) { wrong<<<1, 1>>>(out); }
EXPECTED(bf16_pairs) { return i == 0 ? 400 : i == 1 ? 272 : i == 2 ? 32 : 64; }
