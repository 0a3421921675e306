/* dtype.h - the types that a tensor's elements may have, and their conversions. C11, C++ and CUDA.
 *
 * f16 is binary16 of IEEE 754 (CUDA's __half): 11 significant bits, normal from 2^-14 on, multiples of 2^-24 below that, 65504 at
 * most. bf16 (__nv_bfloat16) is the upper half of a float: 8 significant bits, normal from 2^-126 on, multiples of 2^-133 below.
 * Host arrays have floats, whatever the type: each value of either is one. */
#ifndef WF_DTYPE_H
#define WF_DTYPE_H
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef enum WfDtype { WF_F32, WF_F16, WF_BF16, WF_DTYPE_COUNT } WfDtype;

#ifdef __CUDACC__
#define WF_DTYPE_PURE __host__ __device__ static inline
#else
#define WF_DTYPE_PURE static inline
#endif

WF_DTYPE_PURE uint32_t wf_dtype_bytes(WfDtype t) { return t == WF_F32 ? 4 : 2; }
WF_DTYPE_PURE int wf_dtype_digits(WfDtype t) { return t == WF_F32 ? 24 : t == WF_F16 ? 11 : 8; } /* significant bits */
WF_DTYPE_PURE int wf_dtype_least(WfDtype t) { return t == WF_F16 ? -14 : -126; } /* exponent of the smallest normal number */
WF_DTYPE_PURE double wf_dtype_max(WfDtype t) { return t == WF_F32 ? 0x1.fffffep127 : t == WF_F16 ? 65504 : 0x1.fep127; }
WF_DTYPE_PURE double wf_dtype_unit(WfDtype t) { return t == WF_F32 ? 0x1p-24 : t == WF_F16 ? 0x1p-11 : 0x1p-8; } /* unit roundoff */
WF_DTYPE_PURE double wf_dtype_normal(WfDtype t) { return t == WF_F16 ? 0x1p-14 : 0x1p-126; } /* smallest normal number */

/* The distance of neighbouring numbers of the type at v, which is finite: that of the smallest below the normal ones. */
WF_DTYPE_PURE double wf_dtype_spacing(WfDtype t, double v) {
  uint64_t bits;
  memcpy(&bits, &v, sizeof bits);
  int exponent = (int)(bits >> 52 & 2047) - 1023;
  exponent = exponent < wf_dtype_least(t) ? wf_dtype_least(t) : exponent;
  bits = (uint64_t)(exponent - wf_dtype_digits(t) + 1 + 1023) << 52;
  memcpy(&v, &bits, sizeof v);
  return v;
}

/* The nearest number of the type, ties to even, with the sign of v where it is 0; an infinity where that is beyond the largest. NaN
 * stays. */
WF_DTYPE_PURE double wf_dtype_round(WfDtype t, double v) {
  if (!(v - v == 0))
    return v;
  double spacing = wf_dtype_spacing(t, v), big = 0x1.8p52 * spacing, max = wf_dtype_max(t);
  if (v > 2 * max || v < -2 * max) /* where the sum below may overflow, or round more than once */
    return v > 0 ? (double)__builtin_inff() : -(double)__builtin_inff();
  volatile double sum = v + big; /* the last place of the sum is the spacing */
  double r = sum - big;
  if (r == 0)
    return v * 0; /* with the sign */
  return r > max ? (double)__builtin_inff() : r < -max ? -(double)__builtin_inff() : r;
}

/* The same of a value that stays finite where it is: beyond the largest number of the type, that one. */
WF_DTYPE_PURE float wf_dtype_stored(WfDtype t, float v) {
  if (t == WF_F32 || !(v - v == 0))
    return v;
  double r = wf_dtype_round(t, (double)v), max = wf_dtype_max(t);
  return (float)(r > max ? max : r < -max ? -max : r);
}

/* The bits of a number of a 16-bit type, and the float that has its value. There is one NaN that is written, the quiet one without a
 * sign; of others, what is not the same bits is not the same float. */
WF_DTYPE_PURE uint16_t wf_dtype_encode(WfDtype t, float v) {
  double rounded = wf_dtype_round(t, (double)v);
  float f = (float)rounded;
  uint32_t bits;
  if (v != v)
    return t == WF_F16 ? 0x7e00 : 0x7fc0;
  memcpy(&bits, &f, sizeof bits);
  if (t == WF_BF16)
    return (uint16_t)(bits >> 16);
  uint32_t sign = bits >> 16 & 0x8000, magnitude = bits & 0x7fffffff;
  if (magnitude >= 0x7f800000)
    return (uint16_t)(sign | 0x7c00);
  if (magnitude >= 0x38800000) /* 2^-14 */
    return (uint16_t)(sign | ((magnitude >> 13) - (112 << 10)));
  return (uint16_t)(sign | (uint32_t)((rounded < 0 ? -rounded : rounded) * 0x1p24));
}
WF_DTYPE_PURE float wf_dtype_decode(WfDtype t, uint16_t h) {
  uint32_t bits = (uint32_t)h << 16, sign = bits & 0x80000000, magnitude = h & 0x7fff;
  float f;
  if (t == WF_F16) {
    if (magnitude < 0x400) { /* not normal */
      f = (float)magnitude * 0x1p-24f;
      memcpy(&bits, &f, sizeof bits);
      bits |= sign;
    } else
      bits = sign | ((magnitude << 13) + (magnitude >= 0x7c00 ? 0x70000000 : 0x38000000));
  }
  memcpy(&f, &bits, sizeof f);
  return f;
}

/* A word of memory that holds a pattern of 32 bits: of 16-bit elements its upper half, twice. But for a quiet NaN with something in its
 * lower half, which is to be told from NaNs that kernels make (7fff, 7e00, 7fc0): 7fad for 7fc0dead; and for what is finite as a float and
 * no number of f16. */
WF_DTYPE_PURE uint32_t wf_dtype_pattern(WfDtype t, uint32_t pattern) {
  uint32_t half = pattern >> 16;
  if (t == WF_F32)
    return pattern;
  if (half == 0x7fc0)
    half = 0x7f00 | (pattern & 0xff);
  else if ((half & 0x7f80) < 0x7f80 && (half & 0x7c00) == 0x7c00)
    half = (half & 0x8000) | 0x7bff;
  return half << 16 | half;
}

/* What an element reads as that holds it. */
WF_DTYPE_PURE float wf_dtype_patterned(WfDtype t, uint32_t pattern) {
  uint32_t bits = wf_dtype_pattern(t, pattern);
  float f;
  if (t != WF_F32)
    return wf_dtype_decode(t, (uint16_t)bits);
  memcpy(&f, &bits, sizeof f);
  return f;
}
/* 1: no kernel computes it, so that who finds it in an element knows that nobody wrote that. Of 16 bits, no finite number is so rare. */
WF_DTYPE_PURE int wf_dtype_pattern_is_rare(WfDtype t, uint32_t pattern) {
  float f = wf_dtype_patterned(t, pattern);
  return t == WF_F32 || f != f;
}

#ifndef __CUDACC__
#ifdef __cplusplus
extern "C" {
#endif
/* ---- fuzz/dtype.c ---- */
const char *wf_dtype_name(WfDtype t); /* "f16" */
const char *wf_dtype_c_name(WfDtype t); /* "__half" */
const char *wf_dtype_header(WfDtype t); /* of CUDA's: "cuda_fp16.h"; NULL: it needs none */
int wf_dtype_parse(const char *s, size_t n, WfDtype *out); /* 0; -1: no such type */

/* Between a host array and elements of a type, n of them. */
void wf_dtype_store(WfDtype t, void *to, const float *from, size_t n);
void wf_dtype_load(WfDtype t, float *to, const void *from, size_t n);
/* 1: each of them, NaN and infinities too, is a number of the type. */
int wf_dtype_holds(WfDtype t, const float *x, size_t n);

/* Half the spacing at |v|, for what a value that lies so far from 0 is off by when it is stored; 0 for f32, of which the bounds of the
 * references know already, and what is not finite. */
double wf_dtype_rounding(WfDtype t, double v);
#ifdef __cplusplus
}
#endif
#endif
#endif
