// One block a row, a thread a column; maximum and sum by a halving tree in shared memory that takes any block.
#include <math.h>

__global__ void softmax_tree_shared_published_2(const float *x, float *y, int rows, int cols) {
  extern __shared__ float sdata[];
  const int row = blockIdx.x;
  const int tid = threadIdx.x;
  if (row >= rows) return;
  const float *in = x + (size_t)row * cols;
  float *out = y + (size_t)row * cols;

  sdata[tid] = tid < cols ? in[tid] : -INFINITY;
  __syncthreads();
  for (int count = blockDim.x; count > 1; count = (count + 1) / 2) {
    const int half = (count + 1) / 2;
    if (tid + half < count) sdata[tid] = fmaxf(sdata[tid], sdata[tid + half]);
    __syncthreads();
  }
  const float row_max = sdata[0];
  __syncthreads();

  const float e = tid < cols ? expf(in[tid] - row_max) : 0.0f;
  sdata[tid] = e;
  __syncthreads();
  for (int count = blockDim.x; count > 1; count = (count + 1) / 2) {
    const int half = (count + 1) / 2;
    if (tid + half < count) sdata[tid] += sdata[tid + half];
    __syncthreads();
  }
  if (tid < cols) out[tid] = e / sdata[0];
}
