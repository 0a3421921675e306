// One thread a row, three scans: maximum, sum of exponentials, quotients. A row that is -inf throughout gives zeros.
#include <math.h>

__global__ void softmax_serial_row(const float *x, float *y, int rows, int cols) {
  const unsigned row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= (unsigned)rows) return;
  const float *in = x + (size_t)row * cols;
  float *out = y + (size_t)row * cols;

  float m = -INFINITY;
  for (int c = 0; c < cols; c++) {
    const float v = in[c];
    if (v > m || isnan(v)) m = v;  // unlike fmaxf this keeps a NaN, so that only -inf alone counts as masked
  }
  if (m == -INFINITY) {
    for (int c = 0; c < cols; c++) out[c] = 0.0f;
    return;
  }

  float sum = 0.0f;
  for (int c = 0; c < cols; c++) sum += expf(in[c] - m);
  for (int c = 0; c < cols; c++) out[c] = expf(in[c] - m) / sum;
}
