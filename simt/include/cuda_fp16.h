/* cuda_fp16.h - half precision: conversions, arithmetic, comparisons and math functions of __half and __half2.
 *
 * Results are those of device_half.h, to nearest even unless the name says otherwise, subnormals kept. Products are not contracted with
 * sums. A NaN that is computed is 0x7fff.
 *
 * Math functions, hrsqrt and hrcp among them, are documented to give the result "in round-to-nearest-even mode" (CUDA Math API, Half
 * Math Functions): here it is the exact one rounded once, for each of the 65,536 halves (tests/test_half.c). Devices compute them through
 * approximate float instructions whose rounded results may be the other neighbour where the exact one is close to a middle; that is
 * not modelled. htanh_approx is documented to be off by 2^-10.987 at most; it is taken as htanh. */
#ifndef SIMT_CUDA_FP16_H
#define SIMT_CUDA_FP16_H
#include "cuda_runtime.h"
#include "simt_half.h"

/* ---- parts and bits ---- */
SIMT_INLINE unsigned short __half_as_ushort(const __half h) { return simt::bits_of(h); }
SIMT_INLINE short __half_as_short(const __half h) { return static_cast<short>(simt::bits_of(h)); }
SIMT_INLINE __half __ushort_as_half(const unsigned short bits) { return simt::half_with(bits); }
SIMT_INLINE __half __short_as_half(const short bits) { return simt::half_with(static_cast<unsigned short>(bits)); }
SIMT_INLINE __half2 __halves2half2(const __half a, const __half b) { return __half2(a, b); }
SIMT_INLINE __half2 make_half2(const __half a, const __half b) { return __half2(a, b); }
SIMT_INLINE __half2 __half2half2(const __half a) { return __half2(a, a); }
SIMT_INLINE __half __low2half(const __half2 a) { return a.x; }
SIMT_INLINE __half __high2half(const __half2 a) { return a.y; }
SIMT_INLINE __half2 __low2half2(const __half2 a) { return __half2(a.x, a.x); }
SIMT_INLINE __half2 __high2half2(const __half2 a) { return __half2(a.y, a.y); }
SIMT_INLINE __half2 __lows2half2(const __half2 a, const __half2 b) { return __half2(a.x, b.x); }
SIMT_INLINE __half2 __highs2half2(const __half2 a, const __half2 b) { return __half2(a.y, b.y); }
SIMT_INLINE __half2 __lowhigh2highlow(const __half2 a) { return __half2(a.y, a.x); }

#define CUDART_INF_FP16 __ushort_as_half(0x7c00)
#define CUDART_NAN_FP16 __ushort_as_half(0x7fff)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half(0x0001)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half(0x7bff)
#define CUDART_NEG_ZERO_FP16 __ushort_as_half(0x8000)
#define CUDART_ZERO_FP16 __ushort_as_half(0x0000)
#define CUDART_ONE_FP16 __ushort_as_half(0x3c00)

/* ---- conversions ---- */
SIMT_INLINE float __half2float(const __half h) { return simt::half_value(simt::bits_of(h)); }
SIMT_INLINE float __low2float(const __half2 a) { return __half2float(a.x); }
SIMT_INLINE float __high2float(const __half2 a) { return __half2float(a.y); }
SIMT_INLINE float2 __half22float2(const __half2 a) { return make_float2(__half2float(a.x), __half2float(a.y)); }

/* Every integer of 53 bits is a double, and larger ones are beyond all halves, as the doubles next to them are. */
#define SIMT_HALF_FROM(name, T)                                                                                        \
  SIMT_INLINE __half name##_rn(const T v) { return simt::half_of(static_cast<double>(v)); }                            \
  SIMT_INLINE __half name##_rz(const T v) {                                                                            \
    return simt::half_with(simt_half_of(SIMT_TOWARD_ZERO, static_cast<double>(v)));                                    \
  }                                                                                                                    \
  SIMT_INLINE __half name##_ru(const T v) {                                                                            \
    return simt::half_with(simt_half_of(SIMT_UPWARD, static_cast<double>(v)));                                         \
  }                                                                                                                    \
  SIMT_INLINE __half name##_rd(const T v) {                                                                            \
    return simt::half_with(simt_half_of(SIMT_DOWNWARD, static_cast<double>(v)));                                       \
  }
SIMT_HALF_FROM(__float2half, float)
SIMT_HALF_FROM(__short2half, short)
SIMT_HALF_FROM(__ushort2half, unsigned short)
SIMT_HALF_FROM(__int2half, int)
SIMT_HALF_FROM(__uint2half, unsigned)
SIMT_HALF_FROM(__ll2half, long long)
SIMT_HALF_FROM(__ull2half, unsigned long long)
#undef SIMT_HALF_FROM
SIMT_INLINE __half __float2half(const float v) { return simt::half_of(static_cast<double>(v)); }
SIMT_INLINE __half __double2half(const double v) { return simt::half_of(v); }
SIMT_INLINE __half2 __float2half2_rn(const float v) { return __half2half2(__float2half(v)); }
SIMT_INLINE __half2 __floats2half2_rn(const float a, const float b) { return __half2(__float2half(a), __float2half(b)); }
SIMT_INLINE __half2 __float22half2_rn(const float2 v) { return __floats2half2_rn(v.x, v.y); }

#define SIMT_HALF_TO(T, name, through)                                                                                 \
  SIMT_INLINE T __half2##name##_rn(const __half h) { return __float2##through##_rn(__half2float(h)); }                 \
  SIMT_INLINE T __half2##name##_rz(const __half h) { return __float2##through##_rz(__half2float(h)); }                 \
  SIMT_INLINE T __half2##name##_ru(const __half h) { return __float2##through##_ru(__half2float(h)); }                 \
  SIMT_INLINE T __half2##name##_rd(const __half h) { return __float2##through##_rd(__half2float(h)); }
SIMT_HALF_TO(int, int, int)
SIMT_HALF_TO(unsigned, uint, uint)
SIMT_HALF_TO(long long, ll, ll)
SIMT_HALF_TO(unsigned long long, ull, ull)
#undef SIMT_HALF_TO
#define SIMT_HALF_TO_SHORT(T, name, dir)                                                                               \
  SIMT_INLINE T __half2##name##_##dir(const __half h) {                                                                \
    return simt::narrow_int<T>(__float2int_##dir(__half2float(h)));                                                    \
  }
SIMT_HALF_TO_SHORT(short, short, rn)
SIMT_HALF_TO_SHORT(short, short, rz)
SIMT_HALF_TO_SHORT(short, short, ru)
SIMT_HALF_TO_SHORT(short, short, rd)
SIMT_HALF_TO_SHORT(unsigned short, ushort, rn)
SIMT_HALF_TO_SHORT(unsigned short, ushort, rz)
SIMT_HALF_TO_SHORT(unsigned short, ushort, ru)
SIMT_HALF_TO_SHORT(unsigned short, ushort, rd)
SIMT_HALF_TO_SHORT(signed char, char, rz)
SIMT_HALF_TO_SHORT(unsigned char, uchar, rz)
#undef SIMT_HALF_TO_SHORT

/* ---- one operation on a half, and on both of a pair ---- */
#define SIMT_PAIR1(name2, name)                                                                                        \
  SIMT_INLINE __half2 name2(const __half2 a) { return __half2(name(a.x), name(a.y)); }
#define SIMT_PAIR2(name2, name)                                                                                        \
  SIMT_INLINE __half2 name2(const __half2 a, const __half2 b) { return __half2(name(a.x, b.x), name(a.y, b.y)); }
#define SIMT_PAIR3(name2, name)                                                                                        \
  SIMT_INLINE __half2 name2(const __half2 a, const __half2 b, const __half2 c) {                                       \
    return __half2(name(a.x, b.x, c.x), name(a.y, b.y, c.y));                                                          \
  }

namespace simt {

/* Into 0 .. 1; a NaN becomes 0. */
SIMT_INLINE __half saturated(const __half h) {
  const double v = value_of(h);
  return v > 0 ? v < 1 ? h : half_of(1) : half_of(0);
}

} // namespace simt

#define SIMT_HALF_ARITH(name, name2, sign)                                                                             \
  SIMT_INLINE __half name(const __half a, const __half b) {                                                            \
    return simt::half_of(simt::value_of(a) sign simt::value_of(b));                                                    \
  }                                                                                                                    \
  SIMT_PAIR2(name2, name)
#define SIMT_HALF_ARITH_MORE(name, name2, sign)                                                                        \
  SIMT_HALF_ARITH(name, name2, sign)                                                                                   \
  SIMT_HALF_ARITH(name##_rn, name2##_rn, sign)                                                                         \
  SIMT_INLINE __half name##_sat(const __half a, const __half b) { return simt::saturated(name(a, b)); }                \
  SIMT_PAIR2(name2##_sat, name##_sat)
SIMT_HALF_ARITH_MORE(__hadd, __hadd2, +)
SIMT_HALF_ARITH_MORE(__hsub, __hsub2, -)
SIMT_HALF_ARITH_MORE(__hmul, __hmul2, *)
SIMT_HALF_ARITH(__hdiv, __h2div, /)
#undef SIMT_HALF_ARITH
#undef SIMT_HALF_ARITH_MORE

SIMT_INLINE __half __hfma(const __half a, const __half b, const __half c) {
  return simt::half_of(simt::value_of(a) * simt::value_of(b) + simt::value_of(c));
}
SIMT_INLINE __half __hfma_sat(const __half a, const __half b, const __half c) { return simt::saturated(__hfma(a, b, c)); }
SIMT_INLINE __half __hfma_relu(const __half a, const __half b, const __half c) {
  const __half r = __hfma(a, b, c);
  return simt::value_of(r) <= 0 ? simt::half_of(0) : r;
}
SIMT_PAIR3(__hfma2, __hfma)
SIMT_PAIR3(__hfma2_sat, __hfma_sat)
SIMT_PAIR3(__hfma2_relu, __hfma_relu)

/* c + a * b of complex numbers (x + iy), as four fused operations in this order: CUDA Math API, __hcmadd. */
SIMT_INLINE __half2 __hcmadd(const __half2 a, const __half2 b, const __half2 c) {
  const __half re = __hfma(a.x, b.x, c.x), im = __hfma(a.x, b.y, c.y);
  return __half2(__hfma(simt::half_of(-simt::value_of(a.y)), b.y, re), __hfma(a.y, b.x, im));
}

SIMT_INLINE __half __hneg(const __half a) { return simt::half_of(-simt::value_of(a)); }
SIMT_INLINE __half __habs(const __half a) { return simt::half_of(__builtin_fabs(simt::value_of(a))); }
SIMT_PAIR1(__hneg2, __hneg)
SIMT_PAIR1(__habs2, __habs)

/* A number wins over a NaN, but not in the forms _nan; +0 is above -0. */
#define SIMT_HALF_EXTREMUM(name, name2, f)                                                                             \
  SIMT_INLINE __half name(const __half a, const __half b) {                                                            \
    return simt::half_of(f(simt::value_of(a), simt::value_of(b)));                                                     \
  }                                                                                                                    \
  SIMT_INLINE __half name##_nan(const __half a, const __half b) {                                                      \
    const double x = simt::value_of(a), y = simt::value_of(b);                                                         \
    return simt::half_of(x != x ? x : y != y ? y : f(x, y));                                                           \
  }                                                                                                                    \
  SIMT_PAIR2(name2, name)                                                                                              \
  SIMT_PAIR2(name2##_nan, name##_nan)
SIMT_HALF_EXTREMUM(__hmax, __hmax2, fmax)
SIMT_HALF_EXTREMUM(__hmin, __hmin2, fmin)
#undef SIMT_HALF_EXTREMUM

/* ---- comparisons: those with a u also hold when an operand is a NaN ---- */
#define SIMT_HALF_COMPARE1(suffix, is)                                                                                 \
  SIMT_INLINE bool __h##suffix(const __half a, const __half b) {                                                       \
    const double x = simt::value_of(a), y = simt::value_of(b);                                                         \
    return is;                                                                                                         \
  }                                                                                                                    \
  SIMT_INLINE __half2 __h##suffix##2(const __half2 a, const __half2 b) {                                               \
    return __half2(simt::half_of(__h##suffix(a.x, b.x)), simt::half_of(__h##suffix(a.y, b.y)));                        \
  }                                                                                                                    \
  SIMT_INLINE unsigned __h##suffix##2_mask(const __half2 a, const __half2 b) {                                         \
    return (__h##suffix(a.x, b.x) ? 0xffffu : 0u) | (__h##suffix(a.y, b.y) ? 0xffff0000u : 0u);                        \
  }                                                                                                                    \
  SIMT_INLINE bool __hb##suffix##2(const __half2 a, const __half2 b) {                                                 \
    return __h##suffix(a.x, b.x) && __h##suffix(a.y, b.y);                                                             \
  }
#define SIMT_HALF_COMPARE(suffix, op)                                                                                  \
  SIMT_HALF_COMPARE1(suffix, x op y && x == x && y == y)                                                               \
  SIMT_HALF_COMPARE1(suffix##u, x op y || x != x || y != y)
SIMT_HALF_COMPARE(eq, ==)
SIMT_HALF_COMPARE(ne, !=)
SIMT_HALF_COMPARE(lt, <)
SIMT_HALF_COMPARE(le, <=)
SIMT_HALF_COMPARE(gt, >)
SIMT_HALF_COMPARE(ge, >=)
#undef SIMT_HALF_COMPARE
#undef SIMT_HALF_COMPARE1

SIMT_INLINE bool __hisnan(const __half a) { return (simt::bits_of(a) & 0x7fff) > 0x7c00; }
SIMT_INLINE __half2 __hisnan2(const __half2 a) {
  return __half2(simt::half_of(__hisnan(a.x)), simt::half_of(__hisnan(a.y)));
}
SIMT_INLINE int __hisinf(const __half a) {
  return simt::bits_of(a) == 0x7c00 ? 1 : simt::bits_of(a) == 0xfc00 ? -1 : 0;
}

/* ---- math functions ---- */
#define SIMT_HALF_MATH(f, of_x)                                                                                        \
  SIMT_INLINE __half h##f(const __half h) {                                                                            \
    const double x = simt::value_of(h);                                                                                \
    return simt::half_of(of_x);                                                                                        \
  }                                                                                                                    \
  SIMT_PAIR1(h2##f, h##f)
SIMT_HALF_MATH(sqrt, sqrt(x))
SIMT_HALF_MATH(rsqrt, 1 / sqrt(x))
SIMT_HALF_MATH(rcp, 1 / x)
SIMT_HALF_MATH(exp, exp(x))
SIMT_HALF_MATH(exp2, exp2(x))
SIMT_HALF_MATH(exp10, exp10(x))
SIMT_HALF_MATH(log, log(x))
SIMT_HALF_MATH(log2, log2(x))
SIMT_HALF_MATH(log10, log10(x))
SIMT_HALF_MATH(sin, sin(x))
SIMT_HALF_MATH(cos, cos(x))
SIMT_HALF_MATH(tanh, tanh(x))
SIMT_HALF_MATH(tanh_approx, tanh(x))
SIMT_HALF_MATH(ceil, ceil(x))
SIMT_HALF_MATH(floor, floor(x))
SIMT_HALF_MATH(trunc, trunc(x))
SIMT_HALF_MATH(rint, rint(x))
#undef SIMT_HALF_MATH
#undef SIMT_PAIR1
#undef SIMT_PAIR2
#undef SIMT_PAIR3

/* ---- shuffles ---- */
namespace simt {

SIMT_INLINE unsigned lane_word(const __half h) { return bits_of(h); }
SIMT_INLINE unsigned lane_word(const __half2 v) { return __builtin_bit_cast(unsigned, static_cast<__half2_raw>(v)); }
SIMT_INLINE void from_lane_word(unsigned w, __half *to) { *to = half_with(static_cast<unsigned short>(w)); }
SIMT_INLINE void from_lane_word(unsigned w, __half2 *to) { *to = __half2(__builtin_bit_cast(__half2_raw, w)); }

} // namespace simt

#define SIMT_HALF_SHUFFLE1(name, T, Arg)                                                                               \
  SIMT_INLINE T name##_sync(const unsigned mask, const T v, const Arg arg, const int width = 32) {                     \
    T result;                                                                                                          \
    simt::from_lane_word(name##_sync(mask, simt::lane_word(v), arg, width), &result);                                  \
    return result;                                                                                                     \
  }                                                                                                                    \
  SIMT_INLINE T name(const T v, const Arg arg, const int width = 32) {                                                 \
    T result;                                                                                                          \
    simt::from_lane_word(name(simt::lane_word(v), arg, width), &result);                                               \
    return result;                                                                                                     \
  }
#define SIMT_HALF_SHUFFLE(T)                                                                                           \
  SIMT_HALF_SHUFFLE1(__shfl, T, int)                                                                                   \
  SIMT_HALF_SHUFFLE1(__shfl_up, T, unsigned)                                                                           \
  SIMT_HALF_SHUFFLE1(__shfl_down, T, unsigned)                                                                         \
  SIMT_HALF_SHUFFLE1(__shfl_xor, T, int)
SIMT_HALF_SHUFFLE(__half)
SIMT_HALF_SHUFFLE(__half2)
#undef SIMT_HALF_SHUFFLE
#undef SIMT_HALF_SHUFFLE1

/* ---- atomics: a pair is two accesses, each atomic by itself (PTX ISA, Packed Data-types; CUDA C++ Programming Guide, atomicAdd), at an
 * address for both ---- */
SIMT_INLINE __half atomicAdd(__half *p, const __half v) {
  __half *q = simt::atomic_target(p, SIMT_SCOPE_DEVICE);
  const __half old = *q;
  *q = __hadd(old, v);
  return old;
}
SIMT_INLINE __half2 atomicAdd(__half2 *p, const __half2 v) {
  if (reinterpret_cast<uintptr_t>(p) % alignof(__half2)) { /* one access, which is refused; the halves go on behind it */
    __half2 *q = simt::atomic_target(p, SIMT_SCOPE_DEVICE);
    const __half2 old = *q;
    *q = __hadd2(old, v);
    return old;
  }
  const __half low = atomicAdd(&p->x, v.x), high = atomicAdd(&p->y, v.y);
  return __half2(low, high);
}

#endif
