// grid_stride.cu - the grid-stride loop, with 64-bit and 32-bit indices.
#include <cstdint>
#include "feature.h"

#define CUDA_KERNEL_LOOP(i, n) for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < (n); i += blockDim.x * gridDim.x)

__global__ void right(double *out, const int n) { CUDA_KERNEL_LOOP(i, n) out[i] = i; }
__global__ void wide(double *out, const int64_t n) {
  for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (int64_t)blockDim.x * gridDim.x) out[i] *= 2;
}
__global__ void wrong(double *out, const int n) { CUDA_KERNEL_LOOP(i, n + 1) out[i] = i; }

RIGHT(grid_stride) {
  right<<<2, 16>>>(out, 100);
  wide<<<3, 32>>>(out, 100);
}
WRONG(grid_stride) { wrong<<<2, 16>>>(out, 100); }
EXPECTED(grid_stride) { return 2 * i; }
