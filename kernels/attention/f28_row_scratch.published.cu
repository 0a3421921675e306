// One block a row: all scores in shared memory, maximum and sum by shuffles and one slot a warp, which every warp reduces for itself.
#include <math.h>

__device__ __forceinline__ float block_max(float v, float *slots) {
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
  for (int lanes = 16; lanes > 0; lanes /= 2) v = fmaxf(v, __shfl_xor_sync(0xffffffffu, v, lanes));
  if (lane == 0) slots[warp] = v;
  __syncthreads();
  v = lane < warps ? slots[lane] : -INFINITY;
  for (int lanes = 16; lanes > 0; lanes /= 2) v = fmaxf(v, __shfl_xor_sync(0xffffffffu, v, lanes));
  return v;
}

__device__ __forceinline__ float block_sum(float v, float *slots) {
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
  for (int lanes = 16; lanes > 0; lanes /= 2) v += __shfl_xor_sync(0xffffffffu, v, lanes);
  if (lane == 0) slots[warp] = v;
  __syncthreads();
  v = lane < warps ? slots[lane] : 0.0f;
  for (int lanes = 16; lanes > 0; lanes /= 2) v += __shfl_xor_sync(0xffffffffu, v, lanes);
  return v;
}

__global__ void attention_f28_row_scratch_published(const float *q, const float *k, const float *v, float *o, int keys, int d,
                                          float scale, int causal) {
  extern __shared__ float scores[];
  __shared__ float slots[32];
  const unsigned row = blockIdx.x, width = d, seen = causal ? min((unsigned)keys, row + 1) : keys;
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
  sum = block_sum(sum, slots);  // its barrier is also behind the last weight

  for (unsigned c = threadIdx.x; c < width; c += blockDim.x) {
    float out = 0.0f;
    for (unsigned j = 0; j < seen; j++) out += scores[j] * v[(size_t)j * width + c];
    o[(size_t)row * width + c] = out / sum;
  }
}
