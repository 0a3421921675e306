// assertions.cu - assert and __trap in device code.
#include <cassert>
#include "feature.h"

__global__ void right(double *out, int n) {
  assert(n > 0 && "a positive number");
  if (n > 100) __trap();
  out[threadIdx.x] = n;
}

RIGHT(assertions) { right<<<1, 4>>>(out, 5); }
WRONG(assertions) { right<<<1, 4>>>(out, 101); }
EXPECTED(assertions) { return 5; }
