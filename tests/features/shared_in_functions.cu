// shared_in_functions.cu - static shared memory in inline functions and templates: blockReduceSum as everybody has it.
#include "feature.h"

template <typename T> __inline__ __device__ T warpReduceSum(T val) {
#pragma unroll
  for (int offset = warpSize / 2; offset > 0; offset /= 2) val += __shfl_down_sync(0xffffffff, val, offset);
  return val;
}

template <typename T, bool Waits> __inline__ __device__ T blockReduceSum(T val) {
  static __shared__ T shared[32];
  const int lane = threadIdx.x & 31, wid = threadIdx.x >> 5;
  val = warpReduceSum(val);
  if (Waits) __syncthreads();
  if (lane == 0) shared[wid] = val;
  __syncthreads();
  val = threadIdx.x < (blockDim.x >> 5) ? shared[lane] : T(0);
  if (wid == 0) val = warpReduceSum(val);
  if (threadIdx.x == 0) shared[0] = val;
  __syncthreads();
  return shared[0];
}

template <bool Waits> __global__ void sums(double *out) {
  const float first = blockReduceSum<float, Waits>(threadIdx.x);
  const float second = blockReduceSum<float, Waits>(threadIdx.x - first / blockDim.x);
  out[threadIdx.x] = first + second + blockReduceSum<int, Waits>(1);
}

RIGHT(shared_in_functions) { sums<true><<<1, 128>>>(out); }
WRONG(shared_in_functions) { sums<false><<<1, 128>>>(out); }
EXPECTED(shared_in_functions) { return 127 * 64 + 128; }
