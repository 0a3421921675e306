// cache_loads.cu - loads and stores with cache hints, of scalars and vectors.
#include <cuda_fp16.h>
#include "feature.h"

__device__ float4 x[32];
__device__ half2 h[32];
__device__ double d[32];

__global__ void fill() {
  const int i = threadIdx.x;
  __stcs(&x[i], make_float4(i, 1, 2, 3));
  __stcg(&h[i], __floats2half2_rn(i, 1));
  __stwt(&d[i], 0.5 * i);
  __stwb((int *)&x[i].w, __float_as_int(4.0f));
}

__global__ void right(double *out, const float *__restrict__ scalar) {
  const int i = threadIdx.x;
  const float4 v = __ldg(&x[i]);
  const float4 w = __ldcs(reinterpret_cast<const float4 *>(x) + i);
  const half2 p = __ldcg(&h[i]);
  const double e = __ldca(&d[i]) + __ldcv(&d[i]);
  const unsigned char c = __ldg(reinterpret_cast<const unsigned char *>(&d[0]));
  out[i] = v.x + w.w + __low2float(p) + e + c + (scalar ? __ldlu(scalar) : 0);
}

__global__ void wrong(double *out, int n) {
  if (int(threadIdx.x) <= n) out[0] = __ldg(&d[threadIdx.x]); // one too many
}

RIGHT(cache_loads) {
  fill<<<1, 32>>>();
  right<<<1, 32>>>(out, nullptr);
}
WRONG(cache_loads) { wrong<<<1, 64>>>(out, 32); }
EXPECTED(cache_loads) { return i + 4 + i + i; }
