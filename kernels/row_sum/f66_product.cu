// One warp a row, lanes stride over the columns, butterfly shuffles. The row's offset is a product of 64 bits.
#include <stdint.h>

__global__ void row_sum_product(const float *a, float *out, int m, int n) {
  const int row = blockIdx.x, lane = threadIdx.x;
  if (row >= m) return;
  const float *in = a + (int64_t)row * n;

  float sum = 0.0f;
  for (int c = lane; c < n; c += 32) sum += in[c];
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, offset);
  if (lane == 0) out[row] = sum;
}
