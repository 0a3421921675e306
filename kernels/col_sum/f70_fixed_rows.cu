// A block takes 32 columns; the threads along y stride over the rows by as many as there are, and the first of them adds up what the
// others found. Any block of 32 threads along x.
#define COLUMNS 32

__global__ void col_sum_fixed_rows(const float *a, float *out, int m, int n) {
  __shared__ float partial[32][COLUMNS];
  const unsigned x = threadIdx.x, y = threadIdx.y;
  const size_t col = (size_t)blockIdx.x * COLUMNS + x;

  float sum = 0.0f;
  if (col < (size_t)n)
    for (size_t row = y; row < (size_t)m; row += blockDim.y) sum += a[row * n + col];
  partial[y][x] = sum;
  __syncthreads();
  if (y == 0 && col < (size_t)n) {
    for (unsigned row = 1; row < blockDim.y; row++) sum += partial[row][x];
    out[col] = sum;
  }
}
