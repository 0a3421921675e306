// One block a row. The maximum and then the sum of exponentials are reduced by shuffles and one slot a warp, thread 0 goes
// through the slots and hands the result to all through a shared scalar; a third pass takes the exponentials again. Any
// block up to 1024 threads: the last warp may be a partial one, and has its slot too.
#include <math.h>

__global__ void softmax_block_recompute(const float *x, float *y, int rows, int cols) {
  __shared__ float slots[32], row_max, row_sum;
  const unsigned tid = threadIdx.x, lane = tid & 31, warp = tid >> 5, warps = (blockDim.x + 31) >> 5;
  const unsigned lanes = min(32u, blockDim.x - 32 * warp), mask = 0xffffffffu >> (32 - lanes);
  if (blockIdx.x >= (unsigned)rows) return;
  const size_t offset = (size_t)blockIdx.x * cols;
  const unsigned n = cols;

  float m = -INFINITY;
  for (unsigned i = tid; i < n; i += blockDim.x) m = fmaxf(m, x[offset + i]);
  for (unsigned d = 16; d > 0; d >>= 1) {
    const float other = __shfl_down_sync(mask, m, d);
    m = lane + d < lanes ? fmaxf(m, other) : m;
  }
  if (lane == 0) slots[warp] = m;
  __syncthreads();
  if (tid == 0) {
    for (unsigned w = 1; w < warps; w++) m = fmaxf(m, slots[w]);
    row_max = m;
  }
  __syncthreads();
  m = row_max;

  float sum = 0.0f;
  for (unsigned i = tid; i < n; i += blockDim.x) sum += expf(x[offset + i] - m);
  for (unsigned d = 16; d > 0; d >>= 1) {
    const float other = __shfl_down_sync(mask, sum, d);
    sum += lane + d < lanes ? other : 0.0f;
  }
  if (lane == 0) slots[warp] = sum;
  __syncthreads();
  if (tid == 0) {
    for (unsigned w = 1; w < warps; w++) sum += slots[w];
    row_sum = sum;
  }
  __syncthreads();
  sum = row_sum;

  for (unsigned i = tid; i < n; i += blockDim.x) y[offset + i] = expf(x[offset + i] - m) / sum;
}
