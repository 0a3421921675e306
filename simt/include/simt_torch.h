/* simt_torch.h - what the headers of PyTorch's C++ interface (torch/, ATen/, c10/) declare here: enough for files whose kernels one wants to check, and
 * for a small main() that makes tensors and calls a launcher. doc/CC.md says what there is. The names are PyTorch's, the text is ours. */
#ifndef SIMT_TORCH_H
#define SIMT_TORCH_H
#include "simt_torch_make.h"

/* ---- by type of element: the name goes unused ---- */

#define SIMT_TORCH_CASE(name, T, ...) \
  case ::c10::ScalarType::name: { \
    using scalar_t [[maybe_unused]] = T; \
    return __VA_ARGS__(); \
  }
#define SIMT_TORCH_SWITCH(TYPE, NAME, CASES) \
  [&] { \
    const ::c10::ScalarType simt_type = (TYPE); \
    switch (simt_type) { \
      CASES \
    default: AT_ERROR("\"", NAME, "\" not implemented for '", ::c10::toString(simt_type), "'"); \
    } \
  }()
#define SIMT_TORCH_ONE(TYPE, ...) \
  case TYPE: { \
    using scalar_t [[maybe_unused]] = typename ::at::SimtCppType<TYPE>::type; \
    return __VA_ARGS__(); \
  }
#define SIMT_TORCH_FLOATS(...) SIMT_TORCH_CASE(Double, double, __VA_ARGS__) SIMT_TORCH_CASE(Float, float, __VA_ARGS__)
#define SIMT_TORCH_INTEGERS(...) \
  SIMT_TORCH_CASE(Byte, uint8_t, __VA_ARGS__) SIMT_TORCH_CASE(Char, int8_t, __VA_ARGS__) SIMT_TORCH_CASE(Int, int, __VA_ARGS__) \
  SIMT_TORCH_CASE(Long, int64_t, __VA_ARGS__) SIMT_TORCH_CASE(Short, int16_t, __VA_ARGS__)
#define SIMT_TORCH_HALVES(...) SIMT_TORCH_CASE(Half, ::c10::Half, __VA_ARGS__)

namespace at {
template <ScalarType T> struct SimtCppType;
#define ROW(T, name, number) \
  template <> struct SimtCppType<ScalarType::name> { typedef T type; };
SIMT_TORCH_TYPES(ROW)
#undef ROW
} // namespace at

#define AT_DISPATCH_FLOATING_TYPES(TYPE, NAME, ...) SIMT_TORCH_SWITCH(TYPE, NAME, SIMT_TORCH_FLOATS(__VA_ARGS__))
#define AT_DISPATCH_FLOATING_TYPES_AND_HALF(TYPE, NAME, ...) \
  SIMT_TORCH_SWITCH(TYPE, NAME, SIMT_TORCH_FLOATS(__VA_ARGS__) SIMT_TORCH_HALVES(__VA_ARGS__))
#define AT_DISPATCH_FLOATING_TYPES_AND(A, TYPE, NAME, ...) \
  SIMT_TORCH_SWITCH(TYPE, NAME, SIMT_TORCH_FLOATS(__VA_ARGS__) SIMT_TORCH_ONE(A, __VA_ARGS__))
#define AT_DISPATCH_FLOATING_TYPES_AND2(A, B, TYPE, NAME, ...) \
  SIMT_TORCH_SWITCH(TYPE, NAME, SIMT_TORCH_FLOATS(__VA_ARGS__) SIMT_TORCH_ONE(A, __VA_ARGS__) SIMT_TORCH_ONE(B, __VA_ARGS__))
#define AT_DISPATCH_INTEGRAL_TYPES(TYPE, NAME, ...) SIMT_TORCH_SWITCH(TYPE, NAME, SIMT_TORCH_INTEGERS(__VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES(TYPE, NAME, ...) \
  SIMT_TORCH_SWITCH(TYPE, NAME, SIMT_TORCH_FLOATS(__VA_ARGS__) SIMT_TORCH_INTEGERS(__VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES_AND(A, TYPE, NAME, ...) \
  SIMT_TORCH_SWITCH(TYPE, NAME, SIMT_TORCH_FLOATS(__VA_ARGS__) SIMT_TORCH_INTEGERS(__VA_ARGS__) SIMT_TORCH_ONE(A, __VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES_AND2(A, B, TYPE, NAME, ...) \
  SIMT_TORCH_SWITCH(TYPE, NAME, SIMT_TORCH_FLOATS(__VA_ARGS__) SIMT_TORCH_INTEGERS(__VA_ARGS__) SIMT_TORCH_ONE(A, __VA_ARGS__) SIMT_TORCH_ONE(B, __VA_ARGS__))
#define AT_DISPATCH_CASE(TYPE, ...) SIMT_TORCH_ONE(TYPE, __VA_ARGS__)
#define AT_DISPATCH_CASE_FLOATING_TYPES(...) SIMT_TORCH_FLOATS(__VA_ARGS__)
#define AT_DISPATCH_SWITCH(TYPE, NAME, ...) SIMT_TORCH_SWITCH(TYPE, NAME, __VA_ARGS__)

/* ---- CUDA ---- */

namespace c10 {
namespace cuda {

inline DeviceIndex current_device() { return 0; }
inline DeviceIndex device_count() { return 1; }
inline void set_device(int) {}
inline void device_synchronize() { cudaDeviceSynchronize(); }

struct CUDAGuard {
  explicit CUDAGuard(int) {}
  explicit CUDAGuard(Device) {}
};
struct OptionalCUDAGuard {
  OptionalCUDAGuard() = default;
  explicit OptionalCUDAGuard(std::optional<Device>) {}
};
struct CUDAStreamGuard {
  explicit CUDAStreamGuard(CUDAStream s) : before(simt_current_stream()) { simt_current_stream() = s.stream(); }
  ~CUDAStreamGuard() { simt_current_stream() = before; }
  cudaStream_t before;
};

} // namespace cuda
} // namespace c10

namespace at {
namespace cuda {
using namespace c10::cuda;
using c10::cuda::CUDAGuard;
inline cudaDeviceProp *getCurrentDeviceProperties() {
  static cudaDeviceProp p;
  cudaGetDeviceProperties(&p, 0);
  return &p;
}
inline cudaDeviceProp *getDeviceProperties(int) { return getCurrentDeviceProperties(); }
inline int warp_size() { return 32; }
template <class T> inline T ATenCeilDiv(T a, T b) { return (a + b - 1) / b; }
} // namespace cuda
template <class T> inline T ceil_div(T a, T b) { return (a + b - 1) / b; }
using cuda::CUDAStream;
inline Device device_of(const Tensor &t) { return t.device(); }
struct DeviceGuard {
  explicit DeviceGuard(Device) {}
};
} // namespace at
using at::device_of;

#define C10_CUDA_CHECK(call) \
  do { \
    const cudaError_t simt_error = (call); \
    TORCH_CHECK(simt_error == cudaSuccess, "CUDA error: ", cudaGetErrorString(simt_error)); \
  } while (0)
#define AT_CUDA_CHECK(call) C10_CUDA_CHECK(call)
#define C10_CUDA_KERNEL_LAUNCH_CHECK() C10_CUDA_CHECK(cudaGetLastError())
#define C10_HOST_DEVICE __host__ __device__
#define C10_DEVICE __device__
#define C10_HOST __host__
#define C10_ALWAYS_INLINE inline __attribute__((always_inline))
#define C10_RESTRICT __restrict__
#define C10_LAUNCH_BOUNDS_1(threads) __launch_bounds__(threads)
#define C10_LAUNCH_BOUNDS_2(threads, blocks) __launch_bounds__(threads, blocks)
#define C10_WARP_SIZE 32
#define CUDA_KERNEL_LOOP_TYPE(i, n, T) \
  for (int64_t simt_at = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x, i##_end = (n); simt_at < i##_end; \
       simt_at += static_cast<int64_t>(blockDim.x) * gridDim.x) \
    if (const T i = static_cast<T>(simt_at); true)
#define CUDA_KERNEL_LOOP(i, n) CUDA_KERNEL_LOOP_TYPE(i, n, int)

/* ---- for Python: nothing calls what a module defines ---- */

#ifndef TORCH_EXTENSION_NAME
#define TORCH_EXTENSION_NAME simt_extension
#endif
namespace pybind11 {
struct arg {
  explicit arg(const char *) {}
  template <class T> arg &operator=(const T &) { return *this; }
};
struct module_ {
  template <class... Rest> module_ &def(const char *, Rest &&...) { return *this; }
  const char *&doc() { return text; }
  const char *text = nullptr;
};
typedef module_ module;
template <class...> struct call_guard {};
struct gil_scoped_release {};
} // namespace pybind11
namespace py = pybind11;

namespace torch {
using namespace at;
namespace indexing {}
namespace cuda {
inline void synchronize(int64_t = -1) { cudaDeviceSynchronize(); }
inline bool is_available() { return true; }
inline int64_t device_count() { return 1; }
} // namespace cuda
typedef c10::DeviceType SimtDispatchKey;
struct Library {
  template <class... Rest> Library &def(const char *, Rest &&...) { return *this; }
  template <class... Rest> Library &impl(const char *, Rest &&...) { return *this; }
};
template <class F> F dispatch(c10::DeviceType, F f) { return f; }
inline c10::TensorOptions dtype(c10::ScalarType t) { return c10::dtype(t); }
SIMT_TORCH Tensor tensor(const SimtTensorData &data, const TensorOptions &o = TensorOptions()) { return data.made(o); }
inline void manual_seed(uint64_t) {}
} // namespace torch

#define SIMT_TORCH_JOIN(a, b) SIMT_TORCH_JOIN_(a, b)
#define SIMT_TORCH_JOIN_(a, b) a##b
#define SIMT_TORCH_MODULE(T, m) [[maybe_unused]] static void SIMT_TORCH_JOIN(simt_module_, __COUNTER__)([[maybe_unused]] T &m)
#define PYBIND11_MODULE(name, m) SIMT_TORCH_MODULE(::pybind11::module_, m)
#define TORCH_LIBRARY(name, m) SIMT_TORCH_MODULE(::torch::Library, m)
#define TORCH_LIBRARY_FRAGMENT(name, m) SIMT_TORCH_MODULE(::torch::Library, m)
#define TORCH_LIBRARY_IMPL(name, key, m) SIMT_TORCH_MODULE(::torch::Library, m)

#endif
