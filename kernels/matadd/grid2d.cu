// One thread an element, blocks of rows and columns: x goes along a row, y from row to row. Any block.

__global__ void matadd_grid2d(const float *a, const float *b, float *c, int m, int n) {
  const unsigned col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < (unsigned)m && col < (unsigned)n) {
    const size_t i = (size_t)row * n + col;
    c[i] = a[i] + b[i];
  }
}
