// complex_numbers.cu - cuComplex.h: complex numbers in kernels, float and double.
#include <cuComplex.h>
#include "feature.h"

__global__ void powers(double *out, int n) {
  const int i = threadIdx.x;
  cuDoubleComplex z = make_cuDoubleComplex(1, 0);
  for (int k = 0; k < i; k++) z = cuCmul(z, make_cuDoubleComplex(0, 2));
  if (i < n) out[i] = cuCreal(z) + cuCimag(cuConj(z)) / 4;
}

__global__ void rest(double *out) {
  const cuFloatComplex a = make_cuComplex(3, 4), b = make_cuFloatComplex(0, 2);
  const cuFloatComplex q = cuCdivf(a, b), s = cuCsubf(cuCaddf(a, b), cuCfmaf(a, b, b));
  out[0] = cuCabsf(a) + cuCrealf(q) + cuCimagf(q);
  out[1] = cuCreal(cuComplexFloatToDouble(s)) + s.y;
}

RIGHT(complex_numbers) {
  powers<<<1, 32>>>(out, 6);
  rest<<<1, 1>>>(out + 6);
}
WRONG(complex_numbers) { powers<<<1, 32>>>(out, 9); }
EXPECTED(complex_numbers) {
  const double all[] = {1, -0.5, -4, 2, 16, -8, 5 + 2 - 1.5, 11 - 2};
  return all[i];
}
