// One warp a row; masked logits (-inf) get no weight. The maximum starts at -inf; a row without a logit gives zeros.
#include <math.h>

__global__ void softmax_f36_finite_mask(const float *x, float *y, int rows, int cols) {
  const unsigned lane = threadIdx.x;
  for (unsigned row = blockIdx.x; row < (unsigned)rows; row += gridDim.x) {
    const float *in = x + (size_t)row * cols;
    float m = -INFINITY;
    bool poisoned = false;
    for (unsigned c = lane; c < (unsigned)cols; c += 32) {
      m = fmaxf(m, in[c]);
      poisoned |= isnan(in[c]);
    }
    for (int d = 16; d > 0; d /= 2) m = fmaxf(m, __shfl_xor_sync(~0u, m, d));
    if (__any_sync(~0u, poisoned)) m = NAN;

    float sum = 0.0f;
    for (unsigned c = lane; c < (unsigned)cols; c += 32) sum += in[c] == -INFINITY && m == -INFINITY ? 0.0f : expf(in[c] - m);
    for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(~0u, sum, d);
    const float scale = sum == 0.0f ? 0.0f : 1.0f / sum;
    for (unsigned c = lane; c < (unsigned)cols; c += 32)
      y[(size_t)row * cols + c] = scale == 0.0f ? 0.0f : expf(in[c] - m) * scale;
  }
}
