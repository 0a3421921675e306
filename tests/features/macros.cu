// macros.cu - what sources ask the compiler: __CUDA_ARCH__, __CUDACC__, __NVCC__, its version, fallbacks for older devices.
#include "feature.h"

#ifndef __CUDACC__
#error "not a CUDA compiler"
#endif
#if !defined(__NVCC__) || __CUDACC_VER_MAJOR__ < 9
#error "too old"
#endif

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 600
__device__ double atomicAdd(double *address, double v);
#endif

#define CHECK_ALIGN(T) static_assert(alignof(T) == 16, "")
CHECK_ALIGN(float4);

__host__ __device__ inline int where() {
#ifdef __CUDA_ARCH__
  return __CUDA_ARCH__ >= 700;
#else
  return 2;
#endif
}

__global__ void right(double *out) { out[threadIdx.x] = where() + (CUDART_VERSION >= 11000) + (__CUDACC_VER_MINOR__ >= 0); }

RIGHT(macros) { right<<<1, 1>>>(out); }
EXPECTED(macros) { return 3; }
