/* value.h - the value of one element of a tensor: a pure function of (distribution, seed, tensor, element) and of the edits.
 * C11, C++ and CUDA: fuzz/values.c and gpu/device_cuda.cu compile the same lines, and get the same bits.
 *
 * Random bits are Philox4x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC 2011), one block of
 * 128 bits an element: counter (index low, index high, tensor, 0), key (seed low, seed high).
 * Bit-exact everywhere: a value is offset + scale * u with scale a float (24 significant bits) and u a multiple of a power
 * of two with at most 29 significant bits, so the product is exact in double, and the sum is rounded once, with or
 * without a fused multiply-add. No libm. */
#ifndef WF_VALUE_H
#define WF_VALUE_H
#include <Random123/philox.h>
#include <float.h>
#include <string.h>
#ifdef __cplusplus
extern "C" {
#endif
#include "case.h"
#ifdef __cplusplus
}
#endif

#ifdef __CUDACC__
#define WF_HOST_DEVICE __host__ __device__
#else
#define WF_HOST_DEVICE
#endif
#define WF_PURE WF_HOST_DEVICE static inline

typedef struct WfElement {
  uint32_t bits[4];
  uint64_t index;
  uint64_t column;
  uint32_t tensor;
} WfElement;

/* Finite always: a distribution never makes an infinity, edits do. */
WF_PURE float wf_to_float(double v) {
  if (v > (double)FLT_MAX)
    return FLT_MAX;
  return v < -(double)FLT_MAX ? -FLT_MAX : (float)v;
}

/* 0 .. n-1 for n <= 2^32 */
WF_PURE uint64_t wf_below(uint32_t bits, uint64_t n) { return ((uint64_t)bits * n) >> 32; }

/* Sum of eight 16-bit uniforms, minus its mean: variance 8 * 2^32 / 12, so times sqrt(12 / 8) / 2^16 for variance 1.
 * sqrt(1.5) = 1.22474 is taken as 1254/1024 to stay within 29 bits. */
WF_PURE double wf_unit_normal(const WfElement *e) {
  int64_t sum = 0;
  for (int i = 0; i < 4; i++)
    sum += (int64_t)(e->bits[i] & 0xffff) + (int64_t)(e->bits[i] >> 16);
  return (double)((sum - 4 * 65535) * 1254) * 0x1p-26;
}

WF_PURE double wf_unit_uniform(const WfElement *e) { /* odd multiples of 2^-24 in (-1, 1) */
  return (double)((int64_t)(e->bits[0] >> 8) * 2 + 1 - (1 << 24)) * 0x1p-24;
}

/* 80 * 2^octave * (1 + fraction), at most 1e4; the first octave, around the limits of expf, for half of the elements. */
WF_PURE double wf_unit_huge(const WfElement *e) {
  unsigned octave = e->bits[0] & 1 ? 0 : (unsigned)wf_below(e->bits[1], 7);
  int64_t m = (80 * (0x10000 + (int64_t)(e->bits[2] >> 16))) << octave;
  if (m > (int64_t)10000 << 16)
    m = (int64_t)10000 << 16;
  return (double)(e->bits[0] & 2 ? -m : m) * 0x1p-16;
}

WF_PURE double wf_limited(double scale, double max) {
  scale = scale < 0 ? -scale : scale;
  return scale < max ? scale : max;
}

WF_PURE double wf_symmetric_integer(const WfElement *e, double scale, double max) {
  int64_t n = (int64_t)wf_limited(scale, max);
  return (double)((int64_t)wf_below(e->bits[0], (uint64_t)n * 2 + 1) - n);
}

/* A bijection of 24-bit numbers: each step (odd factor, xor with own upper half) can be undone. */
WF_PURE double wf_unit_hash(const WfElement *e, uint64_t seed) {
  const uint32_t mask = (1u << 24) - 1;
  uint32_t x = (uint32_t)(e->index ^ seed ^ (seed >> 24) ^ (seed >> 48)) + e->tensor * 0x9e3779b9u;
  for (int round = 0; round < 3; round++) {
    x = (x & mask) * 0x2c1b3c6du & mask;
    x ^= x >> 12;
  }
  return (double)x * 0x1p-24;
}

/* Up to here, integers are numbers of the type. */
WF_PURE double wf_most_integer(WfDtype t) { return t == WF_F32 ? 0x1p24 : t == WF_F16 ? 0x1p11 : 0x1p8; }
/* Any `scale` elements in a row have different magnitudes. */
WF_PURE double wf_distinct_integer(const WfElement *e, WfDtype t, double scale, uint64_t seed) {
  uint64_t n = (uint64_t)wf_limited(scale, wf_most_integer(t));
  double v = n > 1 ? (double)((e->index + seed % n) % n + 1) : 1;
  return e->bits[0] & 1 ? -v : v;
}

WF_PURE double wf_power_of_two(int64_t e) { /* |e| <= 126 */
  uint64_t bits = (uint64_t)(1023 + e) << 52;
  double v;
  memcpy(&v, &bits, sizeof v);
  return v;
}

WF_PURE float wf_denormal(const WfElement *e, WfDtype t) {
  uint32_t bits = e->bits[0] & 0x80ffffffu; /* sign, lowest exponent bit, 23 bits of fraction */
  float v;
  if (t != WF_F32) /* the same of 16 bits */
    return wf_dtype_decode(t, (uint16_t)(bits >> 16 & (t == WF_F16 ? 0x8000 : 0x80ff)) | (uint16_t)(t == WF_F16 ? bits & 0x7ff : 0));
  memcpy(&v, &bits, sizeof v);
  return v;
}

/* Exponents that the type has on both sides of 0, so that no power is 0 and none too large. */
WF_PURE double wf_most_exponent(WfDtype t) { return t == WF_F16 ? 15 : 126; }
/* A spread of some numbers of the type at a mean of 1000. */
WF_PURE double wf_narrow(WfDtype t) { return t == WF_F32 ? 0x1p-10 : t == WF_F16 ? 1 : 8; }

WF_PURE float wf_draw(const WfFill *f, WfDtype t, const WfElement *e) {
  double scale = (double)(float)f->scale, offset = f->offset;
  switch (f->dist) {
  case WF_DIST_NORMAL: return wf_to_float(offset + scale * wf_unit_normal(e));
  case WF_DIST_UNIFORM: return wf_to_float(offset + scale * wf_unit_uniform(e));
  case WF_DIST_HUGE: return wf_to_float(offset + scale * wf_unit_huge(e));
  case WF_DIST_INTEGERS: return wf_to_float(offset + wf_symmetric_integer(e, scale, wf_most_integer(t)));
  case WF_DIST_RAMP: return wf_to_float(offset + scale * (double)(e->column & ((1u << 29) - 1)));
  case WF_DIST_HASH: return wf_to_float(offset + scale * wf_unit_hash(e, f->seed));
  case WF_DIST_DENORMAL: return wf_denormal(e, t);
  case WF_DIST_MIXED: {
    double v = wf_power_of_two((int64_t)wf_symmetric_integer(e, scale, wf_most_exponent(t)));
    return (float)(e->bits[1] & 1 ? -v : v);
  }
  case WF_DIST_MEAN: return wf_to_float(offset + scale * (wf_unit_normal(e) * wf_narrow(t)));
  case WF_DIST_CONSTANT: return wf_to_float(offset);
  case WF_DIST_DISTINCT: return (float)wf_distinct_integer(e, t, scale, f->seed);
  case WF_DIST_COUNT: break;
  }
  return 0;
}

/* The element at `index`, which is in that column of the last dim, without edits: a number of the type. */
WF_PURE float wf_value_drawn(const WfFill *f, WfDtype t, uint32_t tensor, uint64_t index, uint64_t column) {
  philox4x32_ctr_t ctr = {{(uint32_t)index, (uint32_t)(index >> 32), tensor, 0}};
  philox4x32_key_t key = {{(uint32_t)f->seed, (uint32_t)(f->seed >> 32)}};
  philox4x32_ctr_t r = philox4x32(ctr, key);
  WfElement e = {{r.v[0], r.v[1], r.v[2], r.v[3]}, index, column, tensor};
  return wf_dtype_stored(t, wf_draw(f, t, &e));
}

/* One NaN only, so that a case's text decides the bits. */
WF_PURE float wf_value_edited(WfDtype t, float value) {
  const uint32_t quiet = 0x7fc00000u;
  if (value != value)
    memcpy(&value, &quiet, sizeof value);
  return wf_dtype_stored(t, value);
}

WF_PURE int wf_selects(const WfSel *s, int64_t i) { return i >= s->first && i <= s->last && (i - s->first) % s->step == 0; }

/* WfEdit.sel, and the element in that row and column; rank 1: row 0. */
WF_PURE int wf_edit_selects(const WfSel *sel, int is_rank2, int64_t row, int64_t col) {
  return wf_selects(&sel[0], is_rank2 ? row : col) && (!is_rank2 || wf_selects(&sel[1], col));
}

#undef WF_PURE
#endif
