// Blocks stride over the rows, threads over the columns. Shuffles reduce a warp, every warp reduces the warps' slots for itself; mean
// and 1 / deviation go to the last pass through the first two slots. Blocks of whole warps, any grid.
#include <math.h>

__device__ __forceinline__ float block_sum(float v, float *slots) {
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
  for (int offset = 16; offset > 0; offset /= 2) v += __shfl_xor_sync(0xffffffffu, v, offset);
  if (lane == 0) slots[warp] = v;
  __syncthreads();
  v = lane < warps ? slots[lane] : 0.0f;
  for (int offset = 16; offset > 0; offset /= 2) v += __shfl_xor_sync(0xffffffffu, v, offset);
  return v;
}

__global__ void layernorm_block_row(const float *x, const float *gamma, const float *beta, float *y, int rows, int cols,
                                    float eps) {
  __shared__ float sums[32], squares[32];
  const unsigned n = cols;

  for (unsigned row = blockIdx.x; row < (unsigned)rows; row += gridDim.x) {
    const float *in = x + (size_t)row * n;
    float *out = y + (size_t)row * n;

    float sum = 0.0f;
    for (unsigned c = threadIdx.x; c < n; c += blockDim.x) sum += in[c];
    const float own_mean = block_sum(sum, sums) / n;

    float square = 0.0f;
    for (unsigned c = threadIdx.x; c < n; c += blockDim.x) square += (in[c] - own_mean) * (in[c] - own_mean);
    square = block_sum(square, squares);
    if (threadIdx.x == 0) {
      sums[0] = own_mean;
      sums[1] = rsqrtf(square / n + eps);
    }
    __syncthreads();

    for (unsigned c = threadIdx.x; c < n; c += blockDim.x)
      out[c] = (in[c] - sums[0]) * sums[1] * gamma[c] + beta[c];
    __syncthreads();  // every warp has read the statistics: the next row's sums may overwrite them
  }
}
