// cg_copy.cu - cooperative groups: memcpy_async of a block into shared memory, and the wait for it.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include "feature.h"
namespace cg = cooperative_groups;

__device__ float numbers[256];

__global__ void fill() { numbers[threadIdx.x] = threadIdx.x; }

template <bool Waits> __global__ void reversed(double *out) {
  __shared__ float tile[64];
  auto block = cg::this_thread_block();
  for (int k = 0; k < 4; k++) {
    cg::memcpy_async(block, tile, numbers + 64 * k, sizeof tile);
    if (Waits) cg::wait(block);
    else block.sync(); // which waits for no copy
    out[64 * k + threadIdx.x] = tile[63 - threadIdx.x];
    block.sync();
  }
}

RIGHT(cg_copy) {
  fill<<<1, 256>>>();
  reversed<true><<<1, 64>>>(out);
}
WRONG(cg_copy) { reversed<false><<<1, 64>>>(out); }
EXPECTED(cg_copy) { return 64 * (i / 64) + 63 - i % 64; }
