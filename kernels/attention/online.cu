// One block a row; its warps take tiles of 32 keys in turn, a lane a key. Each warp keeps a running maximum, denominator and output and
// rescales them when the maximum grows; at the end the warps' results are merged. Blocks of whole warps, d up to 64.
#include <float.h>
#include <math.h>

#define TILE 32

__device__ __forceinline__ float warp_max(float v) {
  for (int lanes = 16; lanes > 0; lanes /= 2) v = fmaxf(v, __shfl_xor_sync(0xffffffffu, v, lanes));
  return v;
}

__device__ __forceinline__ float warp_sum(float v) {
  for (int lanes = 16; lanes > 0; lanes /= 2) v += __shfl_xor_sync(0xffffffffu, v, lanes);
  return v;
}

__global__ void attention_online(const float *q, const float *k, const float *v, float *o, int keys, int d, float scale,
                                 int causal) {
  extern __shared__ float shared[];
  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32, warps = blockDim.x / 32, width = d;
  float *tile = shared + (size_t)warp * TILE * width;               // of v
  float *partials = shared + (size_t)warps * TILE * width;          // of each warp: maximum, denominator, output
  const unsigned row = blockIdx.x, seen = causal ? min((unsigned)keys, row + 1) : keys;
  const float *mine = q + (size_t)row * width;

  // A finite start keeps exp(m - m_new) defined where nothing but -inf was seen.
  float m = -FLT_MAX;
  float sum = 0.0f, out[2] = {0.0f, 0.0f};  // out: columns lane and lane + 32
  for (unsigned first = warp * TILE; first < seen; first += warps * TILE) {
    const unsigned count = min((unsigned)TILE, seen - first);
    for (unsigned i = lane; i < count * width; i += 32) tile[i] = v[(size_t)first * width + i];
    __syncwarp();

    float score = -INFINITY;
    if (lane < count) {
      float dot = 0.0f;
      for (unsigned c = 0; c < width; c++) dot += mine[c] * k[(size_t)(first + lane) * width + c];
      score = dot * scale;
    }
    const float m_new = fmaxf(m, warp_max(score));
    const float p = expf(score - m_new), rescale = expf(m - m_new);
    sum = sum * rescale + warp_sum(p);
    for (unsigned part = 0; part < 2; part++) {
      const unsigned c = part * 32 + lane;
      out[part] *= rescale;
      for (unsigned j = 0; j < count; j++) {
        const float weight = __shfl_sync(0xffffffffu, p, j);
        if (c < width) out[part] += weight * tile[j * width + c];
      }
    }
    m = m_new;
    __syncwarp();  // every lane has read the tile
  }

  float *own = partials + warp * (width + 2);
  if (lane == 0) {
    own[0] = m;
    own[1] = sum;
  }
  for (unsigned c = lane; c < width; c += 32) own[2 + c] = out[c / 32];
  __syncthreads();

  float all = -FLT_MAX;
  for (unsigned w = 0; w < warps; w++) all = fmaxf(all, partials[w * (width + 2)]);
  for (unsigned c = threadIdx.x; c < width; c += blockDim.x) {
    float numerator = 0.0f, denominator = 0.0f;
    for (unsigned w = 0; w < warps; w++) {
      const float *part = partials + w * (width + 2);
      const float rescale = expf(part[0] - all);
      numerator += part[2 + c] * rescale;
      denominator += part[1] * rescale;
    }
    o[(size_t)row * width + c] = numerator / denominator;
  }
}
