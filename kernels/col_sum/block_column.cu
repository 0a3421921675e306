// A block a column and chunk of blockDim.x rows: blockIdx.x is the column, blocks along y stride over its chunks: a grid has no
// more than 65535 along y. A tree in shared memory, an atomicAdd a block.

__global__ void col_sum_block_column(const float *a, float *out, int m, int n) {
  __shared__ float partial[1024];
  const unsigned tid = threadIdx.x, col = blockIdx.x;

  float sum = 0.0f;
  for (size_t row = (size_t)blockIdx.y * blockDim.x + tid; row < (size_t)m; row += (size_t)gridDim.y * blockDim.x)
    sum += a[row * n + col];
  partial[tid] = sum;
  for (unsigned count = blockDim.x; count > 1;) {
    const unsigned half = (count + 1) / 2;
    __syncthreads();
    if (tid + half < count) partial[tid] += partial[tid + half];
    count = half;
  }
  if (tid == 0) atomicAdd(&out[col], partial[0]);
}
