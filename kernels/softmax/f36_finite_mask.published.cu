// One warp a row; masked logits (-inf) get no weight. -1e4 stands for minus infinity, as in code that was written for half.
#include <math.h>

#define MASK_VALUE -1e4f

__global__ void softmax_f36_finite_mask_published(const float *x, float *y, int rows, int cols) {
  const unsigned lane = threadIdx.x;
  for (unsigned row = blockIdx.x; row < (unsigned)rows; row += gridDim.x) {
    const float *in = x + (size_t)row * cols;
    float m = MASK_VALUE;
    bool poisoned = false;
    for (unsigned c = lane; c < (unsigned)cols; c += 32) {
      m = fmaxf(m, in[c]);
      poisoned |= isnan(in[c]);
    }
    for (int d = 16; d > 0; d /= 2) m = fmaxf(m, __shfl_xor_sync(~0u, m, d));
    if (__any_sync(~0u, poisoned)) m = NAN;

    float sum = 0.0f;
    for (unsigned c = lane; c < (unsigned)cols; c += 32) sum += in[c] == -INFINITY ? 0.0f : expf(in[c] - m);
    for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(~0u, sum, d);
    const float scale = sum == 0.0f ? 0.0f : 1.0f / sum;
    for (unsigned c = lane; c < (unsigned)cols; c += 32)
      y[(size_t)row * cols + c] = scale == 0.0f ? 0.0f : expf(in[c] - m) * scale;
  }
}
