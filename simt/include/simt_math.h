/* simt_math.h - math functions beyond the C library's: CUDA's own names, overloads for float, min and max.
 *
 * The C library's own are declared in simt_libc.h; exp(float) and the like are the C++ library's. */
#ifndef SIMT_MATH_H
#define SIMT_MATH_H
#include "device_math.h"
#include "simt_libc.h"

/* ---- min and max of every pair that CUDA has ---- */
#define SIMT_MIN_MAX(R, A, B)                                                                                          \
  SIMT_INLINE R min(A a, B b) {                                                                                        \
    const R x = static_cast<R>(a), y = static_cast<R>(b);                                                              \
    return x < y ? x : y;                                                                                              \
  }                                                                                                                    \
  SIMT_INLINE R max(A a, B b) {                                                                                        \
    const R x = static_cast<R>(a), y = static_cast<R>(b);                                                              \
    return x > y ? x : y;                                                                                              \
  }
#define SIMT_MIN_MAX_INTEGERS(T)                                                                                       \
  SIMT_MIN_MAX(T, T, T)                                                                                                \
  SIMT_MIN_MAX(unsigned T, unsigned T, unsigned T)                                                                     \
  SIMT_MIN_MAX(unsigned T, T, unsigned T)                                                                              \
  SIMT_MIN_MAX(unsigned T, unsigned T, T)
SIMT_MIN_MAX_INTEGERS(int)
SIMT_MIN_MAX_INTEGERS(long)
SIMT_MIN_MAX_INTEGERS(long long)
#undef SIMT_MIN_MAX_INTEGERS
#undef SIMT_MIN_MAX

SIMT_INLINE float min(float a, float b) { return fminf(a, b); }
SIMT_INLINE float max(float a, float b) { return fmaxf(a, b); }
SIMT_INLINE double min(double a, double b) { return fmin(a, b); }
SIMT_INLINE double max(double a, double b) { return fmax(a, b); }
SIMT_INLINE double min(float a, double b) { return fmin(static_cast<double>(a), b); }
SIMT_INLINE double max(float a, double b) { return fmax(static_cast<double>(a), b); }
SIMT_INLINE double min(double a, float b) { return fmin(a, static_cast<double>(b)); }
SIMT_INLINE double max(double a, float b) { return fmax(a, static_cast<double>(b)); }

SIMT_INLINE unsigned umin(unsigned a, unsigned b) { return min(a, b); }
SIMT_INLINE unsigned umax(unsigned a, unsigned b) { return max(a, b); }
SIMT_INLINE long long llmin(long long a, long long b) { return min(a, b); }
SIMT_INLINE long long llmax(long long a, long long b) { return max(a, b); }
SIMT_INLINE unsigned long long ullmin(unsigned long long a, unsigned long long b) { return min(a, b); }
SIMT_INLINE unsigned long long ullmax(unsigned long long a, unsigned long long b) { return max(a, b); }

/* ---- double forms and float overloads of functions that C does not have ---- */
SIMT_INLINE double rsqrt(double x) { return 1.0 / sqrt(x); }
SIMT_INLINE double rcbrt(double x) { return 1.0 / cbrt(x); }
SIMT_INLINE double rhypot(double x, double y) { return 1.0 / hypot(x, y); }
SIMT_INLINE double sinpi(double x) { return simt_sinpi(x); }
SIMT_INLINE double cospi(double x) { return simt_cospi(x); }
SIMT_INLINE double normcdf(double x) { return simt_normcdf(x); }
SIMT_INLINE double normcdfinv(double x) { return simt_normcdfinv(x); }
SIMT_INLINE double erfinv(double x) { return simt_erfinv(x); }
SIMT_INLINE double erfcinv(double x) { return simt_erfcinv(x); }
SIMT_INLINE double erfcx(double x) { return simt_erfcx(x); }

SIMT_INLINE double cyl_bessel_i0(double x) { return simt_cyl_bessel_i0(x); }
SIMT_INLINE double cyl_bessel_i1(double x) { return simt_cyl_bessel_i1(x); }
SIMT_INLINE float cyl_bessel_i0f(float x) { return static_cast<float>(simt_cyl_bessel_i0(static_cast<double>(x))); }
SIMT_INLINE float cyl_bessel_i1f(float x) { return static_cast<float>(simt_cyl_bessel_i1(static_cast<double>(x))); }

SIMT_INLINE float rsqrt(float x) { return rsqrtf(x); }
SIMT_INLINE float rcbrt(float x) { return rcbrtf(x); }
SIMT_INLINE float rhypot(float x, float y) { return rhypotf(x, y); }
SIMT_INLINE float sinpi(float x) { return sinpif(x); }
SIMT_INLINE float cospi(float x) { return cospif(x); }
SIMT_INLINE float normcdf(float x) { return normcdff(x); }
SIMT_INLINE float normcdfinv(float x) { return normcdfinvf(x); }
SIMT_INLINE float erfinv(float x) { return erfinvf(x); }
SIMT_INLINE float erfcinv(float x) { return erfcinvf(x); }
SIMT_INLINE float erfcx(float x) { return erfcxf(x); }
SIMT_INLINE float exp10(float x) { return exp10f(x); }
SIMT_INLINE void sincos(float x, float *s, float *c) { sincosf(x, s, c); }

SIMT_INLINE void sincospif(float x, float *s, float *c) {
  simt::user_store(s, sinpif(x));
  simt::user_store(c, cospif(x));
}
SIMT_INLINE void sincospi(double x, double *s, double *c) {
  simt::user_store(s, simt_sinpi(x));
  simt::user_store(c, simt_cospi(x));
}
SIMT_INLINE void sincospi(float x, float *s, float *c) { sincospif(x, s, c); }

/* By way of hypot(), which neither overflows on the way nor lets a NaN hide an infinity. */
SIMT_INLINE double norm3d(double a, double b, double c) { return hypot(hypot(a, b), c); }
SIMT_INLINE double norm4d(double a, double b, double c, double d) { return hypot(hypot(a, b), hypot(c, d)); }
SIMT_INLINE double rnorm3d(double a, double b, double c) { return 1.0 / norm3d(a, b, c); }
SIMT_INLINE double rnorm4d(double a, double b, double c, double d) { return 1.0 / norm4d(a, b, c, d); }
SIMT_INLINE float norm3df(float a, float b, float c) { return static_cast<float>(norm3d(a, b, c)); }
SIMT_INLINE float norm4df(float a, float b, float c, float d) { return static_cast<float>(norm4d(a, b, c, d)); }
SIMT_INLINE float rnorm3df(float a, float b, float c) { return static_cast<float>(rnorm3d(a, b, c)); }
SIMT_INLINE float rnorm4df(float a, float b, float c, float d) { return static_cast<float>(rnorm4d(a, b, c, d)); }

/* ---- fast intrinsics that need more than a name; the others are in device_math.h ---- */
SIMT_INLINE void __sincosf(float x, float *s, float *c) noexcept {
  simt::user_store(s, __sinf(x));
  simt::user_store(c, __cosf(x));
}

/* NaN gives 0. */
SIMT_INLINE float __saturatef(float x) {
  const float zero = 0.0f, one = 1.0f;
  const float above = x > zero ? x : zero;
  return above < one ? above : one;
}

#endif
