// One warp a row, lanes stride over the columns; lane 0 hands maximum and sum to its warp through a shared scalar, of which
// every warp of the block has its own. Blocks of whole warps. A row that is -inf throughout gives zeros.
#include <math.h>

// Unlike fmaxf this keeps a NaN, so that only -inf alone counts as masked.
__device__ __forceinline__ float max_or_nan(float a, float b) { return a > b || isnan(a) ? a : b; }

__global__ void softmax_warp_row(const float *x, float *y, int rows, int cols) {
  __shared__ float maxima[32], sums[32];
  const unsigned lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  const size_t row = (size_t)blockIdx.x * (blockDim.x >> 5) + warp;
  if (row >= (size_t)rows) return;
  const unsigned n = cols;
  const float *in = x + row * n;
  float *out = y + row * n;

  float m = -INFINITY;
  for (unsigned c = lane; c < n; c += 32) m = max_or_nan(m, in[c]);
  for (int d = 16; d > 0; d >>= 1) m = max_or_nan(m, __shfl_down_sync(0xffffffffu, m, d));
  if (lane == 0) maxima[warp] = m;
  __syncwarp();
  m = maxima[warp];
  if (m == -INFINITY) {
    for (unsigned c = lane; c < n; c += 32) out[c] = 0.0f;
    return;
  }

  float sum = 0.0f;
  for (unsigned c = lane; c < n; c += 32) sum += expf(in[c] - m);
  for (int d = 16; d > 0; d >>= 1) sum += __shfl_down_sync(0xffffffffu, sum, d);
  if (lane == 0) sums[warp] = sum;
  __syncwarp();
  sum = sums[warp];

  for (unsigned c = lane; c < n; c += 32) out[c] = expf(in[c] - m) / sum;
}
