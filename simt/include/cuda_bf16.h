/* cuda_bf16.h - bfloat16: conversions, arithmetic, comparisons and math functions of __nv_bfloat16 and __nv_bfloat162. As
 * cuda_fp16.h, which says what results are; a NaN that is computed is 0x7fff. */
#ifndef SIMT_CUDA_BF16_H
#define SIMT_CUDA_BF16_H
#include "cuda_runtime.h"
#include "simt_float16.h"

#define CUDART_INF_BF16 __ushort_as_bfloat16(0x7f80)
#define CUDART_NAN_BF16 __ushort_as_bfloat16(0x7fff)
#define CUDART_MIN_DENORM_BF16 __ushort_as_bfloat16(0x0001)
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16(0x7f7f)
#define CUDART_NEG_ZERO_BF16 __ushort_as_bfloat16(0x8000)
#define CUDART_ZERO_BF16 __ushort_as_bfloat16(0x0000)
#define CUDART_ONE_BF16 __ushort_as_bfloat16(0x3f80)

#ifdef __CUDA_NO_BFLOAT16_CONVERSIONS__
#define SIMT_F16_CONVERSIONS 0
#else
#define SIMT_F16_CONVERSIONS 1
#endif
#ifdef __CUDA_NO_BFLOAT16_OPERATORS__
#define SIMT_F16_OPERATORS 0
#else
#define SIMT_F16_OPERATORS 1
#endif
#ifdef __CUDA_NO_BFLOAT162_OPERATORS__
#define SIMT_F16X2_OPERATORS 0
#else
#define SIMT_F16X2_OPERATORS 1
#endif

#define SIMT_F16 __nv_bfloat16
#define SIMT_F16X2 __nv_bfloat162
#define SIMT_F16_RAW __nv_bfloat16_raw
#define SIMT_F16_RAW2 __nv_bfloat162_raw
#define SIMT_F16_FLOAT bfloat_value
#define SIMT_F16_BITS bfloat_bits
#define SIMT_F16_OF bfloat_of
#define SIMT_F16_WITH bfloat_with
#define SIMT_F16_LOAD2 load_bfloat2
#define SIMT_F16_C_VALUE(bits) simt_bfloat_value(bits)
#define SIMT_F16_C_OF(direction, v) simt_bfloat_of(direction, v)
#define SIMT_F16_SUM(product, c) simt_sum_odd(product, c)
#define SIMT_H bfloat16
#include "simt_user_float16.inc"
#include "simt_float16.inc"

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

#endif
