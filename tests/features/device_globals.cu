// device_globals.cu - __device__ variables: counters, arrays, structs; a kernel that leaves something for the next one.
#include "feature.h"

struct State {
  int steps;
  float x[8];
};
__device__ State state = {3, {0, 1, 2, 3, 4, 5, 6, 7}};
__device__ unsigned int counter = 0;
static __device__ int history[2][8];

__global__ void step() {
  state.x[threadIdx.x] *= 2;
  history[0][threadIdx.x] = atomicInc(&counter, 100) < 100;
  if (threadIdx.x == 0) state.steps++;
}
__global__ void tell(double *out) { out[threadIdx.x] = state.x[threadIdx.x] + 100 * state.steps + 1000 * history[0][threadIdx.x]; }
__global__ void wrong(double *out) {
  if (threadIdx.x == 0) state.steps = blockIdx.x;
  out[threadIdx.x] = state.steps;
}

RIGHT(device_globals) {
  step<<<1, 8>>>();
  step<<<1, 8>>>();
  tell<<<1, 8>>>(out);
}
WRONG(device_globals) { wrong<<<2, 8>>>(out); }
EXPECTED(device_globals) { return 4 * i + 500 + 1000; }
