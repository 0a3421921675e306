// Rows of __nv_bfloat16, a thread a row, maximum and sum in float.
#include <cuda_bf16.h>
#include <math.h>

__global__ void softmax_bf16_serial_row(const __nv_bfloat16 *x, __nv_bfloat16 *y, int rows, int cols) {
  const size_t row = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= (size_t)rows) return;
  const __nv_bfloat16 *in = x + row * cols;
  __nv_bfloat16 *out = y + row * cols;

  float m = -INFINITY, sum = 0.0f;
  for (int c = 0; c < cols; c++) m = fmaxf(m, __bfloat162float(in[c]));
  for (int c = 0; c < cols; c++) sum += expf(__bfloat162float(in[c]) - m);
  for (int c = 0; c < cols; c++) out[c] = __float2bfloat16(expf(__bfloat162float(in[c]) - m) / sum);
}
