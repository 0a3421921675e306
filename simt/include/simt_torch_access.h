/* simt_torch_access.h - of PyTorch's C++ interface: accessors, which kernels take by value, and the types that they compute in. */
#ifndef SIMT_PYTORCH_ACCESS_H
#define SIMT_PYTORCH_ACCESS_H
#include "simt_torch_types.h"

namespace at {

template <class T> struct DefaultPtrTraits { typedef T *PtrType; };
template <class T> struct RestrictPtrTraits { typedef T *__restrict__ PtrType; };

/* Of the last N axes; sizes and strides are another's. */
template <class T, size_t N, template <class> class PtrTraits = DefaultPtrTraits, class index_t = int64_t> class TensorAccessor {
public:
  SIMT_TORCH TensorAccessor(T *data, const index_t *sizes, const index_t *strides) : at(data), extents(sizes), steps(strides) {}
  SIMT_TORCH decltype(auto) operator[](index_t i) const {
    if constexpr (N == 1) return (at[i * steps[0]]);
    else return TensorAccessor<T, N - 1, PtrTraits, index_t>(at + i * steps[0], extents + 1, steps + 1);
  }
  SIMT_TORCH index_t size(index_t i) const { return extents[i]; }
  SIMT_TORCH index_t stride(index_t i) const { return steps[i]; }
  SIMT_TORCH T *data() const { return at; }

private:
  T *at;
  const index_t *extents, *steps;
};

/* With sizes and strides of its own. */
template <class T, size_t N, template <class> class PtrTraits = DefaultPtrTraits, class index_t = int64_t> class GenericPackedTensorAccessor {
public:
  GenericPackedTensorAccessor(T *data, const int64_t *sizes, const int64_t *strides) : at(data) {
    for (size_t i = 0; i < N; i++) {
      extents[i] = static_cast<index_t>(sizes[i]);
      steps[i] = static_cast<index_t>(strides[i]);
    }
  }
  SIMT_TORCH decltype(auto) operator[](index_t i) const {
    if constexpr (N == 1) return (at[i * steps[0]]);
    else return TensorAccessor<T, N - 1, PtrTraits, index_t>(at + i * steps[0], extents + 1, steps + 1);
  }
  SIMT_TORCH index_t size(index_t i) const { return extents[i]; }
  SIMT_TORCH index_t stride(index_t i) const { return steps[i]; }
  SIMT_TORCH T *data() const { return at; }

private:
  T *at;
  index_t extents[N], steps[N];
};
template <class T, size_t N, template <class> class PtrTraits = DefaultPtrTraits, class index_t = int64_t>
using PackedTensorAccessor = GenericPackedTensorAccessor<T, N, PtrTraits, index_t>;
template <class T, size_t N, template <class> class PtrTraits = DefaultPtrTraits>
using PackedTensorAccessor32 = GenericPackedTensorAccessor<T, N, PtrTraits, int32_t>;
template <class T, size_t N, template <class> class PtrTraits = DefaultPtrTraits>
using PackedTensorAccessor64 = GenericPackedTensorAccessor<T, N, PtrTraits, int64_t>;

/* What sums of a type are made in. */
template <class T> struct OpMathType { typedef T type; };
template <> struct OpMathType<c10::Half> { typedef float type; };
template <> struct OpMathType<c10::BFloat16> { typedef float type; };
template <class T> using opmath_type = typename OpMathType<T>::type;
template <class T, bool is_cuda> using acc_type =
    std::conditional_t<std::is_integral<T>::value && !std::is_same<T, bool>::value, int64_t,
                       std::conditional_t<is_cuda || std::is_same<T, double>::value, opmath_type<T>, double>>;

} // namespace at

SIMT_TORCH float gpuAtomicAdd(float *p, float v) { return atomicAdd(p, v); }
SIMT_TORCH double gpuAtomicAdd(double *p, double v) { return atomicAdd(p, v); }
SIMT_TORCH int gpuAtomicAdd(int *p, int v) { return atomicAdd(p, v); }
SIMT_TORCH c10::Half gpuAtomicAdd(c10::Half *p, c10::Half v) { return atomicAdd(reinterpret_cast<__half *>(p), static_cast<__half>(v)); }
SIMT_TORCH c10::BFloat16 gpuAtomicAdd(c10::BFloat16 *p, c10::BFloat16 v) {
  return atomicAdd(reinterpret_cast<__nv_bfloat16 *>(p), static_cast<__nv_bfloat16>(v));
}

#endif
