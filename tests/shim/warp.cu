// warp.cu - barriers, fences, shuffles, votes, matches and warp reductions, with the default arguments and types of CUDA.
#include <cuda_runtime.h>

template <typename T> __device__ T warp_sum(T v) {
  for (int offset = warpSize / 2; offset > 0; offset /= 2) v += __shfl_down_sync(0xffffffff, v, offset);
  return v;
}

__global__ void shuffles(double *out) {
  const int lane = threadIdx.x % 32;
  const unsigned all = 0xffffffffu;
  double s = 0;
  s += __shfl_sync(all, lane, 0) + __shfl_sync(all, 1u, lane) + __shfl_sync(all, 1.5f, 3, 8);
  s += __shfl_up_sync(all, 1.5, 1) + __shfl_down_sync(all, 5ll, 1u) + __shfl_xor_sync(all, 7ull, 16, 32);
  s += __shfl_xor_sync(all, 7l, 1) + __shfl_up_sync(all, 7ul, 2, 16);
  s += __shfl_sync(all, 'a', 0) + __shfl_sync(all, static_cast<short>(2), 0) + __shfl_sync(all, true, 0);
  s += warp_sum(lane) + warp_sum(1.0f) + warp_sum(1.0) + warp_sum(1u) + warp_sum(1ull);
#ifdef __SIMT__ // gone from current toolkits
  s += __shfl(lane, 0) + __shfl_up(1.0f, 1) + __shfl_down(1.0, 1) + __shfl_xor(1u, 1, 16);
  s += __all(1) + __any(0) + __ballot(1);
#endif
  out[threadIdx.x] = s;
}

__global__ void votes(unsigned *out, const int *in) {
  const int v = in[threadIdx.x];
  const unsigned active = __activemask();
  unsigned s = __ballot_sync(active, v > 0);
  s += __all_sync(0xffffffff, v > 0) + __any_sync(0xffffffff, v) + __uni_sync(0xffffffff, v);
  int same = 0;
  s += __match_any_sync(0xffffffff, v) + __match_any_sync(0xffffffff, 1.0f) + __match_any_sync(0xffffffff, 1.0);
  s += __match_all_sync(0xffffffff, v, &same) + __match_all_sync(0xffffffff, 3ull, &same) + same;
  s += __reduce_add_sync(0xffffffff, s) + __reduce_min_sync(0xffffffff, s) + __reduce_max_sync(0xffffffff, s);
  s += __reduce_add_sync(0xffffffff, v) + __reduce_min_sync(0xffffffff, v) + __reduce_max_sync(0xffffffff, v);
  s += __reduce_and_sync(0xffffffff, s) + __reduce_or_sync(0xffffffff, s) + __reduce_xor_sync(0xffffffff, s);
  out[threadIdx.x] = s;
}

__global__ void barriers(int *out, volatile int *flag) {
  __shared__ int slots[64];
  slots[threadIdx.x % 64] = out[threadIdx.x];
  __syncthreads();
  __syncwarp();
  __syncwarp(0xffffffffu);
  const int n = __syncthreads_count(slots[0] > 0) + __syncthreads_and(1) + __syncthreads_or(slots[1]);
  __threadfence_block();
  __threadfence();
  __threadfence_system();
  out[threadIdx.x] = n;
  while (*flag == 0) __nanosleep(100);
}
