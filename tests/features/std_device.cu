// std_device.cu - the C++ library's templates in device code: limits, traits, constants of types.
#include <cstdint>
#include <limits>
#include <type_traits>
#include "feature.h"

template <typename T> __device__ T lowest() { return std::numeric_limits<T>::lowest(); }
template <typename T, typename U> using Same = std::is_same<T, U>;
template <typename T> using Wide = typename std::conditional<std::is_integral<T>::value, std::int64_t, double>::type;
template <typename T, typename std::enable_if<std::is_integral<T>::value, int>::type = 0> __device__ int kind(T) { return 1; }
template <typename T, typename std::enable_if<!std::is_integral<T>::value, int>::type = 0> __device__ int kind(T) { return 2; }

__global__ void right(double *out) {
  out[0] = lowest<float>() == -3.402823466e38f;
  out[1] = std::numeric_limits<int>::max();
  out[2] = -std::numeric_limits<float>::infinity();
  out[3] = Same<decltype(threadIdx.x * 1.0f), float>::value + 2 * Same<Wide<int>, std::int64_t>::value;
  out[4] = kind(3) + 10 * kind(3.0f);
  out[5] = std::is_same_v<std::decay_t<const float &>, float> + sizeof(std::uint8_t);
}

RIGHT(std_device) { right<<<1, 1>>>(out); }
EXPECTED(std_device) {
  const double value[] = {1, 2147483647, -HUGE_VAL, 3, 21, 2};
  return value[i];
}
