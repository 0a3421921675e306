// ptx_shared.cu - inline PTX with 32-bit addresses of shared memory: loads, stores, atomics.
#include "feature.h"

template <int Past> __global__ void by_address(double *out) {
  __shared__ alignas(16) float tile[128];
  __shared__ int count;
  extern __shared__ float4 dynamic[];
  const int t = threadIdx.x;
  if (t == 0) count = 0;
  __syncthreads();
  const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(tile)) + 16 * t;
  const unsigned counter = static_cast<unsigned>(__cvta_generic_to_shared(&count));
  asm volatile("st.shared.v4.f32 [%0], {%1, %2, %3, %4};" ::"r"(at + Past), "f"(4.0f * t), "f"(4.0f * t + 1), "f"(4.0f * t + 2),
               "f"(4.0f * t + 3)
               : "memory");
  asm volatile("red.shared.add.s32 [%0], %1;" ::"r"(counter), "r"(t) : "memory");
  __syncthreads();
  float x, y;
  int sum;
  asm volatile("ld.shared.f32 %0, [%1];" : "=f"(x) : "r"(at ^ 16));
  asm volatile("ld.shared.f32 %0, [%1+12];" : "=f"(y) : "r"(at));
  asm volatile("ld.shared.u32 %0, [%1];" : "=r"(sum) : "r"(counter));
  const size_t wide = __cvta_generic_to_shared(&dynamic[t]);
  asm volatile("st.shared.b32 [%0], %1;" ::"l"(wide), "r"(t) : "memory");
  const int *back = static_cast<const int *>(__cvta_shared_to_generic(wide));
  out[t] = x + 1000 * y + 1e6 * sum + 1e10 * *back + 1e12 * __isShared(back) + 2e12 * __isShared(out);
}

RIGHT(ptx_shared) { by_address<0><<<1, 32, 512>>>(out); }
WRONG(ptx_shared) { by_address<16><<<1, 32, 512>>>(out); }
EXPECTED(ptx_shared) { return 4 * (i ^ 1) + 1000 * (4 * i + 3) + 1e6 * 496 + 1e10 * i + 1e12; }
