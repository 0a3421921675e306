// fp4.cu - cuda_fp4.h: E2M1, alone and in pairs.
#include <cuda_fp4.h>
#include "feature.h"

__global__ void right(double *out, float one) {
  out[0] = float(__nv_fp4_e2m1(2.4f * one)) + float(__nv_fp4_e2m1(-100.0f)) + float(__nv_fp4_e2m1(0.3f));
  out[1] = __nv_cvt_float_to_fp4(5.5f * one, __NV_E2M1, cudaRoundNearest);
  const __nv_fp4x2_e2m1 two(make_float2(1.5f, -3));
  out[2] = two.__x;
}

RIGHT(fp4) { right<<<1, 1>>>(out, 1.0f); }
EXPECTED(fp4) {
  const double value[] = {2 - 6 + 0.5, 7, 0xd3};
  return value[i];
}
