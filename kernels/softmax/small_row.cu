// Rows of at most 32 columns, a warp each, several a block: one column a lane, all in registers. Lanes without a column stay
// and take part in the shuffles with -inf and 0. Blocks of whole warps.
#include <math.h>

__global__ void softmax_small_row(const float *x, float *y, int rows, int cols) {
  const unsigned lane = threadIdx.x % 32;
  const size_t row = (size_t)blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
  if (row >= (size_t)rows) return;  // the whole warp
  const bool active = lane < (unsigned)cols;

  const float v = active ? x[row * cols + lane] : -INFINITY;
  float m = v;
  for (int lanes = 16; lanes > 0; lanes /= 2) m = fmaxf(m, __shfl_xor_sync(0xffffffffu, m, lanes));
  const float e = active ? expf(v - m) : 0.0f;
  float sum = e;
  for (int lanes = 16; lanes > 0; lanes /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, lanes);
  if (active) y[row * cols + lane] = e / sum;
}
