// One block a row, which goes through the columns in tiles of one column a thread. In the last tile some warps have no column: they have
// nothing to store, but every warp passes both barriers of a tile.
#include <math.h>

__device__ __forceinline__ float warp_max(float v) {
  for (int offset = 16; offset > 0; offset >>= 1) v = fmaxf(v, __shfl_xor_sync(0xffffffff, v, offset));
  return v;
}

__device__ __forceinline__ float warp_sum(float v) {
  for (int offset = 16; offset > 0; offset >>= 1) v += __shfl_xor_sync(0xffffffff, v, offset);
  return v;
}

__global__ void softmax_f10_active_warps(const float *x, float *y, int cols) {
  __shared__ float part[32];
  const int warp = threadIdx.x / 32, warps = blockDim.x / 32;
  x += (size_t)blockIdx.x * cols;
  y += (size_t)blockIdx.x * cols;

  float m = -INFINITY, sum = 0.0f;
  for (int tile = 0; tile < cols; tile += blockDim.x) {
    const int c = tile + threadIdx.x, active = min(warps, (cols - tile + 31) / 32);
    if (warp < active) {
      const float v = warp_max(c < cols ? x[c] : -INFINITY);
      if (threadIdx.x % 32 == 0) part[warp] = v;
    }
    __syncthreads();
    for (int w = 0; w < active; w++) m = fmaxf(m, part[w]);
    __syncthreads();
  }
  for (int c = threadIdx.x; c < cols; c += blockDim.x) sum += expf(x[c] - m);
  sum = warp_sum(sum);
  if (threadIdx.x % 32 == 0) part[warp] = sum;
  __syncthreads();
  sum = 0.0f;
  for (int w = 0; w < warps; w++) sum += part[w];
  for (int c = threadIdx.x; c < cols; c += blockDim.x) y[c] = expf(x[c] - m) / sum;
}
