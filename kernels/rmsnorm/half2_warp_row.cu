// Rows of 16 bits, a warp a row, read as __half2 where they start on 4 bytes; what is left, and other rows, one by one. Blocks of whole
// warps.
#include <cuda_fp16.h>
#include <math.h>

__device__ __forceinline__ float square(__half v) { return __half2float(v) * __half2float(v); }

__global__ void rmsnorm_half2_warp_row(const __half *x, const __half *gamma, __half *y, int rows, int cols, float eps) {
  const unsigned lane = threadIdx.x % 32, n = cols;
  const size_t row = (size_t)blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
  if (row >= (size_t)rows) return;
  const __half *in = x + row * n;
  __half *out = y + row * n;
  const unsigned pairs = reinterpret_cast<size_t>(in) % sizeof(__half2) == 0 ? n / 2 : 0;

  float sum = 0.0f;
  for (unsigned i = lane; i < pairs; i += 32) {
    const __half2 v = reinterpret_cast<const __half2 *>(in)[i];
    sum += square(__low2half(v)) + square(__high2half(v));
  }
  for (unsigned c = 2 * pairs + lane; c < n; c += 32) sum += square(in[c]);
  for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, d);
  const float scale = rsqrtf(sum / n + eps);
  for (unsigned c = lane; c < n; c += 32) out[c] = __float2half(__half2float(in[c]) * scale * __half2float(gamma[c]));
}
