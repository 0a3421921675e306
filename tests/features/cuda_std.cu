// cuda_std.cu - cuda::std in device code: limits, traits, array, tuple, swap.
#include <cuda/std/array>
#include <cuda/std/cstdint>
#include <cuda/std/limits>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <cuda/std/utility>
#include "feature.h"

template <typename T> __device__ T highest() { return cuda::std::numeric_limits<T>::max(); }

__global__ void right(double *out) {
  cuda::std::array<int, 3> a = {1, 2, 3};
  int x = 4, y = 5;
  cuda::std::swap(x, y);
  cuda::std::tuple<int, float> t(7, 0.5f);
  out[0] = a[2] + x + cuda::std::get<1>(t) + a.size();
  out[1] = highest<cuda::std::int16_t>() + cuda::std::is_same<int, cuda::std::int32_t>::value;
}

RIGHT(cuda_std) { right<<<1, 1>>>(out); }
EXPECTED(cuda_std) { return i == 0 ? 3 + 5 + 0.5 + 3 : 32768; }
