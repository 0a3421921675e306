// One block a row, tiles of as many keys as it has threads: the scores of a tile go through shared memory, and a barrier keeps them
// from being read too early.
#include <float.h>
#include <math.h>

__global__ void attention_f10_warp_tiles_published(const float *q, const float *k, const float *v, float *o, int keys, int d,
                                         float scale, int causal) {
  __shared__ float scores[128];
  const unsigned warp = threadIdx.x / 32, width = d, row = blockIdx.x;
  const unsigned seen = causal ? min((unsigned)keys, row + 1) : keys;
  const float *mine = q + (size_t)row * width;

  float m = -FLT_MAX, sum = 0.0f, out = 0.0f;
  for (unsigned first = 0; first < seen; first += blockDim.x) {
    const unsigned count = min(blockDim.x, seen - first), active = (count + 31) / 32;
    if (warp < active) {
      if (threadIdx.x < count) {
        float dot = 0.0f;
        for (unsigned c = 0; c < width; c++) dot += mine[c] * k[(size_t)(first + threadIdx.x) * width + c];
        scores[threadIdx.x] = dot * scale;
      }
      __syncthreads();
    }
    float m_new = m;
    for (unsigned j = 0; j < count; j++) m_new = fmaxf(m_new, scores[j]);
    const float rescale = expf(m - m_new);
    sum *= rescale;
    out *= rescale;
    for (unsigned j = 0; j < count; j++) {
      const float p = expf(scores[j] - m_new);
      sum += p;
      if (threadIdx.x < width) out += p * v[(size_t)(first + j) * width + threadIdx.x];
    }
    m = m_new;
    __syncthreads();  // every warp has read the scores: the next tile may overwrite them
  }
  if (threadIdx.x < width) o[(size_t)row * width + threadIdx.x] = out / sum;
}
