// fast_intrinsics.cu - the fast forms: __expf, __logf, __fdividef, __sincosf, __saturatef and others, within what is documented.
#include "feature.h"

__device__ bool near(float a, double b, double relative) { return fabs(a - b) <= relative * fabs(b); }

__global__ void right(double *out) {
  float s, c;
  __sincosf(0.5f, &s, &c);
  out[0] = near(__expf(1.5f), 4.4816890703, 1e-6) && near(__exp10f(1.0f), 10, 1e-6);
  out[1] = near(__logf(3.0f), 1.0986122887, 1e-6) && near(__log2f(3.0f), 1.5849625007, 1e-6) && near(__log10f(3.0f), 0.4771212547, 1e-6);
  out[2] = near(__fdividef(1.0f, 3.0f), 1 / 3.0, 3e-7) && near(__powf(2.0f, 0.5f), 1.4142135624, 1e-6);
  out[3] = near(s, 0.4794255386, 1e-6) && near(c, 0.8775825619, 1e-6) && near(__tanf(0.5f), 0.5463024898, 1e-6);
  out[4] = __saturatef(3.0f) + __saturatef(-1.0f) + __saturatef(0.25f);
  out[5] = near(__frsqrt_rn(4.0f), 0.5, 1e-7) && __frcp_rn(4.0f) == 0.25f && __fsqrt_rn(9.0f) == 3.0f;
  out[6] = __fmaf_rn(2.0f, 3.0f, 1.0f) + __fadd_rn(1.0f, 2.0f) + __fmul_rn(2.0f, 4.0f) + __fdiv_rn(1.0f, 4.0f);
}

RIGHT(fast_intrinsics) { right<<<1, 1>>>(out); }
EXPECTED(fast_intrinsics) {
  const double value[] = {1, 1, 1, 1, 1.25, 1, 7 + 3 + 8 + 0.25};
  return value[i];
}
