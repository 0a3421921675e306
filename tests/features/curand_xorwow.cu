// curand_xorwow.cu - cuRAND's default generator, a state a thread in global memory: set up by one kernel, used by the next.
#include <curand_kernel.h>
#include "feature.h"

__device__ curandState states[8];

__global__ void setup_kernel(unsigned long long seed) { curand_init(seed, threadIdx.x, 0, &states[threadIdx.x]); }
__global__ void right(double *out) {
  curandState local = states[threadIdx.x];
  out[threadIdx.x] = curand(&local);
  const float u = curand_uniform(&local), n = curand_normal(&local);
  out[8 + threadIdx.x] = u > 0 && u <= 1 && fabsf(n) < 6;
  states[threadIdx.x] = local;
  curandState far;
  curand_init(42, 1, 1000003, &far);
  out[16 + threadIdx.x] = curand(&far);
}
__global__ void wrong(double *out) { out[threadIdx.x] = curand(&states[threadIdx.x / 2]); } // two threads, one state

RIGHT(curand_xorwow) {
  setup_kernel<<<1, 8>>>(1234);
  right<<<1, 8>>>(out);
}
WRONG(curand_xorwow) {
  setup_kernel<<<1, 8>>>(1234);
  wrong<<<1, 8>>>(out);
}
EXPECTED(curand_xorwow) {
  const double value[] = {624778773, 3522650202, 2363946744, 1266286439, 3928747533, 3732235839, 1382638835, 3362343509};
  return i < 8 ? value[i] : i < 16 ? 1 : 1198016040;
}
