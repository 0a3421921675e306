// casts.cu - conversions with their rounding, and the bits of one type as another.
#include "feature.h"

__global__ void right(double *out, float v) {
  out[0] = __float2int_rn(v) + 10 * __float2int_rz(v) + 100 * __float2int_ru(v) + 1000 * __float2int_rd(v);
  out[1] = __float2uint_rn(3.7f) + double(__float2ll_rn(1e12f)) + __double2int_rn(2.5) + __double2float_rn(0.1);
  out[2] = double(__int2float_rn(16777217)) + __uint2float_ru(16777217u) + __ll2float_rz(16777217ll);
  out[3] = 1.0 * __float_as_int(1.0f) + __uint_as_float(0x40000000u) + __int_as_float(0x3f800000);
  out[4] = __longlong_as_double(0x4000000000000000ll) + __double2hiint(2.0) + __double2loint(2.0) + __hiloint2double(0x40080000, 0);
  out[5] = (int)(v * 1e20f); // saturates
  out[6] = (unsigned char)(int)(v * 120); // does not
  out[7] = static_cast<int>(-2.9f) + (int)(unsigned char)v + __float2int_rn(NAN);
}

RIGHT(casts) { right<<<1, 1>>>(out, 2.5f); }
EXPECTED(casts) {
  const double value[] = {2 + 20 + 300 + 2000, 4 + 999999995904.0 + 2 + 0.1f, 16777216.0 + 16777218 + 16777216,
                          1065353216.0 + 3, 2 + 1073741824.0 + 0 + 3, 2147483647, 44, 0};
  return value[i];
}
