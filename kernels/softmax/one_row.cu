// Softmax of a single vector by one block: a partial result a thread in shared memory, the first warp reduces them and leaves
// the result in a shared scalar. Blocks of whole warps.
#include <math.h>

__global__ void softmax_one_row(const float *x, float *y, int n) {
  __shared__ float partial[1024], vector_max, vector_sum;
  const int tid = threadIdx.x, threads = blockDim.x;

  float m = -INFINITY;
  for (int i = tid; i < n; i += threads) m = fmaxf(m, x[i]);
  partial[tid] = m;
  __syncthreads();
  if (tid < 32) {
    for (int t = tid + 32; t < threads; t += 32) m = fmaxf(m, partial[t]);
    for (int lanes = 16; lanes > 0; lanes /= 2) m = fmaxf(m, __shfl_xor_sync(0xffffffffu, m, lanes));
    if (tid == 0) vector_max = m;
  }
  __syncthreads();
  m = vector_max;

  float sum = 0.0f;
  for (int i = tid; i < n; i += threads) sum += expf(x[i] - m);
  partial[tid] = sum;
  __syncthreads();
  if (tid < 32) {
    for (int t = tid + 32; t < threads; t += 32) sum += partial[t];
    for (int lanes = 16; lanes > 0; lanes /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, lanes);
    if (tid == 0) vector_sum = sum;
  }
  __syncthreads();

  const float scale = 1.0f / vector_sum;
  for (int i = tid; i < n; i += threads) y[i] = expf(x[i] - m) * scale;
}
