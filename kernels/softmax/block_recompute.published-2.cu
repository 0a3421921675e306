// One block a row: reduce the maximum, broadcast it through shared memory, reduce the sum of exponentials, broadcast it, take
// the exponentials once more and divide. The first blockDim.x / 32 threads read a slot each and reduce again.
#include <math.h>

__device__ __forceinline__ float lanes_max(float v, int lane, int lanes, unsigned mask) {
  for (int d = 16; d > 0; d /= 2) {
    const float other = __shfl_down_sync(mask, v, d);
    if (lane + d < lanes) v = fmaxf(v, other);
  }
  return v;
}

__device__ __forceinline__ float lanes_sum(float v, int lane, int lanes, unsigned mask) {
  for (int d = 16; d > 0; d /= 2) {
    const float other = __shfl_down_sync(mask, v, d);
    if (lane + d < lanes) v += other;
  }
  return v;
}

__global__ void softmax_block_recompute_published_2(const float *x, float *y, int rows, int cols) {
  __shared__ float slots[32];
  __shared__ float row_max, row_sum;
  const int tid = threadIdx.x, lane = tid % 32, warp = tid / 32;
  const int lanes = min(32, (int)blockDim.x - 32 * warp);
  const unsigned mask = 0xffffffffu >> (32 - lanes);
  const int row = blockIdx.x;
  if (row >= rows) return;
  const float *in = x + (size_t)row * cols;
  float *out = y + (size_t)row * cols;

  float m = -INFINITY;
  for (int i = tid; i < cols; i += blockDim.x) m = fmaxf(m, in[i]);
  m = lanes_max(m, lane, lanes, mask);
  if (lane == 0) slots[warp] = m;
  __syncthreads();
  if (warp == 0) {
    m = tid < blockDim.x / 32 ? slots[lane] : -INFINITY;
    m = lanes_max(m, lane, lanes, mask);
    if (tid == 0) row_max = m;
  }
  __syncthreads();

  float sum = 0.0f;
  for (int i = tid; i < cols; i += blockDim.x) sum += expf(in[i] - row_max);
  sum = lanes_sum(sum, lane, lanes, mask);
  if (lane == 0) slots[warp] = sum;
  __syncthreads();
  if (warp == 0) {
    sum = tid < blockDim.x / 32 ? slots[lane] : 0.0f;
    sum = lanes_sum(sum, lane, lanes, mask);
    if (tid == 0) row_sum = sum;
  }
  __syncthreads();

  for (int i = tid; i < cols; i += blockDim.x) out[i] = expf(in[i] - row_max) / row_sum;
}
