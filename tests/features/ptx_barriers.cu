// ptx_barriers.cu - inline PTX: barriers with a number, for some warps of a block; those who produce only arrive.
#include "feature.h"

template <bool Waits> __global__ void hand_over(double *out) {
  __shared__ int values[2][32];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  if (warp < 2) {
    for (int k = 0; k < 4; k++) {
      asm volatile("bar.sync %0, %1;" ::"r"(1 + warp), "r"(64) : "memory"); // the place is free
      values[warp][lane] = 100 * k + lane;
      asm volatile("bar.arrive %0, 64;" ::"r"(3 + warp) : "memory");
    }
  } else if (warp < 4) {
    const int from = warp - 2;
    double sum = 0;
    for (int k = 0; k < 4; k++) {
      asm volatile("bar.arrive %0, %1;" ::"r"(1 + from), "n"(64) : "memory");
      if (Waits) asm volatile("barrier.sync %0, 64;" ::"r"(3 + from) : "memory");
      sum += values[from][31 - lane];
    }
    out[32 * from + lane] = sum;
  }
}

RIGHT(ptx_barriers) { hand_over<true><<<1, 160>>>(out); }
WRONG(ptx_barriers) { hand_over<false><<<1, 160>>>(out); }
EXPECTED(ptx_barriers) { return 600 + 4 * (31 - i % 32); }
