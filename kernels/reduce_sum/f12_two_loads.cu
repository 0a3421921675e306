// Two elements a thread and pass; whether the second load needs a bound is decided once, by the host: where n and the block are
// powers of two and n is at least two blocks, every pass is full.

__device__ __forceinline__ float warp_sum(float v, unsigned lanes) {
  const unsigned lane = threadIdx.x % 32, mask = 0xffffffffu >> (32 - lanes);
  for (unsigned offset = 16; offset > 0; offset /= 2) {
    const float other = __shfl_down_sync(mask, v, offset);
    if (lane + offset < lanes) v += other;
  }
  return v;
}

template <bool IS_POWER_OF_2>
__global__ void reduce_sum_two_loads_kernel(const float *a, float *out, unsigned n) {
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

// block.x is a power of two.
static void reduce_sum_two_loads(const float *a, float *out, int n, dim3 grid, dim3 block, cudaStream_t stream) {
  if (n == 0) return;
  const bool is_power_of_2 = (n & (n - 1)) == 0;
  if (is_power_of_2 && (unsigned)n >= 2 * block.x)
    reduce_sum_two_loads_kernel<true><<<grid, block, 0, stream>>>(a, out, n);
  else
    reduce_sum_two_loads_kernel<false><<<grid, block, 0, stream>>>(a, out, n);
}
