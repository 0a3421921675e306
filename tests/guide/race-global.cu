// A block a row, a thread a column, or every blockDim.x-th of them.
__global__ void col_sums(const float *a, float *out, int n) {
  for (int j = threadIdx.x; j < n; j += blockDim.x) out[j] += a[blockIdx.x * n + j];
}
