// The host gives a row as many threads as it takes for eight columns each, and a block as many rows as fit in 256 threads.
#define THREADS 256
#define COLUMNS_A_THREAD 8

__global__ void row_sum_host_division_published_kernel(const float *a, float *out, int m, int n) {
  const size_t row = (size_t)blockIdx.x * blockDim.y + threadIdx.y;

  float sum = 0.0f;
  if (row < (size_t)m)
    for (unsigned c = threadIdx.x; c < (unsigned)n; c += blockDim.x) sum += a[row * n + c];
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffffu, sum, offset);
  if (row < (size_t)m && threadIdx.x % 32 == 0) atomicAdd(&out[row], sum);
}

static void row_sum_host_division_published(const float *a, float *out, int m, int n, cudaStream_t stream) {
  int threads_a_row = 32;
  while (threads_a_row * COLUMNS_A_THREAD < n) threads_a_row *= 2;
  const int rows_a_block = THREADS / threads_a_row;
  const int blocks = (m + rows_a_block - 1) / rows_a_block;
  row_sum_host_division_published_kernel<<<blocks, dim3(threads_a_row, rows_a_block), 0, stream>>>(a, out, m, n);
}
