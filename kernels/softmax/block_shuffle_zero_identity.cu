// Blocks stride over the rows. Butterfly shuffles within a warp, a slot a warp, and then every warp reduces the slots by
// itself, so that nothing has to be handed back. Slots beyond the last warp count as -inf for the maximum and 0 for the sum.
// Blocks of whole warps, any grid.
#include <math.h>

#define WARP 32
#define ALL_LANES 0xffffffffu

__device__ __forceinline__ float warp_max(float v) {
  for (int lanes = WARP / 2; lanes > 0; lanes /= 2) v = fmaxf(v, __shfl_xor_sync(ALL_LANES, v, lanes));
  return v;
}

__device__ __forceinline__ float warp_sum(float v) {
  for (int lanes = WARP / 2; lanes > 0; lanes /= 2) v += __shfl_xor_sync(ALL_LANES, v, lanes);
  return v;
}

__global__ void softmax_block_shuffle_zero_identity(const float *x, float *y, int rows, int cols) {
  __shared__ float max_slots[WARP], sum_slots[WARP];
  const unsigned n = cols, lane = threadIdx.x % WARP, warp = threadIdx.x / WARP, warps = blockDim.x / WARP;

  for (size_t row = blockIdx.x; row < (size_t)rows; row += gridDim.x) {
    const float *in = x + row * n;
    float *out = y + row * n;

    float m = -INFINITY;
    for (unsigned c = threadIdx.x; c < n; c += blockDim.x) m = fmaxf(m, in[c]);
    m = warp_max(m);
    if (lane == 0) max_slots[warp] = m;
    __syncthreads();
    m = warp_max(lane < warps ? max_slots[lane] : -INFINITY);

    float sum = 0.0f;
    for (unsigned c = threadIdx.x; c < n; c += blockDim.x) {
      const float e = __expf(in[c] - m);
      out[c] = e;
      sum += e;
    }
    sum = warp_sum(sum);
    if (lane == 0) sum_slots[warp] = sum;
    __syncthreads();
    sum = warp_sum(lane < warps ? sum_slots[lane] : 0.0f);

    const float scale = 1.0f / sum;
    for (unsigned c = threadIdx.x; c < n; c += blockDim.x) out[c] *= scale;
  }
}
