#include <math.h>

// A thread a row; a row of which everything is masked (-inf) gives zeros.
__global__ void softmax(const float *x, float *y, int rows, int cols) {
  const int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float top = -INFINITY, sum = 0;
  for (int i = 0; i < cols; i++) top = fmaxf(top, x[r * cols + i]);
  const float base = top == -INFINITY ? 0 : top;
  for (int i = 0; i < cols; i++) sum += expf(x[r * cols + i] - base);
  for (int i = 0; i < cols; i++) y[r * cols + i] = sum == 0 ? 0 : expf(x[r * cols + i] - base) / sum;
}
