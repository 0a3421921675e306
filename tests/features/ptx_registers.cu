// ptx_registers.cu - inline PTX that reads special registers.
#include "feature.h"

__device__ __forceinline__ unsigned lane_id() {
  unsigned ret;
  asm volatile("mov.u32 %0, %laneid;" : "=r"(ret));
  return ret;
}
__device__ __forceinline__ unsigned lanemask_lt() {
  unsigned mask;
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(mask));
  return mask;
}
#define READ_WARP(to) asm volatile("mov.u32 %0, %%warpid;" : "=r"(to))

__device__ inline int get_smid() {
  int ret;
  asm("mov.u32 %0, %smid;"
      : "=r"(ret));
  return ret;
}

__global__ void right(double *out) {
  long long clock;
  unsigned warp, block;
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(clock));
  asm volatile("{\n\t"
               "mov.u32 %0, %%ctaid.x;\n"
               "}" : "=r"(block));
  READ_WARP(warp);
  out[threadIdx.x] = lane_id() + __popc(lanemask_lt()) + (get_smid() >= 0) + (clock >= 0) + (warp < 64) + block;
}

RIGHT(ptx_registers) { right<<<1, 64>>>(out); }
EXPECTED(ptx_registers) { return 2 * (i % 32) + 3; }
