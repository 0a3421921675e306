/* simt_ptx.h - the PTX instructions of ../simt_ptx.def as functions; simt-rewrite makes calls of them out of asm statements. Template
 * arguments are the types of the opcode, in its order; arguments are the operands behind the result. PTX ISA, Instruction Set. */
#ifndef SIMT_PTX_H
#define SIMT_PTX_H
#include "device_half.h"
#include "simt_atomic.h"
#include "simt_convert.h"
#include "simt_integer.h"
#include "simt_round.h"
#include "simt_shuffle.h"
#include "simt_sync.h"
#include "simt_user_copy.h"
#include "simt_user_matrix.h"
#include "simt_user_ptx.h"
#include <type_traits>

namespace simt {
namespace ptx {

enum { WEAK = -1 }; /* beside SimtOrder */

/* Floats of 16 bits, as bits. */
struct f16 { unsigned short bits; };
struct bf16 { unsigned short bits; };
struct f16x2 { unsigned bits; };
struct bf16x2 { unsigned bits; };

template <class T> using Plain = typename std::remove_cv<typename std::remove_reference<T>::type>::type;

/* The bits of v as a To; of another size, the number. */
template <class To, class From> SIMT_INLINE To p_to(From v) {
  if constexpr (std::is_same<To, From>::value) {
    return v;
  } else if constexpr (sizeof(To) == sizeof(From)) {
    To copy;
    __builtin_memcpy(&copy, &v, sizeof copy);
    return copy;
  } else if constexpr (std::is_class<From>::value) {
    return static_cast<To>(v.bits);
  } else {
    return static_cast<To>(v);
  }
}

template <class T> using Unsigned = typename std::make_unsigned<T>::type;
template <class T> constexpr int bits_of_type = 8 * sizeof(T);

/* ---- addresses ---- */
/* Of shared memory: the offset in the window of the block, or a generic address as it is; as a generic one. */
template <class A> SIMT_INLINE unsigned long long in_shared(A a) {
  const unsigned long long v = p_to<unsigned long long>(a);
  return v >> 32 ? v : v + reinterpret_cast<uintptr_t>(simt_shared_window());
}
template <class A> SIMT_INLINE unsigned long long to_shared(A a) { return __cvta_generic_to_shared(reinterpret_cast<const void *>(p_to<unsigned long long>(a))); }
template <class T, class A> SIMT_INLINE T *address(A a, long long offset_bytes) {
  if constexpr (sizeof(A) != 8) simt_op_refused("inline PTX with a 32-bit address that is not said to be of shared memory", nullptr);
  return reinterpret_cast<T *>(p_to<unsigned long long>(a) + static_cast<unsigned long long>(offset_bytes));
}

/* ---- accesses ---- */
template <class T, int Order, int Scope> SIMT_INLINE T *strong(T *p, int kind) {
  return static_cast<T *>(simt_op_atomic_ordered(const_cast<typename std::remove_const<T>::type *>(p), sizeof(T), Scope, kind, Order, nullptr));
}
template <class V, int Order, int Scope> SIMT_INLINE V load_whole(V *p) {
  if constexpr (Order == WEAK) return weak_load(p);
  else return *strong<V, Order, Scope>(p, SIMT_STRONG_LOAD);
}
template <class T, int Order, int Scope, class A> SIMT_INLINE T p_load(A a, long long offset_bytes) {
  return load_whole<T, Order, Scope>(address<T>(a, offset_bytes));
}
template <class T, int N, int Order, int Scope, class A, class... Out>
SIMT_INLINE void p_load_vector(A a, long long offset_bytes, Out &...out) {
  typedef Vector<T, N> V;
  const V v = load_whole<V, Order, Scope>(address<V>(a, offset_bytes));
  int i = 0;
  (leave(out, p_to<Out>(v.v[i++])), ...);
}
template <class T, int Order, int Scope, class A, class... In> SIMT_INLINE void p_store(A a, long long offset_bytes, In... in) {
  typedef Vector<T, sizeof...(In)> V;
  typedef typename std::conditional<sizeof...(In) == 1, T, V>::type Whole;
  const V v = {{p_to<T>(in)...}};
  Whole *p = address<Whole>(a, offset_bytes);
  if constexpr (Order == WEAK) weak_store(p, p_to<Whole>(v));
  else *strong<Whole, Order, Scope>(p, SIMT_STRONG_STORE) = p_to<Whole>(v);
}

/* ---- matrices ---- */
template <int N, bool Transposed, class A, class... Out> SIMT_INLINE void p_load_matrix(A a, long long offset_bytes, Out &...out) {
  static_assert(sizeof...(Out) == N, "a register for each matrix");
  unsigned v[N];
  load_matrices<N, Transposed>(address<const void>(a, offset_bytes), v);
  int i = 0;
  (leave(out, p_to<Out>(v[i++])), ...);
}
/* d = a b + c; a register holds two elements of a and b, and a float, or two halves, of c and d. */
template <class T, int Blocks, bool Floats, class... Registers>
SIMT_INLINE void p_multiply(unsigned (&d)[Floats ? 4 : 2], Registers... registers) {
  constexpr int C = Floats ? 4 : 2;
  const unsigned in[] = {p_to<unsigned>(registers)...};
  static_assert(sizeof...(Registers) == 3 * Blocks + C, "registers of a, b and c");
  unsigned a[2 * Blocks], b[Blocks];
  double sum[4];
  for (int i = 0; i < 2 * Blocks; i++) a[i] = in[i];
  for (int i = 0; i < Blocks; i++) b[i] = in[2 * Blocks + i];
  for (int i = 0; i < 4; i++) {
    const unsigned c = in[3 * Blocks + (Floats ? i : i / 2)];
    sum[i] = Floats ? p_to<float>(c) : simt_half_value(static_cast<uint16_t>(c >> 16 * (i % 2)));
  }
  multiply_tile<std::is_same<T, f16>::value, Blocks>(a, b, sum);
  for (int i = 0; i < C; i++)
    d[i] = Floats ? p_to<unsigned>(static_cast<float>(sum[i]))
                  : simt_half_of(SIMT_TO_NEAREST, sum[2 * i % 4]) | static_cast<unsigned>(simt_half_of(SIMT_TO_NEAREST, sum[2 * i % 4 + 1])) << 16;
}

/* ---- barriers with a number, for so many threads ---- */
template <class A, class B> SIMT_INLINE void p_barrier(A number, B threads, int waits) {
  const unsigned n = p_to<unsigned>(number);
  if (n >= SIMT_NAMED_BARRIERS) simt_op_trap(nullptr);
  simt_op_part_meet(n, p_to<unsigned>(threads), waits, nullptr);
}

/* ---- asynchronous copies ---- */
template <class To, class From, class N, class Rest>
SIMT_INLINE void p_copy_async(To to, long long to_offset, From from, long long from_offset, N bytes, Rest rest) {
  unsigned copied = p_to<unsigned>(rest);
  if constexpr (std::is_same<Rest, bool>::value) copied = rest ? 0 : p_to<unsigned>(bytes);
  simt::copy_async(address<char>(to, to_offset), address<const char>(from, from_offset), p_to<unsigned>(bytes), copied);
}
template <class To, class From, class N>
SIMT_INLINE void p_copy_async(To to, long long to_offset, From from, long long from_offset, N bytes) {
  p_copy_async(to, to_offset, from, from_offset, bytes, p_to<unsigned>(bytes));
}

/* ---- atomics ---- */
#define SIMT_PTX_OP(name, next)                                                                                        \
  struct op_##name {                                                                                                   \
    template <class T> static SIMT_INLINE T then(T old, T v) { return next; }                                          \
  };
SIMT_PTX_OP(add, old + v)
SIMT_PTX_OP(min, v < old ? v : old)
SIMT_PTX_OP(max, old < v ? v : old)
SIMT_PTX_OP(and, old & v)
SIMT_PTX_OP(or, old | v)
SIMT_PTX_OP(xor, old ^ v)
SIMT_PTX_OP(exch, (static_cast<void>(old), v))
SIMT_PTX_OP(inc, old >= v ? 0 : old + 1)
SIMT_PTX_OP(dec, old == 0 || old > v ? v : old - 1)
#undef SIMT_PTX_OP
struct op_cas {};

template <class Op, class T, int Order, int Scope, class A, class V> SIMT_INLINE T p_atomic(A a, long long offset_bytes, V v) {
  T *p = strong<T, Order, Scope>(address<T>(a, offset_bytes), SIMT_RMW);
  const T old = *p;
  if constexpr (std::is_same<T, int>::value && std::is_same<Op, op_add>::value) /* wraps */
    *p = static_cast<int>(static_cast<unsigned>(old) + p_to<unsigned>(v));
  else
    *p = Op::then(old, p_to<T>(v));
  return old;
}
template <class Op, class T, int Order, int Scope, class A, class V, class W>
SIMT_INLINE T p_atomic(A a, long long offset_bytes, V compare, W v) {
  T *p = strong<T, Order, Scope>(address<T>(a, offset_bytes), SIMT_RMW);
  const T old = *p;
  *p = old == p_to<T>(compare) ? p_to<T>(v) : old;
  return old;
}

/* ---- where a thread is ---- */
SIMT_INLINE unsigned p_warpid() { return (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) / 32; }
SIMT_INLINE unsigned p_smid() { return (blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z)) % 132; } /* one that may be */

/* ---- integers: they wrap ---- */
template <class T> SIMT_INLINE T wrapping(T a, T b, int op) {
  if constexpr (std::is_integral<T>::value) {
    const unsigned long long x = static_cast<unsigned long long>(a), y = static_cast<unsigned long long>(b);
    return static_cast<T>(op == '+' ? x + y : op == '-' ? x - y : x * y);
  } else {
    return op == '+' ? a + b : op == '-' ? a - b : a * b;
  }
}
template <class T, class A> SIMT_INLINE T p_mov(A a) { return p_to<T>(a); }
template <class T, class A, class B> SIMT_INLINE T p_add(A a, B b) { return wrapping(p_to<T>(a), p_to<T>(b), '+'); }
template <class T, class A, class B> SIMT_INLINE T p_sub(A a, B b) { return wrapping(p_to<T>(a), p_to<T>(b), '-'); }
template <class T, class A, class B> SIMT_INLINE T p_mul(A a, B b) { return wrapping(p_to<T>(a), p_to<T>(b), '*'); }
template <class T, class A, class B, class C> SIMT_INLINE T p_mad(A a, B b, C c) { return wrapping(p_mul<T>(a, b), p_to<T>(c), '+'); }
template <class T, class A, class B> SIMT_INLINE auto p_mul_wide(A a, B b) {
  typedef typename std::conditional<std::is_signed<T>::value, long long, unsigned long long>::type Wide;
  typedef typename std::conditional<sizeof(T) == 2, typename std::conditional<std::is_signed<T>::value, int, unsigned>::type, Wide>::type To;
  return static_cast<To>(static_cast<Wide>(p_to<T>(a)) * static_cast<Wide>(p_to<T>(b)));
}
template <class T, class A, class B, class C> SIMT_INLINE auto p_mad_wide(A a, B b, C c) {
  const auto p = p_mul_wide<T>(a, b);
  return wrapping(p, p_to<Plain<decltype(p)>>(c), '+');
}
template <class T, class A, class B> SIMT_INLINE T p_mul_hi(A a, B b) {
  typedef typename std::conditional<std::is_signed<T>::value, __int128, unsigned __int128>::type Wide;
  return static_cast<T>(static_cast<Wide>(p_to<T>(a)) * static_cast<Wide>(p_to<T>(b)) >> bits_of_type<T>);
}
template <class T, class A, class B> SIMT_INLINE T p_bit_and(A a, B b) { return p_to<T>(a) & p_to<T>(b); }
template <class T, class A, class B> SIMT_INLINE T p_bit_or(A a, B b) { return p_to<T>(a) | p_to<T>(b); }
template <class T, class A, class B> SIMT_INLINE T p_bit_xor(A a, B b) { return p_to<T>(a) ^ p_to<T>(b); }
template <class T, class A> SIMT_INLINE T p_bit_not(A a) { return static_cast<T>(~p_to<T>(a)); }
template <class T, class A, class B> SIMT_INLINE T p_shl(A a, B b) {
  const unsigned n = p_to<unsigned>(b);
  return n < bits_of_type<T> ? static_cast<T>(static_cast<Unsigned<T>>(p_to<T>(a)) << n) : T(0);
}
template <class T, class A, class B> SIMT_INLINE T p_shr(A a, B b) {
  const unsigned n = p_to<unsigned>(b), last = bits_of_type<T> - 1;
  if (n > last && !std::is_signed<T>::value) return 0;
  return static_cast<T>(p_to<T>(a) >> (n > last ? last : n));
}
template <class T, class A> SIMT_INLINE unsigned p_popc(A a) { return static_cast<unsigned>(__popcll(static_cast<Unsigned<T>>(p_to<T>(a)))); }
template <class T, class A> SIMT_INLINE unsigned p_clz(A a) {
  return static_cast<unsigned>(__clzll(static_cast<long long>(static_cast<Unsigned<T>>(p_to<T>(a))))) - (64 - bits_of_type<T>);
}
template <class T, class A> SIMT_INLINE T p_brev(A a) { return static_cast<T>(__brevll(p_to<T>(a)) >> (64 - bits_of_type<T>)); }
template <class T, class A> SIMT_INLINE unsigned p_bfind(A a) {
  const T v = p_to<T>(a);
  const Unsigned<T> u = static_cast<Unsigned<T>>(v < 0 ? ~v : v);
  return u ? bits_of_type<T> - 1 - p_clz<Unsigned<T>>(u) : ~0u;
}
template <class T, class A, class B, class C> SIMT_INLINE T p_bfe(A a, B b, C c) {
  const unsigned from = p_to<unsigned>(b) & 0xff, len = p_to<unsigned>(c) & 0xff, width = bits_of_type<T>;
  const T v = p_to<T>(a);
  const unsigned top = from + len - 1 < width ? from + len - 1 : width - 1;
  const bool sign = std::is_signed<T>::value && len && static_cast<Unsigned<T>>(v) >> top & 1;
  Unsigned<T> r = 0;
  for (unsigned i = 0; i < width; i++) {
    const bool bit = i < len && from + i < width ? static_cast<Unsigned<T>>(v) >> (from + i) & 1 : sign;
    r |= static_cast<Unsigned<T>>(bit) << i;
  }
  return static_cast<T>(r);
}
template <class T, class A, class B, class C, class D> SIMT_INLINE T p_bfi(A a, B b, C c, D d) {
  const unsigned from = p_to<unsigned>(c) & 0xff, len = p_to<unsigned>(d) & 0xff;
  T r = p_to<T>(b);
  for (unsigned i = 0; i < len && from + i < bits_of_type<T>; i++)
    r = static_cast<T>((r & ~(T(1) << (from + i))) | ((p_to<T>(a) >> i & 1) << (from + i)));
  return r;
}
template <class T, class A, class B, class C> SIMT_INLINE T p_prmt(A a, B b, C c) {
  const unsigned long long bytes = static_cast<unsigned long long>(p_to<unsigned>(b)) << 32 | p_to<unsigned>(a);
  unsigned r = 0;
  for (int i = 0; i < 4; i++) {
    const unsigned pick = p_to<unsigned>(c) >> 4 * i & 15, byte = static_cast<unsigned>(bytes >> 8 * (pick & 7)) & 0xff;
    r |= (pick & 8 ? (byte & 0x80 ? 0xffu : 0u) : byte) << 8 * i;
  }
  return r;
}
template <class T, class A, class B, class C, class D> SIMT_INLINE T p_lop3(A a, B b, C c, D table) {
  const unsigned x = p_to<unsigned>(a), y = p_to<unsigned>(b), z = p_to<unsigned>(c);
  unsigned r = 0;
  for (int i = 0; i < 8; i++)
    if (table >> i & 1) r |= (i & 4 ? x : ~x) & (i & 2 ? y : ~y) & (i & 1 ? z : ~z);
  return r;
}
#define SIMT_PTX_SHF(name, function)                                                                                   \
  template <class T, class A, class B, class C> SIMT_INLINE T p_##name(A a, B b, C c) {                                    \
    return function(p_to<unsigned>(a), p_to<unsigned>(b), p_to<unsigned>(c));                                                \
  }
SIMT_PTX_SHF(shf_l, __funnelshift_l)
SIMT_PTX_SHF(shf_r, __funnelshift_r)
SIMT_PTX_SHF(shf_lc, __funnelshift_lc)
SIMT_PTX_SHF(shf_rc, __funnelshift_rc)
#undef SIMT_PTX_SHF
template <class T, class A, class B, class C> SIMT_INLINE T p_sad(A a, B b, C c) {
  const T x = p_to<T>(a), y = p_to<T>(b);
  return p_add<T>(x < y ? p_sub<T>(y, x) : p_sub<T>(x, y), p_to<T>(c));
}
template <class X, class Y, class A, class B, class C> SIMT_INLINE X p_dp4a(A a, B b, C c) {
  unsigned sum = p_to<unsigned>(c);
  for (int i = 0; i < 4; i++) {
    const unsigned x = p_to<unsigned>(a) >> 8 * i & 0xff, y = p_to<unsigned>(b) >> 8 * i & 0xff;
    sum += (std::is_signed<X>::value ? static_cast<unsigned>(static_cast<signed char>(x)) : x) *
           (std::is_signed<Y>::value ? static_cast<unsigned>(static_cast<signed char>(y)) : y);
  }
  return p_to<X>(sum);
}

/* ---- numbers of any type ---- */
template <class T, class A, class B> SIMT_INLINE T p_div(A a, B b) { return p_to<T>(a) / p_to<T>(b); }
template <class T, class A, class B> SIMT_INLINE T p_rem(A a, B b) { return p_to<T>(a) % p_to<T>(b); }
template <class T, class A> SIMT_INLINE T p_neg(A a) {
  if constexpr (std::is_integral<T>::value) return p_sub<T>(T(0), a);
  else return -p_to<T>(a);
}
template <class T, class A> SIMT_INLINE T p_abs(A a) {
  if constexpr (std::is_integral<T>::value) return p_to<T>(a) < 0 ? p_neg<T>(a) : p_to<T>(a);
  else return static_cast<T>(__builtin_fabs(static_cast<double>(p_to<T>(a))));
}
template <class T, class A, class B> SIMT_INLINE T p_min(A a, B b) { return ::min(p_to<T>(a), p_to<T>(b)); }
template <class T, class A, class B> SIMT_INLINE T p_max(A a, B b) { return ::max(p_to<T>(a), p_to<T>(b)); }
template <class T, class A, class B, class C> SIMT_INLINE T p_fma(A a, B b, C c) {
  if constexpr (sizeof(T) == 4) return fmaf(p_to<T>(a), p_to<T>(b), p_to<T>(c));
  else return ::fma(p_to<T>(a), p_to<T>(b), p_to<T>(c));
}
template <class T, class A> SIMT_INLINE T p_rcp(A a) { return 1 / p_to<T>(a); }
template <class T, class A> SIMT_INLINE T p_sqrt(A a) {
  if constexpr (sizeof(T) == 4) return sqrtf(p_to<T>(a));
  else return ::sqrt(p_to<T>(a));
}
template <class T, class A, class B> SIMT_INLINE T p_div_approx(A a, B b) { return __fdividef(p_to<T>(a), p_to<T>(b)); }
#define SIMT_PTX_FAST(name, of_x)                                                                                      \
  template <class T, class A> SIMT_INLINE float p_##name(A a) {                                                            \
    if constexpr (!std::is_same<T, float>::value) simt_op_refused("inline PTX: an approximation of other than .f32", nullptr); \
    const float x = p_to<float>(a);                                                                                    \
    return of_x;                                                                                                       \
  }
SIMT_PTX_FAST(rcp_approx, simt_fast_rcpf(x))
SIMT_PTX_FAST(sqrt_approx, simt_fast_sqrtf(x))
SIMT_PTX_FAST(rsqrt_approx, simt_fast_rsqrtf(x))
SIMT_PTX_FAST(ex2_approx, simt_fast_exp2f(x))
SIMT_PTX_FAST(lg2_approx, __log2f(x))
SIMT_PTX_FAST(sin_approx, __sinf(x))
SIMT_PTX_FAST(cos_approx, __cosf(x))
SIMT_PTX_FAST(tanh_approx, tanhf(x)) /* documented to be off by 2^-11; taken as the function */
#undef SIMT_PTX_FAST

/* ---- conversions ---- */
template <class T> SIMT_INLINE double number(T v) { return static_cast<double>(v); }
SIMT_INLINE double number(f16 v) { return simt_half_value(v.bits); }
SIMT_INLINE double number(bf16 v) { return simt_bfloat_value(v.bits); }
template <class To> SIMT_INLINE To rounded(double v, int direction) {
  if constexpr (std::is_same<To, f16>::value) return f16{simt_half_of(direction, v)};
  else if constexpr (std::is_same<To, bf16>::value) return bf16{simt_bfloat_of(direction, v)};
  else if constexpr (std::is_same<To, float>::value)
    return direction == SIMT_TO_NEAREST ? static_cast<float>(v) : simt_narrow_f32(direction, static_cast<long double>(v));
  else return static_cast<To>(v);
}
/* .rn or none: between integers the bits are cut. */
template <class To, class From, class A> SIMT_INLINE To p_cvt(A a) {
  if constexpr (std::is_integral<To>::value && std::is_integral<From>::value) return static_cast<To>(p_to<From>(a));
  else if constexpr (std::is_same<To, float>::value && std::is_integral<From>::value) return static_cast<float>(p_to<From>(a));
  else return rounded<To>(number(p_to<From>(a)), SIMT_TO_NEAREST);
}
template <class To, class From, class A> SIMT_INLINE To p_cvt_rz(A a) {
  if constexpr (std::is_integral<From>::value) return simt_narrow_f32(SIMT_TOWARD_ZERO, p_to<From>(a));
  else return rounded<To>(number(p_to<From>(a)), SIMT_TOWARD_ZERO);
}
#define SIMT_PTX_TO_INTEGER(name, f)                                                                                   \
  template <class To, class From, class A> SIMT_INLINE To p_##name(A a) {                                                  \
    const double whole = f(number(p_to<From>(a)));                                                                       \
    if constexpr (!std::is_integral<To>::value) return rounded<To>(whole, SIMT_TO_NEAREST);                            \
    else if constexpr (sizeof(To) < 4) return narrow<To>(simt::saturate<int>(whole));                                  \
    else if constexpr (sizeof(From) == 4 && sizeof(To) == 4) return simt::saturate<To>(static_cast<float>(whole));     \
    else return simt::saturate<To>(whole);                                                                             \
  }
template <class I> SIMT_INLINE I narrow(int v) {
  const int low = std::is_signed<I>::value ? -(1 << (8 * sizeof(I) - 1)) : 0, high = low + (1 << 8 * sizeof(I)) - 1;
  return static_cast<I>(v < low ? low : v > high ? high : v);
}
SIMT_PTX_TO_INTEGER(cvt_rni, rint)
SIMT_PTX_TO_INTEGER(cvt_rzi, trunc)
SIMT_PTX_TO_INTEGER(cvt_rmi, floor)
SIMT_PTX_TO_INTEGER(cvt_rpi, ceil)
#undef SIMT_PTX_TO_INTEGER
/* The first operand becomes the upper half. */
template <class To, class From, class A, class B> SIMT_INLINE To p_cvt_pack(A a, B b) {
  typedef typename std::conditional<std::is_same<To, f16x2>::value, f16, bf16>::type Half;
  if constexpr (!std::is_class<To>::value || sizeof(To) != 4 || !std::is_same<From, float>::value)
    simt_op_refused("inline PTX: a cvt of two operands that makes no .f16x2 or .bf16x2", nullptr);
  return p_to<To>(static_cast<unsigned>(p_cvt<Half, float>(a).bits) << 16 | p_cvt<Half, float>(b).bits);
}
template <class T, class... A> SIMT_INLINE T p_pack(A... a) {
  typedef typename std::conditional<sizeof(T) / sizeof...(A) == 4, unsigned, unsigned short>::type Part;
  unsigned long long bits = 0;
  int at = 0;
  ((bits |= static_cast<unsigned long long>(p_to<Part>(a)) << at, at += 8 * static_cast<int>(sizeof(Part))), ...);
  return static_cast<T>(bits);
}
template <class T, int I, int N, class A> SIMT_INLINE auto p_part(A a) {
  typedef typename std::conditional<sizeof(T) / N == 4, unsigned, unsigned short>::type Part;
  return static_cast<Part>(p_to<T>(a) >> I * 8 * static_cast<int>(sizeof(Part)));
}

/* ---- warp ---- */
template <class T> SIMT_INLINE T p_activemask() { return __activemask(); }
/* c holds the last lane that is read, and above it the bits that all lanes of a part share. */
#define SIMT_PTX_SHFL(name, mode)                                                                                      \
  template <class T, class A, class B, class C, class D> SIMT_INLINE T p_##name(A a, B b, C c, D mask) {                   \
    const unsigned width = 32 - (p_to<unsigned>(c) >> 8 & 31);                                                           \
    return p_to<T>(static_cast<unsigned>(simt_op_shfl(mode, p_to<unsigned>(mask), p_to<unsigned>(a), p_to<unsigned>(b), width, nullptr))); \
  }
SIMT_PTX_SHFL(shfl_idx, SIMT_SHFL_IDX)
SIMT_PTX_SHFL(shfl_up, SIMT_SHFL_UP)
SIMT_PTX_SHFL(shfl_down, SIMT_SHFL_DOWN)
SIMT_PTX_SHFL(shfl_bfly, SIMT_SHFL_XOR)
#undef SIMT_PTX_SHFL
#define SIMT_PTX_REDUX(name, mode_s, mode_u)                                                                           \
  template <class T, class A, class B> SIMT_INLINE T p_##name(A a, B mask) {                                               \
    return p_to<T>(simt_op_reduce(std::is_signed<T>::value ? mode_s : mode_u, p_to<unsigned>(mask), p_to<unsigned>(a), nullptr)); \
  }
SIMT_PTX_REDUX(redux_add, SIMT_REDUCE_ADD, SIMT_REDUCE_ADD)
SIMT_PTX_REDUX(redux_min, SIMT_REDUCE_MIN_S, SIMT_REDUCE_MIN_U)
SIMT_PTX_REDUX(redux_max, SIMT_REDUCE_MAX_S, SIMT_REDUCE_MAX_U)
SIMT_PTX_REDUX(redux_and, SIMT_REDUCE_AND, SIMT_REDUCE_AND)
SIMT_PTX_REDUX(redux_or, SIMT_REDUCE_OR, SIMT_REDUCE_OR)
SIMT_PTX_REDUX(redux_xor, SIMT_REDUCE_XOR, SIMT_REDUCE_XOR)
#undef SIMT_PTX_REDUX

} // namespace ptx
} // namespace simt

#endif
