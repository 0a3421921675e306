// fp8.cu - cuda_fp8.h: E4M3 and E5M2, conversions as classes and as functions, in twos and fours.
#include <cuda_fp8.h>
#include "feature.h"

__global__ void right(double *out, float scale) {
  const __nv_fp8_e4m3 a(1.0625f * scale), big(1000.0f), small(0.001f);
  out[0] = float(a);
  out[1] = float(big) + float(__nv_fp8_e5m2(1e6f));
  out[2] = float(small) * 512;
  out[3] = __nv_cvt_float_to_fp8(-0.3f, __NV_SATFINITE, __NV_E4M3);
  out[4] = __nv_cvt_float_to_fp8(1e6f, __NV_NOSAT, __NV_E5M2);
  out[5] = __half2float(__half(__nv_cvt_fp8_to_halfraw(0x39, __NV_E4M3)));
  const __nv_fp8x4_e4m3 four(make_float4(1, -2, 0.5f, 448));
  const float4 back = float4(four);
  out[6] = back.x + back.y + back.z + back.w;
  const __nv_fp8x2_e4m3 two(make_float2(3, 5));
  out[7] = two.__x + sizeof(four);
}

RIGHT(fp8) { right<<<1, 1>>>(out, 1.0f); }
EXPECTED(fp8) {
  const double value[] = {1, 448 + 57344, 1, 0xaa, 0x7c, 1.125, 447.5, 0x4a44 + 4};
  return value[i];
}
