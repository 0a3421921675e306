/* device_fast.c - models of the fast intrinsics and approximate instructions, with the errors that are documented for them.
 *
 * A device's result is any float within the documented distance of the right one. Here it is one drawn by a fixed hash of the
 * arguments: the same arguments always give the same bits, whatever the schedule, and over many arguments every error that is
 * allowed turns up. A kernel that needs more than is documented is thus seen to be wrong. Sources of the bounds, here called
 * G and P: CUDA C++ Programming Guide, "Mathematical Functions", "Intrinsic Functions" and "Functions Affected by
 * -use_fast_math"; PTX ISA, "Floating Point Instructions". An ulp error is against the correctly rounded result.
 *
 * No error is made where the result is a special value, or where the hardware's tables hold it: 1/2^n, 2^n, sqrt(4^n), log2 of
 * 2^n, log of 1, sine, tangent and tanh of 0, cosine of 0. Not all of this is documented, but no device errs there. */
#include "device_error.h"
#include "device_math.h"
#include <math.h>
#include <string.h>

/* -1 <= . < 1 */
static inline double error(float x) { return simt_error_hash(simt_float_bits(x)) * 0x1p-31; }

static inline double power_of_2_in(float y) {
  const uint32_t u = simt_float_bits(y) & 0x7f800000u;
  float power;
  memcpy(&power, &u, sizeof power);
  return power;
}

/* y, correctly rounded, moved by at most so many ulps, most <= 3: with more, the rounding at a power of 2 might add one.
 * Special values, zeros, subnormals and what might overflow stay as they are. */
static inline float moved(float y, int32_t hash, uint32_t most) {
  const float size = fabsf(y);
  if (!(size >= 0x1p-126f && size < 0x1.ffffp127f)) return y;
  const int64_t ulps = ((int64_t)hash * (2 * (int64_t)most + 1) + 0x80000000) >> 32;
  return (float)((double)y + (double)ulps * 0x1p-23 * power_of_2_in(y));
}

static inline float moved1(float y, float x, uint32_t most) { return moved(y, simt_error_hash(simt_float_bits(x)), most); }

/* 2^n, not subnormal, of either sign; infinities and zeros as well. */
static inline int is_power_of_2(float x) { return !(simt_float_bits(x) & 0x007fffffu); }

/* ---- logarithms: an absolute bound from 1/2 to 2, ulps elsewhere. Twice half an ulp of the result is for rounding. ---- */

/* G, __logf: 2^-21.41, 3 ulp. */
float simt_fast_logf(float x) {
  const float y = simt_logf(x);
  if (x >= 0.5f && x <= 2.0f) return x == 1 ? y : (float)((double)y + error(x) * (0x1.81p-22 - 0x1p-24));
  return moved1(y, x, 3);
}

/* G, __log2f: 2^-22, 2 ulp. */
float simt_fast_log2f(float x) {
  const float y = simt_log2f(x);
  if (is_power_of_2(x)) return y;
  if (x >= 0.5f && x <= 2.0f) return (float)((double)y + error(x) * (0x1p-22 - 0x1p-24));
  return moved1(y, x, 2);
}

/* G, __log10f: 2^-24, 3 ulp. */
float simt_fast_log10f(float x) {
  const float y = simt_log10f(x);
  if (x >= 0.5f && x <= 2.0f) return x == 1 ? y : (float)((double)y + error(x) * 0x1p-25);
  return moved1(y, x, 3);
}

/* G, __powf: exp2f(y * __log2f(x)), which has no bound of its own; NaN for negative x, whatever y. */
float simt_fast_powf(float x, float y) { return simt_fast_exp2f(y * simt_fast_log2f(x)); }

/* ---- trigonometric functions ---- */

#define PI_F 0x1.921fb4p+1f /* the largest float below pi */

/* Results of the hardware stay within [-1, 1]. */
static inline float within_one(double v) { return (float)(v > 1 ? 1 : v < -1 ? -1 : v); }

/* sin.approx works on turns, so that farther away from zero the argument is rounded more coarsely: P has 2^-20.5 within
 * [-2 pi, 2 pi] and 2^-14.7 within [-100 pi, 100 pi]. */
static inline float half_turns(float x) { return 2 * (x * 0x1.45f306p-3f); }
#define FAR_ERROR 0x1.8p-23

/* G, __sinf: within [-pi, pi] 2^-21.41. */
float simt_fast_sinf(float x) {
  if (fabsf(x) <= PI_F) return x == 0 ? x : within_one((double)simt_sinf(x) + error(x) * (0x1.81p-22 - 0x1p-24));
  return within_one((double)simt_sinpif(half_turns(x)) + error(x) * FAR_ERROR);
}

/* G, __cosf: within [-pi, pi] 2^-21.19. */
float simt_fast_cosf(float x) {
  if (fabsf(x) <= PI_F) return x == 0 ? 1 : within_one((double)simt_cosf(x) + error(x) * (0x1.c0p-22 - 0x1p-24));
  return within_one((double)simt_cospif(half_turns(x)) + error(x) * FAR_ERROR);
}

/* G, __tanf: __sinf(x) * (1 / __cosf(x)). */
float simt_fast_tanf(float x) { return simt_fast_sinf(x) * simt_fast_rcpf(simt_fast_cosf(x)); }

/* P, tanh.approx: 2^-11, relative. */
float simt_fast_tanhf(float x) {
  const float y = simt_tanhf(x);
  return isinf(x) ? y : within_one((double)y * (1 + error(x) * (0x1p-11 - 0x1p-22)));
}

/* ---- quotients and roots ---- */

/* G, 1/x with -prec-div=false, and P, rcp.approx: 1 ulp. */
float simt_fast_rcpf(float x) { return is_power_of_2(x) ? 1 / x : moved1(1 / x, x, 1); }

/* G, __fdividef: x times the reciprocal of y, within 2 ulp for |y| from 2^-126 to 2^126. Above that the reciprocal is
 * subnormal and counts as zero: 0, or NaN for infinite x. Below 2^-126 the hardware scales both operands first. */
float simt_fast_fdividef(float x, float y) {
  const float size = fabsf(y);
  if (size > 0x1p126f && !isinf(size)) return x * copysignf(0, y);
  if (is_power_of_2(y)) return x / y;
  return moved(x / y, simt_error_hash(simt_float_bits(x) * 0xc2b2ae35u ^ simt_float_bits(y)), 2);
}

static inline int is_power_of_4(float x) { return (simt_float_bits(x) & 0x00ffffffu) == 0x00800000u; }

/* G, sqrtf with -prec-sqrt=false: 1 ulp. */
float simt_fast_sqrtf(float x) {
  const float y = sqrtf(x);
  return is_power_of_4(x) ? y : moved1(y, x, 1);
}

/* G, rsqrtf: 2 ulp. */
float simt_fast_rsqrtf(float x) {
  const float y = simt_rsqrtf(x);
  return is_power_of_4(x) ? y : moved1(y, x, 2);
}
