// One row a block, four columns a thread at a time; the row is kept in shared memory, so that it is read once. The row comes first
// in dynamic shared memory, behind it a partial sum a warp. Blocks of whole warps, rows that start on 16 bytes.
#include <math.h>

__global__ void rmsnorm_float4(const float *x, const float *gamma, float *y, int rows, int cols, float eps) {
  extern __shared__ float4 shared[];
  float4 *cache = shared;
  float *partials = reinterpret_cast<float *>(cache + cols / 4);
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, n4 = cols / 4;
  const float4 *in = reinterpret_cast<const float4 *>(x + (size_t)blockIdx.x * cols);
  const float4 *weight = reinterpret_cast<const float4 *>(gamma);
  float4 *out = reinterpret_cast<float4 *>(y + (size_t)blockIdx.x * cols);

  float sum = 0.0f;
  for (unsigned i = threadIdx.x; i < n4; i += blockDim.x) {
    const float4 v = in[i];
    cache[i] = v;
    sum += (v.x * v.x + v.y * v.y) + (v.z * v.z + v.w * v.w);
  }
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, offset);
  if (lane == 0) partials[warp] = sum;
  __syncthreads();
  sum = lane < blockDim.x / 32 ? partials[lane] : 0.0f;
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, offset);

  const float scale = rsqrtf(sum / cols + eps);
  for (unsigned i = threadIdx.x; i < n4; i += blockDim.x) {
    const float4 v = cache[i], w = weight[i];
    out[i] = make_float4(v.x * scale * w.x, v.y * scale * w.y, v.z * scale * w.z, v.w * scale * w.w);
  }
}
