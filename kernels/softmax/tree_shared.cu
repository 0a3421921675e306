// One block a row, threads stride over the columns; maximum and sum by a halving tree over one float a thread in dynamic
// shared memory. Any block up to 1024 threads: an odd count leaves its middle element to the next round.
#include <math.h>

__global__ void softmax_tree_shared(const float *x, float *y, int rows, int cols) {
  extern __shared__ float buf[];
  const unsigned row = blockIdx.x, tid = threadIdx.x, n = cols;
  if (row >= (unsigned)rows) return;
  const float *in = x + (size_t)row * n;
  float *out = y + (size_t)row * n;

  float m = -INFINITY;
  for (unsigned c = tid; c < n; c += blockDim.x) m = fmaxf(m, in[c]);
  buf[tid] = m;
  for (unsigned count = blockDim.x; count > 1;) {
    const unsigned half = (count + 1) / 2;
    __syncthreads();
    if (tid + half < count) buf[tid] = fmaxf(buf[tid], buf[tid + half]);
    count = half;
  }
  __syncthreads();
  m = buf[0];
  __syncthreads();  // every thread has read the maximum: the buffer is free for the sum

  float sum = 0.0f;
  for (unsigned c = tid; c < n; c += blockDim.x) sum += expf(in[c] - m);
  buf[tid] = sum;
  for (unsigned count = blockDim.x; count > 1;) {
    const unsigned half = (count + 1) / 2;
    __syncthreads();
    if (tid + half < count) buf[tid] += buf[tid + half];
    count = half;
  }
  __syncthreads();
  sum = buf[0];

  for (unsigned c = tid; c < n; c += blockDim.x) out[c] = expf(in[c] - m) / sum;
}
