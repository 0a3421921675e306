/* device_round.c - arithmetic in the rounding directions that a device has per instruction and a CPU as a mode.
 *
 * The mode is switched for the one operation. volatile keeps that operation between the two switches: the operands are
 * read after the first and the result is written before the second. */
#include "device_math.h"
#include <fenv.h>
#include <math.h>

static int mode_of(int direction) {
  switch ((SimtDirection)direction) {
  case SIMT_UPWARD: return FE_UPWARD;
  case SIMT_DOWNWARD: return FE_DOWNWARD;
  case SIMT_TOWARD_ZERO: break;
  }
  return FE_TOWARDZERO;
}

#define ARITH(T, f)                                                                                                    \
  static T arith_##T(int op, T a, T b, T c) {                                                                          \
    switch ((SimtArith)op) {                                                                                           \
    case SIMT_ADD: return a + b;                                                                                       \
    case SIMT_SUB: return a - b;                                                                                       \
    case SIMT_MUL: return a * b;                                                                                       \
    case SIMT_DIV: return a / b;                                                                                       \
    case SIMT_SQRT: return sqrt##f(a);                                                                                 \
    case SIMT_FMA: break;                                                                                              \
    }                                                                                                                  \
    return fma##f(a, b, c);                                                                                            \
  }
ARITH(float, f)
ARITH(double, )

float simt_arith_f32(int op, int direction, float a, float b, float c) {
  const int before = fegetround();
  fesetround(mode_of(direction));
  volatile float va = a, vb = b, vc = c;
  volatile float r = arith_float(op, va, vb, vc);
  fesetround(before);
  return r;
}

double simt_arith_f64(int op, int direction, double a, double b, double c) {
  const int before = fegetround();
  fesetround(mode_of(direction));
  volatile double va = a, vb = b, vc = c;
  volatile double r = arith_double(op, va, vb, vc);
  fesetround(before);
  return r;
}

float simt_narrow_f32(int direction, long double v) {
  const int before = fegetround();
  fesetround(mode_of(direction));
  volatile long double exact = v;
  volatile float r = (float)exact;
  fesetround(before);
  return r;
}

double simt_narrow_f64(int direction, long double v) {
  const int before = fegetround();
  fesetround(mode_of(direction));
  volatile long double exact = v;
  volatile double r = (double)exact;
  fesetround(before);
  return r;
}
