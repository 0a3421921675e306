// shuffles.cu - shuffles in all four directions, with a width, of every type.
#include <cuda_fp16.h>
#include "feature.h"

#define FULL_MASK 0xffffffff

template <typename T> __device__ T broadcast(T v) { return __shfl_sync(FULL_MASK, v, 5); }

__global__ void right(double *out) {
  const int lane = threadIdx.x % warpSize;
  double s = broadcast<int>(lane) + broadcast<unsigned>(lane) + broadcast<long long>(lane) + broadcast<float>(lane);
  s += broadcast<double>(lane) + __half2float(broadcast<half>(__int2half_rn(lane))) + broadcast<unsigned long long>(lane);
  int up = __shfl_up_sync(FULL_MASK, lane, 1), down = __shfl_down_sync(FULL_MASK, lane, 3, 16);
  float sum = 1;
#pragma unroll
  for (int mask = 16; mask > 0; mask >>= 1) sum += __shfl_xor_sync(FULL_MASK, sum, mask);
  out[lane] = s + 100 * up + 10000 * down + 1000000 * sum;
}

__global__ void wrong(double *out) {
  if (threadIdx.x < 16) out[threadIdx.x] = __shfl_sync(FULL_MASK, float(threadIdx.x), 20);
  else out[threadIdx.x] = 0;
}

RIGHT(shuffles) { right<<<1, 32>>>(out); }
WRONG(shuffles) { wrong<<<1, 32>>>(out); }
EXPECTED(shuffles) {
  const int down = i % 16 < 13 ? i + 3 : i;
  return 35 + 100 * (i ? i - 1 : 0) + 10000 * down + 1000000.0 * 32;
}
