// The sum of an array in one launch: the block that is done last adds up what all blocks have left.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <cuda_runtime.h>

static void check(cudaError_t result, const char *what, const char *file, int line) {
  if (result == cudaSuccess) return;
  fprintf(stderr, "CUDA error at %s:%d: %s (%s) \"%s\"\n", file, line, cudaGetErrorName(result), cudaGetErrorString(result), what);
  exit(1);
}
#define checkCuda(call) check((call), #call, __FILE__, __LINE__)

__device__ unsigned int blocksDone = 0;

template <unsigned int blockSize> __device__ float blockSum(float value) {
  __shared__ float partial[blockSize];
  const unsigned int tid = threadIdx.x;
  partial[tid] = value;
  __syncthreads();
#pragma unroll
  for (unsigned int s = blockSize / 2; s > 0; s >>= 1) {
    if (tid < s) partial[tid] += partial[tid + s];
    __syncthreads();
  }
  const float sum = partial[0];
  __syncthreads();
  return sum;
}

template <unsigned int blockSize>
__global__ void reduceSinglePass(const float *__restrict__ in, float *partials, float *out, unsigned int n) {
  __shared__ bool amLast;
  float mine = 0.0f;
  for (unsigned int i = blockIdx.x * blockSize + threadIdx.x; i < n; i += blockSize * gridDim.x) mine += in[i];
  const float sum = blockSum<blockSize>(mine);
  if (threadIdx.x == 0) {
    partials[blockIdx.x] = sum;
#ifndef FAULT
    __threadfence();
#endif
    const unsigned int ticket = atomicInc(&blocksDone, gridDim.x);
    amLast = ticket == gridDim.x - 1;
#ifndef FAULT
    __threadfence();
#endif
  }
  __syncthreads();
  if (amLast) {
    float all = 0.0f;
    for (unsigned int i = threadIdx.x; i < gridDim.x; i += blockSize) all += partials[i]; // FAULT race-global
    all = blockSum<blockSize>(all);
    if (threadIdx.x == 0) {
      *out = all;
      blocksDone = 0;
    }
  }
}

int main() {
  const unsigned int n = 100003, blocks = 24;
  std::vector<float> host(n);
  double expected = 0;
  for (unsigned int i = 0; i < n; i++) expected += host[i] = (float)(i % 17) * 0.25f;

  float *in, *partials, *out, sum = 0;
  checkCuda(cudaMalloc(&in, n * sizeof(float)));
  checkCuda(cudaMalloc(&partials, blocks * sizeof(float)));
  checkCuda(cudaMalloc(&out, sizeof(float)));
  checkCuda(cudaMemcpy(in, host.data(), n * sizeof(float), cudaMemcpyHostToDevice));

  cudaEvent_t start, stop;
  checkCuda(cudaEventCreate(&start));
  checkCuda(cudaEventCreate(&stop));
  checkCuda(cudaEventRecord(start));
  for (int repeat = 0; repeat < 2; repeat++) reduceSinglePass<128><<<blocks, 128>>>(in, partials, out, n);
  checkCuda(cudaEventRecord(stop));
  checkCuda(cudaGetLastError());
  checkCuda(cudaEventSynchronize(stop));
  float ms = 0;
  checkCuda(cudaEventElapsedTime(&ms, start, stop));
  checkCuda(cudaMemcpy(&sum, out, sizeof(float), cudaMemcpyDeviceToHost));

  checkCuda(cudaEventDestroy(start));
  checkCuda(cudaEventDestroy(stop));
  checkCuda(cudaFree(in));
  checkCuda(cudaFree(partials));
  checkCuda(cudaFree(out));
  const bool ok = std::fabs(sum - expected) <= 1e-5 * expected;
  printf("%s\n", ok ? "PASS" : "FAIL");
  return ok ? 0 : 1;
}
