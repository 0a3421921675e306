// One thread an element: x goes along a row of a, so reads are coalesced and writes are a column of b apart. Any block.

__global__ void transpose_naive(const float *a, float *b, int m, int n) {
  const unsigned col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < (unsigned)m && col < (unsigned)n) b[(size_t)col * m + row] = a[(size_t)row * n + col];
}
