// One block a row, threads stride over the columns; maximum and sum by a halving tree in shared memory.
#include <math.h>

__global__ void softmax_tree_shared_published(const float *x, float *y, int rows, int cols) {
  extern __shared__ float sdata[];
  const int row = blockIdx.x;
  const int tid = threadIdx.x;
  if (row >= rows) return;
  const float *in = x + (size_t)row * cols;
  float *out = y + (size_t)row * cols;

  float local_max = -INFINITY;
  for (int i = tid; i < cols; i += blockDim.x) local_max = fmaxf(local_max, in[i]);
  sdata[tid] = local_max;
  __syncthreads();
  for (int stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (tid < stride) sdata[tid] = fmaxf(sdata[tid], sdata[tid + stride]);
    __syncthreads();
  }
  const float row_max = sdata[0];
  __syncthreads();

  float local_sum = 0.0f;
  for (int i = tid; i < cols; i += blockDim.x) local_sum += expf(in[i] - row_max);
  sdata[tid] = local_sum;
  __syncthreads();
  for (int stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (tid < stride) sdata[tid] += sdata[tid + stride];
    __syncthreads();
  }
  const float row_sum = sdata[0];

  for (int i = tid; i < cols; i += blockDim.x) out[i] = expf(in[i] - row_max) / row_sum;
}
