// Blocks stride over the rows, threads over the columns. Shuffles reduce a warp, the first warp reduces the slots of the warps. Any
// block up to 1024 threads, any grid.
#include <math.h>

// The last warp of a block has fewer than 32 lanes when the block is no multiple of 32.
__device__ __forceinline__ float warp_sum(float v) {
  const unsigned lane = threadIdx.x % 32, lanes = min(32u, blockDim.x - threadIdx.x / 32 * 32);
  const unsigned mask = 0xffffffffu >> (32 - lanes);
  for (unsigned offset = 16; offset > 0; offset /= 2) {
    const float other = __shfl_down_sync(mask, v, offset);
    if (lane + offset < lanes) v += other;
  }
  return v;  // of the whole warp in lane 0
}

__global__ void rmsnorm_block_row(const float *x, const float *gamma, float *y, int rows, int cols, float eps) {
  __shared__ float slots[32];
  __shared__ float scale;
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = (blockDim.x + 31) / 32, n = cols;

  for (unsigned row = blockIdx.x; row < (unsigned)rows; row += gridDim.x) {
    const float *in = x + (size_t)row * n;
    float *out = y + (size_t)row * n;

    float sum = 0.0f;
    for (unsigned c = threadIdx.x; c < n; c += blockDim.x) sum += in[c] * in[c];
    sum = warp_sum(sum);
    if (lane == 0) slots[warp] = sum;
    __syncthreads();
    if (warp == 0) {
      sum = warp_sum(lane < warps ? slots[lane] : 0.0f);
      if (lane == 0) scale = rsqrtf(sum / n + eps);
    }
    __syncthreads();

    for (unsigned c = threadIdx.x; c < n; c += blockDim.x) out[c] = in[c] * scale * gamma[c];
  }
}
