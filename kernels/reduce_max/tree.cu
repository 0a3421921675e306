// Threads stride over the elements with any grid; a tree in shared memory, an odd partial maximum waiting for the next round; integer
// atomics for the result. NaN wins over everything.
#include <math.h>

__device__ __forceinline__ float max_or_nan(float a, float b) { return a > b || isnan(a) ? a : b; }

// Floats of one sign are ordered as their bits are, those below zero the other way round. A NaN becomes the one
// whose bits are larger than those of +inf as an int, and smaller than any negative float's as an unsigned.
__device__ __forceinline__ void atomic_max(float *p, float v) {
  if (isnan(v)) v = __int_as_float(0x7fffffff);
  if (__float_as_int(v) >= 0)
    atomicMax(reinterpret_cast<int *>(p), __float_as_int(v));
  else
    atomicMin(reinterpret_cast<unsigned *>(p), __float_as_uint(v));
}

__global__ void reduce_max_tree(const float *a, float *out, int n) {
  extern __shared__ float partial[];
  const unsigned tid = threadIdx.x;

  float m = -INFINITY;
  for (size_t i = (size_t)blockIdx.x * blockDim.x + tid; i < (size_t)n; i += (size_t)gridDim.x * blockDim.x) m = max_or_nan(m, a[i]);
  partial[tid] = m;
  for (unsigned count = blockDim.x; count > 1;) {
    const unsigned half = (count + 1) / 2;
    __syncthreads();
    if (tid + half < count) partial[tid] = max_or_nan(partial[tid], partial[tid + half]);
    count = half;
  }
  if (tid == 0) atomic_max(out, partial[0]);
}
