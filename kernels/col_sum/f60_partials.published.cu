// Two kernels: the first leaves in a buffer the column sums of every 64 rows, one thread a column, the second adds those up.
#define ROWS_A_BLOCK 64

__global__ void col_sum_partials_published_rows(const float *a, float *partials, int m, int n) {
  const size_t col = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (col >= (size_t)n) return;

  const size_t first = (size_t)blockIdx.y * ROWS_A_BLOCK;
  float sum = 0.0f;
  for (size_t row = first; row < first + ROWS_A_BLOCK && row < (size_t)m; row++) sum += a[row * n + col];
  partials[blockIdx.y * (size_t)n + col] = sum;
}

__global__ void col_sum_partials_published_total(const float *partials, float *out, int parts, int n) {
  const size_t col = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (col >= (size_t)n) return;

  float sum = 0.0f;
  for (size_t part = 0; part < (size_t)parts; part++) sum += partials[part * n + col];
  out[col] = sum;
}

// partials: n floats
static void col_sum_partials_published(const float *a, float *out, float *partials, int m, int n, dim3 grid, dim3 block,
                               cudaStream_t stream) {
  if (m == 0 || n == 0) return;
  col_sum_partials_published_rows<<<grid, block, 0, stream>>>(a, partials, m, n);
  col_sum_partials_published_total<<<grid.x, block, 0, stream>>>(partials, out, grid.y, n);
}
