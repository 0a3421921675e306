/* vector_functions.h - make_float4() and its kin. */
#ifndef SIMT_VECTOR_FUNCTIONS_H
#define SIMT_VECTOR_FUNCTIONS_H
#include "vector_types.h"

#ifdef __cplusplus
#define SIMT_MAKE_FN inline __attribute__((always_inline, nothrow)) constexpr
#define SIMT_VALUE(type, ...) type{__VA_ARGS__}
#else
#define SIMT_MAKE_FN static inline
#define SIMT_VALUE(type, ...) ((type){__VA_ARGS__})
#endif
#define SIMT_MAKE4(name, T)                                                                                            \
  SIMT_MAKE_FN name make_##name(T x, T y, T z, T w) { return SIMT_VALUE(name, x, y, z, w); }
#define SIMT_MAKE(name, T)                                                                                             \
  SIMT_MAKE_FN name##1 make_##name##1(T x) { return SIMT_VALUE(name##1, x); }                                          \
  SIMT_MAKE_FN name##2 make_##name##2(T x, T y) { return SIMT_VALUE(name##2, x, y); }                                  \
  SIMT_MAKE_FN name##3 make_##name##3(T x, T y, T z) { return SIMT_VALUE(name##3, x, y, z); }                          \
  SIMT_MAKE4(name##4, T)

SIMT_MAKE(char, signed char)
SIMT_MAKE(uchar, unsigned char)
SIMT_MAKE(short, short)
SIMT_MAKE(ushort, unsigned short)
SIMT_MAKE(int, int)
SIMT_MAKE(uint, unsigned)
SIMT_MAKE(long, long)
SIMT_MAKE(ulong, unsigned long)
SIMT_MAKE(longlong, long long)
SIMT_MAKE(ulonglong, unsigned long long)
SIMT_MAKE(float, float)
SIMT_MAKE(double, double)

SIMT_MAKE4(long4_16a, long)
SIMT_MAKE4(long4_32a, long)
SIMT_MAKE4(ulong4_16a, unsigned long)
SIMT_MAKE4(ulong4_32a, unsigned long)
SIMT_MAKE4(longlong4_16a, long long)
SIMT_MAKE4(longlong4_32a, long long)
SIMT_MAKE4(ulonglong4_16a, unsigned long long)
SIMT_MAKE4(ulonglong4_32a, unsigned long long)
SIMT_MAKE4(double4_16a, double)
SIMT_MAKE4(double4_32a, double)

#undef SIMT_MAKE
#undef SIMT_MAKE4
#undef SIMT_MAKE_FN
#undef SIMT_VALUE

#endif
