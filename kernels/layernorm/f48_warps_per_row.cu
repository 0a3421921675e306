// A row is shared by one warp or, if it is longer, by four: the kernel is a template over their number, and the host takes the one
// that fits the columns. Blocks of four warps stride over the rows.
#include <math.h>

#define BLOCK_WARPS 4
#define SHORT_COLS 256

template <int WARPS>
__device__ __forceinline__ float row_sum(float v, float *slots) {
  for (int lanes = 16; lanes > 0; lanes /= 2) v += __shfl_xor_sync(0xffffffffu, v, lanes);
  if (WARPS > 1) {
    if (threadIdx.x % 32 == 0) slots[threadIdx.x / 32] = v;
    __syncthreads();
    v = 0.0f;
    for (int w = 0; w < WARPS; w++) v += slots[w];
    __syncthreads();  // every warp has read the slots: the next sum may overwrite them
  }
  return v;
}

template <int WARPS>
__global__ void layernorm_f48_kernel(const float *x, const float *gamma, const float *beta, float *y, int rows, int cols,
                                     float eps) {
  __shared__ float slots[BLOCK_WARPS];
  const unsigned rows_a_block = BLOCK_WARPS / WARPS, tid = threadIdx.x % (32 * WARPS), n = cols;

  for (size_t row = (size_t)blockIdx.x * rows_a_block + threadIdx.x / (32 * WARPS); row < (size_t)rows;
       row += (size_t)gridDim.x * rows_a_block) {
    const float *in = x + row * n;
    float *out = y + row * n;

    float sum = 0.0f;
    for (unsigned c = tid; c < n; c += 32 * WARPS) sum += in[c];
    const float mean = row_sum<WARPS>(sum, slots) / n;

    float squares = 0.0f;
    for (unsigned c = tid; c < n; c += 32 * WARPS) squares += (in[c] - mean) * (in[c] - mean);
    const float scale = rsqrtf(row_sum<WARPS>(squares, slots) / n + eps);

    for (unsigned c = tid; c < n; c += 32 * WARPS) out[c] = (in[c] - mean) * scale * gamma[c] + beta[c];
  }
}

static void layernorm_f48(const float *x, const float *gamma, const float *beta, float *y, int rows, int cols, float eps,
                          dim3 grid, dim3 block, cudaStream_t stream) {
  if (cols <= SHORT_COLS)
    layernorm_f48_kernel<1><<<grid, block, 0, stream>>>(x, gamma, beta, y, rows, cols, eps);
  else
    layernorm_f48_kernel<BLOCK_WARPS><<<grid, block, 0, stream>>>(x, gamma, beta, y, rows, cols, eps);
}
