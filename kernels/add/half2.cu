// Two elements of 16 bits a thread, as __half2; what is left at the end, and arrays that do not start on 4 bytes, one by one.
#include <cuda_fp16.h>

__device__ __forceinline__ bool starts_pairs(const void *p) { return reinterpret_cast<size_t>(p) % sizeof(__half2) == 0; }

__global__ void add_half2(const __half *a, const __half *b, __half *c, int n) {
  const size_t i = 2 * ((size_t)blockIdx.x * blockDim.x + threadIdx.x);
  if (i + 1 < (size_t)n && starts_pairs(a) && starts_pairs(b) && starts_pairs(c)) {
    const __half2 x = *reinterpret_cast<const __half2 *>(a + i), y = *reinterpret_cast<const __half2 *>(b + i);
    *reinterpret_cast<__half2 *>(c + i) = __hadd2(x, y);
    return;
  }
  for (size_t k = i; k < i + 2 && k < (size_t)n; k++) c[k] = __hadd(a[k], b[k]);
}
