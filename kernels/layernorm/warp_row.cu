// One warp a row, several rows a block. Lanes stride over the columns: one pass for the mean, one for the variance, one that
// scales. Each warp shares its statistics through shared scalars of its own. Blocks of whole warps.
#include <math.h>

__device__ __forceinline__ float warp_sum(float v) {
  for (int offset = 16; offset > 0; offset /= 2) v += __shfl_down_sync(0xffffffffu, v, offset);
  return v;  // of the whole warp in lane 0
}

__global__ void layernorm_warp_row(const float *x, const float *gamma, const float *beta, float *y, int rows, int cols,
                                   float eps) {
  __shared__ float means[32], scales[32];
  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32, n = cols;
  const size_t row = (size_t)blockIdx.x * (blockDim.x / 32) + warp;
  if (row >= (size_t)rows) return;
  const float *in = x + row * n;
  float *out = y + row * n;

  float sum = 0.0f;
  for (unsigned c = lane; c < n; c += 32) sum += in[c];
  sum = warp_sum(sum);
  if (lane == 0) means[warp] = sum / n;
  __syncwarp();
  const float mean = means[warp];

  float squares = 0.0f;
  for (unsigned c = lane; c < n; c += 32) {
    const float d = in[c] - mean;
    squares += d * d;
  }
  squares = warp_sum(squares);
  if (lane == 0) scales[warp] = rsqrtf(squares / n + eps);
  __syncwarp();
  const float scale = scales[warp];

  for (unsigned c = lane; c < n; c += 32) out[c] = (in[c] - mean) * scale * gamma[c] + beta[c];
}
