// One block at a time takes a row: running maximum and sum in each thread, merged over the block in shared memory.
#include <float.h>
#include <math.h>

struct MaxSum {
  float m, d;
};

__global__ void softmax_online_block_published(const float *x, float *y, int rows, int cols) {
  extern __shared__ MaxSum smem[];
  const int tid = threadIdx.x;

  for (size_t row = blockIdx.x; row < (size_t)rows; row += gridDim.x) {
    const float *in = x + row * cols;
    float *out = y + row * cols;

    MaxSum local = {-FLT_MAX, 0.0f};
    for (int i = tid; i < cols; i += blockDim.x) {
      const float v = in[i];
      if (v > local.m) {
        local.d *= expf(local.m - v);
        local.m = v;
      }
      local.d += expf(v - local.m);
    }
    smem[tid] = local;
    __syncthreads();
    for (int n = blockDim.x; n > 1; n = (n + 1) / 2) {
      const int half = (n + 1) / 2;
      if (tid + half < n) {
        smem[tid].m = fmaxf(smem[tid].m, smem[tid + half].m);
        smem[tid].d += smem[tid + half].d;
      }
      __syncthreads();
    }
    const MaxSum total = smem[0];

    for (int i = tid; i < cols; i += blockDim.x) out[i] = expf(in[i] - total.m) / total.d;
    __syncthreads();
  }
}
