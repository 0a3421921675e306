// Pairs of neighbours are added first: a block takes a row in pieces of 64 columns.
__global__ void row_sums(const float *a, float *out, int cols) {
  __shared__ float piece[64];
  const int t = threadIdx.x;
  float sum = 0;
  for (int first = 0; first < cols; first += 64) {
    const int i = first + t;
    piece[t] = i < cols ? a[blockIdx.x * cols + i] : 0;
    __syncthreads();
    if (t % 2 == 0) sum += piece[t] + piece[t + 1];
    __syncthreads();
  }
  atomicAdd(&out[blockIdx.x], sum);
}
