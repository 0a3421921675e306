// block_2d.cu - two-dimensional grids and blocks: a transpose through a padded tile.
#include "feature.h"

#define TILE 8

__device__ int in[16 * 24];

__global__ void fill() { in[threadIdx.x] = threadIdx.x; }

template <bool Waits> __global__ void transpose(double *out, int rows, int cols) {
  __shared__ int tile[TILE][TILE + 1];
  int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
  if (x < cols && y < rows) tile[threadIdx.y][threadIdx.x] = in[y * cols + x];
  if (Waits) __syncthreads();
  x = blockIdx.y * TILE + threadIdx.x;
  y = blockIdx.x * TILE + threadIdx.y;
  if (x < rows && y < cols) out[y * rows + x] = tile[threadIdx.x][threadIdx.y];
}

RIGHT(block_2d) {
  dim3 block(TILE, TILE), grid((24 + TILE - 1) / TILE, (16 + TILE - 1) / TILE);
  fill<<<1, 16 * 24>>>();
  transpose<true><<<grid, block>>>(out, 16, 24);
}
WRONG(block_2d) { transpose<false><<<dim3(3, 2), dim3(TILE, TILE)>>>(out, 16, 24); }
EXPECTED(block_2d) { return i % 16 * 24 + i / 16; }
