/* cuda_fp4.h - numbers of 4 bits, E2M1: the classes, and the conversions as functions. */
#ifndef SIMT_CUDA_FP4_H
#define SIMT_CUDA_FP4_H
#include "cuda_fp8.h"

enum cudaRoundMode { cudaRoundNearest, cudaRoundZero, cudaRoundPosInf, cudaRoundMinInf };
typedef enum __nv_fp4_interpretation_t { __NV_E2M1 = SIMT_E2M1 } __nv_fp4_interpretation_t;

/* To nearest, which is the only rounding that a device has for it. */
SIMT_INLINE __nv_fp4_storage_t __nv_cvt_float_to_fp4(const float v, const __nv_fp4_interpretation_t as, const enum cudaRoundMode) {
  return simt_small_of(as, 1, static_cast<double>(v));
}
SIMT_INLINE __nv_fp4x2_storage_t __nv_cvt_float2_to_fp4x2(const float2 v, const __nv_fp4_interpretation_t as, const enum cudaRoundMode mode) {
  return static_cast<__nv_fp4x2_storage_t>(__nv_cvt_float_to_fp4(v.x, as, mode) | __nv_cvt_float_to_fp4(v.y, as, mode) << 4);
}
SIMT_INLINE __half_raw __nv_cvt_fp4_to_halfraw(const __nv_fp4_storage_t v, const __nv_fp4_interpretation_t as) {
  return __half_raw{simt_half_of(SIMT_TO_NEAREST, simt_small_value(as, v & 15))};
}

#endif
