// shared_tree.cu - static shared memory and __syncthreads(): the reduction of every tutorial.
#include "feature.h"

template <unsigned int blockSize, bool waits> __global__ void reduce(double *g_odata, unsigned int n) {
  __shared__ float sdata[blockSize];
  unsigned int tid = threadIdx.x, i = blockIdx.x * (blockSize * 2) + tid;
  sdata[tid] = (i < n ? i : 0) + (i + blockSize < n ? i + blockSize : 0);
  __syncthreads();
#pragma unroll
  for (unsigned int s = blockSize / 2; s > 0; s >>= 1) {
    if (tid < s) sdata[tid] += sdata[tid + s];
    if (waits) __syncthreads();
  }
  if (tid == 0) g_odata[blockIdx.x] = sdata[0];
}

RIGHT(shared_tree) { reduce<256, true><<<2, 256>>>(out, 800); }
WRONG(shared_tree) { reduce<256, false><<<2, 256>>>(out, 800); }
EXPECTED(shared_tree) { return i == 0 ? 511 * 512 / 2 : 799 * 800 / 2 - 511 * 512 / 2; }
