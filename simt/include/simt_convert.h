/* simt_convert.h - conversions with their rounding in the name, and bits seen as another type. */
#ifndef SIMT_CONVERT_H
#define SIMT_CONVERT_H
#include "simt_math.h"

/* ---- the same bits ---- */
#define SIMT_BITS_AS(name, To, From)                                                                                   \
  SIMT_INLINE To name(From v) { return __builtin_bit_cast(To, v); }
SIMT_BITS_AS(__float_as_int, int, float)
SIMT_BITS_AS(__float_as_uint, unsigned, float)
SIMT_BITS_AS(__int_as_float, float, int)
SIMT_BITS_AS(__uint_as_float, float, unsigned)
SIMT_BITS_AS(__double_as_longlong, long long, double)
SIMT_BITS_AS(__longlong_as_double, double, long long)
#undef SIMT_BITS_AS

SIMT_INLINE int __double2hiint(double v) { return static_cast<int>(__double_as_longlong(v) >> 32); }
SIMT_INLINE int __double2loint(double v) { return static_cast<int>(static_cast<unsigned>(__double_as_longlong(v))); }
SIMT_INLINE double __hiloint2double(int hi, int lo) {
  const uint64_t high = static_cast<unsigned>(hi), low = static_cast<unsigned>(lo);
  return __builtin_bit_cast(double, high << 32 | low);
}

/* ---- floating point to integer ---- */
namespace simt {

template <class I> struct IntRange; /* end: 2^digits, the first value too large */
template <> struct IntRange<int> {
  static constexpr double begin = -0x1p31, end = 0x1p31;
  static constexpr int smallest = INT_MIN, largest = INT_MAX;
};
template <> struct IntRange<unsigned> {
  static constexpr double begin = 0, end = 0x1p32;
  static constexpr unsigned smallest = 0, largest = UINT_MAX;
};
template <> struct IntRange<long long> {
  static constexpr double begin = -0x1p63, end = 0x1p63;
  static constexpr long long smallest = LLONG_MIN, largest = LLONG_MAX;
};
template <> struct IntRange<unsigned long long> {
  static constexpr double begin = 0, end = 0x1p64;
  static constexpr unsigned long long smallest = 0, largest = ULLONG_MAX;
};

/* The whole number v as an integer; out of range saturates. NaN gives 0 from float to 32 bits, otherwise only the highest
 * bit set: PTX ISA, cvt, "Integer Notes". */
template <class I, class F> SIMT_INLINE I saturate(F v) {
  typedef IntRange<I> Range;
  if (v != v) return sizeof(F) == 4 && sizeof(I) == 4 ? I(0) : static_cast<I>(1ull << (8 * sizeof(I) - 1));
  if (v < static_cast<F>(Range::begin)) return Range::smallest;
  if (v >= static_cast<F>(Range::end)) return Range::largest;
  return static_cast<I>(v);
}

} // namespace simt

#define SIMT_TO_INT(name, I, F, f)                                                                                     \
  SIMT_INLINE I name##_rn(F v) { return simt::saturate<I>(rint##f(v)); }                                               \
  SIMT_INLINE I name##_rz(F v) { return simt::saturate<I>(trunc##f(v)); }                                              \
  SIMT_INLINE I name##_ru(F v) { return simt::saturate<I>(ceil##f(v)); }                                               \
  SIMT_INLINE I name##_rd(F v) { return simt::saturate<I>(floor##f(v)); }
SIMT_TO_INT(__float2int, int, float, f)
SIMT_TO_INT(__float2uint, unsigned, float, f)
SIMT_TO_INT(__float2ll, long long, float, f)
SIMT_TO_INT(__float2ull, unsigned long long, float, f)
SIMT_TO_INT(__double2int, int, double, )
SIMT_TO_INT(__double2uint, unsigned, double, )
SIMT_TO_INT(__double2ll, long long, double, )
SIMT_TO_INT(__double2ull, unsigned long long, double, )
#undef SIMT_TO_INT

/* ---- to floating point ---- */
#define SIMT_TO_FLOAT(name, F, width, From)                                                                            \
  SIMT_INLINE F name##_rn(From v) { return static_cast<F>(v); }                                                        \
  SIMT_INLINE F name##_rz(From v) { return simt_narrow_##width(SIMT_TOWARD_ZERO, v); }                                 \
  SIMT_INLINE F name##_ru(From v) { return simt_narrow_##width(SIMT_UPWARD, v); }                                      \
  SIMT_INLINE F name##_rd(From v) { return simt_narrow_##width(SIMT_DOWNWARD, v); }
SIMT_TO_FLOAT(__int2float, float, f32, int)
SIMT_TO_FLOAT(__uint2float, float, f32, unsigned)
SIMT_TO_FLOAT(__ll2float, float, f32, long long)
SIMT_TO_FLOAT(__ull2float, float, f32, unsigned long long)
SIMT_TO_FLOAT(__double2float, float, f32, double)
SIMT_TO_FLOAT(__ll2double, double, f64, long long)
SIMT_TO_FLOAT(__ull2double, double, f64, unsigned long long)
#undef SIMT_TO_FLOAT

SIMT_INLINE double __int2double_rn(int v) { return v; }
SIMT_INLINE double __uint2double_rn(unsigned v) { return v; }

/* ---- addresses: there is one space ---- */
SIMT_INLINE size_t __cvta_generic_to_global(const void *p) { return reinterpret_cast<size_t>(p); }
/* Where it lies in the window of shared memory of the block: 32 bits. */
SIMT_INLINE size_t __cvta_generic_to_shared(const void *p) {
  char *window = simt_shared_window();
  return window ? static_cast<uint32_t>(reinterpret_cast<size_t>(p) - reinterpret_cast<size_t>(window)) : reinterpret_cast<size_t>(p);
}
SIMT_INLINE size_t __cvta_generic_to_local(const void *p) { return reinterpret_cast<size_t>(p); }
SIMT_INLINE size_t __cvta_generic_to_constant(const void *p) { return reinterpret_cast<size_t>(p); }
SIMT_INLINE void *__cvta_global_to_generic(size_t p) { return reinterpret_cast<void *>(p); }
SIMT_INLINE void *__cvta_shared_to_generic(size_t p) { return simt_shared_window() + p; }
SIMT_INLINE unsigned __isShared(const void *p) { return (reinterpret_cast<size_t>(p) - reinterpret_cast<size_t>(simt_shared_window())) >> 32 == 0; }

#endif
