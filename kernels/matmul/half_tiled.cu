// Blocks of 16 by 16 threads, one element of c each: factors of 16 bits, products and sums in float. Tiles pass through shared memory,
// padded with zeros beyond the edges.
#include <cuda_fp16.h>

#define HALF_TILE 16

__global__ void matmul_half_tiled(const __half *a, const __half *b, __half *c, int m, int n, int k) {
  __shared__ __half a_tile[HALF_TILE][HALF_TILE], b_tile[HALF_TILE][HALF_TILE];
  const unsigned x = threadIdx.x, y = threadIdx.y, rows = m, cols = n, depth = k;
  const unsigned row = blockIdx.y * HALF_TILE + y, col = blockIdx.x * HALF_TILE + x;

  float sum = 0.0f;
  for (unsigned first = 0; first < depth; first += HALF_TILE) {
    const unsigned a_col = first + x, b_row = first + y;
    a_tile[y][x] = row < rows && a_col < depth ? a[(size_t)row * depth + a_col] : __float2half(0.0f);
    b_tile[y][x] = b_row < depth && col < cols ? b[(size_t)b_row * cols + col] : __float2half(0.0f);
    __syncthreads();
    for (unsigned e = 0; e < HALF_TILE; e++) sum += __half2float(a_tile[y][e]) * __half2float(b_tile[e][x]);
    __syncthreads();  // the tiles have been read: free for the next ones
  }
  if (row < rows && col < cols) c[(size_t)row * cols + col] = __float2half(sum);
}
