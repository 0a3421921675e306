// A sum of an array in two levels, with the block's partial sums in dynamic shared memory and a macro that launches.
#include <cuda_runtime.h>

#define LAUNCH(kernel, blocks, threads, bytes, ...) kernel<<<(blocks), (threads), (bytes)>>>(__VA_ARGS__)

__host__ __device__ inline unsigned div_up(unsigned a, unsigned b) { return (a + b - 1) / b; }

extern __shared__ float cache[];

template <bool kIsPow2>
__global__ void reduce_kernel(const float *__restrict__ data, float *result, unsigned n) {
  const unsigned tid = threadIdx.x;
  float sum = 0;
  for (unsigned i = blockIdx.x * blockDim.x + tid; i < n; i += gridDim.x * blockDim.x) sum += data[i];
  cache[tid] = sum;
  __syncthreads();
  unsigned width = blockDim.x;
  while (width > 1) {
    const unsigned half = kIsPow2 ? width / 2 : (width + 1) / 2;
    if (tid + half < width) cache[tid] += cache[tid + half];
#ifndef FAULT // the next level reads what this one writes
    __syncthreads();
#endif
    width = half;
  }
  if (tid == 0) atomicAdd(result, cache[0]);
}

// Blocks of any size.
static void reduce(const float *data, float *result, unsigned n, unsigned threads) {
  const unsigned blocks = min(div_up(n, threads), 64u);
  if ((threads & (threads - 1)) == 0)
    LAUNCH(reduce_kernel<true>, blocks, threads, threads * sizeof(float), data, result, n);
  else
    LAUNCH(reduce_kernel<false>, blocks, threads, threads * sizeof(float), data, result, n);
}
