// One block of 256 threads a row, three passes over the row; one buffer serves the halving trees of the maximum and of the
// sum. Fast exp in both passes. A row that is -inf throughout gives zeros.
#include <math.h>

#define THREADS 256

// Unlike fmaxf this keeps a NaN, so that only -inf alone counts as masked.
__device__ __forceinline__ float max_or_nan(float a, float b) { return a > b || isnan(a) ? a : b; }

__global__ void softmax_three_pass_tree(const float *x, float *y, int M, int N) {
  __shared__ float tree[THREADS];
  const int tid = threadIdx.x;
  const size_t row = blockIdx.x;
  if (row >= (size_t)M) return;
  const size_t start = row * N;

  float m = -INFINITY;
  for (int j = tid; j < N; j += THREADS) m = max_or_nan(m, x[start + j]);
  tree[tid] = m;
  __syncthreads();
  for (int half = THREADS / 2; half > 0; half /= 2) {
    if (tid < half) tree[tid] = max_or_nan(tree[tid], tree[tid + half]);
    __syncthreads();
  }
  m = tree[0];
  if (m == -INFINITY) {
    for (int j = tid; j < N; j += THREADS) y[start + j] = 0.0f;
    return;
  }
  __syncthreads();  // every thread has read the maximum: the tree is free for the sum

  float sum = 0.0f;
  for (int j = tid; j < N; j += THREADS) sum += __expf(x[start + j] - m);
  tree[tid] = sum;
  __syncthreads();
  for (int half = THREADS / 2; half > 0; half /= 2) {
    if (tid < half) tree[tid] += tree[tid + half];
    __syncthreads();
  }
  sum = tree[0];

  for (int j = tid; j < N; j += THREADS) y[start + j] = __expf(x[start + j] - m) / sum;
}
