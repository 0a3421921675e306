// vectors.cu - sizes and alignments of the vector types, make_*, dim3, unions, whole-vector copies, cached loads and stores.
#include <cuda_runtime.h>
#include <vector_functions.h>
#include <vector_types.h>

#define SHAPE(T, size, align) static_assert(sizeof(T) == size && alignof(T) == align, #T)
SHAPE(char1, 1, 1);
SHAPE(char2, 2, 2);
SHAPE(char3, 3, 1);
SHAPE(char4, 4, 4);
SHAPE(uchar2, 2, 2);
SHAPE(uchar4, 4, 4);
SHAPE(short1, 2, 2);
SHAPE(short2, 4, 4);
SHAPE(short3, 6, 2);
SHAPE(short4, 8, 8);
SHAPE(ushort4, 8, 8);
SHAPE(int1, 4, 4);
SHAPE(int2, 8, 8);
SHAPE(int3, 12, 4);
SHAPE(int4, 16, 16);
SHAPE(uint2, 8, 8);
SHAPE(uint3, 12, 4);
SHAPE(uint4, 16, 16);
SHAPE(long1, 8, 8);
SHAPE(long2, 16, 16);
SHAPE(long3, 24, 8);
SHAPE(ulong2, 16, 16);
SHAPE(longlong1, 8, 8);
SHAPE(longlong2, 16, 16);
SHAPE(longlong3, 24, 8);
SHAPE(ulonglong2, 16, 16);
SHAPE(float1, 4, 4);
SHAPE(float2, 8, 8);
SHAPE(float3, 12, 4);
SHAPE(float4, 16, 16);
SHAPE(double1, 8, 8);
SHAPE(double2, 16, 16);
SHAPE(double3, 24, 8);
SHAPE(double4_16a, 32, 16);
SHAPE(double4_32a, 32, 32);
SHAPE(longlong4_16a, 32, 16);
SHAPE(dim3, 12, 4);

union Bits {
  float4 f;
  uint4 u;
  unsigned char bytes[16];
};

__device__ float4 operator+(float4 a, float4 b) { return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w); }
__device__ float4 &operator+=(float4 &a, const float4 &b) { return a = a + b; }

__global__ void copies(float4 *out, const float4 *in, float *flat, const int2 *pairs) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 v = in[i];
  v += make_float4(1.0f, 2.0f, 3.0f, 4.0f);
  v += reinterpret_cast<const float4 *>(flat)[i];
  out[i] = v;
  *reinterpret_cast<float2 *>(&flat[2 * i]) = make_float2(v.x, v.y);
  Bits b;
  b.f = v;
  flat[i] = static_cast<float>(b.u.x + b.bytes[3]) + static_cast<float>(pairs[i].y);
  float4 zero = {};
  float3 three{1.0f, 2.0f, 3.0f};
  out[i + 1] = make_float4(three.x, zero.y, three.z, make_double2(1.0, 2.0).y > 1.0 ? 1.0f : 0.0f);
}

__global__ void cached(float *out, const float *in, const float4 *in4, float4 *out4, const int *counts) {
  const int i = threadIdx.x;
  float s = __ldg(in + i) + __ldg(&in[i + 1]) + __ldca(in) + __ldcg(in) + __ldcs(in) + __ldlu(in) + __ldcv(in);
  const float4 v = __ldg(in4 + i);
  s += v.x + static_cast<float>(__ldg(counts + i));
  __stwb(out, s);
  __stcg(out + 1, 1.0f);
  __stcs(out + 2, 2);
  __stwt(out + 3, s);
  __stcs(out4, v);
}

__host__ __device__ unsigned long long volume(dim3 d) { return 1ull * d.x * d.y * d.z; }

unsigned long long host_vectors() {
  const uint3 u = make_uint3(2, 3, 4);
  const dim3 from_uint3(u), from_int(5), from_two(6, 7);
  const uint3 back = from_two;
  const char4 c = make_char4(1, 2, 3, 4);
  const ulonglong2 l = make_ulonglong2(1, 2);
  return volume(from_uint3) + volume(from_int) + volume(9u) + back.y + static_cast<unsigned char>(c.w) + l.y;
}
