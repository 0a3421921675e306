// atomics.cu - every atomic function and type, converted arguments, and overloads that users add.
#include <cuda_runtime.h>

__device__ float atomicMax(float *p, float v) {
  int *bits = reinterpret_cast<int *>(p);
  int old = *bits;
  while (v > __int_as_float(old)) {
    const int assumed = old;
    old = atomicCAS(bits, assumed, __float_as_int(v));
    if (old == assumed) break;
  }
  return __int_as_float(old);
}

template <typename T> __device__ void adds(T *p) {
  atomicAdd(p, static_cast<T>(1));
  atomicAdd_block(p, static_cast<T>(1));
  atomicAdd_system(p, static_cast<T>(1));
}

template <typename T> __device__ void exchanges(T *p, T v) {
  *p = atomicExch(p, v) + atomicExch_block(p, v) + atomicExch_system(p, v);
}

template <typename T> __device__ void orders(T *p, T v) {
  *p = atomicMin(p, v) + atomicMin_block(p, v) + atomicMin_system(p, v) + atomicMax(p, v) + atomicMax_block(p, v) +
       atomicMax_system(p, v);
}

template <typename T> __device__ void bits(T *p, T v) {
  *p = atomicAnd(p, v) + atomicAnd_block(p, v) + atomicAnd_system(p, v) + atomicOr(p, v) + atomicOr_block(p, v) +
       atomicOr_system(p, v) + atomicXor(p, v) + atomicXor_block(p, v) + atomicXor_system(p, v);
  *p = atomicCAS(p, v, v) + atomicCAS_block(p, v, v) + atomicCAS_system(p, v, v);
}

__global__ void atomics(int *i, unsigned *u, long long *l, unsigned long long *ul, float *f, double *d, unsigned short *h) {
  __shared__ float shared_sum;
  __shared__ unsigned ticket;
  adds(i);
  adds(u);
  adds(ul);
  adds(f);
  adds(d);
  exchanges(i, 1);
  exchanges(u, 1u);
  exchanges(ul, 1ull);
  exchanges(f, 1.0f);
  orders(i, 1);
  orders(u, 1u);
  orders(l, 1ll);
  orders(ul, 1ull);
  bits(i, 1);
  bits(u, 1u);
  bits(ul, 1ull);
  *h = atomicCAS(h, static_cast<unsigned short>(1), static_cast<unsigned short>(2));
  *i = atomicSub(i, 1) + atomicSub_block(i, 1) + atomicSub_system(i, 1);
  *u = atomicSub(u, 1u) + atomicSub_block(u, 1u) + atomicSub_system(u, 1u);
  *u = atomicInc(u, 7) + atomicInc_block(u, 7) + atomicInc_system(u, 7);
  *u = atomicDec(u, 7) + atomicDec_block(u, 7) + atomicDec_system(u, 7);
  atomicAdd(u, 1);
  atomicAdd(f, 1);
  atomicAdd(d, 1.0f);
  atomicAdd(&shared_sum, 2.0);
  atomicInc(&ticket, gridDim.x - 1);
  atomicMax(f, 3.0f);
}
