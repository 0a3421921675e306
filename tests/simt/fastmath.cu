// fastmath.cu - float arithmetic of every kind, compiled in both flavors: PREFIX names the functions that the test calls.
// Everything else is inline or a template of the same name in both.
#include <cmath>

#define JOIN2(a, b) a##b
#define JOIN(a, b) JOIN2(a, b)

template <class T> __host__ __device__ T quotient(T a, T b) { return a / b; }

inline __device__ float sine_of_both(float x) {
  float s, c;
  sincosf(x, &s, &c);
  return s;
}

typedef float (*Binary)(float, float);
inline __device__ float product(float a, float b) { return a * b; }

inline __device__ float quotient_below(float a, float b, int depth) {
  return depth > 0 ? quotient_below(a, b, depth - 1) : quotient(a, b);
}

enum Op {
#define OP(NAME, expression) NAME,
#include "fastmath_ops.def"
#undef OP
};

static __device__ const Binary table[2] = {quotient<float>, product};

template <class T> __device__ T apply(int op, T x, T y) {
  switch (op) {
#define OP(NAME, expression)                                                                                           \
  case NAME: return expression;
#include "fastmath_ops.def"
#undef OP
  }
  return 0;
}

template <class T> __global__ void one_op(int op, const T *in, T *out) {
  out[threadIdx.x] = apply(op, in[0], in[1]);
}

extern "C" void JOIN(PREFIX, _run)(int op, const float *in, float *out) { one_op<<<1, 1>>>(op, in, out); }

// Host code is in no flavor.
extern "C" float JOIN(PREFIX, _on_host)(float a, float b) { return quotient(a, b) + std::sqrt(a); }
