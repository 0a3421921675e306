// One row a block: a warp reduces the maximum and the sum with shuffles and leaves them in shared scalars for all threads.
#include <math.h>

__device__ __forceinline__ float max_or_nan(float a, float b) { return a > b || isnan(a) ? a : b; }

__global__ void softmax_warp_row_published_2(const float *x, float *y, int rows, int cols) {
  __shared__ float row_max;
  __shared__ float row_sum;
  const int row = blockIdx.x;
  const int lane = threadIdx.x % 32;
  if (row >= rows) return;
  const float *in = x + (size_t)row * cols;
  float *out = y + (size_t)row * cols;

  float m = -INFINITY;
  for (int i = lane; i < cols; i += 32) m = max_or_nan(m, in[i]);
  for (int offset = 16; offset > 0; offset /= 2) m = max_or_nan(m, __shfl_down_sync(0xffffffff, m, offset));
  if (lane == 0) row_max = m;
  __syncthreads();
  if (row_max == -INFINITY) {
    for (int i = threadIdx.x; i < cols; i += blockDim.x) out[i] = 0.0f;
    return;
  }

  float sum = 0.0f;
  for (int i = lane; i < cols; i += 32) sum += expf(in[i] - row_max);
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffff, sum, offset);
  if (lane == 0) row_sum = sum;
  __syncthreads();

  for (int i = threadIdx.x; i < cols; i += blockDim.x) out[i] = expf(in[i] - row_max) / row_sum;
}
