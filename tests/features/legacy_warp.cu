// legacy_warp.cu - shuffles and votes without a mask, as before CUDA 9. nvcc 13 refuses them.
#include "feature.h"

__global__ void right(double *out) {
  int v = threadIdx.x;
  for (int offset = 16; offset > 0; offset /= 2) v += __shfl_down(v, offset);
  v = __shfl(v, 0);
  out[threadIdx.x] = v + __shfl_xor(1, 1) + __shfl_up(2, 1) + __any(threadIdx.x == 3) + __all(1) + __popc(__ballot(threadIdx.x < 5));
}

RIGHT(legacy_warp) { right<<<1, 32>>>(out); }
EXPECTED(legacy_warp) { return 496 + 1 + 2 + 1 + 1 + 5; }
