/* simt_float16.h - what the two 16-bit formats share. */
#ifndef SIMT_FLOAT16_H
#define SIMT_FLOAT16_H
#include "device_half.h"
#include "simt_convert.h"
#include "vector_functions.h"

#define SIMT_CAT3(a, b, c) SIMT_CAT3_(a, b, c)
#define SIMT_CAT3_(a, b, c) a##b##c

namespace simt {

/* What an integer conversion promises: the nearest integer in the given direction, the nearest of the type where it has none. */
template <class I> SIMT_INLINE I narrow_int(int v) {
  const int low = static_cast<I>(-1) < 0 ? -(1 << (8 * sizeof(I) - 1)) : 0, high = low + (1 << 8 * sizeof(I)) - 1;
  return static_cast<I>(v < low ? low : v > high ? high : v);
}

/* As a double that rounds to 16 bits as v does, in every direction: of an integer too long for a double, the bits that a double does not
 * hold become a single one. */
template <class T> SIMT_INLINE double exact(T v) { return static_cast<double>(v); }
SIMT_INLINE double exact(unsigned long long v) {
  return static_cast<double>(v >> 53 ? (v & ~0xfffull) | static_cast<unsigned long long>((v & 0xfff) != 0) << 12 : v);
}
SIMT_INLINE double exact(long long v) {
  return v < 0 ? -exact(0ull - static_cast<unsigned long long>(v)) : exact(static_cast<unsigned long long>(v));
}
SIMT_INLINE double exact(unsigned long v) { return exact(static_cast<unsigned long long>(v)); }
SIMT_INLINE double exact(long v) { return exact(static_cast<long long>(v)); }

} // namespace simt

#endif
