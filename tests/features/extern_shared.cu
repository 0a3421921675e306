// extern_shared.cu - one dynamic buffer of shared memory seen as arrays of several types, in several functions.
#include "feature.h"

template <typename T> __device__ T *dynamic() {
  extern __shared__ __align__(16) unsigned char smem[];
  return reinterpret_cast<T *>(smem);
}

__device__ float sum_of(int n) {
  extern __shared__ float values[];
  float s = 0;
  for (int i = 0; i < n; i++) s += values[i];
  return s;
}

__global__ void right(double *out, int n) {
  extern __shared__ double wide[];
  float *f = (float *)wide;
  int *indices = (int *)&f[n];
  f[threadIdx.x] = threadIdx.x;
  indices[threadIdx.x] = n - 1 - threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = f[indices[threadIdx.x]] + 1000 * sum_of(n) + 1e6 * (dynamic<float4>()->w == 3);
}

RIGHT(extern_shared) { right<<<1, 32, 32 * (sizeof(float) + sizeof(int))>>>(out, 32); }
WRONG(extern_shared) { right<<<1, 32, 32 * sizeof(float)>>>(out, 32); }
EXPECTED(extern_shared) { return 31 - i + 1000 * 496 + 1e6; }
