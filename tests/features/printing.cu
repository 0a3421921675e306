// printing.cu - printf in kernels: all kinds of arguments.
#include <cstdio>
#include "feature.h"

__global__ void right(double *out) {
  int n = printf("%d %u %x %c %s %5.2f|%-4d|%04d %llu %p %%\n", -1, 2u, 255, 'c', "text", 3.14159, 7, 42, 1ull << 40, (void *)nullptr);
  printf("thread %d of block %d: %e %g\n", threadIdx.x, blockIdx.x, 1.5f, 0.25);
  out[threadIdx.x] = n > 0;
}

RIGHT(printing) { right<<<1, 2>>>(out); }
EXPECTED(printing) { return 1; }
