/* cuComplex.h - complex numbers as CUDA's libraries take them. */
#ifndef SIMT_CUCOMPLEX_H
#define SIMT_CUCOMPLEX_H
#include "cuda_runtime.h"
#include <math.h>

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

#define SIMT_COMPLEX(Complex, T, make, f, Creal, Cimag, Conj, Cadd, Csub, Cmul, Cdiv, Cabs, Cfma)                                       \
  static __forceinline__ __host__ __device__ Complex make(T re, T im) {                                                                \
    Complex z;                                                                                                                         \
    z.x = re;                                                                                                                          \
    z.y = im;                                                                                                                          \
    return z;                                                                                                                          \
  }                                                                                                                                    \
  static __forceinline__ __host__ __device__ T Creal(Complex z) { return z.x; }                                                        \
  static __forceinline__ __host__ __device__ T Cimag(Complex z) { return z.y; }                                                        \
  static __forceinline__ __host__ __device__ Complex Conj(Complex z) { return make(z.x, -z.y); }                                       \
  static __forceinline__ __host__ __device__ Complex Cadd(Complex a, Complex b) { return make(a.x + b.x, a.y + b.y); }                 \
  static __forceinline__ __host__ __device__ Complex Csub(Complex a, Complex b) { return make(a.x - b.x, a.y - b.y); }                 \
  static __forceinline__ __host__ __device__ Complex Cmul(Complex a, Complex b) {                                                      \
    return make(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);                                                                         \
  }                                                                                                                                    \
  static __forceinline__ __host__ __device__ Complex Cfma(Complex a, Complex b, Complex c) {                                           \
    return make(a.x * b.x - a.y * b.y + c.x, a.x * b.y + a.y * b.x + c.y);                                                             \
  }                                                                                                                                    \
  /* Scaled: the square of the divisor neither overflows nor vanishes. */                                                              \
  static __forceinline__ __host__ __device__ Complex Cdiv(Complex a, Complex b) {                                                      \
    const T scale = 1 / (fabs##f(b.x) + fabs##f(b.y)), ax = a.x * scale, ay = a.y * scale, bx = b.x * scale, by = b.y * scale;         \
    const T square = 1 / (bx * bx + by * by);                                                                                          \
    return make((ax * bx + ay * by) * square, (ay * bx - ax * by) * square);                                                           \
  }                                                                                                                                    \
  static __forceinline__ __host__ __device__ T Cabs(Complex z) { return hypot##f(z.x, z.y); }
SIMT_COMPLEX(cuFloatComplex, float, make_cuFloatComplex, f, cuCrealf, cuCimagf, cuConjf, cuCaddf, cuCsubf, cuCmulf, cuCdivf, cuCabsf, cuCfmaf)
SIMT_COMPLEX(cuDoubleComplex, double, make_cuDoubleComplex, , cuCreal, cuCimag, cuConj, cuCadd, cuCsub, cuCmul, cuCdiv, cuCabs, cuCfma)
#undef SIMT_COMPLEX

static __forceinline__ __host__ __device__ cuComplex make_cuComplex(float re, float im) { return make_cuFloatComplex(re, im); }
static __forceinline__ __host__ __device__ cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex z) { return make_cuDoubleComplex(z.x, z.y); }
static __forceinline__ __host__ __device__ cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex z) {
  return make_cuFloatComplex((float)z.x, (float)z.y);
}

#endif
