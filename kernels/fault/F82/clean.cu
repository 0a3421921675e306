// Rmsnorm of x[batch,seq,width] with a scale of its own for each place of the sequence, gamma[seq,width], the same for every batch: one
// warp a row. Blocks of whole warps.
#include <math.h>

__global__ void rmsnorm_f82(const float *x, const float *gamma, float *y, int rows, int seq, int width, float eps) {
  const unsigned lane = threadIdx.x % 32, n = width;
  const size_t row = (size_t)blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
  if (row >= (size_t)rows) return;
  const float *in = x + row * n;
  float *out = y + row * n;

  float sum = 0.0f;
  for (unsigned c = lane; c < n; c += 32) sum += in[c] * in[c];
  for (int lanes = 16; lanes > 0; lanes /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, lanes);
  const float scale = rsqrtf(sum / n + eps);

  const float *weight = gamma + row % seq * n;
  for (unsigned c = lane; c < n; c += 32) out[c] = in[c] * scale * weight[c];
}
