// Gradient of softmax: one block a row, a tree adds up y dy, each thread writes its own columns last. Any block up to 1024 threads.

__global__ void softmax_backward_f56(const float *y, const float *dy, float *dx, int cols) {
  extern __shared__ float sums[];
  const unsigned tid = threadIdx.x, n = cols;
  const size_t row = (size_t)blockIdx.x * n;

  float dot = 0.0f;
  for (unsigned c = tid; c < n; c += blockDim.x) dot += y[row + c] * dy[row + c];
  sums[tid] = dot;
  for (unsigned count = blockDim.x; count > 1;) {
    const unsigned half = (count + 1) / 2;
    __syncthreads();
    if (tid + half < count) sums[tid] += sums[tid + half];
    count = half;
  }
  __syncthreads();

  for (unsigned c = tid; c < n; c += blockDim.x) dx[row + c] = y[row + c] * (dy[row + c] - sums[0]);
}
