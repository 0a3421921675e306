/* simt_libc.h - the C library's functions that mean something else in a kernel. Comes before every system header.
 *
 * A declaration with an assembler label, ahead of the C library's own, makes every use of the name - expf(x), ::expf,
 * std::exp(float), a pointer to it, glibc's __expf - refer to the engine's function. Macros would do that to members,
 * parameters and variables of the same name as well. Host code of the file gets the same functions, with the same values. */
#ifndef SIMT_LIBC_H
#define SIMT_LIBC_H
#include "simt_user_access.h"

#define SIMT_AS(symbol) __asm__(#symbol)

extern "C" {

/* float functions: device_math.h has them as simt_*. */
#define SIMT_MATH1(f) float f(float) noexcept SIMT_AS(simt_##f) __attribute__((const));
#define SIMT_MATH2(f) float f(float, float) noexcept SIMT_AS(simt_##f) __attribute__((const));
#define SIMT_FAST1(f) float __##f(float) noexcept SIMT_AS(simt_fast_##f) __attribute__((const));
#define SIMT_FAST2(f) float __##f(float, float) noexcept SIMT_AS(simt_fast_##f) __attribute__((const));
#include "device_math.def"
#undef SIMT_MATH1
#undef SIMT_MATH2
#undef SIMT_FAST1
#undef SIMT_FAST2

int printf(const char *, ...) SIMT_AS(simt_op_printf);
[[noreturn]] void exit(int) noexcept SIMT_AS(simt_op_exit);

/* Defined below, to be inlined. */
#define SIMT_INLINE_AS(name) noexcept SIMT_AS(simt_inline_##name)
SIMT_INLINE float fmaxf(float, float) SIMT_INLINE_AS(fmaxf);
SIMT_INLINE float fminf(float, float) SIMT_INLINE_AS(fminf);
SIMT_INLINE double fmax(double, double) SIMT_INLINE_AS(fmax);
SIMT_INLINE double fmin(double, double) SIMT_INLINE_AS(fmin);
SIMT_INLINE void sincosf(float, float *, float *) SIMT_INLINE_AS(sincosf);
SIMT_INLINE void sincos(double, double *, double *) SIMT_INLINE_AS(sincos);
SIMT_INLINE float frexpf(float, int *) SIMT_INLINE_AS(frexpf);
SIMT_INLINE double frexp(double, int *) SIMT_INLINE_AS(frexp);
SIMT_INLINE float modff(float, float *) SIMT_INLINE_AS(modff);
SIMT_INLINE double modf(double, double *) SIMT_INLINE_AS(modf);
SIMT_INLINE float remquof(float, float, int *) SIMT_INLINE_AS(remquof);
SIMT_INLINE double remquo(double, double, int *) SIMT_INLINE_AS(remquo);
SIMT_INLINE long clock() SIMT_INLINE_AS(clock); /* long: clock_t of x86-64 Linux */
[[noreturn]] SIMT_INLINE void __assert_fail(const char *, const char *, unsigned, const char *)
    SIMT_INLINE_AS(assert_fail); /* what assert() calls */
#undef SIMT_INLINE_AS

} /* extern "C" */

/* The C++ library's std::exp(float) and others go to the compiler's builtins, which know no label. */
#define __builtin_acosf ::acosf
#define __builtin_acoshf ::acoshf
#define __builtin_asinf ::asinf
#define __builtin_asinhf ::asinhf
#define __builtin_atan2f ::atan2f
#define __builtin_atanf ::atanf
#define __builtin_atanhf ::atanhf
#define __builtin_cbrtf ::cbrtf
#define __builtin_cosf ::cosf
#define __builtin_coshf ::coshf
#define __builtin_erfcf ::erfcf
#define __builtin_erff ::erff
#define __builtin_exp2f ::exp2f
#define __builtin_expf ::expf
#define __builtin_expm1f ::expm1f
#define __builtin_fmaxf ::fmaxf
#define __builtin_fminf ::fminf
#define __builtin_frexpf ::frexpf
#define __builtin_hypotf ::hypotf
#define __builtin_log10f ::log10f
#define __builtin_log1pf ::log1pf
#define __builtin_log2f ::log2f
#define __builtin_logf ::logf
#define __builtin_modff ::modff
#define __builtin_powf ::powf
#define __builtin_remquof ::remquof
#define __builtin_sinf ::sinf
#define __builtin_sinhf ::sinhf
#define __builtin_tanf ::tanf
#define __builtin_tanhf ::tanhf

#include <cassert>
#include <cfloat>
#include <climits>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <math.h>   /* exp(float) and others of the C++ library in the global namespace */
#include <stdlib.h> /* abs(float), too */

#undef __builtin_acosf
#undef __builtin_acoshf
#undef __builtin_asinf
#undef __builtin_asinhf
#undef __builtin_atan2f
#undef __builtin_atanf
#undef __builtin_atanhf
#undef __builtin_cbrtf
#undef __builtin_cosf
#undef __builtin_coshf
#undef __builtin_erfcf
#undef __builtin_erff
#undef __builtin_exp2f
#undef __builtin_expf
#undef __builtin_expm1f
#undef __builtin_fmaxf
#undef __builtin_fminf
#undef __builtin_frexpf
#undef __builtin_hypotf
#undef __builtin_log10f
#undef __builtin_log1pf
#undef __builtin_log2f
#undef __builtin_logf
#undef __builtin_modff
#undef __builtin_powf
#undef __builtin_remquof
#undef __builtin_sinf
#undef __builtin_sinhf
#undef __builtin_tanf
#undef __builtin_tanhf

/* Maximum and minimum as PTX has them: the number when one operand is NaN; +0 is above -0. `a > b ? a : b` is b when they
 * are equal, the mirrored form a; for equal operands their bits differ in the sign of a zero at most. */
#define SIMT_EXTREMUM(name, T, Bits, compare, merge)                                                                   \
  extern "C" SIMT_INLINE T name(T a, T b) noexcept {                                                                   \
    if (__builtin_expect(__builtin_isunordered(a, b), 0)) return a == a ? a : b;                                       \
    const T p = a compare b ? a : b;                                                                                   \
    const T q = b compare a ? b : a;                                                                                   \
    return __builtin_bit_cast(T, __builtin_bit_cast(Bits, p) merge __builtin_bit_cast(Bits, q));                       \
  }
SIMT_EXTREMUM(fmaxf, float, uint32_t, >, &)
SIMT_EXTREMUM(fminf, float, uint32_t, <, |)
SIMT_EXTREMUM(fmax, double, uint64_t, >, &)
SIMT_EXTREMUM(fmin, double, uint64_t, <, |)
#undef SIMT_EXTREMUM

/* Results through pointers are stores of the user. */
extern "C" SIMT_INLINE void sincosf(float x, float *s, float *c) noexcept {
  simt::user_store(s, sinf(x));
  simt::user_store(c, cosf(x));
}
extern "C" SIMT_INLINE void sincos(double x, double *s, double *c) noexcept {
  simt::user_store(s, sin(x));
  simt::user_store(c, cos(x));
}
#define SIMT_THROUGH_POINTER(name, T, Out)                                                                             \
  extern "C" SIMT_INLINE T name(T x, Out *out) noexcept {                                                              \
    Out local;                                                                                                         \
    const T r = __builtin_##name(x, &local);                                                                           \
    simt::user_store(out, local);                                                                                      \
    return r;                                                                                                          \
  }
SIMT_THROUGH_POINTER(frexpf, float, int)
SIMT_THROUGH_POINTER(frexp, double, int)
SIMT_THROUGH_POINTER(modff, float, float)
SIMT_THROUGH_POINTER(modf, double, double)
#undef SIMT_THROUGH_POINTER
#define SIMT_REMQUO(name, T)                                                                                           \
  extern "C" SIMT_INLINE T name(T x, T y, int *out) noexcept {                                                         \
    int local;                                                                                                         \
    const T r = __builtin_##name(x, y, &local);                                                                        \
    simt::user_store(out, local);                                                                                      \
    return r;                                                                                                          \
  }
SIMT_REMQUO(remquof, float)
SIMT_REMQUO(remquo, double)
#undef SIMT_REMQUO

extern "C" SIMT_INLINE long clock() noexcept { return static_cast<long>(simt_op_clock(nullptr)); }
extern "C" SIMT_INLINE void __assert_fail(const char *expr, const char *, unsigned, const char *) noexcept {
  simt_op_assert(expr, nullptr);
}
#undef SIMT_AS

#endif
