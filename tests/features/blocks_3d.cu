// blocks_3d.cu - three dimensions of grid and block, a stencil with halo in shared memory.
#include "feature.h"

__device__ int volume[6][6][6];
__global__ void fill() { volume[threadIdx.z][threadIdx.y][threadIdx.x] = threadIdx.x + 10 * threadIdx.y + 100 * threadIdx.z; }

template <bool Waits> __global__ void stencil(double *out) {
  __shared__ int s[4][4][4];
  const int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
  s[z][y][x] = volume[2 * blockIdx.z + z][2 * blockIdx.y + y][2 * blockIdx.x + x];
  if (Waits) __syncthreads();
  if (x == 0 || x == 3 || y == 0 || y == 3 || z == 0 || z == 3) return;
  const int sum = s[z][y][x - 1] + s[z][y][x + 1] + s[z][y - 1][x] + s[z][y + 1][x] + s[z - 1][y][x] + s[z + 1][y][x];
  out[((2 * blockIdx.z + z - 1) * 4 + 2 * blockIdx.y + y - 1) * 4 + 2 * blockIdx.x + x - 1] = sum;
}

RIGHT(blocks_3d) {
  fill<<<1, dim3(6, 6, 6)>>>();
  stencil<true><<<dim3(2, 2, 2), dim3(4, 4, 4)>>>(out);
}
WRONG(blocks_3d) { stencil<false><<<dim3(2, 2, 2), dim3(4, 4, 4)>>>(out); }
EXPECTED(blocks_3d) { return 6 * (i % 4 + 1 + 10 * (i / 4 % 4 + 1) + 100 * (i / 16 + 1)); }
