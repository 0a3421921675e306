#include <cstdio>
#include <cuda_runtime.h>

__global__ void fill(float *x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = i;
}

int main() {
  for (int n = 1000; n <= 3000; n += 1000) {
    float *x, last;
    cudaMalloc(&x, n * sizeof(float));
    fill<<<(n + 127) / 128, 128>>>(x, n);
    cudaMemcpy(&last, x + n - 1, sizeof last, cudaMemcpyDeviceToHost);
    printf("%g\n", last);
  }
}
