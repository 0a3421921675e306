// Four elements a thread, one 16-byte load each from a and b and one store. The thread that meets the end takes the last n % 4
// elements one by one; so do all threads where an array does not start on 16 bytes.
#include <stdint.h>

__device__ __forceinline__ bool starts_on_16_bytes(const void *p) { return (uintptr_t)p % sizeof(float4) == 0; }

__global__ void add_float4(const float *a, const float *b, float *c, int n) {
  const size_t first = 4 * ((size_t)blockIdx.x * blockDim.x + threadIdx.x), end = n;
  const bool aligned = starts_on_16_bytes(a) && starts_on_16_bytes(b) && starts_on_16_bytes(c);

  if (aligned && first + 3 < end) {
    const float4 u = *reinterpret_cast<const float4 *>(a + first);
    const float4 v = *reinterpret_cast<const float4 *>(b + first);
    *reinterpret_cast<float4 *>(c + first) = make_float4(u.x + v.x, u.y + v.y, u.z + v.z, u.w + v.w);
  } else {
    for (size_t i = first; i < first + 4 && i < end; i++) c[i] = a[i] + b[i];
  }
}
