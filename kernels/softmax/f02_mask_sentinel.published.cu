// One thread a row. Masked logits, and the maximum before the first logit, are the most negative float.
#include <float.h>
#include <math.h>

#define MASKED (-FLT_MAX)

__device__ __forceinline__ float logit(float v) { return v == -INFINITY ? MASKED : v; }

__global__ void softmax_f02_mask_sentinel_published(const float *x, float *y, int rows, int cols) {
  const size_t row = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= (size_t)rows) return;
  const float *in = x + row * cols;
  float *out = y + row * cols;

  float m = MASKED, s = 0.0f;
  for (int c = 0; c < cols; c++) {
    const float v = logit(in[c]);
    m = v > m || isnan(v) ? v : m;
  }
  for (int c = 0; c < cols; c++) s += expf(logit(in[c]) - m);
  for (int c = 0; c < cols; c++) out[c] = expf(logit(in[c]) - m) / s;
}
