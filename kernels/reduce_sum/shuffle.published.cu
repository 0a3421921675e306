// Each warp reduces with shuffles and leaves its sum in one of 32 slots; the first warp reduces all of the slots.

__device__ __forceinline__ float warp_sum(float v) {
  for (int offset = 16; offset > 0; offset /= 2) v += __shfl_down_sync(0xffffffffu, v, offset);
  return v;
}

__global__ void reduce_sum_shuffle_published(const float *a, float *out, int n) {
  __shared__ float slots[32];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;

  float sum = 0.0f;
  for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < (size_t)n; i += (size_t)gridDim.x * blockDim.x) sum += a[i];
  sum = warp_sum(sum);
  if (lane == 0) slots[warp] = sum;
  __syncthreads();
  if (warp == 0) {
    sum = warp_sum(slots[lane]);
    if (lane == 0) atomicAdd(out, sum);
  }
}
