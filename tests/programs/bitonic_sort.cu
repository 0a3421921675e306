/* Sorts tiles in shared memory with a bitonic network, then merges them in global memory. */
#include <stdio.h>
#include <stdlib.h>
#include <cuda_runtime.h>

#define TILE 512
#define SAFE_CALL(call)                                                             \
  {                                                                                 \
    cudaError_t status = call;                                                      \
    if (status != cudaSuccess) {                                                    \
      printf("error %d (%s) in line %d\n", status, cudaGetErrorString(status), __LINE__); \
      exit(1);                                                                      \
    }                                                                               \
  }

__device__ inline void comparator(unsigned &a, unsigned &b, bool up) {
  if ((a > b) == up) {
    unsigned t = a;
    a = b;
    b = t;
  }
}

__global__ void sortTiles(unsigned *keys) {
  __shared__ unsigned s[TILE];
  unsigned *tile = keys + blockIdx.x * TILE;
  s[threadIdx.x] = tile[threadIdx.x];
  s[threadIdx.x + TILE / 2] = tile[threadIdx.x + TILE / 2];
  for (unsigned size = 2; size <= TILE; size <<= 1) {
    for (unsigned stride = size / 2; stride > 0; stride >>= 1) {
      __syncthreads();
      unsigned pos = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
      bool up = size == TILE ? (blockIdx.x & 1) == 0 : (pos & size) == 0;
      comparator(s[pos], s[pos + stride], up);
    }
  }
  __syncthreads();
  tile[threadIdx.x] = s[threadIdx.x];
#ifdef FAULT
  tile[threadIdx.x + TILE / 2] = s[threadIdx.x + 1 + TILE / 2]; // FAULT oob-shared
#else
  tile[threadIdx.x + TILE / 2] = s[threadIdx.x + TILE / 2];
#endif
}

__global__ void mergeGlobal(unsigned *keys, unsigned n, unsigned size, unsigned stride) {
  unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n / 2) return;
  unsigned pos = 2 * t - (t & (stride - 1));
  comparator(keys[pos], keys[pos + stride], (pos & size) == 0);
}

static int compare(const void *a, const void *b) {
  unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;
  return x < y ? -1 : x > y;
}

int main(int argc, char **argv) {
  unsigned n = argc > 1 ? (unsigned)atoi(argv[1]) : 8 * TILE, i, size, stride;
  unsigned *in = (unsigned *)malloc(n * sizeof *in), *out = (unsigned *)malloc(n * sizeof *out), *keys;
  for (i = 0; i < n; i++) in[i] = i * 2654435761u ^ i << 7;
  SAFE_CALL(cudaMalloc((void **)&keys, n * sizeof *keys));
  SAFE_CALL(cudaMemcpy(keys, in, n * sizeof *keys, cudaMemcpyHostToDevice));
  sortTiles<<<n / TILE, TILE / 2>>>(keys);
  SAFE_CALL(cudaGetLastError());
  for (size = 2 * TILE; size <= n; size <<= 1)
    for (stride = size / 2; stride > 0; stride >>= 1) mergeGlobal<<<(n / 2 + 255) / 256, 256>>>(keys, n, size, stride);
  SAFE_CALL(cudaGetLastError());
  SAFE_CALL(cudaMemcpy(out, keys, n * sizeof *keys, cudaMemcpyDeviceToHost));
  SAFE_CALL(cudaFree(keys));
  qsort(in, n, sizeof *in, compare);
  for (i = 0; i < n && in[i] == out[i]; i++) {
  }
  printf(i == n ? "PASS\n" : "FAIL at %u\n", i);
  free(in);
  free(out);
  return i != n;
}
