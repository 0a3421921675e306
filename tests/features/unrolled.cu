// unrolled.cu - #pragma unroll with and without numbers, register tiles, __restrict__, __forceinline__.
#include "feature.h"

template <int N> __device__ __forceinline__ float dot(const float (&a)[N], const float *__restrict__ b) {
  float s = 0;
#pragma unroll N
  for (int k = 0; k < N; k++) s += a[k] * b[k];
  return s;
}

constexpr int ROWS = 4;

__global__ void right(double *__restrict__ out) {
  float a[ROWS][ROWS], b[ROWS];
#pragma unroll
  for (int r = 0; r < ROWS; r++) {
    b[r] = r + threadIdx.x;
#pragma unroll 4
    for (int c = 0; c < ROWS; ++c) a[r][c] = r * ROWS + c;
  }
#pragma unroll 1
  for (int r = 0; r < ROWS; r++) out[threadIdx.x * ROWS + r] = dot(a[r], b);
}
__global__ void wrong(double *out, int rows) {
  float a[ROWS];
  for (int r = 0; r <= rows; r++) a[r] = r;
  out[threadIdx.x] = a[threadIdx.x];
}

RIGHT(unrolled) { right<<<1, 4>>>(out); }
WRONG(unrolled) { wrong<<<1, 4>>>(out, ROWS); }
EXPECTED(unrolled) {
  double s = 0;
  for (int c = 0; c < 4; c++) s += (i % 4 * 4 + c) * (c + i / 4);
  return s;
}
