// One block a row, one thread a column: each value is read once and stays in a register until its quotient is written. For
// rows no longer than the block, which has whole warps.
#include <math.h>

template <class Op>
__device__ __forceinline__ float block_reduce(float v, float *slots, Op op) {
  for (int lanes = 16; lanes > 0; lanes /= 2) v = op(v, __shfl_xor_sync(0xffffffffu, v, lanes));
  if (threadIdx.x % 32 == 0) slots[threadIdx.x / 32] = v;
  __syncthreads();
  v = slots[0];
  for (unsigned w = 1; w < blockDim.x / 32; w++) v = op(v, slots[w]);
  return v;
}

struct Max {
  __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
};
struct Sum {
  __device__ float operator()(float a, float b) const { return a + b; }
};

__global__ void softmax_register_row(const float *x, float *y, int rows, int cols) {
  __shared__ float maxima[32], sums[32];
  const size_t row = blockIdx.x;
  if (row >= (size_t)rows) return;
  const unsigned c = threadIdx.x, n = cols;
  const bool has_column = c < n;

  const float v = has_column ? x[row * n + c] : -INFINITY;
  const float m = block_reduce(v, maxima, Max());
  const float e = has_column ? expf(v - m) : 0.0f;
  const float sum = block_reduce(e, sums, Sum());
  if (has_column) y[row * n + c] = e / sum;
}
