// atomics_wide.cu - atomics on 64 bits: signed and unsigned, double, through reinterpret_cast; a maximum of doubles by compare and swap.
#include "feature.h"

__device__ unsigned long long u[6];
__device__ long long s[6];
__device__ double d[2];

__device__ double atomicMaxDouble(double *address, double v) {
  unsigned long long *p = (unsigned long long *)address, old = *p, assumed;
  do {
    assumed = old;
    old = atomicCAS(p, assumed, __double_as_longlong(fmax(v, __longlong_as_double(assumed))));
  } while (assumed != old);
  return __longlong_as_double(old);
}

__global__ void start() {
  for (int k = 0; k < 6; k++) u[k] = s[k] = 0;
  d[0] = d[1] = 0;
}

__global__ void right() {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  atomicAdd(&u[0], 1ull << 33);
  atomicMax(&u[1], (unsigned long long)i << 40);
  atomicOr(&u[2], 1ull << i);
  atomicExch(&u[3], 9ull);
  atomicXor(&u[4], 1ull << (i % 2 + 40));
  atomicMin(&s[0], -(1ll << 35) - i);
  atomicMax(&s[1], (long long)i);
  atomicAdd((unsigned long long *)&s[2], (unsigned long long)(-1ll));
  atomicAnd((unsigned long long *)&s[3], 0ull);
  atomicAdd(&d[0], 0.5);
}
template <bool Racy> __global__ void most() {
  const double v = threadIdx.x + blockIdx.x * blockDim.x;
  if (!Racy) atomicMaxDouble(&d[1], v);
  else if (d[1] < v) d[1] = v;
}
__global__ void tell(double *out) {
  for (int k = 0; k < 5; k++) out[k] = double(u[k]);
  for (int k = 0; k < 4; k++) out[5 + k] = double(s[k]);
  out[9] = d[0], out[10] = d[1];
}

RIGHT(atomics_wide) {
  start<<<1, 1>>>();
  right<<<2, 16>>>();
  most<false><<<2, 16>>>();
  tell<<<1, 1>>>(out);
}
WRONG(atomics_wide) { most<true><<<2, 16>>>(); }
EXPECTED(atomics_wide) {
  const double value[] = {0x1p38, 31 * 0x1p40, 4294967295.0, 9, 0, -0x1p35 - 31, 31, -32, 0, 16, 31};
  return value[i];
}
