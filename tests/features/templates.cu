// templates.cu - template kernels: if constexpr, variadic parameters, fold expressions, specialisations, template parameters of templates.
#include <type_traits>
#include "feature.h"

template <typename T> struct Traits;
template <> struct Traits<float> { static constexpr int lanes = 4; };
template <> struct Traits<double> { static constexpr int lanes = 2; };

template <typename T> struct Add {
  __device__ __forceinline__ T operator()(const T &a, const T &b) const { return a + b; }
};
template <typename T> struct Max {
  __device__ __forceinline__ T operator()(const T &a, const T &b) const { return a > b ? a : b; }
};

template <template <typename> class Op, typename T, int N> __inline__ __device__ T fold(T v) {
#pragma unroll
  for (int mask = N / 2; mask > 0; mask /= 2) v = Op<T>()(v, __shfl_xor_sync(0xffffffff, v, mask, N));
  return v;
}

template <typename... Ts> __device__ double total(Ts... v) { return (0.0 + ... + v); }

template <typename T, int Mode> __global__ void right(double *out) {
  static_assert(std::is_floating_point<T>::value, "a float type");
  constexpr int table[] = {3, 1, 2};
  T v = threadIdx.x;
  if constexpr (Mode == 0) v = fold<Add, T, 32>(v);
  else v = fold<Max, T, 32>(v);
  if (threadIdx.x == 0) out[Mode] = total(v, Traits<T>::lanes, table[Mode]);
}

template <typename F> void dispatch(F &&launch) { launch(); }

RIGHT(templates) {
  right<float, 0><<<1, 32>>>(out);
  dispatch([&] { right<double, 1><<<1, 32>>>(out); });
}
EXPECTED(templates) { return i == 0 ? 496 + 4 + 3 : 31 + 2 + 1; }
