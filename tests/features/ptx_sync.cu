// ptx_sync.cu - inline PTX: fences, barriers, atomics, shuffles, hints.
#include "feature.h"

__device__ unsigned count;

__device__ __forceinline__ unsigned add_release(unsigned *p, unsigned v) {
  unsigned old;
  asm volatile("atom.add.release.gpu.global.u32 %0, [%1], %2;" : "=r"(old) : "l"(p), "r"(v) : "memory");
  return old;
}
template <bool Waits> __device__ void barrier() {
  if (Waits) asm volatile("bar.sync 0;" ::: "memory");
}

template <bool Waits> __global__ void right(double *out) {
  __shared__ float s[64];
  s[threadIdx.x] = threadIdx.x;
  barrier<Waits>();
  float v = s[63 - threadIdx.x], w;
  asm volatile("shfl.sync.bfly.b32 %0, %1, 1, 0x1f, 0xffffffff;" : "=f"(w) : "f"(v));
  asm volatile("red.global.add.u32 [%0], 1;" ::"l"(&count) : "memory");
  asm volatile("membar.gl;" ::: "memory");
  asm volatile("fence.acq_rel.gpu;" ::: "memory");
  asm volatile("prefetch.global.L2 [%0];" ::"l"(out));
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
  asm volatile("" ::: "memory");
  const unsigned before = add_release(&count, 0);
  out[threadIdx.x] = w + 100 * (before >= 1);
}

RIGHT(ptx_sync) { right<true><<<1, 64>>>(out); }
WRONG(ptx_sync) { right<false><<<1, 64>>>(out); }
EXPECTED(ptx_sync) { return (63 - (i ^ 1)) + 100; }
