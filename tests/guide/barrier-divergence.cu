// Pairs of neighbours are added first: a block takes a row in pieces of 64 columns.
__global__ void row_sums(const float *a, float *out, int cols) {
  __shared__ float piece[64];
  const int t = threadIdx.x;
  float sum = 0;
  for (int i = t; i < cols; i += 64) {
    piece[t] = a[blockIdx.x * cols + i];
    __syncthreads();
    if (t % 2 == 0) sum += piece[t] + (i + 1 < cols ? piece[t + 1] : 0);
    __syncthreads();
  }
  atomicAdd(&out[blockIdx.x], sum);
}
