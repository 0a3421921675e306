#include <cstdio>
#include <cuda_runtime.h>

__global__ void fill(float *x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = i;
}

__global__ void twice(const float *x, float *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 2 * x[i];
}

int main() {
  const int n = 1000;
  float *x, *y, last;
  cudaStream_t producer, consumer;
  cudaMalloc(&x, n * sizeof(float));
  cudaMalloc(&y, n * sizeof(float));
  cudaStreamCreate(&producer);
  cudaStreamCreate(&consumer);
  cudaEvent_t filled;
  cudaEventCreate(&filled);
  fill<<<(n + 127) / 128, 128, 0, producer>>>(x, n);
  cudaEventRecord(filled, producer);
  cudaStreamWaitEvent(consumer, filled, 0);
  twice<<<(n + 127) / 128, 128, 0, consumer>>>(x, y, n);
  cudaDeviceSynchronize();
  cudaMemcpy(&last, y + n - 1, sizeof last, cudaMemcpyDeviceToHost);
  printf("%g\n", last);
  cudaEventDestroy(filled);
  cudaStreamDestroy(producer);
  cudaStreamDestroy(consumer);
  cudaFree(x);
  cudaFree(y);
}
