// One thread an output: it slides over the window in global memory. Blocks of two dimensions; blocks along y stride over the
// rows: a grid has no more than 65535 along y.

__global__ void conv2d_naive(const float *x, const float *w, float *y, int m, int n, int k) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x, height = m - k + 1, width = n - k + 1;
  if (col >= width) return;

  for (int row = blockIdx.y * blockDim.y + threadIdx.y; row < height; row += gridDim.y * blockDim.y) {
    float sum = 0.0f;
    for (int p = 0; p < k; p++)
      for (int q = 0; q < k; q++) sum += x[(size_t)(row + p) * n + col + q] * w[p * k + q];
    y[(size_t)row * width + col] = sum;
  }
}
