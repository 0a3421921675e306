// For long rows: several blocks share a row. A first kernel leaves each block's maximum and sum of exponentials in global
// memory; a second one, launched behind it, combines those of the row and writes the quotients. A block takes four columns a
// thread, a power of two of threads.
#include <float.h>
#include <math.h>

#define COLUMNS_A_THREAD 4

// x: a maximum, finite also where nothing but -inf was seen, so that exp(x - x) is defined; y: the sum of exp(v - x).
__device__ __forceinline__ float2 merge(float2 a, float2 b) {
  const float m = fmaxf(a.x, b.x);
  return make_float2(m, a.y * expf(a.x - m) + b.y * expf(b.x - m));
}

__global__ void softmax_multi_block_partials(const float *x, float2 *partials, int cols, int blocks_a_row) {
  __shared__ float2 tree[1024];
  const unsigned tid = threadIdx.x, n = cols;
  const size_t row = blockIdx.x / blocks_a_row;
  const unsigned first = blockIdx.x % blocks_a_row * (COLUMNS_A_THREAD * blockDim.x);
  const float *in = x + row * n;

  float2 mine = make_float2(-FLT_MAX, 0.0f);
  for (unsigned k = 0; k < COLUMNS_A_THREAD; k++) {
    const unsigned c = first + k * blockDim.x + tid;
    if (c >= n) break;
    const float m = fmaxf(mine.x, in[c]);
    mine = make_float2(m, mine.y * expf(mine.x - m) + expf(in[c] - m));
  }
  tree[tid] = mine;
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    if (tid < half) tree[tid] = merge(tree[tid], tree[tid + half]);
    __syncthreads();
  }
  if (tid == 0) partials[blockIdx.x] = tree[0];
}

__global__ void softmax_multi_block_quotients(const float *x, const float2 *partials, float *y, int cols, int blocks_a_row) {
  const unsigned n = cols;
  const size_t row = blockIdx.x / blocks_a_row;
  const unsigned first = blockIdx.x % blocks_a_row * (COLUMNS_A_THREAD * blockDim.x);

  float2 all = partials[row * blocks_a_row];
  for (int b = 1; b < blocks_a_row; b++) all = merge(all, partials[row * blocks_a_row + b]);

  for (unsigned k = 0; k < COLUMNS_A_THREAD; k++) {
    const unsigned c = first + k * blockDim.x + threadIdx.x;
    if (c < n) y[row * n + c] = expf(x[row * n + c] - all.x) / all.y;
  }
}

// scratch: 8 bytes a block.
static void softmax_multi_block(const float *x, float *y, float *scratch, int rows, int cols, dim3 grid, dim3 block,
                                cudaStream_t stream) {
  float2 *partials = reinterpret_cast<float2 *>(scratch);
  const int blocks_a_row = grid.x / rows;
  softmax_multi_block_partials<<<grid, block, 0, stream>>>(x, partials, cols, blocks_a_row);
  softmax_multi_block_quotients<<<grid, block, 0, stream>>>(x, partials, y, cols, blocks_a_row);
}
