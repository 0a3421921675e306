// A layernorm with a warp for each row: blocks of 32 x ROWS_PER_BLOCK threads, parameters in a struct.
#include <cuda_runtime.h>

#ifndef ROWS_PER_BLOCK
#define ROWS_PER_BLOCK 4
#endif
#define WARP 32
#define CEIL_DIV(a, b) (((a) + (b)-1) / (b))

struct Params {
  const float *x, *weight, *bias;
  float *y;
  int N, D;
  float epsilon;
};

template <typename F>
__device__ __forceinline__ float warp_sum(F f, int n) {
  float sum = 0.0f;
  for (int i = threadIdx.x; i < n; i += WARP) sum += f(i);
  for (int mask = WARP / 2; mask; mask /= 2) sum += __shfl_xor_sync(0xffffffff, sum, mask);
  return sum;
}

__global__ void layernorm_kernel(Params p) {
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
#ifdef FAULT // rows that are no multiple of the block's
  if (row > p.N) return;
#else
  if (row >= p.N) return;
#endif
  const float *x = p.x + (long long)row * p.D;
  float *y = p.y + (long long)row * p.D;
  const float mean = warp_sum([=](int i) { return x[i]; }, p.D) / p.D;
  const float variance = warp_sum([=](int i) { const float d = x[i] - mean; return d * d; }, p.D) / p.D;
  const float scale = rsqrtf(variance + p.epsilon);
  for (int i = threadIdx.x; i < p.D; i += WARP) y[i] = (x[i] - mean) * scale * p.weight[i] + p.bias[i];
}
