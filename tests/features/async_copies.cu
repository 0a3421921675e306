// async_copies.cu - cuda_pipeline.h: a matrix product whose next tiles are fetched while it works on these.
#include <cuda_pipeline.h>
#include "feature.h"

__device__ float a[48 * 64], b[64 * 32];
__global__ void fill() {
  for (int i = threadIdx.x; i < 48 * 64; i += blockDim.x) a[i] = i % 7 - 3;
  for (int i = threadIdx.x; i < 64 * 32; i += blockDim.x) b[i] = i % 5 - 2;
}

constexpr int T = 16;
template <int Open> __global__ void product(double *out, int M, int N, int K) {
  __shared__ alignas(16) float sa[2][T][T], sb[2][T][T];
  const int ty = threadIdx.x / T, tx = threadIdx.x % T, row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
  auto load = [&](int stage, int k0) {
    const int i = threadIdx.x % 64, r = i / 4, c = i % 4 * 4;
    if (threadIdx.x < 64) {
      const bool in = blockIdx.y * T + r < M;
      __pipeline_memcpy_async(&sa[stage][r][c], in ? &a[(blockIdx.y * T + r) * K + k0 + c] : a, 16, in ? 0 : 16);
    } else if (threadIdx.x < 128)
      __pipeline_memcpy_async(&sb[stage][r][c], &b[(k0 + r) * N + blockIdx.x * T + c], 16);
    __pipeline_commit();
  };
  float sum = 0;
  const int tiles = K / T;
  load(0, 0);
  for (int t = 0; t < tiles; t++) {
    if (t + 1 < tiles) load((t + 1) % 2, (t + 1) * T);
    else __pipeline_commit();
    __pipeline_wait_prior(Open);
    __syncthreads();
    for (int i = 0; i < T; i++) sum = fmaf(sa[t % 2][ty][i], sb[t % 2][i][tx], sum);
    __syncthreads();
  }
  out[row * N + col] = row < M ? sum : -1;
}

RIGHT(async_copies) {
  fill<<<1, 256>>>();
  product<1><<<dim3(2, 3), 256>>>(out, 40, 32, 64);
}
WRONG(async_copies) { // of this tile, too, the copy may be open
  fill<<<1, 256>>>();
  product<2><<<dim3(2, 3), 256>>>(out, 40, 32, 64);
}
EXPECTED(async_copies) {
  double sum = 0;
  for (int k = 0; k < 64; k++) sum += ((i / 32 * 64 + k) % 7 - 3) * ((k * 32 + i % 32) % 5 - 2);
  return i / 32 < 40 ? sum : -1;
}
