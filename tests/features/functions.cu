// functions.cu - device functions: recursion, pointers to functions, __noinline__, virtual ones.
#include "feature.h"

__device__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
__device__ __noinline__ float half_of(float v) { return v / 2; }
__device__ float twice(float v) { return v * 2; }

typedef float (*Map)(float);
__device__ Map chosen(int i) { return i % 2 ? half_of : twice; }

struct Shape {
  __device__ virtual float area() const = 0;
};
struct Square : Shape {
  float side;
  __device__ explicit Square(float s) : side(s) {}
  __device__ float area() const override { return side * side; }
};

__global__ void right(double *out) {
  const int i = threadIdx.x;
  Square square(3);
  const Shape *shape = &square;
  out[i] = fibonacci(i) + chosen(i)(8.0f) + shape->area();
}

__device__ int endless(int n) { return n == 0 ? 0 : endless(n + 1) + 1; }
__global__ void wrong(double *out) { out[0] = endless(1); }

RIGHT(functions) { right<<<1, 8>>>(out); }
WRONG(functions) { wrong<<<1, 1>>>(out); }
EXPECTED(functions) {
  int a = 0, b = 1;
  for (int k = 0; k < i; k++) {
    const int c = a + b;
    a = b, b = c;
  }
  return a + (i % 2 ? 4 : 16) + 9;
}
