// cuda_barrier.cu - cuda::barrier: arrive, wait, and copies that complete with it.
#include <cuda/barrier>
#include <utility>
#include "feature.h"

using block_barrier = cuda::barrier<cuda::thread_scope_block>;
__device__ int numbers[128];
__global__ void fill() { numbers[threadIdx.x] = threadIdx.x; }

template <bool Waits> __global__ void reversed(double *out) {
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ block_barrier bar;
  __shared__ int tile[64];
  if (threadIdx.x == 0) init(&bar, blockDim.x);
  __syncthreads();
  for (int k = 0; k < 2; k++) {
    cuda::memcpy_async(&tile[threadIdx.x], &numbers[64 * k + threadIdx.x], sizeof(int), bar);
    block_barrier::arrival_token token = bar.arrive();
    if (Waits) bar.wait(std::move(token));
    out[64 * k + threadIdx.x] = tile[63 - threadIdx.x];
    bar.arrive_and_wait();
  }
}

RIGHT(cuda_barrier) {
  fill<<<1, 128>>>();
  reversed<true><<<1, 64>>>(out);
}
WRONG(cuda_barrier) {
  fill<<<1, 128>>>();
  reversed<false><<<1, 64>>>(out);
}
EXPECTED(cuda_barrier) { return 64 * (i / 64) + 63 - i % 64; }
