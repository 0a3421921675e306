/* simt_integer.h - integer intrinsics: counting, permuting, funnel shifts, wide products, averages, dot products. */
#ifndef SIMT_INTEGER_H
#define SIMT_INTEGER_H
#include "vector_types.h"
#include "simt_engine.h"

/* ---- bits ---- */
SIMT_INLINE int __popc(unsigned v) { return __builtin_popcount(v); }
SIMT_INLINE int __popcll(unsigned long long v) { return __builtin_popcountll(v); }
SIMT_INLINE int __clz(int v) { return v ? __builtin_clz(static_cast<unsigned>(v)) : 32; }
SIMT_INLINE int __clzll(long long v) { return v ? __builtin_clzll(static_cast<unsigned long long>(v)) : 64; }
SIMT_INLINE int __ffs(int v) { return __builtin_ffs(v); }
SIMT_INLINE int __ffsll(long long v) { return __builtin_ffsll(v); }
SIMT_INLINE unsigned __brev(unsigned v) { return __builtin_bitreverse32(v); }
SIMT_INLINE unsigned long long __brevll(unsigned long long v) { return __builtin_bitreverse64(v); }

/* Position of the n-th set bit counted from bit `base`, upwards for n > 0, downwards for n < 0, base itself for n = 0;
 * ~0 if there is none: PTX ISA, fns. */
SIMT_INLINE unsigned __fns(unsigned mask, unsigned base, int n) {
  const int step = n < 0 ? -1 : 1;
  int left = n == 0 ? 1 : n * step;
  const int last = n == 0 ? static_cast<int>(base) : (n < 0 ? 0 : 31);
  for (int i = static_cast<int>(base); i >= 0 && i < 32; i += step) {
    left -= static_cast<int>(mask >> i & 1);
    if (left == 0) return static_cast<unsigned>(i);
    if (i == last) break;
  }
  return 0xffffffffu;
}

/* Byte i of the result is the byte of y:x (x the lower four) that nibble i of s names; its top bit is ignored. */
SIMT_INLINE unsigned __byte_perm(unsigned x, unsigned y, unsigned s) {
  const uint64_t bytes = static_cast<uint64_t>(y) << 32 | x;
  return static_cast<unsigned>((bytes >> 8 * (s & 7)) & 0xff) |
         static_cast<unsigned>((bytes >> 8 * (s >> 4 & 7)) & 0xff) << 8 |
         static_cast<unsigned>((bytes >> 8 * (s >> 8 & 7)) & 0xff) << 16 |
         static_cast<unsigned>((bytes >> 8 * (s >> 12 & 7)) & 0xff) << 24;
}

/* hi:lo shifted; the plain forms take the shift modulo 32, the clamped ones (c) at most 32. */
SIMT_INLINE unsigned __funnelshift_l(unsigned lo, unsigned hi, unsigned shift) {
  return static_cast<unsigned>((static_cast<uint64_t>(hi) << 32 | lo) << (shift & 31) >> 32);
}
SIMT_INLINE unsigned __funnelshift_r(unsigned lo, unsigned hi, unsigned shift) {
  return static_cast<unsigned>((static_cast<uint64_t>(hi) << 32 | lo) >> (shift & 31));
}
SIMT_INLINE unsigned __funnelshift_lc(unsigned lo, unsigned hi, unsigned shift) {
  return shift < 32 ? __funnelshift_l(lo, hi, shift) : lo;
}
SIMT_INLINE unsigned __funnelshift_rc(unsigned lo, unsigned hi, unsigned shift) {
  return shift < 32 ? __funnelshift_r(lo, hi, shift) : hi;
}

/* ---- products ---- */
SIMT_INLINE int __mul24(int a, int b) { /* of the low 24 bits, signed; the low 32 bits of it */
  const int64_t x = static_cast<int>(static_cast<unsigned>(a) << 8) >> 8;
  const int64_t y = static_cast<int>(static_cast<unsigned>(b) << 8) >> 8;
  return static_cast<int>(static_cast<unsigned>(x * y));
}
SIMT_INLINE unsigned __umul24(unsigned a, unsigned b) {
  return static_cast<unsigned>(static_cast<uint64_t>(a & 0xffffffu) * (b & 0xffffffu));
}
SIMT_INLINE int __mulhi(int a, int b) { return static_cast<int>(static_cast<int64_t>(a) * b >> 32); }
SIMT_INLINE unsigned __umulhi(unsigned a, unsigned b) {
  return static_cast<unsigned>(static_cast<uint64_t>(a) * b >> 32);
}
SIMT_INLINE long long __mul64hi(long long a, long long b) {
  return static_cast<long long>(static_cast<__int128>(a) * b >> 64);
}
SIMT_INLINE unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  return static_cast<unsigned long long>(static_cast<unsigned __int128>(a) * b >> 64);
}

/* ---- sums of differences, averages ---- */
SIMT_INLINE unsigned __usad(unsigned a, unsigned b, unsigned c) { return (a > b ? a - b : b - a) + c; }
SIMT_INLINE unsigned __sad(int a, int b, unsigned c) {
  const unsigned x = static_cast<unsigned>(a), y = static_cast<unsigned>(b);
  return (a > b ? x - y : y - x) + c;
}
SIMT_INLINE int __hadd(int a, int b) { return static_cast<int>((static_cast<int64_t>(a) + b) >> 1); }
SIMT_INLINE int __rhadd(int a, int b) { return static_cast<int>((static_cast<int64_t>(a) + b + 1) >> 1); }
SIMT_INLINE unsigned __uhadd(unsigned a, unsigned b) {
  return static_cast<unsigned>((static_cast<uint64_t>(a) + b) >> 1);
}
SIMT_INLINE unsigned __urhadd(unsigned a, unsigned b) {
  return static_cast<unsigned>((static_cast<uint64_t>(a) + b + 1) >> 1);
}

/* ---- dot products of packed bytes; the sum wraps ---- */
namespace simt {

template <class Lane> SIMT_INLINE unsigned lane_of(unsigned v, int i, int bits) {
  return static_cast<unsigned>(static_cast<int>(static_cast<Lane>(v >> i * bits)));
}

template <class Lane> SIMT_INLINE unsigned dot4(unsigned a, unsigned b, unsigned sum) {
  for (int i = 0; i < 4; i++) sum += lane_of<Lane>(a, i, 8) * lane_of<Lane>(b, i, 8);
  return sum;
}

/* Two 16-bit lanes of a with two bytes of b, from byte `first` on. */
template <class Wide, class Lane> SIMT_INLINE unsigned dot2(unsigned a, unsigned b, unsigned sum, int first) {
  for (int i = 0; i < 2; i++) sum += lane_of<Wide>(a, i, 16) * lane_of<Lane>(b, first + i, 8);
  return sum;
}

template <class V> SIMT_INLINE unsigned packed(V v) { return __builtin_bit_cast(unsigned, v); }

} // namespace simt

SIMT_INLINE int __dp4a(int a, int b, int c) {
  return static_cast<int>(simt::dot4<signed char>(simt::packed(a), simt::packed(b), simt::packed(c)));
}
SIMT_INLINE unsigned __dp4a(unsigned a, unsigned b, unsigned c) { return simt::dot4<unsigned char>(a, b, c); }
SIMT_INLINE int __dp4a(char4 a, char4 b, int c) {
  return static_cast<int>(simt::dot4<signed char>(simt::packed(a), simt::packed(b), simt::packed(c)));
}
SIMT_INLINE unsigned __dp4a(uchar4 a, uchar4 b, unsigned c) {
  return simt::dot4<unsigned char>(simt::packed(a), simt::packed(b), c);
}

#define SIMT_DP2A(name, first)                                                                                         \
  SIMT_INLINE int name(int a, int b, int c) {                                                                          \
    return static_cast<int>(simt::dot2<short, signed char>(simt::packed(a), simt::packed(b), simt::packed(c), first)); \
  }                                                                                                                    \
  SIMT_INLINE unsigned name(unsigned a, unsigned b, unsigned c) {                                                      \
    return simt::dot2<unsigned short, unsigned char>(a, b, c, first);                                                  \
  }                                                                                                                    \
  SIMT_INLINE int name(short2 a, char4 b, int c) {                                                                     \
    return static_cast<int>(simt::dot2<short, signed char>(simt::packed(a), simt::packed(b), simt::packed(c), first)); \
  }                                                                                                                    \
  SIMT_INLINE unsigned name(ushort2 a, uchar4 b, unsigned c) {                                                         \
    return simt::dot2<unsigned short, unsigned char>(simt::packed(a), simt::packed(b), c, first);                      \
  }
SIMT_DP2A(__dp2a_lo, 0)
SIMT_DP2A(__dp2a_hi, 2)
#undef SIMT_DP2A

#endif
