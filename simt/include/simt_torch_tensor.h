/* simt_torch_tensor.h - of PyTorch's C++ interface: tensors. One on the device owns memory of cudaMalloc(), which the engine knows by the line that
 * made it; its elements come and go by copies in the current stream. There is no autograd, and of operations only what launchers need around their
 * kernels. */
#ifndef SIMT_PYTORCH_TENSOR_H
#define SIMT_PYTORCH_TENSOR_H
#include "simt_torch_access.h"
#include "simt_torch_stream.h"
#include <cmath>
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
  SIMT_TORCH Tensor clone() const {
    Tensor r = fresh(extents, options());
    return r.copy_(*this);
  }
  SIMT_TORCH Tensor to(const TensorOptions &given) const {
    const TensorOptions o = given.or_as(options());
    if (o.dtype() == type_of_elements && o.device() == device()) return *this;
    Tensor r = fresh(extents, o);
    return r.copy_(*this);
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
    const bool as_they_are = from.type_of_elements == type_of_elements && is_contiguous() && from.is_contiguous();
    if (!numel()) return *this;
    if (as_they_are && is_cuda() && from.is_cuda())
      cudaMemcpyAsync(data_ptr(), from.data_ptr(), nbytes(), cudaMemcpyDeviceToDevice, cuda::simt_current_stream());
    else put_values(from.all_values(), from.is_cpu());
    return *this;
  }
  SIMT_TORCH const Tensor &fill_(Scalar v) const {
    if (v.toDouble() == 0 && !std::signbit(v.toDouble()) && is_cuda() && is_contiguous() && numel())
      cudaMemsetAsync(data_ptr(), 0, nbytes(), cuda::simt_current_stream());
    else put_values(std::vector<double>(static_cast<size_t>(numel()), v.toDouble()), false);
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
    r.put_values(values, false);
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
  /* In the current stream. waits: the host does, as it does for what comes out of its own memory; not for what the device makes itself. */
  SIMT_TORCH void put_values(const std::vector<double> &values, bool waits) const {
    std::vector<char> copy(static_cast<size_t>(span()) * element_size());
    if (!is_contiguous()) fetch(copy); /* what lies between them stays */
    each([&](int64_t n, int64_t at) { store(copy.data() + at * itemsize(), type_of_elements, values[static_cast<size_t>(n)]); });
    if (copy.empty()) return;
    if (is_cuda()) cudaMemcpyAsync(data_ptr(), copy.data(), copy.size(), cudaMemcpyHostToDevice, cuda::simt_current_stream());
    else std::memcpy(data_ptr(), copy.data(), copy.size());
    if (is_cuda() && waits) cudaStreamSynchronize(cuda::simt_current_stream());
  }
  SIMT_TORCH void fetch(std::vector<char> &copy) const {
    if (copy.empty()) return;
    if (is_cpu()) std::memcpy(copy.data(), data_ptr(), copy.size());
    else cudaMemcpyAsync(copy.data(), data_ptr(), copy.size(), cudaMemcpyDeviceToHost, cuda::simt_current_stream());
    if (is_cuda()) cudaStreamSynchronize(cuda::simt_current_stream());
  }
  std::vector<double> values_in(const std::vector<char> &copy) const {
    std::vector<double> values(static_cast<size_t>(numel()));
    each([&](int64_t n, int64_t at) { values[static_cast<size_t>(n)] = load(copy.data() + at * itemsize(), type_of_elements); });
    return values;
  }
};

} // namespace at

#endif
