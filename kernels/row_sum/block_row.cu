// A block a row and chunk of blockDim.x columns: blockIdx.x is the chunk, blocks along y stride over the rows: a grid has no
// more than 65535 along y. A tree in shared memory, an atomicAdd a block and row.

__global__ void row_sum_block_row(const float *a, float *out, int m, int n) {
  __shared__ float partial[1024];
  const unsigned tid = threadIdx.x;
  const size_t col = (size_t)blockIdx.x * blockDim.x + tid;

  for (size_t row = blockIdx.y; row < (size_t)m; row += gridDim.y) {
    partial[tid] = col < (size_t)n ? a[row * n + col] : 0.0f;
    for (unsigned count = blockDim.x; count > 1;) {
      const unsigned half = (count + 1) / 2;
      __syncthreads();
      if (tid + half < count) partial[tid] += partial[tid + half];
      count = half;
    }
    if (tid == 0) atomicAdd(&out[row], partial[0]);
    __syncthreads();  // everybody is done with this row's partial sums
  }
}
