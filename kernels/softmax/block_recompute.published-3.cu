// One block a row: reduce the maximum, broadcast it through shared memory, reduce the sum of exponentials, broadcast it, take
// the exponentials once more and divide. Blocks of whole warps.
#include <math.h>

__global__ void softmax_block_recompute_published_3(const float *x, float *y, int rows, int cols) {
  __shared__ float slots[32];
  __shared__ float row_max, row_sum;
  const int tid = threadIdx.x, lane = tid % 32, warp = tid / 32;
  const int num_warps = blockDim.x / 32;
  const int row = blockIdx.x;
  if (row >= rows) return;
  const float *in = x + row * cols;
  float *out = y + row * cols;

  float m = -INFINITY;
  for (int i = tid; i < cols; i += blockDim.x) m = fmaxf(m, in[i]);
  for (int d = 16; d > 0; d /= 2) m = fmaxf(m, __shfl_down_sync(0xffffffff, m, d));
  if (lane == 0) slots[warp] = m;
  __syncthreads();
  if (tid == 0) {
    for (int w = 1; w < num_warps; w++) m = fmaxf(m, slots[w]);
    row_max = m;
  }
  __syncthreads();

  float sum = 0.0f;
  for (int i = tid; i < cols; i += blockDim.x) sum += expf(in[i] - row_max);
  for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffff, sum, d);
  if (lane == 0) slots[warp] = sum;
  __syncthreads();
  if (tid == 0) {
    for (int w = 1; w < num_warps; w++) sum += slots[w];
    row_sum = sum;
  }
  __syncthreads();

  for (int i = tid; i < cols; i += blockDim.x) out[i] = expf(in[i] - row_max) / row_sum;
}
