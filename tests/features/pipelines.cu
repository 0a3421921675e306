// pipelines.cu - cuda::pipeline: of a thread, of a block, and of warps that produce for others.
#include <cooperative_groups.h>
#include <cuda/pipeline>
#include "feature.h"
namespace cg = cooperative_groups;

#pragma nv_diag_suppress static_var_with_dynamic_init

__device__ int numbers[512];
__global__ void fill() { numbers[threadIdx.x] = threadIdx.x; }

template <int Stages, bool Waits> __global__ void of_block(double *out, int tiles) {
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, Stages> state;
  extern __shared__ int buffer[];
  auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  const int n = block.size(), t = block.thread_rank();
  for (int k = 0, fetched = 0; k < tiles; k++) {
    for (; fetched < tiles && fetched < k + Stages; fetched++) {
      pipe.producer_acquire();
      cuda::memcpy_async(block, buffer + fetched % Stages * n, numbers + fetched * n, cuda::aligned_size_t<4>(sizeof(int) * n), pipe);
      pipe.producer_commit();
    }
    if (Waits) pipe.consumer_wait();
    out[k * n + t] = buffer[k % Stages * n + n - 1 - t];
    pipe.consumer_release();
  }
}

__global__ void of_threads(double *out) {
  __shared__ int buffer[2][64];
  cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();
  const int t = threadIdx.x;
  for (int k = 0; k < 4; k++) {
    pipe.producer_acquire();
    cuda::memcpy_async(&buffer[k % 2][t], &numbers[64 * k + t], sizeof(int), pipe);
    pipe.producer_commit();
    if (k == 0) continue;
    cuda::pipeline_consumer_wait_prior<1>(pipe);
    __syncthreads();
    out[64 * (k - 1) + t] = buffer[(k - 1) % 2][t ^ 1];
    __syncthreads();
    pipe.consumer_release();
  }
  cuda::pipeline_consumer_wait_prior<0>(pipe);
  __syncthreads();
  out[64 * 3 + t] = buffer[1][t ^ 1];
}

__global__ void by_roles(double *out, int tiles) {
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  __shared__ int buffer[2][32];
  auto block = cg::this_thread_block();
  const auto role = block.thread_rank() < 32 ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer;
  auto pipe = cuda::make_pipeline(block, &state, role);
  const int t = threadIdx.x % 32;
  if (role == cuda::pipeline_role::producer) {
    for (int k = 0; k < tiles; k++) {
      pipe.producer_acquire();
      cuda::memcpy_async(&buffer[k % 2][t], &numbers[32 * k + t], sizeof(int), pipe);
      pipe.producer_commit();
    }
  } else {
    for (int k = 0; k < tiles; k++) {
      pipe.consumer_wait();
      out[32 * k + t] = buffer[k % 2][31 - t];
      pipe.consumer_release();
    }
  }
}

RIGHT(pipelines) {
  fill<<<1, 512>>>();
  of_block<3, true><<<1, 64, 3 * 64 * sizeof(int)>>>(out, 5);
  of_threads<<<1, 64>>>(out + 320);
  by_roles<<<1, 64>>>(out + 576, 6);
}
WRONG(pipelines) {
  fill<<<1, 512>>>();
  of_block<3, false><<<1, 64, 3 * 64 * sizeof(int)>>>(out, 5);
}
EXPECTED(pipelines) {
  if (i < 320) return i / 64 * 64 + 63 - i % 64;
  return i < 576 ? (i - 320) ^ 1 : (i - 576) / 32 * 32 + 31 - (i - 576) % 32;
}
