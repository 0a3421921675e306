// Threads stride over the data with any grid, four elements with one load where it starts on 16 bytes; the last n % 4 elements,
// or all of them where it does not, one by one. Then shuffles, a slot a warp, and an atomicAdd a block. Blocks of whole warps.
#include <stdint.h>

__device__ __forceinline__ float warp_sum(float v) {
  for (int offset = 16; offset > 0; offset /= 2) v += __shfl_down_sync(0xffffffffu, v, offset);
  return v;
}

__global__ void reduce_sum_float4(const float *a, float *out, int n) {
  __shared__ float slots[32];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
  const size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x, threads = (size_t)gridDim.x * blockDim.x;
  const size_t quads = (uintptr_t)a % sizeof(float4) == 0 ? (size_t)n / 4 : 0;
  const float4 *a4 = reinterpret_cast<const float4 *>(a);

  float sum = 0.0f;
  for (size_t i = thread; i < quads; i += threads) {
    const float4 v = a4[i];
    sum += (v.x + v.y) + (v.z + v.w);
  }
  for (size_t i = 4 * quads + thread; i < (size_t)n; i += threads) sum += a[i];

  sum = warp_sum(sum);
  if (lane == 0) slots[warp] = sum;
  __syncthreads();
  if (warp == 0) {
    sum = warp_sum(lane < warps ? slots[lane] : 0.0f);
    if (lane == 0) atomicAdd(out, sum);
  }
}
