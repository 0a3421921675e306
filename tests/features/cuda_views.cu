// cuda_views.cu - cuda::std in device code: span, mdspan, complex, optional, functional.
#include <cuda/functional>
#include <cuda/std/complex>
#include <cuda/std/functional>
#include <cuda/std/mdspan>
#include <cuda/std/optional>
#include <cuda/std/span>
#include <cuda/std/utility>
#include "feature.h"

using Complex = cuda::std::complex<float>;
__device__ float numbers[64];
__device__ Complex roots[16];
__global__ void fill() {
  numbers[threadIdx.x] = threadIdx.x;
  if (threadIdx.x < 16) roots[threadIdx.x] = Complex(threadIdx.x, 1);
}

__device__ cuda::std::optional<int> half_of(int i) {
  if (i % 2) return cuda::std::nullopt;
  return i / 2;
}
__device__ float sum_of(cuda::std::span<const float> s) {
  float sum = 0;
  for (float v : s) sum += v;
  return sum;
}

template <int Rows> __global__ void views(cuda::std::span<double> out, cuda::std::span<const float> in) {
  const int i = threadIdx.x;
  if (i >= static_cast<int>(in.size()) / 2) return;
  cuda::std::mdspan<const float, cuda::std::dextents<int, 2>> m(in.data(), Rows, 8);
  float transposed = m(i % m.extent(0), i / m.extent(0));
  Complex z = roots[i % 16];
  z *= Complex(0, 1);
  z += 2.0f;
  roots[i % 16] = z / Complex(0, 1);
  out[i] = transposed + 100 * sum_of(in.subspan(i, 2)) + 1e5 * half_of(i).value_or(-1);
  out[32 + i] = z.real() + 100 * z.imag() + 1e4 * cuda::std::norm(cuda::std::conj(z)) +
                1e7 * cuda::maximum<>{}(i, 7) + 1e9 * cuda::std::plus<int>()(cuda::std::min(i, 5), 1);
}

template <int Rows> static void run(double *out) {
  void *in;
  fill<<<1, 64>>>();
  cudaGetSymbolAddress(&in, numbers);
  views<Rows><<<1, 16>>>(cuda::std::span<double>(out, 64), cuda::std::span<const float>(static_cast<const float *>(in), 64));
}
__global__ void zero(double *out) { out[threadIdx.x] = 0; }

RIGHT(cuda_views) {
  zero<<<1, 64>>>(out);
  run<8>(out);
}
WRONG(cuda_views) {
  zero<<<1, 64>>>(out);
  run<8 * 512>(out + 8); // the last view is past the end of what it views
}
EXPECTED(cuda_views) {
  const int k = i % 32;
  if (k >= 16) return 0;
  if (i < 32) return k % 8 * 8 + k / 8 + 100 * (2 * k + 1) + 1e5 * (k % 2 ? -1 : k / 2);
  return 1 + 100 * k + 1e4 * (1 + k * k) + 1e7 * (k > 7 ? k : 7) + 1e9 * ((k < 5 ? k : 5) + 1);
}
