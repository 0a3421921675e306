// clocks.cu - clock, clock64, __nanosleep: time goes on.
#include "feature.h"

__global__ void right(double *out) {
  const clock_t a = clock();
  const long long b = clock64();
  float v = 1;
  for (int k = 0; k < 100; k++) v = v * 0.5f + 1;
  __nanosleep(100);
  out[threadIdx.x] = (clock() >= a) + 2 * (clock64() > b) + 4 * (v > 1);
}

RIGHT(clocks) { right<<<1, 4>>>(out); }
EXPECTED(clocks) { return 7; }
