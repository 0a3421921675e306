// block_votes.cu - __syncthreads_count, _and, _or.
#include "feature.h"

__global__ void right(double *out) {
  const int count = __syncthreads_count(threadIdx.x % 3 == 0);
  const int all = __syncthreads_and(threadIdx.x < 64), any = __syncthreads_or(threadIdx.x == 99);
  out[threadIdx.x] = count + 100 * (all != 0) + 1000 * (any != 0);
}
__global__ void wrong(double *out) {
  int open = 1;
  for (int k = 0; __syncthreads_or(open) && k < 2; k++) {
    open = threadIdx.x > 40;
    if (threadIdx.x < 32) __syncthreads();
  }
  __syncthreads();
  out[threadIdx.x] = open;
}

RIGHT(block_votes) { right<<<1, 64>>>(out); }
WRONG(block_votes) { wrong<<<1, 64>>>(out); }
EXPECTED(block_votes) { return 22 + 100; }
