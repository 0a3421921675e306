/* Kernels that are right for what their callers keep to, and for no more: scalars of their own, bounded values. FAULT plants an error
 * that none of that excuses. */
#include <cuda_runtime.h>
#include <math.h>

#ifdef FAULT
#define OFF 1.001f
#else
#define OFF 1.0f
#endif

/* Not causal; the scale is the usual one. */
__global__ void plain_attention(const float *q, const float *k, const float *v, float *o, int rows, int keys, int d) {
  const int row = blockIdx.x;
  const float scale = OFF / sqrtf((float)d);
  float most = -INFINITY, sum = 0.0f;
  for (int j = 0; j < keys; j++) {
    float score = 0.0f;
    for (int i = 0; i < d; i++) score += q[row * d + i] * k[j * d + i];
    most = fmaxf(most, score * scale);
  }
  for (int c = threadIdx.x; c < d; c += blockDim.x) {
    float value = 0.0f;
    sum = 0.0f;
    for (int j = 0; j < keys; j++) {
      float score = 0.0f;
      for (int i = 0; i < d; i++) score += q[row * d + i] * k[j * d + i];
      const float weight = expf(score * scale - most);
      sum += weight;
      value += weight * v[j * d + c];
    }
    o[row * d + c] = value / sum;
  }
}

/* A mask as a large negative number would be another kernel: this one adds -inf, and multiplies what is masked by 0. */
__global__ void masked_attention(const float *q, const float *k, const float *v, float *o, int rows, int keys, int d, float scale) {
  const int row = blockIdx.x;
  for (int c = threadIdx.x; c < d; c += blockDim.x) {
    float most = -INFINITY, sum = 0.0f, value = 0.0f;
    for (int pass = 0; pass < 2; pass++)
      for (int j = 0; j < keys; j++) {
        float score = 0.0f;
        for (int i = 0; i < d; i++) score += q[row * d + i] * k[j * d + i];
        score = j <= row ? score * scale * OFF : -INFINITY;
        if (pass == 0) {
          most = fmaxf(most, score);
        } else {
          sum += expf(score - most);
          value += expf(score - most) * v[j * d + c];
        }
      }
    o[row * d + c] = value / sum;
  }
}

__global__ void norm_of_torch(const float *x, const float *gamma, const float *beta, float *y, int cols) {
  const float *row = x + blockIdx.x * cols;
  float sum = 0.0f, squares = 0.0f;
  for (int i = 0; i < cols; i++) sum += row[i];
  const float mean = sum / cols;
  for (int i = 0; i < cols; i++) squares += (row[i] - mean) * (row[i] - mean);
  const float scale = OFF * rsqrtf(squares / cols + 1e-6f);
  for (int i = threadIdx.x; i < cols; i += blockDim.x) y[blockIdx.x * cols + i] = (row[i] - mean) * scale * gamma[i] + beta[i];
}

/* No score is that small. */
__global__ void softmax_from_a_number(const float *x, float *y, int cols) {
  const float *row = x + blockIdx.x * cols;
  float most = -1e9f, sum = 0.0f;
  for (int i = 0; i < cols; i++) most = fmaxf(most, row[i]);
  for (int i = 0; i < cols; i++) sum += expf(row[i] - most);
  for (int i = threadIdx.x; i < cols; i += blockDim.x) y[blockIdx.x * cols + i] = OFF * expf(row[i] - most) / sum;
}

/* A buffer of 4096 columns, which nobody asks for. */
__global__ void softmax_of_4096(const float *x, float *y, int cols) {
  const float *row = x + blockIdx.x * cols;
  const int known = min(cols, 4096);
  __shared__ float most, sum;
  if (threadIdx.x == 0) {
    most = -INFINITY;
    sum = 0.0f;
    for (int i = 0; i < known; i++) most = fmaxf(most, row[i]);
    for (int i = 0; i < known; i++) sum += expf(row[i] - most);
  }
  __syncthreads();
  for (int i = threadIdx.x; i < cols; i += blockDim.x) y[blockIdx.x * cols + i] = expf(row[i] - most) / sum;
}
