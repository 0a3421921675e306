// Layernorm of rows whose squares may be past FLT_MAX: one warp a row finds the largest magnitude and takes mean and variance of the
// row divided by it. eps counts only where the deviation is small. Blocks of whole warps.
#include <math.h>

__device__ __forceinline__ float warp_sum(float v) {
  for (int lanes = 16; lanes > 0; lanes /= 2) v += __shfl_xor_sync(0xffffffffu, v, lanes);
  return v;
}

__global__ void layernorm_f78(const float *x, float *y, int rows, int cols, float eps) {
  const unsigned lane = threadIdx.x % 32, n = cols;
  const size_t row = (size_t)blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
  if (row >= (size_t)rows) return;
  const float *in = x + row * n;
  float *out = y + row * n;

  float largest = 0.0f;
  for (unsigned c = lane; c < n; c += 32) largest = fmaxf(largest, fabsf(in[c]));
  for (int lanes = 16; lanes > 0; lanes /= 2) largest = fmaxf(largest, __shfl_xor_sync(0xffffffffu, largest, lanes));
  const float unit = largest > 1.0f ? largest : 1.0f;

  float sum = 0.0f, squares = 0.0f;
  for (unsigned c = lane; c < n; c += 32) sum += in[c] / unit;
  const float part = warp_sum(sum) / n;
  for (unsigned c = lane; c < n; c += 32) {
    const float d = in[c] / unit - part;
    squares += d * d;
  }
  const float mean = part * unit, deviation = sqrtf(warp_sum(squares) / n) * unit;
  const float scale = deviation < 1e10f ? rsqrtf(deviation * deviation + eps) : 1.0f / deviation;

  for (unsigned c = lane; c < n; c += 32) out[c] = (in[c] - mean) * scale;
}
