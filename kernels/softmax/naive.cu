// The textbook form, one block a row: one thread finds the maximum, all threads take exponentials, one thread adds them up, all
// threads divide. Any block up to 1024 threads.
#include <math.h>

__global__ void softmax_naive(const float *x, float *y, int rows, int cols) {
  __shared__ float row_max, row_sum;
  const size_t row = blockIdx.x;
  if (row >= (size_t)rows) return;
  const unsigned n = cols;
  const float *in = x + row * n;
  float *out = y + row * n;

  if (threadIdx.x == 0) {
    float m = in[0];
    for (unsigned c = 1; c < n; c++) m = fmaxf(m, in[c]);
    row_max = m;
  }
  __syncthreads();

  for (unsigned c = threadIdx.x; c < n; c += blockDim.x) out[c] = expf(in[c] - row_max);
  __syncthreads();

  if (threadIdx.x == 0) {
    float sum = 0.0f;
    for (unsigned c = 0; c < n; c++) sum += out[c];
    row_sum = sum;
  }
  __syncthreads();

  for (unsigned c = threadIdx.x; c < n; c += blockDim.x) out[c] /= row_sum;
}
