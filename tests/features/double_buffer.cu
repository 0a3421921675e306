// double_buffer.cu - two tiles in shared memory, one filled while the other is used.
#include "feature.h"

template <bool Waits> __global__ void pipeline(double *out, int steps) {
  __shared__ float tile[2][64];
  float sum = 0;
  tile[0][threadIdx.x] = threadIdx.x;
  __syncthreads();
  for (int k = 0; k < steps; k++) {
    if (k + 1 < steps) tile[(k + 1) & 1][threadIdx.x] = threadIdx.x + k + 1;
    sum += tile[k & 1][63 - threadIdx.x];
    if (Waits) __syncthreads();
  }
  out[threadIdx.x] = sum;
}

RIGHT(double_buffer) { pipeline<true><<<1, 64>>>(out, 5); }
WRONG(double_buffer) { pipeline<false><<<1, 64>>>(out, 5); }
EXPECTED(double_buffer) { return 5 * (63 - i) + 10; }
