/* simt_round.h - arithmetic with the rounding direction in its name: __fadd_rn, __fmul_rz, __ddiv_ru ... */
#ifndef SIMT_ROUND_H
#define SIMT_ROUND_H
#include "simt_math.h"

/* Two operands: to nearest is the plain operator, which nothing contracts. */
#define SIMT_ROUND2(name, T, width, op, sign)                                                                          \
  SIMT_INLINE T name##_rn(T a, T b) { return a sign b; }                                                               \
  SIMT_INLINE T name##_rz(T a, T b) { return simt_arith_##width(op, SIMT_TOWARD_ZERO, a, b, 0); }                      \
  SIMT_INLINE T name##_ru(T a, T b) { return simt_arith_##width(op, SIMT_UPWARD, a, b, 0); }                           \
  SIMT_INLINE T name##_rd(T a, T b) { return simt_arith_##width(op, SIMT_DOWNWARD, a, b, 0); }
SIMT_ROUND2(__fadd, float, f32, SIMT_ADD, +)
SIMT_ROUND2(__fsub, float, f32, SIMT_SUB, -)
SIMT_ROUND2(__fmul, float, f32, SIMT_MUL, *)
SIMT_ROUND2(__fdiv, float, f32, SIMT_DIV, /)
SIMT_ROUND2(__dadd, double, f64, SIMT_ADD, +)
SIMT_ROUND2(__dsub, double, f64, SIMT_SUB, -)
SIMT_ROUND2(__dmul, double, f64, SIMT_MUL, *)
SIMT_ROUND2(__ddiv, double, f64, SIMT_DIV, /)
#undef SIMT_ROUND2

#define SIMT_ROUND_FMA(name, T, width, nearest)                                                                        \
  SIMT_INLINE T name##_rn(T a, T b, T c) { return nearest(a, b, c); }                                                  \
  SIMT_INLINE T name##_rz(T a, T b, T c) { return simt_arith_##width(SIMT_FMA, SIMT_TOWARD_ZERO, a, b, c); }           \
  SIMT_INLINE T name##_ru(T a, T b, T c) { return simt_arith_##width(SIMT_FMA, SIMT_UPWARD, a, b, c); }                \
  SIMT_INLINE T name##_rd(T a, T b, T c) { return simt_arith_##width(SIMT_FMA, SIMT_DOWNWARD, a, b, c); }
SIMT_ROUND_FMA(__fmaf, float, f32, fmaf)
SIMT_ROUND_FMA(__fma, double, f64, fma)
#undef SIMT_ROUND_FMA

#define SIMT_ROUND1(rcp, root, T, width, nearest)                                                                      \
  SIMT_INLINE T rcp##_rn(T a) { return 1 / a; }                                                                        \
  SIMT_INLINE T rcp##_rz(T a) { return simt_arith_##width(SIMT_DIV, SIMT_TOWARD_ZERO, 1, a, 0); }                      \
  SIMT_INLINE T rcp##_ru(T a) { return simt_arith_##width(SIMT_DIV, SIMT_UPWARD, 1, a, 0); }                           \
  SIMT_INLINE T rcp##_rd(T a) { return simt_arith_##width(SIMT_DIV, SIMT_DOWNWARD, 1, a, 0); }                         \
  SIMT_INLINE T root##_rn(T a) { return nearest(a); }                                                                  \
  SIMT_INLINE T root##_rz(T a) { return simt_arith_##width(SIMT_SQRT, SIMT_TOWARD_ZERO, a, 0, 0); }                    \
  SIMT_INLINE T root##_ru(T a) { return simt_arith_##width(SIMT_SQRT, SIMT_UPWARD, a, 0, 0); }                         \
  SIMT_INLINE T root##_rd(T a) { return simt_arith_##width(SIMT_SQRT, SIMT_DOWNWARD, a, 0, 0); }
SIMT_ROUND1(__frcp, __fsqrt, float, f32, sqrtf)
SIMT_ROUND1(__drcp, __dsqrt, double, f64, sqrt)
#undef SIMT_ROUND1

SIMT_INLINE float __frsqrt_rn(float x) { return simt_frsqrt_rn(x); }

#endif
