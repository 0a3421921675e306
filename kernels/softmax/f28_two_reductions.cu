// Scores of one query against all keys: a block of four warps a row, a reduction over the block by a functor. Both reductions share
// four floats, which a barrier frees before they are written again.
#include <math.h>

struct Max {
  static __device__ float identity() { return -INFINITY; }
  __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
};

struct Sum {
  static __device__ float identity() { return 0.0f; }
  __device__ float operator()(float a, float b) const { return a + b; }
};

template <class Op>
__device__ float reduce(float v, float *red) {
  const Op op;
#pragma unroll
  for (int mask = 16; mask > 0; mask >>= 1) v = op(v, __shfl_xor_sync(0xffffffffu, v, mask));
  __syncthreads();  // the floats may still be read
  if ((threadIdx.x & 31) == 0) red[threadIdx.x >> 5] = v;
  __syncthreads();
  float all = Op::identity();
#pragma unroll
  for (int w = 0; w < 4; w++) all = op(all, red[w]);
  return all;
}

__global__ void __launch_bounds__(128) softmax_f28_two_reductions(const float *__restrict__ x, float *__restrict__ y, int rows, int cols) {
  __shared__ float red[4];
  for (unsigned row = blockIdx.x; row < (unsigned)rows; row += gridDim.x) {
    const float *scores = x + (size_t)row * cols;
    float m = -INFINITY, s = 0.0f;
    for (int k = threadIdx.x; k < cols; k += 128) m = fmaxf(m, scores[k]);
    m = reduce<Max>(m, red);
    for (int k = threadIdx.x; k < cols; k += 128) s += expf(scores[k] - m);
    s = 1.0f / reduce<Sum>(s, red);
    for (int k = threadIdx.x; k < cols; k += 128) y[(size_t)row * cols + k] = expf(scores[k] - m) * s;
  }
}
