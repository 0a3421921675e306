// One warp a row, one pass for both statistics: the sum and the sum of squares are kept in double, where the difference of the mean
// of squares and the squared mean keeps enough digits. Blocks of whole warps.
#include <math.h>

__global__ void layernorm_one_pass(const float *x, const float *gamma, const float *beta, float *y, int rows, int cols,
                                   float eps) {
  const unsigned lane = threadIdx.x % 32, n = cols;
  const size_t row = (size_t)blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
  if (row >= (size_t)rows) return;
  const float *in = x + row * n;
  float *out = y + row * n;

  double sum = 0, squares = 0;
  for (unsigned c = lane; c < n; c += 32) {
    const double v = in[c];
    sum += v;
    squares += v * v;
  }
  for (int offset = 16; offset > 0; offset /= 2) {
    sum += __shfl_xor_sync(0xffffffffu, sum, offset);
    squares += __shfl_xor_sync(0xffffffffu, squares, offset);
  }
  const double mean = sum / n;
  double variance = squares / n - mean * mean;
  if (variance < 0) variance = 0;  // rounded below 0 where the row is constant; NaN stays
  const float scale = rsqrtf((float)variance + eps), m = (float)mean;

  for (unsigned c = lane; c < n; c += 32) out[c] = (in[c] - m) * scale * gamma[c] + beta[c];
}
