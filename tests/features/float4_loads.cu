// float4_loads.cu - loads and stores of four floats through reinterpret_cast and C casts; #define FLOAT4.
#include "feature.h"

#define FLOAT4(value) (reinterpret_cast<float4 *>(&(value))[0])
#define CONST_INT4(pointer) (((const int4 *)(pointer))[0])

__device__ float x[128];
__device__ int k[4] = {1, 2, 3, 4};

__global__ void fill() { x[threadIdx.x] = threadIdx.x; }

__global__ void right(double *out) {
  const int i = 4 * threadIdx.x;
  float4 v = FLOAT4(x[i]);
  const int4 m = CONST_INT4(k);
  v.x *= m.x, v.y *= m.y, v.z *= m.z, v.w *= m.w;
  FLOAT4(x[i]) = make_float4(v.w, v.z, v.y, v.x);
  const float2 two = *(float2 *)&x[i + 2];
  out[threadIdx.x] = two.x + 1000 * two.y;
}

__device__ float4 row_of(float *from, int stride) { return FLOAT4(from[stride * threadIdx.x]); }

__global__ void wrong(double *out, int stride) {
  const float4 v = row_of(x, stride); // the stride is no multiple of four
  out[threadIdx.x] = v.x + v.y;
}

RIGHT(float4_loads) {
  fill<<<1, 128>>>();
  right<<<1, 32>>>(out);
}
WRONG(float4_loads) { wrong<<<1, 16>>>(out, 5); }
EXPECTED(float4_loads) { return 2 * (4 * i + 1) + 1000 * (4 * i); }
