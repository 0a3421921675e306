// Tiles of 32 by 32 elements of 16 bits through shared memory, with one column more than that. Blocks of 32 by 32 threads.
#include <cuda_fp16.h>

#define HALF_TILE 32

__global__ void transpose_half_tiled(const __half *a, __half *b, int m, int n) {
  __shared__ __half tile[HALF_TILE][HALF_TILE + 1];
  const unsigned rows = m, cols = n, x = threadIdx.x, y = threadIdx.y;
  const unsigned row = blockIdx.y * HALF_TILE + y, col = blockIdx.x * HALF_TILE + x;
  if (row < rows && col < cols) tile[y][x] = a[(size_t)row * cols + col];
  __syncthreads();
  const unsigned to_row = blockIdx.x * HALF_TILE + y, to_col = blockIdx.y * HALF_TILE + x;
  if (to_row < cols && to_col < rows) b[(size_t)to_row * rows + to_col] = tile[x][y];
}
