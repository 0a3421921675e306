// One warp a row, four columns a lane at a time, the last cols % 4 one by one; the warp shares maximum and sum through
// shared memory.
#include <math.h>

__device__ __forceinline__ float warp_max(float v, unsigned lane, unsigned lanes, unsigned mask) {
  for (unsigned offset = 16; offset > 0; offset /= 2) {
    const float other = __shfl_down_sync(mask, v, offset);
    if (lane + offset < lanes) v = fmaxf(v, other);
  }
  return v;  // of the whole warp in lane 0
}

__device__ __forceinline__ float warp_sum(float v, unsigned lane, unsigned lanes, unsigned mask) {
  for (unsigned offset = 16; offset > 0; offset /= 2) {
    const float other = __shfl_down_sync(mask, v, offset);
    if (lane + offset < lanes) v += other;
  }
  return v;
}

__global__ void softmax_warp_row_float4_published_2(const float *x, float *y, int rows, int cols) {
  __shared__ float maxima[32], sums[32];
  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32, warps = (blockDim.x + 31) / 32;
  const unsigned lanes = min(32u, blockDim.x - warp * 32);  // fewer in the last warp of a block
  const unsigned mask = 0xffffffffu >> (32 - lanes);
  const size_t row = (size_t)blockIdx.x * warps + warp;
  if (row >= (size_t)rows) return;

  const unsigned n = cols;
  const float *in = x + row * n;
  float *out = y + row * n;
  const unsigned n4 = n / 4;
  const float4 *in4 = reinterpret_cast<const float4 *>(in);
  float4 *out4 = reinterpret_cast<float4 *>(out);

  float m = -INFINITY;
  for (unsigned i = lane; i < n4; i += lanes) {
    const float4 v = in4[i];
    m = fmaxf(m, fmaxf(fmaxf(v.x, v.y), fmaxf(v.z, v.w)));
  }
  for (unsigned c = 4 * n4 + lane; c < n; c += lanes) m = fmaxf(m, in[c]);
  m = warp_max(m, lane, lanes, mask);
  if (lane == 0) maxima[warp] = m;
  __syncwarp(mask);
  m = maxima[warp];

  float sum = 0.0f;
  for (unsigned i = lane; i < n4; i += lanes) {
    const float4 v = in4[i];
    sum += (expf(v.x - m) + expf(v.y - m)) + (expf(v.z - m) + expf(v.w - m));
  }
  for (unsigned c = 4 * n4 + lane; c < n; c += lanes) sum += expf(in[c] - m);
  sum = warp_sum(sum, lane, lanes, mask);
  if (lane == 0) sums[warp] = sum;
  __syncwarp(mask);
  sum = sums[warp];

  for (unsigned i = lane; i < n4; i += lanes) {
    const float4 v = in4[i];
    out4[i] = make_float4(expf(v.x - m) / sum, expf(v.y - m) / sum, expf(v.z - m) / sum, expf(v.w - m) / sum);
  }
  for (unsigned c = 4 * n4 + lane; c < n; c += lanes) out[c] = expf(in[c] - m) / sum;
}
