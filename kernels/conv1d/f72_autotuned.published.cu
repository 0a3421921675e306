// The kernel adds to y, which the host clears; then it tries block sizes on it, and runs with the one it settles on.

__global__ void conv1d_accumulate_published(const float *x, const float *w, float *y, int n, int k) {
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= (size_t)(n - k + 1)) return;

  float sum = 0.0f;
  for (int j = 0; j < k; j++) sum += x[i + j] * w[j];
  y[i] += sum;
}

static void launch_published(const float *x, const float *w, float *y, int n, int k, unsigned threads, cudaStream_t stream) {
  conv1d_accumulate_published<<<(n - k + threads) / threads, threads, 0, stream>>>(x, w, y, n, k);
}

static void conv1d_autotuned_published(const float *x, const float *w, float *y, int n, int k, dim3 block, cudaStream_t stream) {
  const size_t bytes = (size_t)(n - k + 1) * sizeof *y;
  cudaMemsetAsync(y, 0, bytes, stream);
  for (unsigned threads = 128; threads <= 256; threads *= 2) launch_published(x, w, y, n, k, threads, stream);  // each is timed
  launch_published(x, w, y, n, k, block.x, stream);
}
