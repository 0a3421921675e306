/* simt_torch_types.h - of PyTorch's C++ interface: errors, types of elements, devices, shapes. With its names; the text is ours. */
#ifndef SIMT_PYTORCH_TYPES_H
#define SIMT_PYTORCH_TYPES_H
#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <ostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

/* To the end of each call, so that memory is known by the user's line. */
#define SIMT_TORCH inline __attribute__((always_inline))

namespace c10 {

class Error : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};
typedef Error IndexError;
typedef Error ValueError;

template <class... Parts> std::string str(const Parts &...parts) {
  std::ostringstream text;
  (void)(text << ... << parts);
  return text.str();
}

template <class... Parts> [[noreturn]] inline void torch_fails(const char *file, int line, const char *condition, const Parts &...parts) {
  const std::string why = str(parts...);
  throw Error(str(file, ":", line, ": ", why.empty() ? std::string("expected ") + condition : why));
}

/* ---- halves: like floats that are kept in 16 bits ---- */

#define SIMT_TORCH_HALF(Name, Native)                                                                                              \
  struct alignas(2) Name {                                                                                                         \
    unsigned short x;                                                                                                              \
    Name() = default;                                                                                                              \
    SIMT_TORCH Name(float value) : x(__builtin_bit_cast(unsigned short, Native(value))) {}                                         \
    SIMT_TORCH Name(const Native &value) : x(__builtin_bit_cast(unsigned short, value)) {}                                         \
    SIMT_TORCH operator float() const { return static_cast<float>(__builtin_bit_cast(Native, x)); }                                \
    SIMT_TORCH explicit operator Native() const { return __builtin_bit_cast(Native, x); }                                          \
    SIMT_TORCH Name &operator+=(float b) { return *this = *this + b; }                                                             \
    SIMT_TORCH Name &operator-=(float b) { return *this = *this - b; }                                                             \
    SIMT_TORCH Name &operator*=(float b) { return *this = *this * b; }                                                             \
    SIMT_TORCH Name &operator/=(float b) { return *this = *this / b; }                                                             \
    friend SIMT_TORCH Name operator+(const Name &a, const Name &b) { return static_cast<float>(a) + static_cast<float>(b); }       \
    friend SIMT_TORCH Name operator-(const Name &a, const Name &b) { return static_cast<float>(a) - static_cast<float>(b); }       \
    friend SIMT_TORCH Name operator*(const Name &a, const Name &b) { return static_cast<float>(a) * static_cast<float>(b); }       \
    friend SIMT_TORCH Name operator/(const Name &a, const Name &b) { return static_cast<float>(a) / static_cast<float>(b); }       \
    friend SIMT_TORCH Name operator-(const Name &a) { return -static_cast<float>(a); }                                             \
    SIMT_TORCH_HALF_WITH(Name, float, float)                                                                                       \
    SIMT_TORCH_HALF_WITH(Name, double, double)                                                                                     \
    SIMT_TORCH_HALF_WITH(Name, int, Name)                                                                                          \
    SIMT_TORCH_HALF_WITH(Name, int64_t, Name)                                                                                      \
  };
#define SIMT_TORCH_HALF_WITH(Name, T, Result)                                                                                      \
  friend SIMT_TORCH Result operator+(const Name &a, T b) { return static_cast<float>(a) + static_cast<SimtWide<T>>(b); }           \
  friend SIMT_TORCH Result operator-(const Name &a, T b) { return static_cast<float>(a) - static_cast<SimtWide<T>>(b); }           \
  friend SIMT_TORCH Result operator*(const Name &a, T b) { return static_cast<float>(a) * static_cast<SimtWide<T>>(b); }           \
  friend SIMT_TORCH Result operator/(const Name &a, T b) { return static_cast<float>(a) / static_cast<SimtWide<T>>(b); }           \
  friend SIMT_TORCH Result operator+(T a, const Name &b) { return static_cast<SimtWide<T>>(a) + static_cast<float>(b); }           \
  friend SIMT_TORCH Result operator-(T a, const Name &b) { return static_cast<SimtWide<T>>(a) - static_cast<float>(b); }           \
  friend SIMT_TORCH Result operator*(T a, const Name &b) { return static_cast<SimtWide<T>>(a) * static_cast<float>(b); }           \
  friend SIMT_TORCH Result operator/(T a, const Name &b) { return static_cast<SimtWide<T>>(a) / static_cast<float>(b); }
template <class T> using SimtWide = std::conditional_t<std::is_same<T, double>::value, double, float>;
SIMT_TORCH_HALF(Half, __half)
SIMT_TORCH_HALF(BFloat16, __nv_bfloat16)
#undef SIMT_TORCH_HALF
#undef SIMT_TORCH_HALF_WITH

/* ---- types of elements: their numbers are PyTorch's ---- */

#define SIMT_TORCH_TYPES(ROW)                                                                                                    \
  ROW(uint8_t, Byte, 0) ROW(int8_t, Char, 1) ROW(int16_t, Short, 2) ROW(int, Int, 3) ROW(int64_t, Long, 4) ROW(Half, Half, 5)    \
  ROW(float, Float, 6) ROW(double, Double, 7) ROW(bool, Bool, 11) ROW(BFloat16, BFloat16, 15)

enum class ScalarType : int8_t {
#define ROW(T, name, number) name = number,
  SIMT_TORCH_TYPES(ROW)
#undef ROW
  Undefined = 46
};
#define ROW(T, name, number) constexpr ScalarType k##name = ScalarType::name;
SIMT_TORCH_TYPES(ROW)
#undef ROW
constexpr ScalarType kUInt8 = kByte, kInt8 = kChar, kInt16 = kShort, kInt32 = kInt, kInt64 = kLong, kFloat16 = kHalf, kFloat32 = kFloat,
                     kFloat64 = kDouble;

template <class T> struct CppTypeToScalarType {};
#define ROW(T, name, number) \
  template <> struct CppTypeToScalarType<T> { static constexpr ScalarType value = ScalarType::name; };
SIMT_TORCH_TYPES(ROW)
#undef ROW

inline const char *toString(ScalarType t) {
  switch (t) {
#define ROW(T, name, number) \
  case ScalarType::name: return #name;
    SIMT_TORCH_TYPES(ROW)
#undef ROW
  case ScalarType::Undefined: break;
  }
  return "Undefined";
}
inline std::ostream &operator<<(std::ostream &out, ScalarType t) { return out << toString(t); }

inline size_t elementSize(ScalarType t) {
  switch (t) {
#define ROW(T, name, number) \
  case ScalarType::name: return sizeof(T);
    SIMT_TORCH_TYPES(ROW)
#undef ROW
  case ScalarType::Undefined: break;
  }
  return 0;
}
inline bool isFloatingType(ScalarType t) { return t == kHalf || t == kFloat || t == kDouble || t == kBFloat16; }

/* ---- devices ---- */

enum class DeviceType : int8_t { CPU = 0, CUDA = 1 };
constexpr DeviceType kCPU = DeviceType::CPU, kCUDA = DeviceType::CUDA;
typedef int8_t DeviceIndex;

class Device {
public:
  Device(DeviceType type, int index = -1) : kind(type), number(index) {}
  Device(const std::string &name) : kind(name.compare(0, 4, "cuda") == 0 ? kCUDA : kCPU), number(kind == kCUDA ? 0 : -1) {}
  DeviceType type() const { return kind; }
  DeviceIndex index() const { return static_cast<DeviceIndex>(number); }
  bool has_index() const { return number >= 0; }
  bool is_cuda() const { return kind == kCUDA; }
  bool is_cpu() const { return kind == kCPU; }
  bool operator==(const Device &other) const { return kind == other.kind && (kind == kCPU || (number < 0 ? 0 : number) == (other.number < 0 ? 0 : other.number)); }
  bool operator!=(const Device &other) const { return !(*this == other); }
  std::string str() const { return is_cuda() ? "cuda:" + std::to_string(number < 0 ? 0 : number) : "cpu"; }

private:
  DeviceType kind;
  int number;
};
inline std::ostream &operator<<(std::ostream &out, const Device &d) { return out << d.str(); }

enum class Layout : int8_t { Strided };
constexpr Layout kStrided = Layout::Strided;
enum class MemoryFormat : int8_t { Contiguous, Preserve };

/* What a new tensor is to be. What is not said is float and on the host, or as another tensor has it that the new one is to be like. */
class TensorOptions {
public:
  TensorOptions() = default;
  TensorOptions(ScalarType t) : type(t) {}
  TensorOptions(Device d) : where(d) {}
  TensorOptions(DeviceType d) : where(d) {}
  TensorOptions dtype(ScalarType t) const { return with([t](TensorOptions &o) { o.type = t; }); }
  TensorOptions device(Device d) const { return with([d](TensorOptions &o) { o.where = d; }); }
  TensorOptions device(DeviceType d, int index = -1) const { return device(Device(d, index)); }
  TensorOptions device_index(int index) const { return device(Device(kCUDA, index)); }
  TensorOptions requires_grad(bool = true) const { return *this; }
  TensorOptions layout(Layout) const { return *this; }
  TensorOptions memory_format(MemoryFormat) const { return *this; }
  TensorOptions pinned_memory(bool) const { return *this; }
  ScalarType dtype() const { return type.value_or(kFloat); }
  Device device() const { return where.value_or(Device(kCPU)); }
  bool has_dtype() const { return type.has_value(); }
  bool has_device() const { return where.has_value(); }
  std::optional<ScalarType> dtype_opt() const { return type; }
  std::optional<Device> device_opt() const { return where; }
  /* What this says; of the rest, what `others` say. */
  TensorOptions or_as(const TensorOptions &others) const {
    TensorOptions all = *this;
    if (!type) all.type = others.type;
    if (!where) all.where = others.where;
    return all;
  }

private:
  template <class Change> TensorOptions with(Change change) const {
    TensorOptions other = *this;
    change(other);
    return other;
  }
  std::optional<ScalarType> type;
  std::optional<Device> where;
};
inline TensorOptions dtype(ScalarType t) { return TensorOptions().dtype(t); }
inline TensorOptions device(Device d) { return TensorOptions().device(d); }
inline TensorOptions requires_grad(bool = true) { return TensorOptions(); }

/* ---- lists ---- */

template <class T> class ArrayRef {
public:
  ArrayRef() = default;
  ArrayRef(std::initializer_list<T> all) : kept(all) {}
  ArrayRef(const std::vector<T> &all) : kept(all) {}
  ArrayRef(const T &one) : kept(1, one) {}
  ArrayRef(const T *first, size_t n) : kept(first, first + n) {}
  size_t size() const { return kept.size(); }
  bool empty() const { return kept.empty(); }
  const T *data() const { return kept.data(); }
  const T *begin() const { return kept.data(); }
  const T *end() const { return kept.data() + kept.size(); }
  const T &operator[](size_t i) const { return kept[i]; }
  const T &back() const { return kept.back(); }
  const T &front() const { return kept.front(); }
  std::vector<T> vec() const { return kept; }
  bool operator==(const ArrayRef &other) const { return kept == other.kept; }
  bool operator!=(const ArrayRef &other) const { return kept != other.kept; }
  bool equals(const ArrayRef &other) const { return kept == other.kept; }

private:
  std::vector<T> kept; /* a copy: what PyTorch has is a view of what may be gone */
};
typedef ArrayRef<int64_t> IntArrayRef;
template <class T> std::ostream &operator<<(std::ostream &out, const ArrayRef<T> &all) {
  out << "[";
  for (size_t i = 0; i < all.size(); i++) out << (i ? ", " : "") << all[i];
  return out << "]";
}

template <class T> using optional = std::optional<T>;
constexpr std::nullopt_t nullopt = std::nullopt;

/* A number of any type; whole ones are kept as such. */
class Scalar {
public:
  template <class T, class = std::enable_if_t<std::is_arithmetic<T>::value>> Scalar(T v)
      : value(static_cast<double>(v)), whole(std::is_integral<T>::value ? static_cast<int64_t>(v) : 0),
        kind(std::is_same<T, bool>::value ? kBool : std::is_integral<T>::value ? kLong : kDouble) {}
  template <class T> T to() const { return kind == kDouble ? static_cast<T>(value) : static_cast<T>(whole); }
  double toDouble() const { return value; }
  float toFloat() const { return static_cast<float>(value); }
  int64_t toLong() const { return to<int64_t>(); }
  int toInt() const { return to<int>(); }
  bool toBool() const { return value != 0; }
  ScalarType type() const { return kind; }
  bool isBoolean() const { return kind == kBool; }
  bool isIntegral(bool bool_too) const { return kind == kLong || (bool_too && kind == kBool); }
  bool isFloatingPoint() const { return kind == kDouble; }

private:
  double value;
  int64_t whole;
  ScalarType kind;
};

} // namespace c10

#define TORCH_CHECK(condition, ...) \
  do { \
    if (!(condition)) ::c10::torch_fails(__FILE__, __LINE__, #condition, ##__VA_ARGS__); \
  } while (0)
#define TORCH_INTERNAL_ASSERT TORCH_CHECK
#define TORCH_CHECK_EQ(a, b) TORCH_CHECK((a) == (b))
#define TORCH_CHECK_INDEX TORCH_CHECK
#define TORCH_CHECK_VALUE TORCH_CHECK
#define TORCH_CHECK_NOT_IMPLEMENTED TORCH_CHECK
#define AT_ASSERT(condition) TORCH_CHECK(condition)
#define AT_ASSERTM TORCH_CHECK
#define AT_CHECK TORCH_CHECK
#define AT_ERROR(...) ::c10::torch_fails(__FILE__, __LINE__, "", ##__VA_ARGS__)
#define TORCH_WARN(...) ((void)0)
#define TORCH_WARN_ONCE(...) ((void)0)

#endif
