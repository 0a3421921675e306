// last_block.cu - __threadfence() and a counter: the last block adds up what all have left.
#include "feature.h"

__device__ unsigned int done;
__device__ float partial[8];

template <bool Fences> __global__ void sum(double *out) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = blockIdx.x + 1;
    if (Fences) __threadfence();
    last = atomicInc(&done, gridDim.x - 1) == gridDim.x - 1;
    if (Fences) __threadfence();
  }
  __syncthreads();
  if (last && threadIdx.x == 0) {
    float s = 0;
    for (unsigned k = 0; k < gridDim.x; k++) s += partial[k];
    out[0] = s;
  }
}

RIGHT(last_block) {
  sum<true><<<8, 32>>>(out);
  sum<true><<<8, 32>>>(out);
}
WRONG(last_block) { sum<false><<<8, 32>>>(out); }
EXPECTED(last_block) { return 36; }
