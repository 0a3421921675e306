// One thread an output, numbered in one dimension with any grid; row and column are found by division.

__global__ void conv2d_extents(const float *x, const float *w, float *y, int height, int width, int k) {
  const int out_width = width - k + 1;
  const size_t outputs = (size_t)(height - k + 1) * out_width;

  for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < outputs; i += (size_t)gridDim.x * blockDim.x) {
    const size_t row = i / out_width, col = i % out_width;
    float sum = 0.0f;
    for (int p = 0; p < k; p++)
      for (int q = 0; q < k; q++) sum += x[(row + p) * width + col + q] * w[p * k + q];
    y[i] = sum;
  }
}
