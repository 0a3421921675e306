// endless.cu - kernels that take long and end, and kernels that never do; for tests/endless. The argument says which.
#include <cooperative_groups.h>
#include <cstdio>
#include <cstdlib>
namespace cg = cooperative_groups;

__device__ unsigned counter;

__global__ void monte_carlo(unsigned *hits, int samples) {
  unsigned state = 1234567u + blockIdx.x * blockDim.x + threadIdx.x, mine = 0;
  for (int i = 0; i < samples; i++) {
    state = state * 1664525u + 1013904223u;
    const float x = (state >> 8) * (1.0f / 16777216.0f);
    state = state * 1664525u + 1013904223u;
    const float y = (state >> 8) * (1.0f / 16777216.0f);
    mine += x * x + y * y <= 1.0f;
  }
  atomicAdd(hits, mine);
}
// in registers nothing changes from one iteration to the next
__global__ void counts_in_memory(volatile unsigned *x, unsigned n) { while (x[threadIdx.x] < n) x[threadIdx.x] += 1; }
__global__ void counts_atomically(unsigned *x, unsigned n) { while (atomicAdd(&x[0], 1) < n) { } }
__device__ __noinline__ unsigned next_of(unsigned n) { return ++counter == n; }
__global__ void counts_in_a_variable(unsigned *x, unsigned n) { while (!next_of(n)) { } x[0] = 1; }
__global__ void counts_at_barriers(unsigned *x, unsigned n) {
  __shared__ unsigned seen;
  if (threadIdx.x == 0) seen = 0;
  __syncthreads();
  while (seen < n) {
    __syncthreads();
    if (threadIdx.x == 0) seen++;
    __syncthreads();
  }
  x[threadIdx.x] = seen;
}
__global__ void delays(unsigned *x, long long ticks) {
  const long long begin = clock64();
  while (clock64() - begin < ticks) { }
  x[threadIdx.x] = 1;
}
// waits in a way of its own for a block that comes last
__global__ void waits_for_a_block(unsigned *x, int work) {
  if (blockIdx.x == gridDim.x - 1) {
    unsigned v = threadIdx.x;
    for (int i = 0; i < work; i++) v = v * 1664525u + 1013904223u;
    x[1 + threadIdx.x] = v;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) atomicExch(x, 1);
  } else {
    for (;;) {
      __threadfence();
      unsigned v;
      asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(v) : "l"(x));
      if (v) break;
    }
  }
}
__global__ void last_of_many(unsigned *x, int n) {
  for (int i = 0; i < n; i++)
    if (threadIdx.x == 0) {
      unsigned v = x[0];
      for (int k = 0; k < 40; k++) v = v * 5 + 1;
      x[0] = v;
    }
}
__global__ void jacobi(float *a, float *b, int n, int steps) {
  cg::grid_group grid = cg::this_grid();
  for (int k = 0; k < steps; k++) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
      b[i] = i == 0 || i == n - 1 ? a[i] : 0.5f * (a[i - 1] + a[i + 1]);
    grid.sync();
    float *t = a;
    a = b;
    b = t;
  }
}
__global__ void own_barrier(float *a, unsigned *arrived, int n, int steps) {
  for (int k = 0; k < steps; k++) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) a[i] = a[i] * 0.5f + 1.0f;
    __syncthreads();
    if (threadIdx.x == 0) {
      __threadfence();
      atomicAdd(arrived, 1);
      while (*(volatile unsigned *)arrived < gridDim.x * (k + 1)) { }
      __threadfence();
    }
    __syncthreads();
  }
}
// ---- no end ----
__global__ void stands_still(float *x, int n, int stride) {
  float s = 0;
  for (int i = threadIdx.x; i < n; i += stride) s += x[i];
  x[0] = s;
}
__global__ void halves_to_one(unsigned *x, int n) {
  int k = n;
  while (k > 0) k = (k + 1) / 2;
  *x = k;
}
__global__ void meets_for_ever(unsigned *x) {
  __shared__ int done;
  if (threadIdx.x == 0) done = 0;
  __syncthreads();
  while (!done) {
    __syncthreads();
    if (threadIdx.x == blockDim.x) done = 1;
    __syncthreads();
  }
  *x = 1;
}
__global__ void waits_for_nobody(volatile unsigned *x) {
  while (*x == 0) { }
  x[1] = 1;
}
__global__ void never_unlocks(int *lock, unsigned *x) {
  while (atomicCAS(lock, 0, 1)) { }
  x[1]++;
}

int main(int argc, char **argv) {
  unsigned *x;
  cudaMalloc(&x, 8192);
  cudaMemset(x, 0, 8192);
  float *f = (float *)x, *g = f + 1024;
  int n = 1024, steps = 25000;
  switch (argc > 1 ? atoi(argv[1]) : 0) {
  case 0: monte_carlo<<<4, 256>>>(x, 100000); break;
  case 1: counts_in_memory<<<1, 2>>>(x, 20000000); break;
  case 2: counts_atomically<<<1, 1>>>(x, 20000000); break;
  case 3: counts_in_a_variable<<<1, 1>>>(x, 100000000); break;
  case 4: counts_at_barriers<<<1, 32>>>(x, 1500000); break;
  case 5: delays<<<1, 32>>>(x, 100000000ll); break;
  case 6: waits_for_a_block<<<3, 32>>>(x, 700000); break;
  case 7: last_of_many<<<1, 64>>>(x, 2000000); break;
  case 8: {
    void *args[] = {&f, &g, &n, &steps};
    cudaLaunchCooperativeKernel((void *)jacobi, dim3(4), dim3(64), args, 0, 0);
    break;
  }
  case 9: own_barrier<<<4, 64>>>(g, x, 512, 60000); break;
  case 10: // what was seen of the threads of the first launch says nothing of the second one's
    waits_for_a_block<<<4, 32>>>(x, 400000);
    monte_carlo<<<1, 32>>>(x + 64, 16000000);
    break;
  case 20: stands_still<<<4, 64>>>(f, 100, 0); break;
  case 21: halves_to_one<<<4, 64>>>(x, 100); break;
  case 22: meets_for_ever<<<4, 64>>>(x); break;
  case 23: waits_for_nobody<<<4, 64>>>(x); break;
  case 24: never_unlocks<<<4, 64>>>((int *)x, x); break;
  }
  const cudaError_t e = cudaDeviceSynchronize();
  printf("%s\n", cudaGetErrorString(e));
  cudaFree(x);
  return e != cudaSuccess;
}
