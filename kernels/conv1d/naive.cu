// One thread an output: it slides over the window in global memory.

__global__ void conv1d_naive(const float *x, const float *w, float *y, int n, int k) {
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= (size_t)(n - k + 1)) return;

  float sum = 0.0f;
  for (int j = 0; j < k; j++) sum += x[i + j] * w[j];
  y[i] = sum;
}
