// Short rows side by side in a block: each has as many threads as the next power of two above cols, a thread a column, and a
// halving tree of its own in shared memory. The launcher chooses threads and blocks. Rows of at most 1024 columns.
#include <math.h>

__device__ static float row_max(float *tree, float v, unsigned lane, unsigned width) {
  tree[lane] = v;
  __syncthreads();
  for (unsigned half = width / 2; half > 0; half /= 2) {
    if (lane < half) tree[lane] = fmaxf(tree[lane], tree[lane + half]);
    __syncthreads();
  }
  const float m = tree[0];
  __syncthreads();  // the tree is used again
  return m;
}

__device__ static float row_sum(float *tree, float v, unsigned lane, unsigned width) {
  tree[lane] = v;
  __syncthreads();
  for (unsigned half = width / 2; half > 0; half /= 2) {
    if (lane < half) tree[lane] += tree[lane + half];
    __syncthreads();
  }
  return tree[0];
}

__global__ void softmax_row_group(const float *x, float *y, int rows, int cols, unsigned width) {
  extern __shared__ float trees[];
  const unsigned lane = threadIdx.x % width;
  const size_t row = (size_t)blockIdx.x * (blockDim.x / width) + threadIdx.x / width;
  const bool active = row < (size_t)rows && lane < (unsigned)cols;
  float *tree = trees + (threadIdx.x - lane);

  const float v = active ? x[row * cols + lane] : -INFINITY;
  const float m = row_max(tree, v, lane, width);
  const float e = active ? expf(v - m) : 0.0f;
  const float sum = row_sum(tree, e, lane, width);
  if (active) y[row * cols + lane] = e / sum;
}

static void softmax_row_group_launch(const float *x, float *y, int rows, int cols, cudaStream_t stream) {
  int width = 1;
  while (width < cols) width *= 2;
  const int threads = width > 256 ? width : 256;
  const int rows_a_block = threads / width;
  const int blocks = (rows + rows_a_block - 1) / rows_a_block;
  softmax_row_group<<<blocks, threads, threads * sizeof(float), stream>>>(x, y, rows, cols, width);
}
