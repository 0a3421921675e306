// One warp a row; squares are products. Blocks of whole warps.
#include <math.h>

__device__ __forceinline__ float warp_sum(float v) {
  for (int lanes = 16; lanes > 0; lanes /= 2) v += __shfl_xor_sync(0xffffffffu, v, lanes);
  return v;
}

__global__ void layernorm_f80_square(const float *x, const float *gamma, const float *beta, float *y, int rows, int cols,
                                     float eps) {
  const unsigned lane = threadIdx.x % 32, n = cols;
  const size_t row = (size_t)blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
  if (row >= (size_t)rows) return;
  const float *in = x + row * n;
  float *out = y + row * n;

  float sum = 0.0f;
  for (unsigned c = lane; c < n; c += 32) sum += in[c];
  const float mean = warp_sum(sum) / n;

  float squares = 0.0f;
  for (unsigned c = lane; c < n; c += 32) {
    const float d = in[c] - mean;
    squares += d * d;
  }
  const float scale = rsqrtf(warp_sum(squares) / n + eps);

  for (unsigned c = lane; c < n; c += 32) out[c] = (in[c] - mean) * scale * gamma[c] + beta[c];
}
