/* two_streams.cu - two kernels on one array, in streams of their own. The second one's stream has to wait for the first. */
#include <cstdio>

__global__ void scale(float *x, int n, float factor) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= factor;
}

__global__ void shift(float *x, int n, float by) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] += by; // FAULT race-global
}

static void scale_and_shift(float *x, int n, cudaStream_t first, cudaStream_t second, cudaEvent_t scaled) {
  const int blocks = (n + 127) / 128;
  scale<<<blocks, 128, 0, first>>>(x, n, 2.0f); // LAUNCH 2
#ifndef FAULT
  cudaEventRecord(scaled, first);
  cudaStreamWaitEvent(second, scaled, 0);
#endif
  shift<<<blocks, 128, 0, second>>>(x, n, 1.0f); // LAUNCH 3
}

__global__ void fill(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = static_cast<float>(i);
}

int main() {
  const int n = 1000;
  float *x, host[n];
  cudaStream_t first, second;
  cudaEvent_t scaled;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  cudaEventCreate(&scaled);
  cudaMalloc(&x, sizeof host);
  fill<<<(n + 127) / 128, 128>>>(x, n);
  scale_and_shift(x, n, first, second, scaled);
  cudaDeviceSynchronize();
  cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
  int bad = 0;
  for (int i = 0; i < n; i++) bad += host[i] != 2.0f * static_cast<float>(i) + 1.0f;
  cudaFree(x);
  cudaEventDestroy(scaled);
  cudaStreamDestroy(first);
  cudaStreamDestroy(second);
  puts(bad ? "FAIL" : "PASS");
  return bad != 0;
}
