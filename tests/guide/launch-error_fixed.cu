__global__ void transpose(const float *a, float *b, int m, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) b[i * m + blockIdx.x] = a[blockIdx.x * n + i];
}

// A block a row; a block has 1024 threads at most.
void launch(const float *a, float *b, int m, int n) { transpose<<<m, n < 256 ? n : 256>>>(a, b, m, n); }
