// One launch for long rows: blocks leave partial results in global memory and count themselves; the last one of a row combines.
#include <float.h>
#include <math.h>

#define ITEMS 4

__device__ __forceinline__ float2 combine(float2 a, float2 b) {
  const float m = fmaxf(a.x, b.x);
  return make_float2(m, a.y * expf(a.x - m) + b.y * expf(b.x - m));
}

__global__ void softmax_multi_block_last_published_kernel(const float *x, float *y, float2 *partial, unsigned int *counter,
                                                          int cols, int chunks) {
  __shared__ float2 smem[1024];
  __shared__ bool last;
  const int tid = threadIdx.x, row = blockIdx.x / chunks, chunk = blockIdx.x % chunks;
  const float *in = x + (size_t)row * cols;
  float *out = y + (size_t)row * cols;

  float2 v = make_float2(-FLT_MAX, 0.0f);
  for (int k = 0; k < ITEMS; k++) {
    const int i = (chunk * ITEMS + k) * blockDim.x + tid;
    if (i < cols) {
      const float m = fmaxf(v.x, in[i]);
      v = make_float2(m, v.y * expf(v.x - m) + expf(in[i] - m));
    }
  }
  smem[tid] = v;
  __syncthreads();
  if (tid < 32) {
    for (int t = tid + 32; t < blockDim.x; t += 32) v = combine(v, smem[t]);
    for (int offset = 16; offset > 0; offset >>= 1) {
      const float m = __shfl_xor_sync(0xffffffff, v.x, offset);
      const float d = __shfl_xor_sync(0xffffffff, v.y, offset);
      v = combine(v, make_float2(m, d));
    }
    if (tid == 0) {
      partial[blockIdx.x] = v;
      last = atomicAdd(&counter[row], 1) == chunks - 1;
    }
  }
  __syncthreads();
  if (last) {
    __threadfence();
    v = partial[row * chunks];
    for (int c = 1; c < chunks; c++) v = combine(v, partial[row * chunks + c]);
    for (int i = tid; i < cols; i += blockDim.x) out[i] = expf(in[i] - v.x) / v.y;
  }
}

static void softmax_multi_block_last_published(const float *x, float *y, float *scratch, int rows, int cols, dim3 grid,
                                               dim3 block, cudaStream_t stream) {
  unsigned int *counter = (unsigned int *)scratch + 2 * grid.x;
  cudaMemsetAsync(counter, 0, rows * sizeof(unsigned int), stream);
  softmax_multi_block_last_published_kernel<<<grid, block, 0, stream>>>(x, y, (float2 *)scratch, counter, cols, grid.x / rows);
}
