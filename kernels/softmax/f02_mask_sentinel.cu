// One thread a row, logits of -inf are masked out. The maximum of a row without any other stays -inf, and such a row gives zeros.
#include <math.h>

__global__ void softmax_f02_mask_sentinel(const float *x, float *y, int rows, int cols) {
  const size_t row = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= (size_t)rows) return;
  const float *in = x + row * cols;
  float *out = y + row * cols;

  float m = -INFINITY;
  for (int c = 0; c < cols; c++) {
    if (in[c] > m || isnan(in[c])) m = in[c];
  }
  float sum = 0.0f;
  for (int c = 0; c < cols; c++) sum += expf(in[c] - m);
  for (int c = 0; c < cols; c++) out[c] = m == -INFINITY ? 0.0f : expf(in[c] - m) / sum;
}
