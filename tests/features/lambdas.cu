// lambdas.cu - lambdas in device code, and functors as arguments of kernels.
#include "feature.h"

struct Axpy {
  float a;
  __host__ __device__ float operator()(float x, float y) const { return a * x + y; }
};

template <typename F> __global__ void apply(double *out, F f) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  auto scaled = [=](float v) { return v * 2; };
  auto at = [&](int k) -> double & { return out[k]; };
  at(i) = scaled(f(i, 1.0f));
}

template <typename Body> __device__ void each(int n, Body body) {
  for (int k = threadIdx.x; k < n; k += blockDim.x) body(k);
}

__global__ void wrong(double *out, int n) {
  __shared__ int s[40];
  each(n, [&](int k) { s[k] = k; });
  __syncthreads();
  each(n, [&](int k) { out[k % 32] = s[k]; });
}

RIGHT(lambdas) { apply<<<2, 16>>>(out, Axpy{3}); }
WRONG(lambdas) { wrong<<<1, 32>>>(out, 41); }
EXPECTED(lambdas) { return 2 * (3 * i + 1); }
