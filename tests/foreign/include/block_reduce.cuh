// Reductions over a block, as projects keep them in a header of their own.
#pragma once
#include <cuda_runtime.h>

namespace util {

struct Max {
  __device__ __forceinline__ float operator()(float a, float b) const { return fmaxf(a, b); }
  static __device__ constexpr float identity() { return -INFINITY; }
};

struct Sum {
  __device__ __forceinline__ float operator()(float a, float b) const { return a + b; }
  static __device__ constexpr float identity() { return 0.0f; }
};

template <typename Op>
__device__ __forceinline__ float warp_reduce(float v, Op op) {
#pragma unroll
  for (int offset = 16; offset > 0; offset >>= 1) v = op(v, __shfl_xor_sync(0xffffffffu, v, offset, 32));
  return v;
}

// All threads get the result. NUM_THREADS is a multiple of 32; partial has an element for each warp.
template <int NUM_THREADS, typename Op>
__device__ float block_reduce(float v, float *partial, Op op = Op()) {
  constexpr int NUM_WARPS = NUM_THREADS / 32;
  static_assert(NUM_THREADS % 32 == 0, "whole warps");
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  v = warp_reduce(v, op);
  if (lane == 0) partial[warp] = v;
  __syncthreads();
  v = lane < NUM_WARPS ? partial[lane] : Op::identity();
  v = warp_reduce(v, op);
#ifndef FAULT // without it, a fast warp's next partial result overtakes a slow warp's look at this one
  __syncthreads();
#endif
  return v;
}

} // namespace util
