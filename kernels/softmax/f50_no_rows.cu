// One block a row, the columns shared out; a host function that launches, and launches nothing where there is nothing to do.
#include <math.h>

__device__ void reduce_in_place(float *s, bool is_max) {
  for (unsigned n = blockDim.x; n > 1;) {
    const unsigned half = (n + 1) / 2;
    __syncthreads();
    if (threadIdx.x + half < n) {
      const float a = s[threadIdx.x], b = s[threadIdx.x + half];
      s[threadIdx.x] = is_max ? fmaxf(a, b) : a + b;
    }
    n = half;
  }
  __syncthreads();
}

__global__ void softmax_f50_kernel(const float *x, float *y, int cols) {
  extern __shared__ float s[];
  const float *in = x + (size_t)blockIdx.x * cols;
  float *out = y + (size_t)blockIdx.x * cols, m = -INFINITY, sum = 0.0f;

  for (int c = threadIdx.x; c < cols; c += blockDim.x) m = fmaxf(m, in[c]);
  s[threadIdx.x] = m;
  reduce_in_place(s, true);
  m = s[0];
  __syncthreads();
  for (int c = threadIdx.x; c < cols; c += blockDim.x) sum += expf(in[c] - m);
  s[threadIdx.x] = sum;
  reduce_in_place(s, false);
  for (int c = threadIdx.x; c < cols; c += blockDim.x) out[c] = expf(in[c] - m) / s[0];
}

static void softmax_f50(const float *x, float *y, int rows, int cols, dim3 block, cudaStream_t stream) {
  if ((size_t)rows * cols == 0) return;
  softmax_f50_kernel<<<rows, block, block.x * sizeof(float), stream>>>(x, y, cols);
}
