/* cuda_fp8.h - numbers of 8 bits, E4M3 and E5M2: the classes, and the conversions as functions. */
#ifndef SIMT_CUDA_FP8_H
#define SIMT_CUDA_FP8_H
#include "simt_user_float8.h"

typedef enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE } __nv_saturation_t;
typedef enum __nv_fp8_interpretation_t { __NV_E4M3 = SIMT_E4M3, __NV_E5M2 = SIMT_E5M2 } __nv_fp8_interpretation_t;

SIMT_INLINE __nv_fp8_storage_t __nv_cvt_float_to_fp8(const float v, const __nv_saturation_t sat, const __nv_fp8_interpretation_t as) {
  return simt_small_of(as, sat == __NV_SATFINITE, static_cast<double>(v));
}
SIMT_INLINE __nv_fp8_storage_t __nv_cvt_double_to_fp8(const double v, const __nv_saturation_t sat, const __nv_fp8_interpretation_t as) {
  return simt_small_of(as, sat == __NV_SATFINITE, v);
}
SIMT_INLINE __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(const __half_raw v, const __nv_saturation_t sat, const __nv_fp8_interpretation_t as) {
  return simt_small_of(as, sat == __NV_SATFINITE, simt_half_value(v.x));
}
SIMT_INLINE __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(const __nv_bfloat16_raw v, const __nv_saturation_t sat,
                                                           const __nv_fp8_interpretation_t as) {
  return simt_small_of(as, sat == __NV_SATFINITE, simt_bfloat_value(v.x));
}
SIMT_INLINE __nv_fp8x2_storage_t __nv_cvt_float2_to_fp8x2(const float2 v, const __nv_saturation_t sat, const __nv_fp8_interpretation_t as) {
  return static_cast<__nv_fp8x2_storage_t>(__nv_cvt_float_to_fp8(v.x, sat, as) | __nv_cvt_float_to_fp8(v.y, sat, as) << 8);
}
SIMT_INLINE __half_raw __nv_cvt_fp8_to_halfraw(const __nv_fp8_storage_t v, const __nv_fp8_interpretation_t as) {
  return __half_raw{simt_half_of(SIMT_TO_NEAREST, simt_small_value(as, v))};
}
SIMT_INLINE __half2_raw __nv_cvt_fp8x2_to_halfraw2(const __nv_fp8x2_storage_t v, const __nv_fp8_interpretation_t as) {
  return __half2_raw{__nv_cvt_fp8_to_halfraw(static_cast<__nv_fp8_storage_t>(v & 0xff), as).x,
                     __nv_cvt_fp8_to_halfraw(static_cast<__nv_fp8_storage_t>(v >> 8), as).x};
}

#endif
