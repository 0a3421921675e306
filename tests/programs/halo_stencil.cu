// A weighted sum over 2 * RADIUS + 1 neighbours, from a tile in shared memory with a halo on either side; the weights are constant memory.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define RADIUS 4
#define BLOCK_SIZE 128

__constant__ float c_weights[2 * RADIUS + 1];

#define CUDA_CALL(x) do { if ((x) != cudaSuccess) { \
    printf("Error at %s:%d\n", __FILE__, __LINE__); \
    return EXIT_FAILURE; } } while (0)

// in has RADIUS further elements at both ends.
__global__ void stencil1d(const float *in, float *out, int n) {
  __shared__ float tile[BLOCK_SIZE + 2 * RADIUS];
  const int g = blockIdx.x * blockDim.x + threadIdx.x;
  const int l = threadIdx.x + RADIUS;
  if (g < n) tile[l] = in[g + RADIUS];
  if (threadIdx.x < RADIUS) {
    tile[l - RADIUS] = in[g];
#ifdef FAULT
    if (g + BLOCK_SIZE + RADIUS < n) tile[l + BLOCK_SIZE] = in[g + RADIUS + BLOCK_SIZE];
#else
    if (g + BLOCK_SIZE < n + RADIUS) tile[l + BLOCK_SIZE] = in[g + RADIUS + BLOCK_SIZE];
#endif
  }
  __syncthreads();
  if (g >= n) return;
  float sum = 0;
  for (int k = -RADIUS; k <= RADIUS; k++) sum += c_weights[k + RADIUS] * tile[l + k]; // FAULT uninit-shared
  out[g] = sum;
}

int main(void) {
  const int n = 16 * BLOCK_SIZE;
  float weights[2 * RADIUS + 1], *in, *out, *d_in, *d_out;
  for (int k = 0; k <= 2 * RADIUS; k++) weights[k] = 1.0f / (1 << k);
  CUDA_CALL(cudaMallocHost((void **)&in, (n + 2 * RADIUS) * sizeof(float)));
  CUDA_CALL(cudaHostAlloc((void **)&out, n * sizeof(float), cudaHostAllocDefault));
  for (int i = 0; i < n + 2 * RADIUS; i++) in[i] = (float)((i * 7) % 31);
  CUDA_CALL(cudaMalloc(&d_in, (n + 2 * RADIUS) * sizeof(float)));
  CUDA_CALL(cudaMalloc(&d_out, n * sizeof(float)));
  CUDA_CALL(cudaMemcpyToSymbol(c_weights, weights, sizeof(weights)));

  cudaStream_t stream;
  CUDA_CALL(cudaStreamCreate(&stream));
  CUDA_CALL(cudaMemcpyAsync(d_in, in, (n + 2 * RADIUS) * sizeof(float), cudaMemcpyHostToDevice, stream));
  stencil1d<<<n / BLOCK_SIZE, BLOCK_SIZE, 0, stream>>>(d_in, d_out, n);
  CUDA_CALL(cudaGetLastError());
  CUDA_CALL(cudaMemcpyAsync(out, d_out, n * sizeof(float), cudaMemcpyDeviceToHost, stream));
  CUDA_CALL(cudaStreamSynchronize(stream));

  int errors = 0;
  for (int i = 0; i < n; i++) {
    float expected = 0;
    for (int k = 0; k <= 2 * RADIUS; k++) expected += weights[k] * in[i + k];
    if (fabsf(out[i] - expected) > 1e-4f * fabsf(expected)) errors++;
  }
  CUDA_CALL(cudaStreamDestroy(stream));
  CUDA_CALL(cudaFree(d_in));
  CUDA_CALL(cudaFree(d_out));
  CUDA_CALL(cudaFreeHost(in));
  CUDA_CALL(cudaFreeHost(out));
  printf("%s: %d errors\n", errors ? "FAIL" : "PASS", errors);
  return errors != 0;
}
