// A block takes blockDim.x outputs. The filter goes by in parts of at most blockDim.x taps; for each part the block loads it and the
// stretch of x that it meets, two elements a thread, into dynamic shared memory. So the filter may have any length.

__global__ void conv1d_tiled(const float *x, const float *w, float *y, int n, int k) {
  extern __shared__ float shared[];
  float *stretch = shared, *taps = shared + 2 * blockDim.x;
  const unsigned tid = threadIdx.x, threads = blockDim.x;
  const size_t i = (size_t)blockIdx.x * threads + tid, end = (size_t)(n - k + 1);

  float sum = 0.0f;
  for (unsigned part = 0; part < (unsigned)k; part += threads) {
    const unsigned count = min(threads, k - part);
    if (i + part < (size_t)n) stretch[tid] = x[i + part];
    if (i + part + threads < (size_t)n) stretch[tid + threads] = x[i + part + threads];
    if (tid < count) taps[tid] = w[part + tid];
    __syncthreads();
    if (i < end)
      for (unsigned j = 0; j < count; j++) sum += stretch[tid + j] * taps[j];
    __syncthreads();  // everybody is done with this part
  }
  if (i < end) y[i] = sum;
}
