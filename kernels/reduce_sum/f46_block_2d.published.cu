// The columns of a block are reduced by a tree along y, then the row that is left by one along x, in the same buffer.

__global__ void reduce_sum_block_2d_published(const float *a, float *out, int n) {
  __shared__ float scratch[1024];
  const unsigned x = threadIdx.x, y = threadIdx.y, tid = y * blockDim.x + x, threads = blockDim.x * blockDim.y;

  float sum = 0.0f;
  for (size_t i = (size_t)blockIdx.x * threads + tid; i < (size_t)n; i += (size_t)gridDim.x * threads) sum += a[i];
  scratch[tid] = sum;
  for (unsigned rows = blockDim.y / 2; rows > 0; rows /= 2) {
    __syncthreads();
    if (y < rows) scratch[tid] += scratch[tid + rows * blockDim.x];
  }
  for (unsigned columns = blockDim.x / 2; columns > 0; columns /= 2) {
    if (y == 0 && x < columns) scratch[x] += scratch[x + columns];
    __syncthreads();
  }
  if (tid == 0) atomicAdd(out, scratch[0]);
}
