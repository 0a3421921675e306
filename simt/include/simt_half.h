/* simt_half.h - the classes __half and __half2, their conversions and operators.
 *
 * An operand may lie in device memory and is taken by reference, so that the load or store is in this file: the instrumenter
 * counts the accesses written here as the user's. Same members and overloads as CUDA's, so that what is ambiguous there is so
 * here. */
#ifndef SIMT_HALF_H
#define SIMT_HALF_H
#include "device_half.h"
#include "simt_convert.h"
#include "vector_functions.h"

typedef struct __attribute__((aligned(2))) {
  unsigned short x;
} __half_raw;
typedef struct __attribute__((aligned(4))) {
  unsigned short x, y;
} __half2_raw;

struct __half;

namespace simt {
/* What an integer conversion promises: the nearest integer in the given direction, the nearest of the type where it has none. */
template <class I> SIMT_INLINE I narrow_int(int v) {
  const int low = static_cast<I>(-1) < 0 ? -(1 << (8 * sizeof(I) - 1)) : 0, high = low + (1 << 8 * sizeof(I)) - 1;
  return static_cast<I>(v < low ? low : v > high ? high : v);
}
SIMT_INLINE float half_value(unsigned short bits) { return static_cast<float>(simt_half_value(bits)); }
SIMT_INLINE unsigned short half_bits(double v) { return simt_half_of(SIMT_TO_NEAREST, v); }
} // namespace simt

struct __attribute__((aligned(2))) __half {
protected:
  unsigned short __x;

public:
  __half() = default;
  SIMT_INLINE constexpr __half(const __half_raw &r) : __x(r.x) {}
  SIMT_INLINE __half &operator=(const __half_raw &r) { __x = r.x; return *this; }
  SIMT_INLINE volatile __half &operator=(const __half_raw &r) volatile { __x = r.x; return *this; }
  SIMT_INLINE volatile __half &operator=(const volatile __half_raw &r) volatile { __x = r.x; return *this; }
  SIMT_INLINE operator __half_raw() const { return __half_raw{__x}; }
  SIMT_INLINE operator __half_raw() const volatile { return __half_raw{__x}; }

#ifndef __CUDA_NO_HALF_CONVERSIONS__
#define SIMT_FROM(T)                                                                                                   \
  SIMT_INLINE __half(const T v) : __x(simt::half_bits(static_cast<double>(v))) {}                                      \
  SIMT_INLINE __half &operator=(const T v) { __x = simt::half_bits(static_cast<double>(v)); return *this; }
#define SIMT_TO(T, through)                                                                                            \
  SIMT_INLINE operator T() const { return through(simt::half_value(__x)); }
  SIMT_FROM(float)
  SIMT_FROM(double)
  SIMT_FROM(short)
  SIMT_FROM(unsigned short)
  SIMT_FROM(int)
  SIMT_FROM(unsigned)
  SIMT_FROM(long long)
  SIMT_FROM(unsigned long long)
  SIMT_INLINE __half(const long v) : __x(simt::half_bits(static_cast<double>(v))) {}
  SIMT_INLINE __half(const unsigned long v) : __x(simt::half_bits(static_cast<double>(v))) {}
  SIMT_TO(float, )
  SIMT_TO(int, __float2int_rz)
  SIMT_TO(unsigned, __float2uint_rz)
  SIMT_TO(long, __float2ll_rz)
  SIMT_TO(unsigned long, __float2ull_rz)
  SIMT_TO(long long, __float2ll_rz)
  SIMT_TO(unsigned long long, __float2ull_rz)
#undef SIMT_FROM
#undef SIMT_TO
#define SIMT_TO(T)                                                                                                     \
  SIMT_INLINE operator T() const { return simt::narrow_int<T>(__float2int_rz(simt::half_value(__x))); }
  SIMT_TO(signed char)
  SIMT_TO(unsigned char)
  SIMT_TO(char)
  SIMT_TO(short)
  SIMT_TO(unsigned short)
#undef SIMT_TO
  SIMT_INLINE constexpr operator bool() const { return (__x & 0x7fff) != 0; }
#endif
};

typedef __half half;
typedef __half __nv_half;
typedef __half nv_half;

struct __attribute__((aligned(4))) __half2 {
  __half x, y;

  __half2() = default;
  SIMT_INLINE constexpr __half2(const __half &a, const __half &b) : x(a), y(b) {}
  SIMT_INLINE __half2(const __half2_raw &r) : x(__half_raw{r.x}), y(__half_raw{r.y}) {}
  SIMT_INLINE __half2 &operator=(const __half2_raw &r) { return *this = __half2(r); }
  SIMT_INLINE operator __half2_raw() const {
    return __half2_raw{static_cast<__half_raw>(x).x, static_cast<__half_raw>(y).x};
  }
};

typedef __half2 half2;
typedef __half2 __nv_half2;
typedef __half2 nv_half2;
static_assert(sizeof(__half) == 2 && alignof(__half) == 2 && sizeof(__half2) == 4 && alignof(__half2) == 4, "as on a device");

namespace simt {

SIMT_INLINE unsigned short bits_of(const __half &h) { return static_cast<__half_raw>(h).x; }
SIMT_INLINE __half half_with(unsigned short bits) { return __half(__half_raw{bits}); }
SIMT_INLINE double value_of(const __half &h) { return simt_half_value(bits_of(h)); }
SIMT_INLINE __half half_of(double v) { return half_with(half_bits(v)); }

/* A copy, loaded once as a whole: the two halves of a vector in memory are one access. */
SIMT_INLINE __half2 load_half2(const __half2 &v) {
  __half2 copy = v;
  return copy;
}

} // namespace simt

/* ---- operators: arithmetic to nearest; comparisons with a NaN are false, but for != ---- */
#define SIMT_OPERATOR(op)                                                                                              \
  SIMT_INLINE __half operator op(const __half &a, const __half &b) {                                                   \
    return simt::half_of(simt::value_of(a) op simt::value_of(b));                                                      \
  }                                                                                                                    \
  SIMT_INLINE __half &operator op##=(__half &a, const __half &b) { return a = a op b; }
#define SIMT_COMPARE(op)                                                                                               \
  SIMT_INLINE bool operator op(const __half &a, const __half &b) { return simt::value_of(a) op simt::value_of(b); }
#define SIMT_OPERATOR2(op)                                                                                             \
  SIMT_INLINE __half2 operator op(const __half2 &a, const __half2 &b) {                                                \
    const __half2 p = simt::load_half2(a), q = simt::load_half2(b);                                                    \
    return __half2(simt::half_of(simt::value_of(p.x) op simt::value_of(q.x)),                                          \
                   simt::half_of(simt::value_of(p.y) op simt::value_of(q.y)));                                         \
  }                                                                                                                    \
  SIMT_INLINE __half2 &operator op##=(__half2 &a, const __half2 &b) { return a = a op b; }
#define SIMT_COMPARE2(op)                                                                                              \
  SIMT_INLINE bool operator op(const __half2 &a, const __half2 &b) {                                                   \
    const __half2 p = simt::load_half2(a), q = simt::load_half2(b);                                                    \
    return simt::value_of(p.x) op simt::value_of(q.x) && simt::value_of(p.y) op simt::value_of(q.y);                   \
  }

#if !defined(__CUDA_NO_HALF_OPERATORS__)
SIMT_OPERATOR(+)
SIMT_OPERATOR(-)
SIMT_OPERATOR(*)
SIMT_OPERATOR(/)
SIMT_COMPARE(==)
SIMT_COMPARE(!=)
SIMT_COMPARE(<)
SIMT_COMPARE(<=)
SIMT_COMPARE(>)
SIMT_COMPARE(>=)
SIMT_INLINE __half operator+(const __half &a) { return a; }
SIMT_INLINE __half operator-(const __half &a) { return simt::half_of(-simt::value_of(a)); }
SIMT_INLINE __half &operator++(__half &a) { return a = simt::half_of(simt::value_of(a) + 1); }
SIMT_INLINE __half &operator--(__half &a) { return a = simt::half_of(simt::value_of(a) - 1); }
SIMT_INLINE __half operator++(__half &a, int) {
  const __half before = a;
  ++a;
  return before;
}
SIMT_INLINE __half operator--(__half &a, int) {
  const __half before = a;
  --a;
  return before;
}
#endif

#if !defined(__CUDA_NO_HALF2_OPERATORS__)
SIMT_OPERATOR2(+)
SIMT_OPERATOR2(-)
SIMT_OPERATOR2(*)
SIMT_OPERATOR2(/)
SIMT_COMPARE2(==)
SIMT_COMPARE2(!=)
SIMT_COMPARE2(<)
SIMT_COMPARE2(<=)
SIMT_COMPARE2(>)
SIMT_COMPARE2(>=)
SIMT_INLINE __half2 operator+(const __half2 &a) { return a; }
SIMT_INLINE __half2 operator-(const __half2 &a) {
  const __half2 p = simt::load_half2(a);
  return __half2(simt::half_of(-simt::value_of(p.x)), simt::half_of(-simt::value_of(p.y)));
}
SIMT_INLINE __half2 &operator++(__half2 &a) { return a = a + __half2(simt::half_of(1), simt::half_of(1)); }
SIMT_INLINE __half2 &operator--(__half2 &a) { return a = a - __half2(simt::half_of(1), simt::half_of(1)); }
SIMT_INLINE __half2 operator++(__half2 &a, int) {
  const __half2 before = a;
  ++a;
  return before;
}
SIMT_INLINE __half2 operator--(__half2 &a, int) {
  const __half2 before = a;
  --a;
  return before;
}
#endif
#undef SIMT_OPERATOR
#undef SIMT_OPERATOR2
#undef SIMT_COMPARE
#undef SIMT_COMPARE2

#endif
