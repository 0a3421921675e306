// Rows of 16 bits, a warp a row, sums in float. Blocks of whole warps.
#include <cuda_fp16.h>

__global__ void row_sum_half_warp(const __half *a, __half *out, int m, int n) {
  const unsigned lane = threadIdx.x % 32, cols = n;
  const size_t row = (size_t)blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
  if (row >= (size_t)m) return;
  float sum = 0.0f;
  for (unsigned c = lane; c < cols; c += 32) sum += __half2float(a[row * cols + c]);
  for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, d);
  if (lane == 0) out[row] = __float2half(sum);
}
