// One warp a row, lanes stride over the columns; maximum and sum are shared by the warp through shared memory.
#include <float.h>
#include <math.h>

__global__ void softmax_warp_row_published(const float *x, float *y, int rows, int cols) {
  __shared__ float s_max[32], s_sum[32];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int row = blockIdx.x * (blockDim.x / 32) + warp;
  if (row >= rows) return;
  const float *in = x + (size_t)row * cols;
  float *out = y + (size_t)row * cols;

  float m = -FLT_MAX;
  for (int i = lane; i < cols; i += 32) m = fmaxf(m, in[i]);
  for (int offset = 16; offset > 0; offset /= 2) m = fmaxf(m, __shfl_down_sync(0xffffffff, m, offset));
  if (lane == 0) s_max[warp] = m;
  __syncwarp();
  m = s_max[warp];

  float sum = 0.0f;
  for (int i = lane; i < cols; i += 32) sum += expf(in[i] - m);
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffff, sum, offset);
  if (lane == 0) s_sum[warp] = sum;
  __syncwarp();
  sum = s_sum[warp];

  for (int i = lane; i < cols; i += 32) out[i] = expf(in[i] - m) / sum;
}
