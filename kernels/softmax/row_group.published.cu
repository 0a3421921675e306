// Short rows side by side in a block of 256: each has as many threads as the next power of two above cols.
#include <math.h>

__global__ void softmax_row_group_published(const float *x, float *y, int rows, int cols, int width) {
  __shared__ float s[256];
  const int lane = threadIdx.x % width;
  const int row = blockIdx.x * (256 / width) + threadIdx.x / width;
  float *mine = s + (threadIdx.x - lane);

  const float v = row < rows && lane < cols ? x[(size_t)row * cols + lane] : -INFINITY;
  mine[lane] = v;
  __syncthreads();
  for (int offset = width / 2; offset > 0; offset >>= 1) {
    if (lane < offset) mine[lane] = fmaxf(mine[lane], mine[lane + offset]);
    __syncthreads();
  }
  const float row_max = mine[0];
  __syncthreads();
  const float e = row < rows && lane < cols ? expf(v - row_max) : 0.0f;
  mine[lane] = e;
  __syncthreads();
  for (int offset = width / 2; offset > 0; offset >>= 1) {
    if (lane < offset) mine[lane] += mine[lane + offset];
    __syncthreads();
  }
  if (row < rows && lane < cols) y[(size_t)row * cols + lane] = e / mine[0];
}

void softmax_row_group_published_launch(const float *x, float *y, int rows, int cols, cudaStream_t stream) {
  int width = 1;
  while (width < cols) width *= 2;
  const int rows_per_block = 256 / width;
  const int blocks = (rows - 1) / rows_per_block + 1;
  softmax_row_group_published<<<blocks, 256, 0, stream>>>(x, y, rows, cols, width);
}
