// Two elements a thread and pass, warps reduced with shuffles; in the last step a ballot names the lanes that have a slot, and the
// shuffles reach beyond them.

__device__ __forceinline__ float warp_sum(unsigned mask, float v) {
  for (int offset = 16; offset > 0; offset /= 2) v += __shfl_down_sync(mask, v, offset);
  return v;
}

__global__ void reduce_sum_two_loads_published_2(const float *a, float *out, unsigned n) {
  __shared__ float slots[32];
  const unsigned tid = threadIdx.x, warps = blockDim.x / 32;

  float sum = 0.0f;
  for (unsigned i = blockIdx.x * blockDim.x * 2 + tid; i < n; i += gridDim.x * blockDim.x * 2) {
    sum += a[i];
    if (i + blockDim.x < n) sum += a[i + blockDim.x];
  }
  sum = warp_sum(0xffffffffu, sum);
  if (tid % 32 == 0) slots[tid / 32] = sum;
  __syncthreads();
  const unsigned active = __ballot_sync(0xffffffffu, tid < warps);
  if (tid < warps) sum = warp_sum(active, slots[tid]);
  if (tid == 0) atomicAdd(out, sum);
}
