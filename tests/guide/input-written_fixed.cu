#include <math.h>

// A thread a row.
__global__ void softmax(const float *x, float *y, int rows, int cols) {
  const int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  const float *row = x + r * cols;
  float *result = y + r * cols, top = -INFINITY, sum = 0;
  for (int i = 0; i < cols; i++) top = fmaxf(top, row[i]);
  for (int i = 0; i < cols; i++) sum += result[i] = expf(row[i] - top);
  for (int i = 0; i < cols; i++) result[i] /= sum;
}
