// One block a row. The scores of all keys lie in shared memory; a halving tree finds their maximum, another the sum of their
// exponentials; then each thread sums one column of v at a time. Any block up to 1024 threads, keys as shared memory holds them.
#include <math.h>

// An odd one out waits for the next round.
__device__ float block_max(float v, float *slots) {
  slots[threadIdx.x] = v;
  for (unsigned count = blockDim.x; count > 1;) {
    const unsigned half = (count + 1) / 2;
    __syncthreads();
    if (threadIdx.x + half < count) slots[threadIdx.x] = fmaxf(slots[threadIdx.x], slots[threadIdx.x + half]);
    count = half;
  }
  __syncthreads();
  return slots[0];
}

__device__ float block_sum(float v, float *slots) {
  __syncthreads();  // every thread has read the maximum
  slots[threadIdx.x] = v;
  for (unsigned count = blockDim.x; count > 1;) {
    const unsigned half = (count + 1) / 2;
    __syncthreads();
    if (threadIdx.x + half < count) slots[threadIdx.x] += slots[threadIdx.x + half];
    count = half;
  }
  __syncthreads();
  return slots[0];
}

__global__ void attention_naive(const float *q, const float *k, const float *v, float *o, int keys, int d, float scale,
                                int causal) {
  extern __shared__ float shared[];
  float *scores = shared, *slots = shared + keys;
  const unsigned row = blockIdx.x, width = d;
  const unsigned seen = causal ? min((unsigned)keys, row + 1) : keys;
  const float *mine = q + (size_t)row * width;

  float m = -INFINITY;
  for (unsigned j = threadIdx.x; j < seen; j += blockDim.x) {
    float dot = 0.0f;
    for (unsigned c = 0; c < width; c++) dot += mine[c] * k[(size_t)j * width + c];
    scores[j] = dot * scale;
    m = fmaxf(m, scores[j]);
  }
  m = block_max(m, slots);

  float sum = 0.0f;
  for (unsigned j = threadIdx.x; j < seen; j += blockDim.x) {
    scores[j] = expf(scores[j] - m);
    sum += scores[j];
  }
  sum = block_sum(sum, slots);

  for (unsigned c = threadIdx.x; c < width; c += blockDim.x) {
    float out = 0.0f;
    for (unsigned j = 0; j < seen; j++) out += scores[j] * v[(size_t)j * width + c];
    o[(size_t)row * width + c] = out / sum;
  }
}
