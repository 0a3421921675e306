#include <math.h>

// A thread a row; a row of which everything is masked (-inf) is to give zeros.
__global__ void softmax(const float *x, float *y, int rows, int cols) {
  const int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float top = -INFINITY, sum = 0;
  for (int i = 0; i < cols; i++) top = fmaxf(top, x[r * cols + i]);
  for (int i = 0; i < cols; i++) sum += expf(x[r * cols + i] - top);
  for (int i = 0; i < cols; i++) y[r * cols + i] = expf(x[r * cols + i] - top) / sum;
}
