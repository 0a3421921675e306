/* helper_math.h - arithmetic of short vectors, by the names that programs know from NVIDIA's samples: element by element, with scalars on either side.
 * The text is ours; a file of this name beside the user's source, or in a directory of -I, is taken instead. */
#ifndef SIMT_HELPER_MATH_H
#define SIMT_HELPER_MATH_H
#include <cuda_runtime.h>
#include <math.h>

typedef unsigned int uint;
typedef unsigned short ushort;

#define SIMT_MATH static __forceinline__ __host__ __device__

#define SIMT_VECTOR_OP(V, T, n, op)                                                                                     \
  SIMT_MATH V operator op(V a, V b) { return make_##V(SIMT_ZIP##n(a, op, b)); }                                         \
  SIMT_MATH V operator op(V a, T b) { return make_##V(SIMT_RIGHT##n(a, op, b)); }                                       \
  SIMT_MATH V operator op(T a, V b) { return make_##V(SIMT_LEFT##n(a, op, b)); }                                        \
  SIMT_MATH void operator op##=(V &a, V b) { a = make_##V(SIMT_ZIP##n(a, op, b)); }                                     \
  SIMT_MATH void operator op##=(V &a, T b) { a = make_##V(SIMT_RIGHT##n(a, op, b)); }
#define SIMT_ZIP2(a, op, b) a.x op b.x, a.y op b.y
#define SIMT_ZIP3(a, op, b) SIMT_ZIP2(a, op, b), a.z op b.z
#define SIMT_ZIP4(a, op, b) SIMT_ZIP3(a, op, b), a.w op b.w
#define SIMT_RIGHT2(a, op, b) a.x op b, a.y op b
#define SIMT_RIGHT3(a, op, b) SIMT_RIGHT2(a, op, b), a.z op b
#define SIMT_RIGHT4(a, op, b) SIMT_RIGHT3(a, op, b), a.w op b
#define SIMT_LEFT2(a, op, b) a op b.x, a op b.y
#define SIMT_LEFT3(a, op, b) SIMT_LEFT2(a, op, b), a op b.z
#define SIMT_LEFT4(a, op, b) SIMT_LEFT3(a, op, b), a op b.w
#define SIMT_MIX2(f, a, b) f(a.x, b.x), f(a.y, b.y)
#define SIMT_MIX3(f, a, b) SIMT_MIX2(f, a, b), f(a.z, b.z)
#define SIMT_MIX4(f, a, b) SIMT_MIX3(f, a, b), f(a.w, b.w)
#define SIMT_ONE2(f, a) f(a.x), f(a.y)
#define SIMT_ONE3(f, a) SIMT_ONE2(f, a), f(a.z)
#define SIMT_ONE4(f, a) SIMT_ONE3(f, a), f(a.w)
#define SIMT_SUM2(a, b) a.x *b.x + a.y *b.y
#define SIMT_SUM3(a, b) SIMT_SUM2(a, b) + a.z *b.z
#define SIMT_SUM4(a, b) SIMT_SUM3(a, b) + a.w *b.w
#define SIMT_SAME2(s) s, s
#define SIMT_SAME3(s) s, s, s
#define SIMT_SAME4(s) s, s, s, s

SIMT_MATH int clamp(int v, int low, int high) { return max(low, min(v, high)); }
SIMT_MATH uint clamp(uint v, uint low, uint high) { return max(low, min(v, high)); }
SIMT_MATH float clamp(float v, float low, float high) { return fmaxf(low, fminf(v, high)); }
SIMT_MATH float lerp(float a, float b, float t) { return a + t * (b - a); }
SIMT_MATH float fracf(float v) { return v - floorf(v); }
SIMT_MATH float smoothstep(float a, float b, float x) {
  const float y = clamp((x - a) / (b - a), 0.0f, 1.0f);
  return y * y * (3.0f - 2.0f * y);
}

#define SIMT_VECTOR(V, T, n)                                                                                            \
  SIMT_MATH V make_##V(T s) { return make_##V(SIMT_SAME##n(s)); }                                                       \
  SIMT_VECTOR_OP(V, T, n, +)                                                                                            \
  SIMT_VECTOR_OP(V, T, n, -)                                                                                            \
  SIMT_VECTOR_OP(V, T, n, *)                                                                                            \
  SIMT_MATH T dot(V a, V b) { return SIMT_SUM##n(a, b); }                                                               \
  SIMT_MATH V clamp(V v, V low, V high) { return min(max(v, low), high); }                                              \
  SIMT_MATH V clamp(V v, T low, T high) { return clamp(v, make_##V(low), make_##V(high)); }

#define SIMT_INTEGERS(n)                                                                                                \
  SIMT_MATH int##n min(int##n a, int##n b) { return make_int##n(SIMT_MIX##n(min, a, b)); }                              \
  SIMT_MATH int##n max(int##n a, int##n b) { return make_int##n(SIMT_MIX##n(max, a, b)); }                              \
  SIMT_MATH uint##n min(uint##n a, uint##n b) { return make_uint##n(SIMT_MIX##n(min, a, b)); }                          \
  SIMT_MATH uint##n max(uint##n a, uint##n b) { return make_uint##n(SIMT_MIX##n(max, a, b)); }                          \
  SIMT_VECTOR(int##n, int, n)                                                                                           \
  SIMT_VECTOR(uint##n, uint, n)                                                                                         \
  SIMT_MATH int##n operator-(int##n a) { return make_int##n(SIMT_ONE##n(-, a)); }                                       \
  SIMT_MATH int##n abs(int##n a) { return make_int##n(SIMT_ONE##n(abs, a)); }

#define SIMT_FLOATS(n)                                                                                                  \
  SIMT_MATH float##n fminf(float##n a, float##n b) { return make_float##n(SIMT_MIX##n(fminf, a, b)); }                  \
  SIMT_MATH float##n fmaxf(float##n a, float##n b) { return make_float##n(SIMT_MIX##n(fmaxf, a, b)); }                  \
  SIMT_MATH float##n min(float##n a, float##n b) { return fminf(a, b); }                                                \
  SIMT_MATH float##n max(float##n a, float##n b) { return fmaxf(a, b); }                                                \
  SIMT_VECTOR(float##n, float, n)                                                                                       \
  SIMT_VECTOR_OP(float##n, float, n, /)                                                                                 \
  SIMT_MATH float##n operator-(float##n a) { return make_float##n(SIMT_ONE##n(-, a)); }                                 \
  SIMT_MATH float##n make_float##n(int##n a) { return make_float##n(SIMT_ONE##n(float, a)); }                           \
  SIMT_MATH int##n make_int##n(float##n a) { return make_int##n(SIMT_ONE##n(int, a)); }                                 \
  SIMT_MATH float##n lerp(float##n a, float##n b, float t) { return a + t * (b - a); }                                  \
  SIMT_MATH float length(float##n a) { return sqrtf(dot(a, a)); }                                                       \
  SIMT_MATH float##n normalize(float##n a) { return a * rsqrtf(dot(a, a)); }                                            \
  SIMT_MATH float##n floorf(float##n a) { return make_float##n(SIMT_ONE##n(floorf, a)); }                               \
  SIMT_MATH float##n fracf(float##n a) { return make_float##n(SIMT_ONE##n(fracf, a)); }                                 \
  SIMT_MATH float##n fabs(float##n a) { return make_float##n(SIMT_ONE##n(fabsf, a)); }                                  \
  SIMT_MATH float##n fmodf(float##n a, float##n b) { return make_float##n(SIMT_MIX##n(fmodf, a, b)); }                  \
  SIMT_MATH float##n reflect(float##n a, float##n normal) { return a - 2.0f * normal * dot(normal, a); }

SIMT_INTEGERS(2)
SIMT_INTEGERS(3)
SIMT_INTEGERS(4)
SIMT_FLOATS(2)
SIMT_FLOATS(3)
SIMT_FLOATS(4)
#undef SIMT_FLOATS
#undef SIMT_INTEGERS
#undef SIMT_VECTOR
#undef SIMT_VECTOR_OP

/* From shorter and longer ones. */
SIMT_MATH float2 make_float2(float3 a) { return make_float2(a.x, a.y); }
SIMT_MATH float2 make_float2(float4 a) { return make_float2(a.x, a.y); }
SIMT_MATH float3 make_float3(float2 a) { return make_float3(a.x, a.y, 0.0f); }
SIMT_MATH float3 make_float3(float2 a, float z) { return make_float3(a.x, a.y, z); }
SIMT_MATH float3 make_float3(float4 a) { return make_float3(a.x, a.y, a.z); }
SIMT_MATH float4 make_float4(float3 a) { return make_float4(a.x, a.y, a.z, 0.0f); }
SIMT_MATH float4 make_float4(float3 a, float w) { return make_float4(a.x, a.y, a.z, w); }
SIMT_MATH int3 make_int3(int2 a, int z) { return make_int3(a.x, a.y, z); }
SIMT_MATH uint3 make_uint3(uint2 a, uint z) { return make_uint3(a.x, a.y, z); }
SIMT_MATH float3 cross(float3 a, float3 b) {
  return make_float3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

#endif
