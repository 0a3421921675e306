// Rows of __nv_bfloat16, a warp a row, mean and variance in float, in two passes. Blocks of whole warps.
#include <cuda_bf16.h>
#include <math.h>

__device__ __forceinline__ float sum_of_warp(float v) {
  for (int d = 16; d > 0; d /= 2) v += __shfl_xor_sync(0xffffffffu, v, d);
  return v;
}

__global__ void layernorm_bf16_warp_row(const __nv_bfloat16 *x, const __nv_bfloat16 *gamma, const __nv_bfloat16 *beta, __nv_bfloat16 *y,
                                        int rows, int cols, float eps) {
  const unsigned lane = threadIdx.x % 32, n = cols;
  const size_t row = (size_t)blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
  if (row >= (size_t)rows) return;
  const __nv_bfloat16 *in = x + row * n;
  __nv_bfloat16 *out = y + row * n;

  float sum = 0.0f, squares = 0.0f;
  for (unsigned c = lane; c < n; c += 32) sum += __bfloat162float(in[c]);
  const float mean = sum_of_warp(sum) / n;
  for (unsigned c = lane; c < n; c += 32) {
    const float d = __bfloat162float(in[c]) - mean;
    squares += d * d;
  }
  const float scale = rsqrtf(sum_of_warp(squares) / n + eps);
  for (unsigned c = lane; c < n; c += 32)
    out[c] = __float2bfloat16((__bfloat162float(in[c]) - mean) * scale * __bfloat162float(gamma[c]) + __bfloat162float(beta[c]));
}
