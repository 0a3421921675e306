// Rows of 16 bits, a warp a row: maximum and sum in float, of shuffles. Blocks of whole warps.
#include <cuda_fp16.h>
#include <math.h>

__global__ void softmax_half_warp_row(const __half *x, __half *y, int rows, int cols) {
  const unsigned lane = threadIdx.x % 32, n = cols;
  const size_t row = (size_t)blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
  if (row >= (size_t)rows) return;
  const __half *in = x + row * n;
  __half *out = y + row * n;

  float m = -INFINITY, sum = 0.0f;
  for (unsigned c = lane; c < n; c += 32) m = fmaxf(m, __half2float(in[c]));
  for (int d = 16; d > 0; d /= 2) m = fmaxf(m, __shfl_xor_sync(0xffffffffu, m, d));
  for (unsigned c = lane; c < n; c += 32) sum += expf(__half2float(in[c]) - m);
  for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, d);
  for (unsigned c = lane; c < n; c += 32) out[c] = __float2half(expf(__half2float(in[c]) - m) / sum);
}
