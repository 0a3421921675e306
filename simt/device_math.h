/* device_math.h - the arithmetic of kernels, the same bits on every x86-64 CPU.
 *
 * simt_expf() and the other float functions are computed in double precision and rounded once. expf, exp2f, exp10f, logf,
 * log2f and log10f are evaluated by fixed sequences of IEEE operations (device_explog.c); the others take the C library's
 * double function and, where its last bits decide the rounding, the long double one, because the library picks its double
 * functions by CPU. Special values are those of C11 annex F. The result is the correctly rounded one but for ties closer
 * than about 2^-49 (the former) or 2^-60 (the latter); a device promises less, 1 to 4 ulp (CUDA C++ Programming Guide,
 * "Mathematical Functions").
 *
 * simt_fast_*() model the intrinsics __expf() ... and the approximate instructions of fast math: the right result, moved by
 * an error that a fixed hash of the arguments draws from what is documented (device_fast.c). Subnormal operands and results
 * are kept, as on a device without -ftz=true; the fast-math flavour flushes them around the call (doc/FASTMATH.md).
 *
 * No function here has state, touches memory or reports errors; none may be called with a rounding mode other than to
 * nearest. */
#ifndef SIMT_DEVICE_MATH_H
#define SIMT_DEVICE_MATH_H
#include <stdint.h>

#define SIMT_PURE __attribute__((const, nothrow))

#ifdef __cplusplus
extern "C" {
#endif

#define SIMT_MATH1(f) float simt_##f(float x) SIMT_PURE;
#define SIMT_MATH2(f) float simt_##f(float x, float y) SIMT_PURE;
#define SIMT_FAST1(f) float simt_fast_##f(float x) SIMT_PURE;
#define SIMT_FAST2(f) float simt_fast_##f(float x, float y) SIMT_PURE;
#include "device_math.def"
#undef SIMT_MATH1
#undef SIMT_MATH2
#undef SIMT_FAST1
#undef SIMT_FAST2

/* Approximations that have no intrinsic of their own: what fast math makes of 1/x, sqrtf, rsqrtf, exp2f. */
float simt_fast_rcpf(float x) SIMT_PURE;
float simt_fast_sqrtf(float x) SIMT_PURE;
float simt_fast_rsqrtf(float x) SIMT_PURE;
float simt_fast_exp2f(float x) SIMT_PURE;

float simt_frsqrt_rn(float x) SIMT_PURE; /* __frsqrt_rn() */

/* CUDA's functions that C does not have: sin(pi x), cos(pi x), the normal distribution function. Double results may
 * differ in the last place between CPUs, as the C library's do. */
double simt_sinpi(double x) SIMT_PURE;
double simt_cospi(double x) SIMT_PURE;
double simt_normcdf(double x) SIMT_PURE;

/* Inverses, and exp(x^2) erfc(x); for float among the functions above. NaN outside the domain. Double results are within
 * 1 ulp or so. */
double simt_erfinv(double x) SIMT_PURE;
double simt_erfcinv(double x) SIMT_PURE;
double simt_normcdfinv(double x) SIMT_PURE;
double simt_erfcx(double x) SIMT_PURE;

/* Modified Bessel functions; infinite beyond 720. */
double simt_cyl_bessel_i0(double x) SIMT_PURE;
double simt_cyl_bessel_i1(double x) SIMT_PURE;

/* One operation in a given rounding direction: __fadd_rz() and its kin. Unused operands are ignored; a negative zero or NaN
 * comes out as IEEE 754 has it. */
typedef enum SimtDirection { SIMT_TOWARD_ZERO, SIMT_UPWARD, SIMT_DOWNWARD } SimtDirection;
typedef enum SimtArith { SIMT_ADD, SIMT_SUB, SIMT_MUL, SIMT_DIV, SIMT_SQRT, SIMT_FMA } SimtArith;
float simt_arith_f32(int op, int direction, float a, float b, float c) SIMT_PURE;
double simt_arith_f64(int op, int direction, double a, double b, double c) SIMT_PURE;

/* Conversions in a given rounding direction. long double holds every double and every 64-bit integer exactly. */
float simt_narrow_f32(int direction, long double v) SIMT_PURE;
double simt_narrow_f64(int direction, long double v) SIMT_PURE;

#ifdef __cplusplus
}
#endif
#endif
