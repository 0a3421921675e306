// One thread an element of c: a dot product of a row of a and a column of b. Any block.

__global__ void matmul_naive(const float *a, const float *b, float *c, int m, int n, int k) {
  const unsigned col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= (unsigned)m || col >= (unsigned)n) return;

  float sum = 0.0f;
  for (unsigned e = 0; e < (unsigned)k; e++) sum += a[(size_t)row * k + e] * b[(size_t)e * n + col];
  c[(size_t)row * n + col] = sum;
}
