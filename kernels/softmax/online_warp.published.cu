// One warp a row. Each lane keeps a running maximum and a running sum of exponentials in one pass and rescales the sum
// whenever the maximum grows; then the maximum and the sum are reduced over the warp.
#include <math.h>

__device__ __forceinline__ float warp_max(float v, unsigned lane, unsigned lanes, unsigned mask) {
  for (unsigned offset = 16; offset > 0; offset /= 2) {
    const float other = __shfl_down_sync(mask, v, offset);
    if (lane + offset < lanes) v = fmaxf(v, other);
  }
  return __shfl_sync(mask, v, 0);
}

__device__ __forceinline__ float warp_sum(float v, unsigned lane, unsigned lanes, unsigned mask) {
  for (unsigned offset = 16; offset > 0; offset /= 2) {
    const float other = __shfl_down_sync(mask, v, offset);
    if (lane + offset < lanes) v += other;
  }
  return __shfl_sync(mask, v, 0);
}

__global__ void softmax_online_warp_published(const float *x, float *y, int rows, int cols) {
  const unsigned n = cols;
  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32, warps = (blockDim.x + 31) / 32;
  const unsigned lanes = min(32u, blockDim.x - warp * 32);  // fewer in the last warp of a block
  const unsigned mask = 0xffffffffu >> (32 - lanes);

  for (size_t row = (size_t)blockIdx.x * warps + warp; row < (size_t)rows; row += (size_t)gridDim.x * warps) {
    const float *in = x + row * n;
    float *out = y + row * n;

    float m = -INFINITY, sum = 0.0f;
    for (unsigned c = lane; c < n; c += lanes) {
      const float v = in[c];
      const float m_new = fmaxf(m, v);
      sum = sum * expf(m - m_new) + expf(v - m_new);
      m = m_new;
    }
    const float row_max = warp_max(m, lane, lanes, mask);
    const float row_sum = warp_sum(sum * expf(m - row_max), lane, lanes, mask);
    const float scale = 1.0f / row_sum;
    for (unsigned c = lane; c < n; c += lanes) out[c] = expf(in[c] - row_max) * scale;
  }
}
