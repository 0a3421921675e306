// ptx_memory.cu - inline PTX: loads and stores with cache hints, of vectors, with acquire and release.
#include "feature.h"

__device__ float4 data[32];
__device__ int flag, message;

__device__ __forceinline__ float4 ld_nc(const float4 *ptr) {
  float4 v;
  asm volatile("ld.global.nc.L1::no_allocate.v4.f32 {%0, %1, %2, %3}, [%4];"
               : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
               : "l"(ptr));
  return v;
}
__device__ __forceinline__ void st_cs(float4 *ptr, float4 v) {
  asm volatile("st.global.cs.v4.f32 [%0], {%1, %2, %3, %4};" ::"l"(ptr), "f"(v.x), "f"(v.y), "f"(v.z), "f"(v.w) : "memory");
}
__device__ int ld_acquire(int *ptr) {
  int v;
  asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(v) : "l"(ptr) : "memory");
  return v;
}
template <bool Release> __device__ void st_flag(int *ptr, int v) {
  if (Release) asm volatile("st.release.gpu.global.s32 [%0], %1;" ::"l"(ptr), "r"(v) : "memory");
  else asm volatile("st.relaxed.gpu.global.s32 [%0], %1;" ::"l"(ptr), "r"(v) : "memory");
}

__global__ void fill() {
  st_cs(&data[threadIdx.x], make_float4(threadIdx.x, 1, 2, 3));
  if (threadIdx.x == 0) flag = 0;
}
template <bool Release> __global__ void pass(double *out) {
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    message = 7;
    st_flag<Release>(&flag, 1);
  } else if (blockIdx.x == 1) {
    while (ld_acquire(&flag) == 0) {}
    float offset;
    asm("ld.global.ca.f32 %0, [%1+8];" : "=f"(offset) : "l"(&data[threadIdx.x]));
    const float4 v = ld_nc(&data[threadIdx.x]);
    out[threadIdx.x] = message + v.x + 10 * v.w + 100 * offset;
  }
}

RIGHT(ptx_memory) {
  fill<<<1, 32>>>();
  pass<true><<<2, 32>>>(out);
}
WRONG(ptx_memory) {
  fill<<<1, 32>>>();
  pass<false><<<2, 32>>>(out);
}
EXPECTED(ptx_memory) { return 7 + i + 30 + 200; }
