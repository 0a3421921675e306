#include "life.h"

// Each file has a helper of this name; it is nobody else's business.
__device__ int wrap(int i, int n) { return (i + n) % n; }

__device__ unsigned char survives(const unsigned char *cells, int x, int y) {
  int alive = 0;
#pragma unroll
  for (int dy = -1; dy <= 1; dy++)
#pragma unroll
    for (int dx = -1; dx <= 1; dx++)
      if (dx || dy) alive += cells[wrap(y + dy, kHeight) * kWidth + wrap(x + dx, kWidth)];
  return alive == 3 || (alive == 2 && cells[y * kWidth + x]);
}

__global__ void lifeStep(const unsigned char *now, unsigned char *next) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < kWidth && y < kHeight) next[y * kWidth + x] = survives(now, x, y);
}
