// Threads stride over the elements with any grid; a tree of fmaxf in shared memory, integer atomics for the result.
#include <math.h>

// Floats of one sign are ordered as their bits are, those below zero the other way round.
__device__ __forceinline__ void atomic_max(float *p, float v) {
  if (__float_as_int(v) >= 0)
    atomicMax(reinterpret_cast<int *>(p), __float_as_int(v));
  else
    atomicMin(reinterpret_cast<unsigned *>(p), __float_as_uint(v));
}

__global__ void reduce_max_tree_published(const float *a, float *out, int n) {
  extern __shared__ float partial[];
  const unsigned tid = threadIdx.x;

  float m = -INFINITY;
  for (size_t i = (size_t)blockIdx.x * blockDim.x + tid; i < (size_t)n; i += (size_t)gridDim.x * blockDim.x) m = fmaxf(m, a[i]);
  partial[tid] = m;
  for (unsigned count = blockDim.x; count > 1;) {
    const unsigned half = (count + 1) / 2;
    __syncthreads();
    if (tid + half < count) partial[tid] = fmaxf(partial[tid], partial[tid + half]);
    count = half;
  }
  if (tid == 0) atomic_max(out, partial[0]);
}
