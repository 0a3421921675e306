// Threads stride over the elements with any grid; each warp reduces with shuffles and leaves its sum in a slot, the first warp reduces
// the slots, and the block's sum is added to the result.

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

__global__ void reduce_sum_shuffle(const float *a, float *out, int n) {
  __shared__ float slots[32];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = (blockDim.x + 31) / 32;

  float sum = 0.0f;
  for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < (size_t)n; i += (size_t)gridDim.x * blockDim.x) sum += a[i];
  sum = warp_sum(sum);
  if (lane == 0) slots[warp] = sum;
  __syncthreads();
  if (warp == 0) {
    sum = warp_sum(lane < warps ? slots[lane] : 0.0f);
    if (lane == 0) atomicAdd(out, sum);
  }
}
