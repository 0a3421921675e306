#include <cuda_runtime.h>

// Each block leaves the sum of its part, the last one to do so adds the sums up.
__global__ void sum(const float *a, float *parts, unsigned *done, float *out, int n) {
  if (threadIdx.x > 0) return;
  float sum = 0;
  for (int i = blockIdx.x; i < n; i += gridDim.x) sum += a[i];
  parts[blockIdx.x] = sum;
  __threadfence();
  if (atomicAdd(done, 1) != gridDim.x - 1) return;
  __threadfence();
  for (int b = 0; b < gridDim.x; b++) out[0] += parts[b];
}

void launch(const float *a, float *out, int n) {
  float *parts;
  unsigned *done;
  cudaMalloc(&parts, 8 * sizeof(float));
  cudaMalloc(&done, sizeof(unsigned));
  cudaMemset(done, 0, sizeof(unsigned));
  sum<<<8, 32>>>(a, parts, done, out, n);
  cudaFree(parts);
  cudaFree(done);
}
