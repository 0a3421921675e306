// atomics_float.cu - atomicAdd of floats and of vectors of them, and the maximum of floats by their bits.
#include "feature.h"

__device__ float sum, top;
__device__ float4 four;
__device__ float2 two;

__device__ __forceinline__ float atomicMaxFloat(float *address, float v) {
  return v >= 0 ? __int_as_float(atomicMax((int *)address, __float_as_int(v)))
                : __uint_as_float(atomicMin((unsigned int *)address, __float_as_uint(v)));
}

__global__ void start() {
  sum = 0, top = -INFINITY;
  four = make_float4(0, 0, 0, 0);
  two = make_float2(0, 0);
}
__global__ void right() {
  atomicAdd(&sum, 0.25f);
  atomicMaxFloat(&top, float(threadIdx.x) - 3);
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
  atomicAdd(&four, make_float4(1, 2, 3, threadIdx.x));
  atomicAdd(&two, make_float2(1, 2));
#endif
}
__global__ void tell(double *out) {
  out[0] = sum, out[1] = top, out[2] = four.x, out[3] = four.y, out[4] = four.z, out[5] = four.w, out[6] = two.y, out[7] = two.x;
}
__global__ void wrong(double *out) {
  sum += 0.25f;
  out[0] = sum;
}

RIGHT(atomics_float) {
  start<<<1, 1>>>();
  right<<<2, 16>>>();
  tell<<<1, 1>>>(out);
}
WRONG(atomics_float) { wrong<<<2, 1>>>(out); }
EXPECTED(atomics_float) {
  const double value[] = {8, 12, 32, 64, 96, 240, 64, 32};
  return value[i];
}
