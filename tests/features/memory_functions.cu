// memory_functions.cu - memcpy and memset in device code.
#include <cstring>
#include "feature.h"

struct Node {
  int key;
  float value[3];
};

__global__ void right(double *out) {
  __shared__ Node nodes[8];
  Node local = {int(threadIdx.x), {1, 2, 3}};
  memcpy(&nodes[threadIdx.x], &local, sizeof(Node));
  __syncthreads();
  Node other;
  memset(&other, 0, sizeof other);
  memcpy(&other.value[1], &nodes[7 - threadIdx.x].value[1], 2 * sizeof(float));
  out[threadIdx.x] = other.key + other.value[0] + other.value[1] + 10 * other.value[2] + 100 * nodes[7 - threadIdx.x].key;
}

__global__ void wrong(double *out) {
  __shared__ int s[16];
  memset(s, 0, threadIdx.x == 0 ? sizeof s + 4 : 4);
  __syncthreads();
  out[0] = s[threadIdx.x];
}

RIGHT(memory_functions) { right<<<1, 8>>>(out); }
WRONG(memory_functions) { wrong<<<1, 1>>>(out); }
EXPECTED(memory_functions) { return 2 + 30 + 100 * (7 - i); }
