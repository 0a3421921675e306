// Four elements a thread with one load, guarded by idx + 3 < n; then shuffles, a slot a warp, and an atomicAdd a block.

__device__ __forceinline__ float warp_sum(float v) {
  for (int offset = 16; offset > 0; offset /= 2) v += __shfl_down_sync(0xffffffffu, v, offset);
  return v;
}

__global__ void reduce_sum_float4_published(float *a, float *out, int n) {
  __shared__ float slots[32];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
  const size_t idx = 4 * ((size_t)blockIdx.x * blockDim.x + threadIdx.x);

  float sum = 0.0f;
  if (idx + 3 < (size_t)n) {
    const float4 v = reinterpret_cast<float4 *>(&a[idx])[0];
    sum = v.x + v.y + v.z + v.w;
  }
  sum = warp_sum(sum);
  if (lane == 0) slots[warp] = sum;
  __syncthreads();
  if (warp == 0) {
    sum = warp_sum(lane < warps ? slots[lane] : 0.0f);
    if (lane == 0) atomicAdd(out, sum);
  }
}
