// One thread a row, three scans: maximum, sum of exponentials, quotients.
#include <float.h>
#include <math.h>

__global__ void softmax_serial_row_published(const float *x, float *y, int rows, int cols) {
  const unsigned row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < (unsigned)rows) {
    const float *in = x + (size_t)row * cols;
    float *out = y + (size_t)row * cols;

    float row_max = -FLT_MAX;
    for (int i = 0; i < cols; i++) row_max = fmaxf(row_max, in[i]);

    float row_sum = 0.0f;
    for (int i = 0; i < cols; i++) row_sum += expf(in[i] - row_max);

    for (int i = 0; i < cols; i++) out[i] = expf(in[i] - row_max) / row_sum;
  }
}
