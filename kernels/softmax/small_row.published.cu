// Rows of at most 32 columns, a warp each, several a block: one column a lane, butterfly shuffles.
#include <math.h>

__global__ void softmax_small_row_published(const float *x, float *y, int rows, int cols) {
  const int lane = threadIdx.x % 32;
  const int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
  if (row >= rows || lane >= cols) return;

  const size_t i = (size_t)row * cols + lane;
  const float v = x[i];
  float row_max = v;
  for (int mask = 16; mask > 0; mask >>= 1) row_max = fmaxf(row_max, __shfl_xor_sync(0xffffffff, row_max, mask));
  const float e = expf(v - row_max);
  float row_sum = e;
  for (int mask = 16; mask > 0; mask >>= 1) row_sum += __shfl_xor_sync(0xffffffff, row_sum, mask);
  y[i] = e / row_sum;
}
