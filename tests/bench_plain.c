/* bench_plain.c - the yardstick of make bench: softmax as a plain scalar loop, built with the clang that compiles the
 * kernels, -O2, vectorisers off. x, y: rows * cols floats, row-major. */
#include "bench_plain.h"
#include <math.h>

static void row(const float *x, float *y, int cols) {
  float max = -INFINITY, sum = 0;
  for (int i = 0; i < cols; i++)
    if (x[i] > max) max = x[i];
  for (int i = 0; i < cols; i++) {
    y[i] = expf(x[i] - max);
    sum += y[i];
  }
  float scale = 1 / sum;
  for (int i = 0; i < cols; i++) y[i] *= scale;
}

void bench_plain_softmax(const float *x, float *y, int rows, int cols) {
  for (int r = 0; r < rows; r++) row(x + (long)r * cols, y + (long)r * cols, cols);
}
