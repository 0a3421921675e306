// Butterfly shuffles leave each warp's sum in all its lanes; dynamic shared memory has a slot a warp, and lanes of the first warp
// beyond the number of warps count as 0. Blocks of whole warps.

__device__ __forceinline__ float warp_sum(float v) {
  for (int offset = 16; offset > 0; offset /= 2) v += __shfl_xor_sync(0xffffffffu, v, offset);
  return v;
}

__global__ void reduce_sum_slots(const float *a, float *out, int n) {
  extern __shared__ float slots[];  // blockDim.x / 32
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;

  float sum = 0.0f;
  for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < (size_t)n; i += (size_t)gridDim.x * blockDim.x) sum += a[i];
  sum = warp_sum(sum);
  if (lane == 0) slots[warp] = sum;
  __syncthreads();
  if (warp == 0) {
    sum = warp_sum(lane < blockDim.x / 32 ? slots[lane] : 0.0f);
    if (lane == 0) atomicAdd(out, sum);
  }
}
