// One warp a row, several a block; threads without a column leave at once.
#include <math.h>

__global__ void softmax_f04_lane_guard_published(const float *x, float *y, int rows, int cols) {
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
  if (threadIdx.x >= cols) return;
  const int row = blockIdx.x * warps + warp;
  if (row >= rows) return;
  x += (size_t)row * cols;
  y += (size_t)row * cols;

  float m = -INFINITY, d = 0.0f;
  for (int c = lane; c < cols; c += 32) m = fmaxf(m, x[c]);
  for (int offset = 16; offset > 0; offset >>= 1) m = fmaxf(m, __shfl_xor_sync(0xffffffff, m, offset));
  for (int c = lane; c < cols; c += 32) d += expf(x[c] - m);
  for (int offset = 16; offset > 0; offset >>= 1) d += __shfl_xor_sync(0xffffffff, d, offset);
  for (int c = lane; c < cols; c += 32) y[c] = expf(x[c] - m) / d;
}
