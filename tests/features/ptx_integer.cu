// ptx_integer.cu - inline PTX: integers, fields of bits, permutations, packing.
#include "feature.h"

__device__ __forceinline__ unsigned bfe(unsigned v, unsigned from, unsigned len) {
  unsigned ret;
  asm("bfe.u32 %0, %1, %2, %3;" : "=r"(ret) : "r"(v), "r"(from), "r"(len));
  return ret;
}

__global__ void right(double *out, unsigned v) {
  unsigned a, b, c, d;
  unsigned long long wide;
  int high;
  asm("add.u32 %0, %1, 5;\n\tmul.lo.u32 %0, %0, %1;" : "=r"(a) : "r"(v));
  asm("prmt.b32 %0, %1, %2, 0x5410;" : "=r"(b) : "r"(0x22221111), "r"(0x44443333));
  asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(c) : "r"(1), "r"(3), "r"(4)); // xor of three
  asm("bfi.b32 %0, %1, %2, 4, 8;" : "=r"(d) : "r"(0xab), "r"(0xf000000f));
  asm("mad.wide.u32 %0, %1, %2, %3;" : "=l"(wide) : "r"(1u << 31), "r"(4u), "l"(1ull));
  asm("mov.b64 {%0, %1}, %2;" : "=r"(a), "=r"(high) : "l"((unsigned long long)a << 32 | 9));
  asm("mov.b64 %0, {%1, %2};" : "=l"(wide) : "r"((unsigned)(wide >> 32)), "r"(a));
  out[0] = high, out[1] = b, out[2] = c, out[3] = d, out[4] = double(wide), out[5] = bfe(0xabcd, 4, 8);
}

RIGHT(ptx_integer) { right<<<1, 1>>>(out, 3); }
EXPECTED(ptx_integer) {
  const double value[] = {24, 0x33331111, 6, 0xf0000abf, 9 * 4294967296.0 + 2, 0xbc};
  return value[i];
}
