/* simt_user_float8.h - the classes of cuda_fp8.h and cuda_fp4.h: numbers of 8 and 4 bits, in ones, twos and fours. Conversions alone: there
 * is no arithmetic of them. As in simt_user_access.h, the accesses are the user's. */
#ifndef SIMT_USER_FLOAT8_H
#define SIMT_USER_FLOAT8_H
#include "cuda_bf16.h"
#include "cuda_fp16.h"

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned __nv_fp8x4_storage_t;
typedef unsigned char __nv_fp4_storage_t;
typedef unsigned char __nv_fp4x2_storage_t;
typedef unsigned short __nv_fp4x4_storage_t;

namespace simt {

SIMT_INLINE unsigned small_of(int format, int saturates, double v) { return simt_small_of(format, saturates, v); }
SIMT_INLINE float small_value(int format, unsigned bits) { return static_cast<float>(simt_small_value(format, static_cast<uint8_t>(bits))); }

} // namespace simt

#define SIMT_SMALL(name, Storage, format)                                                                              \
  struct name {                                                                                                        \
    Storage __x;                                                                                                       \
    name() = default;                                                                                                  \
    SIMT_INLINE explicit name(float v) : __x(simt_small_of(format, 1, static_cast<double>(v))) {}                      \
    SIMT_INLINE explicit name(double v) : __x(simt_small_of(format, 1, v)) {}                                          \
    SIMT_INLINE explicit name(int v) : __x(simt_small_of(format, 1, v)) {}                                             \
    SIMT_INLINE explicit name(__half v) : __x(simt_small_of(format, 1, simt::value_of(v))) {}                          \
    SIMT_INLINE explicit name(__nv_bfloat16 v) : __x(simt_small_of(format, 1, simt::value_of(v))) {}                   \
    SIMT_INLINE explicit operator float() const { return simt::small_value(format, __x); }                             \
    SIMT_INLINE explicit operator double() const { return static_cast<double>(simt::small_value(format, __x)); }       \
    SIMT_INLINE explicit operator __half() const { return __float2half(simt::small_value(format, __x)); }              \
    SIMT_INLINE explicit operator __nv_bfloat16() const { return __float2bfloat16(simt::small_value(format, __x)); }   \
  };
#define SIMT_SMALL2(name, Storage, format, bits)                                                                       \
  struct name {                                                                                                        \
    Storage __x;                                                                                                       \
    name() = default;                                                                                                  \
    SIMT_INLINE explicit name(float2 v)                                                                                \
        : __x(static_cast<Storage>(simt::small_of(format, 1, static_cast<double>(v.x)) |                               \
                                   simt::small_of(format, 1, static_cast<double>(v.y)) << bits)) {}                    \
    SIMT_INLINE explicit name(__half2 v) : name(__half22float2(v)) {}                                                  \
    SIMT_INLINE explicit name(__nv_bfloat162 v) : name(__bfloat1622float2(v)) {}                                       \
    SIMT_INLINE explicit operator float2() const {                                                                     \
      const unsigned v = __x;                                                                                          \
      return make_float2(simt::small_value(format, v & ((1u << bits) - 1)), simt::small_value(format, v >> bits));     \
    }                                                                                                                  \
    SIMT_INLINE explicit operator __half2() const { return __float22half2_rn(static_cast<float2>(*this)); }            \
  };
#define SIMT_SMALL4(name, Storage, format, bits)                                                                       \
  struct name {                                                                                                        \
    Storage __x;                                                                                                       \
    name() = default;                                                                                                  \
    SIMT_INLINE explicit name(float4 v)                                                                                \
        : __x(static_cast<Storage>(simt::small_of(format, 1, static_cast<double>(v.x)) |                               \
                                   simt::small_of(format, 1, static_cast<double>(v.y)) << bits |                       \
                                   simt::small_of(format, 1, static_cast<double>(v.z)) << 2 * bits |                   \
                                   simt::small_of(format, 1, static_cast<double>(v.w)) << 3 * bits)) {}                \
    SIMT_INLINE explicit operator float4() const {                                                                     \
      const unsigned v = __x, mask = (1u << bits) - 1;                                                                 \
      return make_float4(simt::small_value(format, v & mask), simt::small_value(format, v >> bits & mask),             \
                         simt::small_value(format, v >> 2 * bits & mask), simt::small_value(format, v >> 3 * bits & mask)); \
    }                                                                                                                  \
  };
SIMT_SMALL(__nv_fp8_e4m3, __nv_fp8_storage_t, SIMT_E4M3)
SIMT_SMALL(__nv_fp8_e5m2, __nv_fp8_storage_t, SIMT_E5M2)
SIMT_SMALL2(__nv_fp8x2_e4m3, __nv_fp8x2_storage_t, SIMT_E4M3, 8)
SIMT_SMALL2(__nv_fp8x2_e5m2, __nv_fp8x2_storage_t, SIMT_E5M2, 8)
SIMT_SMALL4(__nv_fp8x4_e4m3, __nv_fp8x4_storage_t, SIMT_E4M3, 8)
SIMT_SMALL4(__nv_fp8x4_e5m2, __nv_fp8x4_storage_t, SIMT_E5M2, 8)
SIMT_SMALL(__nv_fp4_e2m1, __nv_fp4_storage_t, SIMT_E2M1)
SIMT_SMALL2(__nv_fp4x2_e2m1, __nv_fp4x2_storage_t, SIMT_E2M1, 4)
SIMT_SMALL4(__nv_fp4x4_e2m1, __nv_fp4x4_storage_t, SIMT_E2M1, 4)
#undef SIMT_SMALL
#undef SIMT_SMALL2
#undef SIMT_SMALL4

#endif
