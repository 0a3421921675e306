// One row at a time per block: blocks stride over the rows, threads over the columns. Each warp reduces with shuffles and
// leaves its result in a slot, the first warp reduces the slots. Any block up to 1024 threads, any grid.
#include <math.h>

// The last warp of a block has fewer than 32 lanes when the block is no multiple of 32.
__device__ __forceinline__ unsigned lanes_in_warp() {
  return min(32u, blockDim.x - threadIdx.x / 32 * 32);
}

__device__ __forceinline__ float warp_max(float v) {
  const unsigned lane = threadIdx.x % 32, lanes = lanes_in_warp();
  const unsigned mask = 0xffffffffu >> (32 - lanes);
  for (unsigned offset = 16; offset > 0; offset /= 2) {
    const float other = __shfl_down_sync(mask, v, offset);
    if (lane + offset < lanes) v = fmaxf(v, other);
  }
  return v;  // of the whole warp in lane 0
}

__device__ __forceinline__ float warp_sum(float v) {
  const unsigned lane = threadIdx.x % 32, lanes = lanes_in_warp();
  const unsigned mask = 0xffffffffu >> (32 - lanes);
  for (unsigned offset = 16; offset > 0; offset /= 2) {
    const float other = __shfl_down_sync(mask, v, offset);
    if (lane + offset < lanes) v += other;
  }
  return v;
}

__device__ __forceinline__ float block_max(float v, float *slots) {
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = (blockDim.x + 31) / 32;
  v = warp_max(v);
  if (lane == 0) slots[warp] = v;
  __syncthreads();
  if (warp == 0) {
    v = warp_max(lane < warps ? slots[lane] : -INFINITY);
    if (lane == 0) slots[0] = v;
  }
  __syncthreads();
  return slots[0];
}

__device__ __forceinline__ float block_sum(float v, float *slots) {
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = (blockDim.x + 31) / 32;
  v = warp_sum(v);
  if (lane == 0) slots[warp] = v;
  __syncthreads();
  if (warp == 0) {
    v = warp_sum(lane < warps ? slots[lane] : 0.0f);
    if (lane == 0) slots[0] = v;
  }
  __syncthreads();
  return slots[0];
}

__global__ void softmax_block_shuffle(const float *x, float *y, int rows, int cols) {
  __shared__ float slots[32];
  const unsigned n = cols;

  for (unsigned row = blockIdx.x; row < (unsigned)rows; row += gridDim.x) {
    const float *in = x + (size_t)row * n;
    float *out = y + (size_t)row * n;

    float m = -INFINITY;
    for (unsigned c = threadIdx.x; c < n; c += blockDim.x) m = fmaxf(m, in[c]);
    m = block_max(m, slots);
    __syncthreads();  // every warp has read the maximum: the slots are free for the sum

    float sum = 0.0f;
    for (unsigned c = threadIdx.x; c < n; c += blockDim.x) {
      const float e = __expf(in[c] - m);
      out[c] = e;
      sum += e;
    }
    const float scale = 1.0f / block_sum(sum, slots);
    for (unsigned c = threadIdx.x; c < n; c += blockDim.x) out[c] *= scale;
    __syncthreads();  // every warp has read the sum: the slots are free for the next row
  }
}
