// video.cu - the SIMD video intrinsics: sums, saturation, comparisons, differences of bytes and of 16-bit halves of a word.
#include "feature.h"

__global__ void right(double *out, unsigned a, unsigned b) { // bytes, from the top: 0x7f 0xff 0x01 0x80 and 0x01 0x02 0x03 0x80
  out[0] = __vadd4(a, b);
  out[1] = __vaddus4(a, b);
  out[2] = __vaddss4(a, b);
  out[3] = __vsub4(a, b);
  out[4] = __vcmpgtu4(a, b);
  out[5] = __vcmpgts4(a, b);
  out[6] = __vabsdiffu4(a, b);
  out[7] = __vsadu4(a, b) + 1000.0 * __vsads4(a, b);
  out[8] = __vmaxu4(a, b);
  out[9] = __vmins4(a, b);
  out[10] = __vavgu4(a, b);
  out[11] = __vadd2(a, b);
  out[12] = __vaddss2(a, b);
  out[13] = __vseteq4(a, b) + 4294967296.0 * __vnegss4(a);
  out[14] = __vabsss2(0x8000ffffu);
}

RIGHT(video) { right<<<1, 1>>>(out, 0x7fff0180, 0x01020380); }
EXPECTED(video) {
  const double value[] = {0x80010400,          0x80ff04ff, 0x7f010480, 0x7efdfe00, 0xffff0000, 0xff000000, 0x7efd0200,
                          381 + 1000.0 * 131,  0x7fff0380, 0x01ff0180, 0x40810280, 0x81010500, 0x7fff0500,
                          1 + 4294967296.0 * 0x8101ff7f, 0x7fff0001};
  return value[i];
}
