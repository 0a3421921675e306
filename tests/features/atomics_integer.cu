// atomics_integer.cu - all atomics on 32 bits, signed and unsigned; a histogram in shared memory.
#include "feature.h"

__device__ int si[12];
__device__ unsigned ui[12];

__global__ void start() {
  for (int k = 0; k < 12; k++) si[k] = 0, ui[k] = k == 6 ? ~0u : 0;
}

__global__ void right() {
  const int i = threadIdx.x;
  atomicAdd(&si[0], i);
  atomicSub(&si[1], 2);
  atomicMax(&si[2], i);
  atomicMin(&si[3], -i);
  atomicOr(&si[4], 1 << (i % 8));
  atomicXor(&si[5], i);
  atomicAnd(&ui[6], ~(1u << i % 32));
  atomicInc(&ui[7], 9);
  atomicDec(&ui[8], 9);
  atomicExch(&ui[9], 3u);
  atomicCAS(&si[10], 0, 5);
  atomicAdd(&ui[11], 1);
}

__global__ void histogram(double *out) {
  __shared__ unsigned bins[4];
  if (threadIdx.x < 4) bins[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&bins[threadIdx.x % 3], 1);
  __syncthreads();
  if (threadIdx.x < 4) out[12 + threadIdx.x] = bins[threadIdx.x];
}
__global__ void tell(double *out) { out[threadIdx.x] = threadIdx.x < 6 || threadIdx.x == 10 ? si[threadIdx.x] : double(ui[threadIdx.x]); }

__global__ void wrong(double *out) {
  __shared__ unsigned bins[4];
  if (threadIdx.x < 4) bins[threadIdx.x] = 0;
  __syncthreads();
  bins[threadIdx.x % 3]++;
  __syncthreads();
  if (threadIdx.x < 4) out[12 + threadIdx.x] = bins[threadIdx.x];
}

RIGHT(atomics_integer) {
  start<<<1, 1>>>();
  right<<<2, 16>>>();
  histogram<<<1, 64>>>(out);
  tell<<<1, 12>>>(out);
}
WRONG(atomics_integer) { wrong<<<1, 64>>>(out); }
EXPECTED(atomics_integer) {
  const double value[] = {240, -64, 15, -15, 255, 0, 4294901760.0, 2, 8, 3, 5, 32, 22, 21, 21, 0};
  return value[i];
}
