// ptx_matrix.cu - inline PTX: ldmatrix and mma.sync, m16n8k16 and m16n8k8, of halves and bfloats.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include "feature.h"

__device__ half a16[16 * 16], b16[16 * 8];
__device__ __nv_bfloat16 abf[16 * 16], bbf[8 * 16];
__global__ void fill() {
  for (int i = threadIdx.x; i < 256; i += 32) a16[i] = __float2half(i * 7 % 11 - 5), abf[i] = __float2bfloat16(i * 5 % 13 - 6);
  for (int i = threadIdx.x; i < 128; i += 32) b16[i] = __float2half(i * 3 % 7 - 3), bbf[i] = __float2bfloat16(i * 11 % 9 - 4);
}

__device__ __forceinline__ unsigned shared_address(const void *p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); }

template <bool Waits> __global__ void halves(double *out) {
  __shared__ alignas(16) half a[16][16], b[16][8];
  const int lane = threadIdx.x, group = lane / 4, pair = lane % 4 * 2;
  for (int i = lane; i < 256; i += 32) a[i / 16][i % 16] = a16[i];
  for (int i = lane; i < 128; i += 32) b[i / 8][i % 8] = b16[i];
  if (Waits) __syncwarp();
  unsigned ra[4], rb[2];
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(ra[0]), "=r"(ra[1]), "=r"(ra[2]), "=r"(ra[3])
               : "r"(shared_address(&a[lane % 16][lane / 16 * 8])));
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
               : "=r"(rb[0]), "=r"(rb[1])
               : "r"(shared_address(&b[lane % 16][0])));
  float d[4] = {1, 2, 3, 4};
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rb[1]));
  for (int i = 0; i < 4; i++) out[(group + i / 2 * 8) * 8 + pair + i % 2] = d[i];
  unsigned h[2], zero = 0;
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %3}, {%4}, {%5, %6};"
               : "=r"(h[0]), "=r"(h[1])
               : "r"(ra[0]), "r"(ra[1]), "r"(rb[0]), "r"(zero), "r"(zero));
  for (int i = 0; i < 4; i++)
    out[128 + (group + i / 2 * 8) * 8 + pair + i % 2] = __half2float(__ushort_as_half(static_cast<unsigned short>(h[i / 2] >> i % 2 * 16)));
}

__global__ void bfloats(double *out) { // registers straight from memory
  const int lane = threadIdx.x, group = lane / 4, pair = lane % 4 * 2;
  unsigned ra[4], rb[2];
  for (int i = 0; i < 4; i++) ra[i] = *reinterpret_cast<const unsigned *>(&abf[(group + i % 2 * 8) * 16 + pair + i / 2 * 8]);
  for (int i = 0; i < 2; i++) rb[i] = *reinterpret_cast<const unsigned *>(&bbf[group * 16 + pair + i * 8]);
  float d[4];
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
               "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%10,%11,%12,%13};\n"
               : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
               : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rb[1]), "f"(0.5f), "f"(0.5f), "f"(0.5f), "f"(0.5f));
  for (int i = 0; i < 4; i++) out[256 + (group + i / 2 * 8) * 8 + pair + i % 2] = d[i];
}

RIGHT(ptx_matrix) {
  fill<<<1, 32>>>();
  halves<true><<<1, 32>>>(out);
  bfloats<<<1, 32>>>(out);
}
WRONG(ptx_matrix) { // what other lanes have stored is loaded at once
  fill<<<1, 32>>>();
  halves<false><<<1, 32>>>(out);
}
EXPECTED(ptx_matrix) {
  const int row = i % 128 / 8, col = i % 8, part = i / 128, depth = part == 1 ? 8 : 16;
  double sum = part == 2 ? 0.5 : part == 1 ? 0 : 1 + 2 * (row / 8) + col % 2;
  for (int k = 0; k < depth; k++) {
    const int a = row * 16 + k, b = part == 2 ? col * 16 + k : k * 8 + col;
    sum += part == 2 ? (a * 5 % 13 - 6) * (b * 11 % 9 - 4) : (a * 7 % 11 - 5) * (b * 3 % 7 - 3);
  }
  return sum;
}
