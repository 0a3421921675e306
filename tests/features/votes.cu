// votes.cu - ballot, any, all and activemask: compaction of a warp.
#include "feature.h"

__global__ void right(double *out) {
  const unsigned lane = threadIdx.x, full = 0xffffffffu;
  const unsigned set = __ballot_sync(full, lane % 3 == 0);
  const int any = __any_sync(full, lane == 31), all = __all_sync(full, lane < 31);
  if (lane % 3 == 0) out[__popc(set & ((1u << lane) - 1))] = lane + 100 * any + 1000 * all;
  if (lane >= 11 && lane < 20) {
    const unsigned mask = __activemask();
    out[lane] = (mask >> lane & 1) && __ballot_sync(mask, 1) == mask;
  }
}

__global__ void wrong(double *out) {
  if (threadIdx.x != 4) out[threadIdx.x % 20] = __ballot_sync(0xffffffffu, threadIdx.x % 2);
  else out[4] = __ballot_sync(0x3, 1);
}

RIGHT(votes) { right<<<1, 32>>>(out); }
WRONG(votes) { wrong<<<1, 20>>>(out); }
EXPECTED(votes) { return i < 11 ? 3 * i + 100 : 1; }
