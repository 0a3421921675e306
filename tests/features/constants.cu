// constants.cu - __constant__ arrays and structs with initialisers, and as variable templates.
#include "feature.h"

struct Filter {
  float weight[5];
  int radius;
};

__constant__ float table[4] = {1, 2, 4, 8};
__constant__ Filter filter = {{1, 4, 6, 4, 1}, 2};
template <typename T> __constant__ T powers[4] = {1, 10, 100, 1000};

__global__ void right(double *out) {
  float s = 0;
#pragma unroll
  for (int k = -filter.radius; k <= filter.radius; k++) s += filter.weight[k + filter.radius];
  out[threadIdx.x] = table[threadIdx.x] + s + powers<int>[threadIdx.x] + powers<double>[1];
}
__global__ void wrong(double *out) { out[threadIdx.x] = table[threadIdx.x + 1]; }

RIGHT(constants) { right<<<1, 4>>>(out); }
WRONG(constants) { wrong<<<1, 4>>>(out); }
EXPECTED(constants) {
  const double power[] = {1, 10, 100, 1000};
  return (1 << i) + 16 + power[i] + 10;
}
