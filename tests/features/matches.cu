// matches.cu - __match_any_sync and __match_all_sync, of all types.
#include "feature.h"

__global__ void right(double *out) {
  const int lane = threadIdx.x;
  int same = 0, unlike = 0;
  const unsigned peers = __match_any_sync(0xffffffff, lane % 4);
  __match_all_sync(0xffffffff, 7.0f, &same);
  __match_all_sync(0xffffffff, (unsigned long long)lane, &unlike);
  out[lane] = peers + 1e10 * (same != 0) + 1e11 * (unlike != 0);
}

RIGHT(matches) { right<<<1, 32>>>(out); }
EXPECTED(matches) { return double(0x11111111u << i % 4) + 1e10; }
