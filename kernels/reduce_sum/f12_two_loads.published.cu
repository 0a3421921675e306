// Two elements a thread and pass; where n is a power of two, 1 included, the second load has no bound.

__device__ __forceinline__ float warp_sum(float v, unsigned lanes) {
  const unsigned lane = threadIdx.x % 32, mask = 0xffffffffu >> (32 - lanes);
  for (unsigned offset = 16; offset > 0; offset /= 2) {
    const float other = __shfl_down_sync(mask, v, offset);
    if (lane + offset < lanes) v += other;
  }
  return v;
}

template <bool IS_POWER_OF_2>
__global__ void reduce_sum_two_loads_published_kernel(const float *a, float *out, unsigned n) {
  __shared__ float slots[32];
  const unsigned tid = threadIdx.x, lane = tid % 32, warp = tid / 32, warps = (blockDim.x + 31) / 32;

  float sum = 0.0f;
  for (unsigned i = blockIdx.x * blockDim.x * 2 + tid; i < n; i += gridDim.x * blockDim.x * 2) {
    sum += a[i];
    if (IS_POWER_OF_2 || i + blockDim.x < n) sum += a[i + blockDim.x];
  }
  sum = warp_sum(sum, min(32u, blockDim.x - warp * 32));
  if (lane == 0) slots[warp] = sum;
  __syncthreads();
  if (warp == 0) {
    sum = warp_sum(lane < warps ? slots[lane] : 0.0f, min(32u, blockDim.x));
    if (tid == 0) atomicAdd(out, sum);
  }
}

static void reduce_sum_two_loads_published(const float *a, float *out, int n, dim3 grid, dim3 block, cudaStream_t stream) {
  const bool is_power_of_2 = (n & (n - 1)) == 0;
  if (is_power_of_2)
    reduce_sum_two_loads_published_kernel<true><<<grid, block, 0, stream>>>(a, out, n);
  else
    reduce_sum_two_loads_published_kernel<false><<<grid, block, 0, stream>>>(a, out, n);
}
