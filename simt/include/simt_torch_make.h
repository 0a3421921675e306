/* simt_torch_make.h - of PyTorch's C++ interface: functions that make tensors. Where nobody says of which type, it is the one that PyTorch takes. */
#ifndef SIMT_PYTORCH_MAKE_H
#define SIMT_PYTORCH_MAKE_H
#include "simt_torch_tensor.h"

namespace at {

/* Without a type: of truths, whole numbers and others. */
inline TensorOptions simt_options_of(const TensorOptions &o, bool is_truth, bool is_whole) {
  return o.or_as(TensorOptions(is_truth ? kBool : is_whole ? kLong : kFloat));
}

SIMT_TORCH Tensor empty(IntArrayRef sizes, const TensorOptions &o = TensorOptions()) { return Tensor::fresh(sizes, o); }
SIMT_TORCH Tensor full(IntArrayRef sizes, Scalar v, const TensorOptions &o = TensorOptions()) {
  Tensor r = Tensor::fresh(sizes, simt_options_of(o, v.isBoolean(), v.isIntegral(false)));
  r.fill_(v);
  return r;
}
SIMT_TORCH Tensor zeros(IntArrayRef sizes, const TensorOptions &o = TensorOptions()) { return full(sizes, 0, o.or_as(kFloat)); }
SIMT_TORCH Tensor ones(IntArrayRef sizes, const TensorOptions &o = TensorOptions()) { return full(sizes, 1, o.or_as(kFloat)); }
SIMT_TORCH Tensor empty_like(const Tensor &t, const TensorOptions &o = TensorOptions()) { return empty(t.sizes(), o.or_as(t.options())); }
SIMT_TORCH Tensor zeros_like(const Tensor &t, const TensorOptions &o = TensorOptions()) { return zeros(t.sizes(), o.or_as(t.options())); }
SIMT_TORCH Tensor ones_like(const Tensor &t, const TensorOptions &o = TensorOptions()) { return ones(t.sizes(), o.or_as(t.options())); }
SIMT_TORCH Tensor full_like(const Tensor &t, Scalar v, const TensorOptions &o = TensorOptions()) {
  return full(t.sizes(), v, o.or_as(t.options()));
}

inline Tensor from_blob(void *data, IntArrayRef sizes, const TensorOptions &o = TensorOptions()) { return Tensor::of(data, sizes, {}, o); }
inline Tensor from_blob(void *data, IntArrayRef sizes, IntArrayRef strides, const TensorOptions &o = TensorOptions()) {
  return Tensor::of(data, sizes, strides, o);
}

SIMT_TORCH Tensor arange(Scalar start, Scalar end, Scalar step, const TensorOptions &o = TensorOptions()) {
  const bool is_whole = start.isIntegral(true) && end.isIntegral(true) && step.isIntegral(true);
  const double by = step.toDouble(), n = std::ceil((end.toDouble() - start.toDouble()) / by);
  TORCH_CHECK(by != 0 && n >= 0, "upper bound and lower bound inconsistent with step sign");
  std::vector<double> values;
  for (double i = 0; i < n; i++) values.push_back(start.toDouble() + i * by);
  return Tensor::made({static_cast<int64_t>(values.size())}, simt_options_of(o, false, is_whole), values);
}
SIMT_TORCH Tensor arange(Scalar start, Scalar end, const TensorOptions &o = TensorOptions()) { return arange(start, end, 1, o); }
SIMT_TORCH Tensor arange(Scalar end, const TensorOptions &o = TensorOptions()) { return arange(0, end, 1, o); }

/* The same numbers in each run. */
inline std::vector<double> simt_numbers(int64_t n, bool is_normal) {
  std::vector<double> values(static_cast<size_t>(n));
  uint64_t state = 0x9e3779b97f4a7c15u;
  for (double &v : values) {
    double sum = 0;
    for (int i = 0; i < (is_normal ? 12 : 1); i++) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      sum += static_cast<double>(state >> 11) * 0x1p-53;
    }
    v = is_normal ? sum - 6 : sum;
  }
  return values;
}
SIMT_TORCH Tensor made_of(IntArrayRef sizes, bool is_normal, const TensorOptions &o) {
  int64_t n = 1;
  for (int64_t extent : sizes) n *= extent;
  return Tensor::made(sizes.vec(), o, simt_numbers(n, is_normal));
}
SIMT_TORCH Tensor rand(IntArrayRef sizes, const TensorOptions &o = TensorOptions()) { return made_of(sizes, false, o); }
SIMT_TORCH Tensor randn(IntArrayRef sizes, const TensorOptions &o = TensorOptions()) { return made_of(sizes, true, o); }
SIMT_TORCH Tensor rand_like(const Tensor &t, const TensorOptions &o = TensorOptions()) { return rand(t.sizes(), o.or_as(t.options())); }
SIMT_TORCH Tensor randn_like(const Tensor &t, const TensorOptions &o = TensorOptions()) { return randn(t.sizes(), o.or_as(t.options())); }

/* What torch::tensor() is given: a number, or a list, in braces of any depth. The type is that of the first number, but for those that a literal has by
 * chance: whole numbers of 32 bits and more become int64_t, doubles float. */
class SimtTensorData {
public:
  template <class T, class = std::enable_if_t<std::is_arithmetic<T>::value || std::is_same<T, Half>::value || std::is_same<T, BFloat16>::value>>
  SimtTensorData(T v) : type(type_of<T>()), values(1, static_cast<double>(v)) {}
  SimtTensorData(std::initializer_list<SimtTensorData> parts) : sizes(1, static_cast<int64_t>(parts.size())) {
    if (!parts.size()) return;
    type = parts.begin()->type;
    sizes.insert(sizes.end(), parts.begin()->sizes.begin(), parts.begin()->sizes.end());
    for (const SimtTensorData &part : parts) {
      TORCH_CHECK(part.sizes == parts.begin()->sizes, "Expected all sub-lists to have the same sizes");
      values.insert(values.end(), part.values.begin(), part.values.end());
    }
  }
  template <class T> SimtTensorData(const std::vector<T> &list) : SimtTensorData(ArrayRef<T>(list)) {}
  template <class T> SimtTensorData(const ArrayRef<T> &list)
      : type(type_of<T>()), sizes(1, static_cast<int64_t>(list.size())), values(list.begin(), list.end()) {}
  SIMT_TORCH Tensor made(const TensorOptions &o) const { return Tensor::made(sizes, o.or_as(type), values); }

private:
  template <class T> static constexpr ScalarType type_of() {
    if constexpr (std::is_floating_point<T>::value) return kFloat;
    else if constexpr (std::is_integral<T>::value && sizeof(T) >= sizeof(int)) return kLong;
    else return CppTypeToScalarType<T>::value;
  }
  ScalarType type = kFloat;
  std::vector<int64_t> sizes;
  std::vector<double> values;
};

/* Of the type that is written: at::tensor<double>({...}). */
template <class T> SIMT_TORCH Tensor tensor(std::initializer_list<T> values, const TensorOptions &o = TensorOptions()) {
  return Tensor::made({static_cast<int64_t>(values.size())}, o.or_as(CppTypeToScalarType<T>::value), std::vector<double>(values.begin(), values.end()));
}

/* Are all of them that close? */
SIMT_TORCH bool allclose(const Tensor &a, const Tensor &b, double rtol = 1e-5, double atol = 1e-8) {
  const Tensor x = a.to(TensorOptions(kDouble)).contiguous(), y = b.to(TensorOptions(kDouble)).contiguous();
  if (x.sizes() != y.sizes()) return false;
  for (int64_t i = 0; i < x.numel(); i++) {
    const double p = x.data_ptr<double>()[i], q = y.data_ptr<double>()[i];
    if (!(p == q || std::fabs(p - q) <= atol + rtol * std::fabs(q))) return false;
  }
  return true;
}

} // namespace at

#endif
