// scoped_atomics.cu - atomics of block and system scope.
#include "feature.h"

__device__ int count[2];

__global__ void right(double *out) {
  __shared__ int n;
  if (threadIdx.x == 0) n = 0;
  __syncthreads();
  atomicAdd_block(&n, 1);
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = n, atomicAdd_system(&count[0], n);
  atomicMax_system(&count[1], blockIdx.x);
}
__global__ void tell(double *out) { out[2] = count[0], out[3] = count[1]; }
__global__ void wrong() { atomicAdd_block(&count[0], 1); } // of several blocks

RIGHT(scoped_atomics) {
  right<<<2, 32>>>(out);
  tell<<<1, 1>>>(out);
}
WRONG(scoped_atomics) { wrong<<<2, 32>>>(); }
EXPECTED(scoped_atomics) { return i < 2 ? 32 : i == 2 ? 64 : 1; }
