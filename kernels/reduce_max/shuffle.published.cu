// One element a thread, butterfly shuffles in the warp, a slot a warp; threads beyond the last element count as 0.
#include <math.h>

__device__ __forceinline__ float max_or_nan(float a, float b) { return a > b || isnan(a) ? a : b; }

__device__ __forceinline__ float warp_max(float v) {
  for (int offset = 16; offset > 0; offset /= 2) v = max_or_nan(v, __shfl_xor_sync(0xffffffffu, v, offset));
  return v;
}

// There is no atomicMax for floats: the larger value is put in place of what was read, until nobody has come in between.
__device__ __forceinline__ void atomic_max(float *p, float v) {
  int *bits = reinterpret_cast<int *>(p);
  int seen = *(volatile int *)bits;
  while (!(__int_as_float(seen) >= v) && !isnan(__int_as_float(seen))) {
    const int before = atomicCAS(bits, seen, __float_as_int(v));
    if (before == seen) break;
    seen = before;
  }
}

__global__ void reduce_max_shuffle_published(const float *a, float *out, int n) {
  __shared__ float slots[32];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

  const float m = warp_max(i < (unsigned)n ? a[i] : 0.0f);
  if (lane == 0) slots[warp] = m;
  __syncthreads();
  if (warp == 0) {
    const float all = warp_max(lane < blockDim.x / 32 ? slots[lane] : -INFINITY);
    if (lane == 0) atomic_max(out, all);
  }
}
