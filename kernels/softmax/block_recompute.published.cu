// One block a row: reduce the maximum, broadcast it through shared memory, reduce the sum of exponentials, broadcast it, take
// the exponentials once more and divide. Thread 0 goes through the slots of the warps.
#include <math.h>

__global__ void softmax_block_recompute_published(const float *x, float *y, int rows, int cols) {
  __shared__ float slots[32];
  __shared__ float row_max, row_sum;
  const int tid = threadIdx.x, lane = tid % 32, warp = tid / 32;
  const int num_warps = blockDim.x / 32;
  const int lanes = min(32, (int)blockDim.x - 32 * warp);
  const unsigned mask = 0xffffffffu >> (32 - lanes);
  const int row = blockIdx.x;
  if (row >= rows) return;
  const size_t offset = (size_t)row * cols;

  float m = -INFINITY;
  for (int i = tid; i < cols; i += blockDim.x) m = fmaxf(m, x[offset + i]);
  for (int d = 16; d > 0; d /= 2) {
    const float other = __shfl_down_sync(mask, m, d);
    if (lane + d < lanes) m = fmaxf(m, other);
  }
  if (lane == 0) slots[warp] = m;
  __syncthreads();
  if (tid == 0) {
    float best = slots[0];
    for (int w = 1; w < num_warps; w++) best = fmaxf(best, slots[w]);
    row_max = best;
  }
  __syncthreads();

  float sum = 0.0f;
  for (int i = tid; i < cols; i += blockDim.x) sum += expf(x[offset + i] - row_max);
  for (int d = 16; d > 0; d /= 2) {
    const float other = __shfl_down_sync(mask, sum, d);
    if (lane + d < lanes) sum += other;
  }
  if (lane == 0) slots[warp] = sum;
  __syncthreads();
  if (tid == 0) {
    float total = slots[0];
    for (int w = 1; w < num_warps; w++) total += slots[w];
    row_sum = total;
  }
  __syncthreads();

  for (int i = tid; i < cols; i += blockDim.x) y[offset + i] = expf(x[offset + i] - row_max) / row_sum;
}
