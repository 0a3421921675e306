/* cuda_fp16.h - half precision: conversions, arithmetic, comparisons and math functions of __half and __half2.
 *
 * Results are those of device_half.h, to nearest even unless the name says otherwise, subnormals kept. Products are not contracted with
 * sums. A NaN that is computed is 0x7fff.
 *
 * Math functions, hrsqrt and hrcp among them, are documented to give the result "in round-to-nearest-even mode" (CUDA Math API, Half
 * Math Functions): here it is the exact one rounded once, for each of the 65,536 halves (tests/test_half.c). Devices compute them through
 * approximate float instructions whose rounded results may be the other neighbour where the exact one is close to a middle; that is
 * not modelled. htanh_approx is documented to be off by 2^-10.987 at most; it is taken as htanh. */
#ifndef SIMT_CUDA_FP16_H
#define SIMT_CUDA_FP16_H
#include "cuda_runtime.h"
#include "simt_float16.h"

#define CUDART_INF_FP16 __ushort_as_half(0x7c00)
#define CUDART_NAN_FP16 __ushort_as_half(0x7fff)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half(0x0001)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half(0x7bff)
#define CUDART_NEG_ZERO_FP16 __ushort_as_half(0x8000)
#define CUDART_ZERO_FP16 __ushort_as_half(0x0000)
#define CUDART_ONE_FP16 __ushort_as_half(0x3c00)

#ifdef __CUDA_NO_HALF_CONVERSIONS__
#define SIMT_F16_CONVERSIONS 0
#else
#define SIMT_F16_CONVERSIONS 1
#endif
#ifdef __CUDA_NO_HALF_OPERATORS__
#define SIMT_F16_OPERATORS 0
#else
#define SIMT_F16_OPERATORS 1
#endif
#ifdef __CUDA_NO_HALF2_OPERATORS__
#define SIMT_F16X2_OPERATORS 0
#else
#define SIMT_F16X2_OPERATORS 1
#endif

#define SIMT_F16 __half
#define SIMT_F16X2 __half2
#define SIMT_F16_RAW __half_raw
#define SIMT_F16_RAW2 __half2_raw
#define SIMT_F16_FLOAT half_value
#define SIMT_F16_BITS half_bits
#define SIMT_F16_OF half_of
#define SIMT_F16_WITH half_with
#define SIMT_F16_LOAD2 load_half2
#define SIMT_F16_C_VALUE(bits) simt_half_value(bits)
#define SIMT_F16_C_OF(direction, v) simt_half_of(direction, v)
#define SIMT_F16_SUM(product, c) ((product) + (c))
#define SIMT_H half
#include "simt_user_float16.inc"
#include "simt_float16.inc"

typedef __half half;
typedef __half __nv_half;
typedef __half nv_half;
typedef __half2 half2;
typedef __half2 __nv_half2;
typedef __half2 nv_half2;

#endif
