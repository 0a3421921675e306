// Rows of 16 bits, a warp a row, and 16 bits throughout: hexp, a sum of halves, a division of halves. Blocks of whole warps.
#include <cuda_fp16.h>

__global__ void softmax_half_exp(const __half *x, __half *y, int rows, int cols) {
  const unsigned lane = threadIdx.x % 32, n = cols;
  const size_t row = (size_t)blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
  if (row >= (size_t)rows) return;
  const __half *in = x + row * n;
  __half *out = y + row * n;

  __half m = __ushort_as_half(0xfc00), sum = __ushort_as_half(0);  // -inf and 0
  for (unsigned c = lane; c < n; c += 32) m = __hmax(m, in[c]);
  for (int d = 16; d > 0; d /= 2) m = __hmax(m, __shfl_xor_sync(0xffffffffu, m, d));
  for (unsigned c = lane; c < n; c += 32) sum = __hadd(sum, hexp(__hsub(in[c], m)));
  for (int d = 16; d > 0; d /= 2) sum = __hadd(sum, __shfl_xor_sync(0xffffffffu, sum, d));
  for (unsigned c = lane; c < n; c += 32) out[c] = __hdiv(hexp(__hsub(in[c], m)), sum);
}
