// A sum whose launcher has memory of its own: partial sums come back to the host, which adds them up.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call)                                                                   \
  do {                                                                                \
    cudaError_t error = (call);                                                       \
    if (error != cudaSuccess) {                                                       \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error));  \
      exit(EXIT_FAILURE);                                                             \
    }                                                                                 \
  } while (0)

constexpr int THREADS = 256, MAX_BLOCKS = 64;

__global__ void partial_sums(const float *in, float *partial, int n) {
  __shared__ float tile[THREADS];
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += in[i];
  tile[threadIdx.x] = sum;
  __syncthreads();
  for (int width = THREADS / 2; width > 0; width /= 2) {
    if (threadIdx.x < width) tile[threadIdx.x] += tile[threadIdx.x + width];
    __syncthreads();
  }
  if (threadIdx.x == 0) partial[blockIdx.x] = tile[0];
}

void sum(const float *in, float *out, int n) {
  const int blocks = std::min((n + THREADS - 1) / THREADS, MAX_BLOCKS);
  float *partial;
  CHECK(cudaMalloc(&partial, blocks * sizeof(float)));
  partial_sums<<<blocks, THREADS>>>(in, partial, n);
  CHECK(cudaGetLastError());
#ifdef FAULT // one more than there are
  std::vector<float> host(blocks + 1);
#else
  std::vector<float> host(blocks);
#endif
  CHECK(cudaMemcpy(host.data(), partial, host.size() * sizeof(float), cudaMemcpyDeviceToHost));
  float total = 0;
  for (float value : host) total += value;
  CHECK(cudaMemcpy(out, &total, sizeof total, cudaMemcpyHostToDevice));
  CHECK(cudaFree(partial));
}
