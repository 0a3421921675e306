// ptx_async.cu - inline PTX: cp.async with its groups, guarded by a predicate, and padded with zeros.
#include "feature.h"

__device__ float numbers[512];
__global__ void fill() { numbers[threadIdx.x] = threadIdx.x + 1; }

__device__ __forceinline__ unsigned shared_address(const void *p) {
  unsigned address;
  asm("{ .reg .u64 smem_ptr; cvta.to.shared.u64 smem_ptr, %1; cvt.u32.u64 %0, smem_ptr; }\n" : "=r"(address) : "l"(p));
  return address;
}
template <int Bytes> __device__ __forceinline__ void copy_if(void *to, const void *from, bool guard) {
  asm volatile("{\n"
               "  .reg .pred p;\n"
               "  setp.ne.b32 p, %0, 0;\n"
               "  @p cp.async.cg.shared.global.L2::128B [%1], [%2], %3;\n"
               "}\n" ::"r"((int)guard),
               "r"(shared_address(to)), "l"(from), "n"(Bytes));
}
__device__ __forceinline__ void copy_padded(void *to, const void *from, int bytes) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;\n" ::"r"(shared_address(to)), "l"(from), "r"(bytes));
}

template <bool Waits> __global__ void copies(double *out) {
  __shared__ alignas(16) float4 wide[2][32];
  __shared__ alignas(16) float2 pair[32];
  const int t = threadIdx.x;
  wide[1][t] = make_float4(-1, -1, -1, -1);
  __syncwarp();
  copy_if<16>(&wide[0][t], &numbers[4 * t], true);
  copy_if<16>(&wide[1][t], &numbers[128 + 4 * t], t % 2);
  asm volatile("cp.async.commit_group;\n" ::);
  copy_padded(&pair[t], &numbers[256 + 2 * t], t % 3 * 4);
  asm volatile("cp.async.commit_group;\n" ::);
  if (Waits) asm volatile("cp.async.wait_group %0;\n" ::"n"(1));
  __syncthreads();
  out[t] = wide[0][31 - t].y;
  out[32 + t] = wide[1][31 - t].z;
  asm volatile("cp.async.wait_all;\n" ::: "memory");
  __syncthreads();
  out[64 + t] = pair[31 - t].x + 1000 * pair[31 - t].y;
}

RIGHT(ptx_async) {
  fill<<<1, 512>>>();
  copies<true><<<1, 32>>>(out);
}
WRONG(ptx_async) {
  fill<<<1, 512>>>();
  copies<false><<<1, 32>>>(out);
}
EXPECTED(ptx_async) {
  const int k = 31 - i % 32;
  if (i < 32) return 4 * k + 2;
  if (i < 64) return k % 2 ? 128 + 4 * k + 3 : -1;
  return (k % 3 ? 257 + 2 * k : 0) + (k % 3 == 2 ? 1000.0 * (258 + 2 * k) : 0);
}
