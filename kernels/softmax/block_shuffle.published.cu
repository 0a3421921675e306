// One row at a time per block, shuffles within a warp, one slot a warp in shared memory.
#include <math.h>

__device__ __forceinline__ float warp_max(float v) {
  for (int offset = 16; offset > 0; offset /= 2) v = fmaxf(v, __shfl_down_sync(0xffffffff, v, offset));
  return v;
}

__device__ __forceinline__ float warp_sum(float v) {
  for (int offset = 16; offset > 0; offset /= 2) v += __shfl_down_sync(0xffffffff, v, offset);
  return v;
}

__device__ __forceinline__ float block_max(float v, float *warp_results) {
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
  v = warp_max(v);
  if (lane == 0) warp_results[warp] = v;
  __syncthreads();
  if (warp == 0) {
    v = lane < warps ? warp_results[lane] : -INFINITY;
    v = warp_max(v);
    if (lane == 0) warp_results[0] = v;
  }
  __syncthreads();
  return warp_results[0];
}

__device__ __forceinline__ float block_sum(float v, float *warp_results) {
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
  v = warp_sum(v);
  if (lane == 0) warp_results[warp] = v;
  __syncthreads();
  if (warp == 0) {
    v = lane < warps ? warp_results[lane] : 0.0f;
    v = warp_sum(v);
    if (lane == 0) warp_results[0] = v;
  }
  __syncthreads();
  return warp_results[0];
}

__global__ void softmax_block_shuffle_published(const float *x, float *y, int rows, int cols) {
  __shared__ float shared[32];

  for (unsigned row = blockIdx.x; row < (unsigned)rows; row += gridDim.x) {
    const float *in = x + (size_t)row * cols;
    float *out = y + (size_t)row * cols;

    float row_max = -INFINITY;
    for (int i = threadIdx.x; i < cols; i += blockDim.x) row_max = fmaxf(row_max, in[i]);
    row_max = block_max(row_max, shared);

    float row_sum = 0.0f;
    for (int i = threadIdx.x; i < cols; i += blockDim.x) {
      const float e = __expf(in[i] - row_max);
      out[i] = e;
      row_sum += e;
    }
    row_sum = block_sum(row_sum, shared);

    const float scale = 1.0f / row_sum;
    for (int i = threadIdx.x; i < cols; i += blockDim.x) out[i] *= scale;
    __syncthreads();
  }
}
