// bits.cu - counting, finding and permuting bits; products of 24 bits; dot products of bytes.
#include "feature.h"

__global__ void right(double *out, unsigned v) {
  out[0] = __popc(v) + 100 * __clz(v) + 10000 * __ffs(v);
  out[1] = __popcll(~0ull) + 100 * __clzll(1ll << 40) + 10000 * __ffsll(1ll << 50);
  out[2] = __brev(1u) + double(__brevll(2ull));
  out[3] = __byte_perm(0x03020100, 0x07060504, 0x7531);
  out[4] = __mul24(-3, 5) + __umul24(1u << 20, 3u) + __mulhi(1 << 30, 8) + __umulhi(1u << 31, 4u);
  out[5] = __dp4a(0x01020304, 0x01010101, 5) + __dp4a(0x04030201u, 0x02020202u, 0u);
  out[6] = __dp2a_lo(0x00020003, 0x0605, 1) + __funnelshift_l(0x80000000u, 1u, 1) + __funnelshift_r(0u, 1u, 4);
  out[7] = __sad(-3, 4, 10u) + __usad(9u, 2u, 1u) + __hadd(3, 6) + __rhadd(3, 6) + __fns(0xf0u, 0, 2);
  out[8] = double(__mul64hi(1ll << 62, 8)) + double(__umul64hi(1ull << 63, 4));
}

RIGHT(bits) { right<<<1, 1>>>(out, 0x00f0); }
EXPECTED(bits) {
  const double value[] = {4 + 2400 + 50000, 64 + 2300 + 510000, 2147483648.0 + 4611686018427387904.0, 0x07050301,
                          -15 + 3145728 + 2 + 2, 15 + 20, 1 + 3 * 5 + 2 * 6 + 3 + 0x10000000, 17 + 8 + 4 + 5 + 5, 2 + 2};
  return value[i];
}
