// warp_reduces.cu - __reduce_add_sync and the others.
#include "feature.h"

__global__ void right(double *out) {
  const unsigned full = 0xffffffff, lane = threadIdx.x;
  out[lane] = __reduce_add_sync(full, lane) + 1000.0 * __reduce_min_sync(full, int(lane) - 5) + 1e5 * __reduce_max_sync(full, lane) +
              1e7 * __reduce_or_sync(full, lane) + 1e9 * __reduce_and_sync(full, lane | 1) + 1e10 * __reduce_xor_sync(full, lane);
}
__global__ void wrong(double *out) {
  if (threadIdx.x < 8) out[threadIdx.x] = __reduce_add_sync(0xffff, 1);
  else out[threadIdx.x] = 0;
  __syncwarp();
}

RIGHT(warp_reduces) { right<<<1, 32>>>(out); }
WRONG(warp_reduces) { wrong<<<1, 32>>>(out); }
EXPECTED(warp_reduces) { return 496 - 5000 + 1e5 * 31 + 1e7 * 31 + 1e9; }
