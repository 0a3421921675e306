// One warp a row, four columns a lane at a time when the row starts on 16 bytes, one by one otherwise; the warp shares
// maximum and sum through shared memory.
#include <math.h>
#include <stdint.h>

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

__global__ void softmax_warp_row_float4_published(const float *x, float *y, int rows, int cols) {
  __shared__ float maxima[32], sums[32];
  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32, warps = (blockDim.x + 31) / 32;
  const unsigned lanes = min(32u, blockDim.x - warp * 32);  // fewer in the last warp of a block
  const unsigned mask = 0xffffffffu >> (32 - lanes);
  const size_t row = (size_t)blockIdx.x * warps + warp;
  if (row >= (size_t)rows) return;

  const float *in = x + row * cols;
  float *out = y + row * cols;
  const bool aligned = (uintptr_t)in % sizeof(float4) == 0 && (uintptr_t)out % sizeof(float4) == 0;

  float m = -INFINITY;
  if (aligned) {
    for (int c = 4 * lane; c + 3 < cols; c += 4 * lanes) {
      const float4 v = *reinterpret_cast<const float4 *>(in + c);
      m = fmaxf(m, fmaxf(fmaxf(v.x, v.y), fmaxf(v.z, v.w)));
    }
  } else {
    for (int c = lane; c < cols; c += lanes) m = fmaxf(m, in[c]);
  }
  m = warp_max(m, lane, lanes, mask);
  if (lane == 0) maxima[warp] = m;
  __syncwarp(mask);
  m = maxima[warp];

  float sum = 0.0f;
  if (aligned) {
    for (int c = 4 * lane; c + 3 < cols; c += 4 * lanes) {
      const float4 v = *reinterpret_cast<const float4 *>(in + c);
      sum += (expf(v.x - m) + expf(v.y - m)) + (expf(v.z - m) + expf(v.w - m));
    }
  } else {
    for (int c = lane; c < cols; c += lanes) sum += expf(in[c] - m);
  }
  sum = warp_sum(sum, lane, lanes, mask);
  if (lane == 0) sums[warp] = sum;
  __syncwarp(mask);
  sum = sums[warp];

  if (aligned) {
    for (int c = 4 * lane; c + 3 < cols; c += 4 * lanes) {
      float4 v = *reinterpret_cast<const float4 *>(in + c);
      v.x = expf(v.x - m) / sum;
      v.y = expf(v.y - m) / sum;
      v.z = expf(v.z - m) / sum;
      v.w = expf(v.w - m) / sum;
      *reinterpret_cast<float4 *>(out + c) = v;
    }
  } else {
    for (int c = lane; c < cols; c += lanes) out[c] = expf(in[c] - m) / sum;
  }
}
