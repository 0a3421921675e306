// vector_types.cu - all short vectors: sizes, alignments, make_ functions, members in shared memory and in unions.
#include "feature.h"

template <typename V> __device__ double shape(V) { return sizeof(V) + 100 * alignof(V); }

union Pack {
  uint4 whole;
  unsigned char byte[16];
  short2 two[4];
};

struct __align__(16) Vec {
  float data[4];
  __device__ float &operator[](int i) { return data[i]; }
};

__device__ inline float4 operator+(float4 a, float4 b) { return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w); }

__global__ void right(double *out) {
  __shared__ Vec vec[2];
  vec[threadIdx.x][threadIdx.x] = 3;
  __syncthreads();
  if (threadIdx.x) return;
  Pack p;
  p.whole = make_uint4(0x04030201, 0, 0xffff0000, 7);
  out[0] = p.byte[2] + 10 * p.two[2].y + p.byte[12];
  out[1] = shape(make_char4(1, 2, 3, 4)) + shape(make_uchar3(1, 2, 3)) + shape(make_short2(1, 2)) + shape(make_ushort4(1, 2, 3, 4));
  out[2] = shape(make_int3(1, 2, 3)) + shape(make_uint2(1, 2)) + shape(make_longlong2(1, 2)) + shape(make_double2(1, 2));
  out[3] = shape(make_float1(1)) + shape(make_float3(1, 2, 3)) + shape(make_float4(1, 2, 3, 4)) + shape(Vec());
  const float4 s = make_float4(1, 2, 3, 4) + make_float4(1, 1, 1, 1);
  out[4] = s.x + s.w + vec[1][1] + make_ulonglong2(5, 6).y;
  const dim3 d(2);
  const uint3 u = threadIdx;
  out[5] = d.x + d.y + d.z + u.x;
}

RIGHT(vector_types) { right<<<1, 2>>>(out); }
EXPECTED(vector_types) {
  const double value[] = {3 - 10 + 7, 4 + 400 + 3 + 100 + 4 + 400 + 8 + 800, 12 + 400 + 8 + 800 + 16 + 1600 + 16 + 1600,
                          4 + 400 + 12 + 400 + 16 + 1600 + 16 + 1600, 2 + 5 + 3 + 6, 4};
  return value[i];
}
