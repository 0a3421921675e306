// Softmax of one long vector in one launch: each block adds its sum to a global total, passes a fence, and divides.
#include <math.h>

__device__ __forceinline__ float warp_sum(float v) {
  for (int offset = 16; offset > 0; offset >>= 1) v += __shfl_down_sync(0xffffffff, v, offset);
  return v;
}

__global__ void softmax_f06_grid_total_published_kernel(const float *x, float *y, float *total, int n) {
  __shared__ float sums[32];
  const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const float e = i < n ? expf(x[i]) : 0.0f;
  const float s = warp_sum(e);
  if (lane == 0) sums[warp] = s;
  __syncthreads();
  if (warp == 0) {
    const float all = warp_sum(lane < blockDim.x / 32 ? sums[lane] : 0.0f);
    if (lane == 0) atomicAdd(total, all);
  }
  __syncthreads();
  __threadfence();
  if (i < n) y[i] = e / *total;
}

static void softmax_f06_grid_total_published(const float *x, float *y, float *total, int n, dim3 grid, dim3 block,
                                             cudaStream_t stream) {
  cudaMemsetAsync(total, 0, sizeof(float), stream);
  softmax_f06_grid_total_published_kernel<<<grid, block, 0, stream>>>(x, y, total, n);
}
