// For long rows, in one launch: several blocks share a row, each leaves its maximum and sum of exponentials in global memory
// and draws a ticket. The one that draws the last ticket of the row knows that all are there, combines them and writes the
// row. A block takes four columns a thread; blocks of whole warps.
#include <float.h>
#include <math.h>

#define COLUMNS_A_THREAD 4

// x: a maximum, finite also where nothing but -inf was seen, so that exp(x - x) is defined; y: the sum of exp(v - x).
__device__ __forceinline__ float2 merge(float2 a, float2 b) {
  const float m = fmaxf(a.x, b.x);
  return make_float2(m, a.y * expf(a.x - m) + b.y * expf(b.x - m));
}

__device__ __forceinline__ float2 warp_merge(float2 v) {
  for (int lanes = 16; lanes > 0; lanes /= 2) {
    const float m = __shfl_xor_sync(0xffffffffu, v.x, lanes), sum = __shfl_xor_sync(0xffffffffu, v.y, lanes);
    v = merge(v, make_float2(m, sum));
  }
  return v;
}

__global__ void softmax_multi_block_last_kernel(const float *x, float *y, float2 *partials, unsigned *tickets, int cols,
                                                int blocks_a_row) {
  __shared__ float2 slots[32];
  __shared__ bool is_last;
  const unsigned tid = threadIdx.x, n = cols;
  const size_t row = blockIdx.x / blocks_a_row;
  const unsigned end = min(n, (blockIdx.x % blocks_a_row + 1) * (COLUMNS_A_THREAD * blockDim.x));
  const float *in = x + row * n;

  float2 all = make_float2(-FLT_MAX, 0.0f);
  for (unsigned c = blockIdx.x % blocks_a_row * (COLUMNS_A_THREAD * blockDim.x) + tid; c < end; c += blockDim.x) {
    const float m = fmaxf(all.x, in[c]);
    all = make_float2(m, all.y * expf(all.x - m) + expf(in[c] - m));
  }
  all = warp_merge(all);
  if (tid % 32 == 0) slots[tid / 32] = all;
  __syncthreads();
  if (tid == 0) {
    for (unsigned w = 1; w < blockDim.x / 32; w++) all = merge(all, slots[w]);
    partials[blockIdx.x] = all;
    __threadfence();  // the partial result is there before the ticket is drawn
    is_last = atomicAdd(&tickets[row], 1u) == (unsigned)blocks_a_row - 1;
    __threadfence();  // and the others' are read after it
  }
  __syncthreads();
  if (!is_last) return;

  all = partials[row * blocks_a_row];
  for (int b = 1; b < blocks_a_row; b++) all = merge(all, partials[row * blocks_a_row + b]);
  for (unsigned c = tid; c < n; c += blockDim.x) y[row * n + c] = expf(in[c] - all.x) / all.y;
}

// scratch: 8 bytes a block, then 4 bytes a row.
static void softmax_multi_block_last(const float *x, float *y, float *scratch, int rows, int cols, dim3 grid, dim3 block,
                                     cudaStream_t stream) {
  float2 *partials = reinterpret_cast<float2 *>(scratch);
  unsigned *tickets = reinterpret_cast<unsigned *>(partials + grid.x);
  cudaMemsetAsync(tickets, 0, rows * sizeof *tickets, stream);
  softmax_multi_block_last_kernel<<<grid, block, 0, stream>>>(x, y, partials, tickets, cols, grid.x / rows);
}
