/* simt_torch_tensor.h - of PyTorch's C++ interface: tensors. One on the device owns memory of cudaMalloc(), which the engine knows by the line that
 * made it; its elements come and go by cudaMemcpy(). There is no autograd, and of operations only what launchers need around their kernels. */
#ifndef SIMT_PYTORCH_TENSOR_H
#define SIMT_PYTORCH_TENSOR_H
#include "simt_torch_access.h"
#include <cstring>
#include <memory>

namespace at {

using namespace c10;

struct SimtStorage {
  void *at = nullptr;
  size_t bytes = 0;
  bool on_device = false, is_owner = false;
  SimtStorage() = default;
  SimtStorage(const SimtStorage &) = delete;
  ~SimtStorage() {
    if (is_owner && on_device) cudaFree(at);
    else if (is_owner) std::free(at);
  }
};

class Tensor {
public:
  Tensor() = default;

  /* ---- what it is ---- */
  bool defined() const { return storage != nullptr; }
  int64_t dim() const { return static_cast<int64_t>(extents.size()); }
  int64_t ndimension() const { return dim(); }
  int64_t size(int64_t i) const { return extents[axis(i)]; }
  int64_t stride(int64_t i) const { return steps[axis(i)]; }
  IntArrayRef sizes() const { return extents; }
  IntArrayRef strides() const { return steps; }
  int64_t storage_offset() const { return offset; }
  int64_t numel() const {
    int64_t n = 1;
    for (int64_t extent : extents) n *= extent;
    return n;
  }
  size_t element_size() const { return elementSize(type_of_elements); }
  int64_t itemsize() const { return static_cast<int64_t>(element_size()); }
  size_t nbytes() const { return static_cast<size_t>(numel()) * element_size(); }
  ScalarType scalar_type() const { return type_of_elements; }
  ScalarType dtype() const { return type_of_elements; }
  const Tensor &type() const { return *this; } /* x.type().is_cuda(), AT_DISPATCH(x.type(), ...) */
  operator ScalarType() const { return type_of_elements; }
  bool is_floating_point() const { return isFloatingType(type_of_elements); }
  Device device() const { return is_cuda() ? Device(kCUDA, 0) : Device(kCPU); }
  int64_t get_device() const { return is_cuda() ? 0 : -1; }
  bool is_cuda() const { return storage && storage->on_device; }
  bool is_cpu() const { return storage && !storage->on_device; }
  bool requires_grad() const { return false; }
  TensorOptions options() const { return TensorOptions().dtype(type_of_elements).device(device()); }
  bool is_same(const Tensor &other) const { return storage == other.storage; }
  bool is_contiguous() const {
    int64_t expected = 1;
    for (size_t i = extents.size(); i-- > 0;) {
      if (extents[i] != 1 && steps[i] != expected) return false;
      expected *= extents[i];
    }
    return true;
  }

  /* ---- where its elements are ---- */
  void *data_ptr() const { return storage ? static_cast<char *>(storage->at) + offset * itemsize() : nullptr; }
  template <class T> T *data_ptr() const {
    typedef std::remove_const_t<T> Element;
    TORCH_CHECK(holds<Element>(), "expected scalar type ", type_name<Element>(), " but found ", type_of_elements);
    return static_cast<T *>(data_ptr());
  }
  template <class T> T *data() const { return data_ptr<T>(); }
  template <class T> T *mutable_data_ptr() const { return data_ptr<T>(); }
  template <class T> const T *const_data_ptr() const { return data_ptr<T>(); }
  void *mutable_data_ptr() const { return data_ptr(); }
  const void *const_data_ptr() const { return data_ptr(); }

  template <class T, size_t N, template <class> class PtrTraits = DefaultPtrTraits> PackedTensorAccessor32<T, N, PtrTraits> packed_accessor32() const {
    return packed<T, N, PtrTraits, int32_t>();
  }
  template <class T, size_t N, template <class> class PtrTraits = DefaultPtrTraits> PackedTensorAccessor64<T, N, PtrTraits> packed_accessor64() const {
    return packed<T, N, PtrTraits, int64_t>();
  }
  template <class T, size_t N, template <class> class PtrTraits = DefaultPtrTraits, class index_t = int64_t>
  GenericPackedTensorAccessor<T, N, PtrTraits, index_t> packed_accessor() const {
    return packed<T, N, PtrTraits, index_t>();
  }
  /* Of a tensor on the host; it must outlive the accessor. */
  template <class T, size_t N> TensorAccessor<T, N> accessor() const & {
    TORCH_CHECK(dim() == static_cast<int64_t>(N), "expected ", N, " dims but tensor has ", dim());
    return TensorAccessor<T, N>(data_ptr<T>(), extents.data(), steps.data());
  }

  /* ---- other views of the same elements ---- */
  Tensor view(IntArrayRef sizes) const {
    TORCH_CHECK(is_contiguous(), "view size is not compatible with input tensor's size and stride");
    return shaped(sizes);
  }
  SIMT_TORCH Tensor reshape(IntArrayRef sizes) const { return contiguous().shaped(sizes); }
  SIMT_TORCH Tensor flatten() const { return reshape({-1}); }
  Tensor view_as(const Tensor &other) const { return view(other.sizes()); }
  Tensor transpose(int64_t a, int64_t b) const {
    Tensor r = *this;
    std::swap(r.extents[axis(a)], r.extents[axis(b)]);
    std::swap(r.steps[axis(a)], r.steps[axis(b)]);
    return r;
  }
  Tensor t() const { return dim() < 2 ? *this : transpose(0, 1); }
  Tensor permute(IntArrayRef order) const {
    Tensor r = *this;
    for (size_t i = 0; i < order.size(); i++) {
      r.extents[i] = extents[axis(order[i])];
      r.steps[i] = steps[axis(order[i])];
    }
    return r;
  }
  Tensor unsqueeze(int64_t i) const {
    const size_t at = static_cast<size_t>(i < 0 ? i + dim() + 1 : i);
    Tensor r = *this;
    r.steps.insert(r.steps.begin() + static_cast<std::ptrdiff_t>(at), at < extents.size() ? steps[at] * extents[at] : 1);
    r.extents.insert(r.extents.begin() + static_cast<std::ptrdiff_t>(at), 1);
    return r;
  }
  Tensor squeeze(int64_t i) const { return size(i) == 1 ? select(i, 0) : *this; }
  Tensor select(int64_t i, int64_t index) const {
    const size_t at = axis(i);
    TORCH_CHECK(index >= -extents[at] && index < extents[at], "index ", index, " is out of bounds for dimension with size ", extents[at]);
    Tensor r = *this;
    r.offset += (index < 0 ? index + extents[at] : index) * steps[at];
    r.extents.erase(r.extents.begin() + static_cast<std::ptrdiff_t>(at));
    r.steps.erase(r.steps.begin() + static_cast<std::ptrdiff_t>(at));
    return r;
  }
  Tensor operator[](int64_t index) const { return select(0, index); }
  Tensor narrow(int64_t i, int64_t start, int64_t length) const {
    const size_t at = axis(i);
    TORCH_CHECK(start >= 0 && length >= 0 && start + length <= extents[at], "narrow: out of range");
    Tensor r = *this;
    r.offset += start * steps[at];
    r.extents[at] = length;
    return r;
  }
  Tensor slice(int64_t i, int64_t start, int64_t end) const { return narrow(i, start, end - start); }
  Tensor detach() const { return *this; }

  /* ---- copies ---- */
  SIMT_TORCH Tensor contiguous() const { return is_contiguous() ? *this : clone(); }
  SIMT_TORCH Tensor clone() const { return made(extents, options(), all_values()); }
  SIMT_TORCH Tensor to(const TensorOptions &o) const {
    return o.dtype() == type_of_elements && o.device() == device() ? *this : made(extents, o, all_values());
  }
  SIMT_TORCH Tensor to(ScalarType t) const { return to(options().dtype(t)); }
  SIMT_TORCH Tensor to(Device d) const { return to(options().device(d)); }
  SIMT_TORCH Tensor to(DeviceType d) const { return to(options().device(d)); }
  SIMT_TORCH Tensor to(Device d, ScalarType t) const { return to(options().device(d).dtype(t)); }
  SIMT_TORCH Tensor toType(ScalarType t) const { return to(t); }
  SIMT_TORCH Tensor cuda() const { return to(kCUDA); }
  SIMT_TORCH Tensor cpu() const { return to(kCPU); }
  SIMT_TORCH Tensor to_float() const { return to(kFloat); }
  SIMT_TORCH Tensor half() const { return to(kHalf); }
  SIMT_TORCH const Tensor &copy_(const Tensor &from) const {
    TORCH_CHECK(from.extents == extents, "copy_: the sizes ", sizes(), " and ", from.sizes(), " differ");
    put_values(from.all_values());
    return *this;
  }
  SIMT_TORCH const Tensor &fill_(Scalar v) const {
    put_values(std::vector<double>(static_cast<size_t>(numel()), v.toDouble()));
    return *this;
  }
  SIMT_TORCH const Tensor &zero_() const { return fill_(0); }
  template <class T> SIMT_TORCH T item() const {
    TORCH_CHECK(numel() == 1, "a Tensor with ", numel(), " elements cannot be converted to Scalar");
    return static_cast<T>(all_values()[0]);
  }

  /* ---- for the functions below ---- */
  SIMT_TORCH static Tensor fresh(IntArrayRef sizes, const TensorOptions &o) {
    Tensor r;
    r.type_of_elements = o.dtype();
    r.extents = sizes.vec();
    r.set_steps();
    r.storage = std::make_shared<SimtStorage>();
    r.storage->on_device = o.device().is_cuda();
    r.storage->bytes = r.nbytes();
    r.storage->is_owner = true;
    if (!r.storage->bytes) return r;
    if (!r.storage->on_device) r.storage->at = std::malloc(r.storage->bytes);
    else if (cudaMalloc(&r.storage->at, r.storage->bytes) != cudaSuccess) r.storage->at = nullptr;
    TORCH_CHECK(r.storage->at, o.device().is_cuda() ? "CUDA" : "CPU", " out of memory");
    return r;
  }
  SIMT_TORCH static Tensor made(const std::vector<int64_t> &sizes, const TensorOptions &o, const std::vector<double> &values) {
    Tensor r = fresh(sizes, o);
    r.put_values(values);
    return r;
  }
  static Tensor of(void *data, IntArrayRef sizes, IntArrayRef strides, const TensorOptions &o) {
    Tensor r;
    r.type_of_elements = o.dtype();
    r.extents = sizes.vec();
    r.set_steps();
    if (!strides.empty()) r.steps = strides.vec();
    r.storage = std::make_shared<SimtStorage>();
    r.storage->at = data;
    r.storage->on_device = o.device().is_cuda();
    return r;
  }

private:
  std::shared_ptr<SimtStorage> storage;
  std::vector<int64_t> extents, steps; /* elements */
  int64_t offset = 0;                  /* elements */
  ScalarType type_of_elements = kFloat;

  size_t axis(int64_t i) const {
    TORCH_CHECK(i >= -dim() && i < dim(), "Dimension out of range (expected to be in range of [", -dim(), ", ", dim() - 1, "], but got ", i, ")");
    return static_cast<size_t>(i < 0 ? i + dim() : i);
  }
  void set_steps() {
    steps.assign(extents.size(), 1);
    for (size_t i = extents.size(); i-- > 1;) steps[i - 1] = steps[i] * extents[i];
  }
  template <class T> bool holds() const {
    if constexpr (std::is_same<T, __half>::value) return type_of_elements == kHalf;
    else if constexpr (std::is_same<T, __nv_bfloat16>::value) return type_of_elements == kBFloat16;
    else if constexpr (std::is_same<T, long long>::value) return type_of_elements == kLong;
    else if constexpr (std::is_same<T, signed char>::value || std::is_same<T, char>::value) return type_of_elements == kChar;
    else return CppTypeToScalarType<T>::value == type_of_elements;
  }
  template <class T> static const char *type_name() {
    if constexpr (std::is_same<T, __half>::value) return "Half";
    else if constexpr (std::is_same<T, __nv_bfloat16>::value) return "BFloat16";
    else if constexpr (std::is_same<T, long long>::value) return "Long";
    else if constexpr (std::is_same<T, signed char>::value || std::is_same<T, char>::value) return "Char";
    else return toString(CppTypeToScalarType<T>::value);
  }
  template <class T, size_t N, template <class> class PtrTraits, class index_t> GenericPackedTensorAccessor<T, N, PtrTraits, index_t> packed() const {
    TORCH_CHECK(dim() == static_cast<int64_t>(N), "expected ", N, " dims but tensor has ", dim());
    return GenericPackedTensorAccessor<T, N, PtrTraits, index_t>(data_ptr<T>(), extents.data(), steps.data());
  }
  Tensor shaped(IntArrayRef sizes) const {
    Tensor r = *this;
    int64_t known = 1, open = -1;
    r.extents = sizes.vec();
    for (size_t i = 0; i < r.extents.size(); i++) {
      if (r.extents[i] < 0) open = static_cast<int64_t>(i);
      else known *= r.extents[i];
    }
    if (open >= 0 && known) r.extents[static_cast<size_t>(open)] = numel() / known;
    TORCH_CHECK(r.numel() == numel(), "shape '", sizes, "' is invalid for input of size ", numel());
    r.set_steps();
    return r;
  }

  /* The elements in the order of their indices; and the span of memory that they lie in, on the host. */
  template <class Do> void each(Do act) const {
    std::vector<int64_t> index(extents.size(), 0);
    for (int64_t n = 0, all = numel(), at = 0; n < all; n++) {
      act(n, at);
      for (size_t i = extents.size(); i-- > 0;) {
        at += steps[i];
        if (++index[i] < extents[i]) break;
        at -= steps[i] * extents[i];
        index[i] = 0;
      }
    }
  }
  int64_t span() const {
    int64_t last = 0;
    for (size_t i = 0; i < extents.size(); i++) last += (extents[i] - 1) * steps[i];
    return numel() ? last + 1 : 0;
  }
  static double load(const char *p, ScalarType t) {
    switch (t) {
#define ROW(T, name, number) \
  case ScalarType::name: return static_cast<double>(*reinterpret_cast<const T *>(p));
      SIMT_TORCH_TYPES(ROW)
#undef ROW
    case ScalarType::Undefined: break;
    }
    return 0;
  }
  static void store(char *p, ScalarType t, double v) {
    switch (t) {
#define ROW(T, name, number) \
  case ScalarType::name: *reinterpret_cast<T *>(p) = static_cast<T>(v); break;
      SIMT_TORCH_TYPES(ROW)
#undef ROW
    case ScalarType::Undefined: break;
    }
  }
  /* As doubles, which hold all but the largest of 64-bit integers. */
  SIMT_TORCH std::vector<double> all_values() const {
    std::vector<char> copy(static_cast<size_t>(span()) * element_size());
    fetch(copy);
    return values_in(copy);
  }
  SIMT_TORCH void put_values(const std::vector<double> &values) const {
    std::vector<char> copy(static_cast<size_t>(span()) * element_size());
    if (!is_contiguous()) fetch(copy); /* what lies between them stays */
    each([&](int64_t n, int64_t at) { store(copy.data() + at * itemsize(), type_of_elements, values[static_cast<size_t>(n)]); });
    if (copy.empty()) return;
    if (is_cuda()) cudaMemcpy(data_ptr(), copy.data(), copy.size(), cudaMemcpyHostToDevice);
    else std::memcpy(data_ptr(), copy.data(), copy.size());
  }
  SIMT_TORCH void fetch(std::vector<char> &copy) const {
    if (copy.empty()) return;
    if (is_cuda()) cudaMemcpy(copy.data(), data_ptr(), copy.size(), cudaMemcpyDeviceToHost);
    else std::memcpy(copy.data(), data_ptr(), copy.size());
  }
  std::vector<double> values_in(const std::vector<char> &copy) const {
    std::vector<double> values(static_cast<size_t>(numel()));
    each([&](int64_t n, int64_t at) { values[static_cast<size_t>(n)] = load(copy.data() + at * itemsize(), type_of_elements); });
    return values;
  }
};

/* ---- new ones ---- */

SIMT_TORCH Tensor empty(IntArrayRef sizes, const TensorOptions &o = TensorOptions()) { return Tensor::fresh(sizes, o); }
SIMT_TORCH Tensor full(IntArrayRef sizes, Scalar v, const TensorOptions &o = TensorOptions()) {
  Tensor r = Tensor::fresh(sizes, o);
  r.fill_(v);
  return r;
}
SIMT_TORCH Tensor zeros(IntArrayRef sizes, const TensorOptions &o = TensorOptions()) { return full(sizes, 0, o); }
SIMT_TORCH Tensor ones(IntArrayRef sizes, const TensorOptions &o = TensorOptions()) { return full(sizes, 1, o); }
SIMT_TORCH Tensor empty_like(const Tensor &t) { return empty(t.sizes(), t.options()); }
SIMT_TORCH Tensor empty_like(const Tensor &t, const TensorOptions &o) { return empty(t.sizes(), o); }
SIMT_TORCH Tensor zeros_like(const Tensor &t) { return zeros(t.sizes(), t.options()); }
SIMT_TORCH Tensor zeros_like(const Tensor &t, const TensorOptions &o) { return zeros(t.sizes(), o); }
SIMT_TORCH Tensor ones_like(const Tensor &t) { return ones(t.sizes(), t.options()); }
SIMT_TORCH Tensor full_like(const Tensor &t, Scalar v) { return full(t.sizes(), v, t.options()); }

inline Tensor from_blob(void *data, IntArrayRef sizes, const TensorOptions &o = TensorOptions()) { return Tensor::of(data, sizes, {}, o); }
inline Tensor from_blob(void *data, IntArrayRef sizes, IntArrayRef strides, const TensorOptions &o = TensorOptions()) {
  return Tensor::of(data, sizes, strides, o);
}
SIMT_TORCH Tensor arange(Scalar end, const TensorOptions &o = TensorOptions()) {
  std::vector<double> values;
  for (double v = 0; v < end.toDouble(); v++) values.push_back(v);
  return Tensor::made({static_cast<int64_t>(values.size())}, o, values);
}

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
  Tensor r = Tensor::fresh(sizes, o);
  r.copy_(Tensor::made(sizes.vec(), TensorOptions(kDouble), simt_numbers(r.numel(), is_normal)));
  return r;
}
SIMT_TORCH Tensor rand(IntArrayRef sizes, const TensorOptions &o = TensorOptions()) { return made_of(sizes, false, o); }
SIMT_TORCH Tensor randn(IntArrayRef sizes, const TensorOptions &o = TensorOptions()) { return made_of(sizes, true, o); }
SIMT_TORCH Tensor rand_like(const Tensor &t) { return rand(t.sizes(), t.options()); }
SIMT_TORCH Tensor randn_like(const Tensor &t) { return randn(t.sizes(), t.options()); }

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
