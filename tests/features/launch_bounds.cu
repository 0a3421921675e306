// launch_bounds.cu - __launch_bounds__, in front of the name and behind __global__: more threads than it says are refused.
#include "feature.h"

__global__ void __launch_bounds__(64) right(double *out) { out[threadIdx.x] = blockDim.x; }
template <int N> __launch_bounds__(N, 2) __global__ void twice(double *out) { out[threadIdx.x] += N; }

RIGHT(launch_bounds) {
  right<<<1, 64>>>(out);
  twice<128><<<1, 64>>>(out);
}
WRONG(launch_bounds) { right<<<1, 128>>>(out); }
EXPECTED(launch_bounds) { return 64 + 128; }
