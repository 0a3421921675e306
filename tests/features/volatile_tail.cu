// volatile_tail.cu - the last warp of a reduction: volatile shared memory, with __syncwarp() between the steps.
#include "feature.h"

template <bool Syncs> __device__ void warpReduce(volatile float *sdata, int tid) {
  for (int s = 32; s > 0; s >>= 1) {
    float t = sdata[tid + s];
    if (Syncs) __syncwarp();
    sdata[tid] = sdata[tid] + t;
    if (Syncs) __syncwarp();
  }
}

template <bool Syncs> __global__ void total(double *out) {
  __shared__ volatile float sdata[64 + 32];
  sdata[threadIdx.x] = threadIdx.x;
  if (threadIdx.x < 32) sdata[64 + threadIdx.x] = 0;
  __syncthreads();
  if (threadIdx.x < 32) warpReduce<Syncs>(sdata, threadIdx.x);
  if (threadIdx.x == 0) out[0] = sdata[0];
}

RIGHT(volatile_tail) { total<true><<<1, 64>>>(out); }
WRONG(volatile_tail) { total<false><<<1, 64>>>(out); }
EXPECTED(volatile_tail) { return 63 * 32; }
