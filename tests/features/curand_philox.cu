// curand_philox.cu - cuRAND's device functions, Philox4x32-10: the numbers of a sequence, dropout.
#include <curand_kernel.h>
#include "feature.h"

template <bool Own> __global__ void right(double *out) {
  __shared__ curandStatePhilox4_32_10_t all;
  curandStatePhilox4_32_10_t mine;
  curandStatePhilox4_32_10_t *state = Own ? &mine : &all;
  curand_init(1234, threadIdx.x, 0, state);
  if (threadIdx.x == 0) {
    out[0] = curand(state), out[1] = curand(state), out[2] = curand(state);
    curand_init(0x123456789abcdefULL, (1ull << 33) + 3, 7, state);
    out[3] = curand(state), out[4] = curand(state);
    curand_init(7, 3, 2, state);
    const uint4 r = curand4(state);
    out[5] = r.x, out[6] = r.w;
    const float4 u = curand_uniform4(state), n = curand_normal4(state);
    out[7] = u.x, out[8] = fabsf(n.z + 0.723898f) < 1e-5f;
  }
  curand_init(42, threadIdx.x, 0, state);
  const int kept = __syncthreads_count(curand_uniform(state) > 0.5f);
  if (threadIdx.x == 0) out[9] = kept > 90 && kept < 166;
}

RIGHT(curand_philox) { right<true><<<1, 256>>>(out); }
WRONG(curand_philox) { right<false><<<1, 256>>>(out); } // one state for all
EXPECTED(curand_philox) {
  const double value[] = {546353992, 3665621163, 1140953199, 768861882, 3126971221, 698849000, 1975137240, 0x1.2403ap-4, 1, 1};
  return value[i];
}
