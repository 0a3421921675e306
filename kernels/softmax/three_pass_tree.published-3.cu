// One block of 256 threads a row, three passes; a halving tree in one shared buffer for the maximum, then for the sum.
#include <math.h>

#define BLOCK 256

__device__ __forceinline__ float max_or_nan(float a, float b) { return a > b || isnan(a) ? a : b; }

__global__ void softmax_three_pass_tree_published_3(const float *x, float *y, int M, int N) {
  __shared__ float sdata[BLOCK];
  const int row = blockIdx.x, tid = threadIdx.x;
  if (row >= M) return;

  float thread_max = -INFINITY;
  for (int j = tid; j < N; j += BLOCK) thread_max = max_or_nan(thread_max, x[row * N + j]);
  sdata[tid] = thread_max;
  __syncthreads();
  for (int s = BLOCK / 2; s > 0; s >>= 1) {
    if (tid < s) sdata[tid] = max_or_nan(sdata[tid], sdata[tid + s]);
    __syncthreads();
  }
  const float row_max = sdata[0];
  if (row_max == -INFINITY) {
    for (int j = tid; j < N; j += BLOCK) y[row * N + j] = 0.0f;
    return;
  }
  __syncthreads();

  float thread_sum = 0.0f;
  for (int j = tid; j < N; j += BLOCK) thread_sum += __expf(x[row * N + j] - row_max);
  sdata[tid] = thread_sum;
  __syncthreads();
  for (int s = BLOCK / 2; s > 0; s >>= 1) {
    if (tid < s) sdata[tid] += sdata[tid + s];
    __syncthreads();
  }
  const float row_sum = sdata[0];

  for (int j = tid; j < N; j += BLOCK) y[row * N + j] = __expf(x[row * N + j] - row_max) / row_sum;
}
