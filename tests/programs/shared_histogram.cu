// 256 bins of bytes: atomics in shared memory first, then one for each bin and block.
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <stdexcept>
#include <string>
#include <cuda_runtime.h>

constexpr int kBins = 256;

#define CUDA_CHECK(expr)                                                                       \
  if (cudaError_t e = (expr); e != cudaSuccess)                                                \
  throw std::runtime_error(std::string(#expr) + ": " + cudaGetErrorString(e))

__global__ void histogram(const uint8_t *__restrict__ data, size_t n, unsigned int *__restrict__ bins) {
  __shared__ unsigned int local[kBins];
  for (int i = threadIdx.x; i < kBins; i += blockDim.x) local[i] = 0;
#ifndef FAULT
  __syncthreads();
#endif
  const size_t stride = (size_t)blockDim.x * gridDim.x;
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += stride) atomicAdd(&local[data[i]], 1u); // FAULT race-shared
  __syncthreads();
  for (int i = threadIdx.x; i < kBins; i += blockDim.x)
    if (local[i]) atomicAdd(&bins[i], local[i]);
}

static int run() {
  const size_t n = 30000;
  unsigned int expected[kBins] = {}, result[kBins];
  uint8_t *data;
  unsigned int *bins;
  CUDA_CHECK(cudaMallocManaged(&data, n));
  uint32_t seed = 1;
  for (size_t i = 0; i < n; i++) {
    seed = seed * 1664525u + 1013904223u;
    data[i] = (uint8_t)(seed >> 24);
    expected[data[i]]++;
  }
  CUDA_CHECK(cudaMalloc(&bins, sizeof result));
  CUDA_CHECK(cudaMemset(bins, 0, sizeof result));
  histogram<<<dim3(8), dim3(192)>>>(data, n, bins);
  CUDA_CHECK(cudaPeekAtLastError());
  CUDA_CHECK(cudaDeviceSynchronize());
  CUDA_CHECK(cudaMemcpy(result, bins, sizeof result, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(bins));
  CUDA_CHECK(cudaFree(data));
  const bool same = std::memcmp(result, expected, sizeof result) == 0;
  std::cout << (same ? "PASS" : "FAIL") << std::endl;
  return same ? 0 : 1;
}

int main() {
  try {
    return run();
  } catch (const std::exception &e) {
    std::cerr << e.what() << '\n';
    return 2;
  }
}
