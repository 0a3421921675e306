#include <math.h>

__device__ float block_sum(float v, float *s) {
  const int t = threadIdx.x;
  s[t] = v;
  __syncthreads();
  for (int d = 64; d > 0; d /= 2) {
    if (t < d) s[t] += s[t + d];
    __syncthreads();
  }
  return s[0];
}

// A block a row: the sum of the row, then the sum of the squared distances from its mean.
__global__ void layernorm(const float *x, const float *gamma, const float *beta, float *y, int cols, float eps) {
  __shared__ float s[128];
  const float *row = x + blockIdx.x * cols;
  float sum = 0, squares = 0;
  for (int i = threadIdx.x; i < cols; i += 128) sum += row[i];
  const float mean = block_sum(sum, s) / cols;
  for (int i = threadIdx.x; i < cols; i += 128) squares += (row[i] - mean) * (row[i] - mean);
  const float scale = 1 / sqrtf(block_sum(squares, s) / cols + eps);
  for (int i = threadIdx.x; i < cols; i += 128) y[blockIdx.x * cols + i] = (row[i] - mean) * scale * gamma[i] + beta[i];
}
