/* simt_user_complex.h - cuda::std::complex. Operators take references: their accesses are the user's, as in simt_user_access.h.
 *
 * Products and quotients are the plain formulas: where a part is infinite, they do not look for the infinity that C++ promises. */
#ifndef SIMT_USER_COMPLEX_H
#define SIMT_USER_COMPLEX_H
#include "cuda_runtime.h"

namespace cuda {
namespace std {

template <class T> class complex {
  T re_, im_;

public:
  typedef T value_type;
  SIMT_INLINE constexpr complex(const T &re = T(), const T &im = T()) : re_(re), im_(im) {}
  template <class U> SIMT_INLINE constexpr explicit complex(const complex<U> &z) : re_(static_cast<T>(z.real())), im_(static_cast<T>(z.imag())) {}
  SIMT_INLINE constexpr T real() const { return re_; }
  SIMT_INLINE constexpr T imag() const { return im_; }
  SIMT_INLINE void real(T v) { re_ = v; }
  SIMT_INLINE void imag(T v) { im_ = v; }
  SIMT_INLINE complex &operator+=(const complex &z) { return *this = *this + z; }
  SIMT_INLINE complex &operator-=(const complex &z) { return *this = *this - z; }
  SIMT_INLINE complex &operator*=(const complex &z) { return *this = *this * z; }
  SIMT_INLINE complex &operator/=(const complex &z) { return *this = *this / z; }
  SIMT_INLINE complex &operator+=(const T &v) { return *this = *this + complex(v); }
  SIMT_INLINE complex &operator-=(const T &v) { return *this = *this - complex(v); }
  SIMT_INLINE complex &operator*=(const T &v) { return *this = complex(re_ * v, im_ * v); }
  SIMT_INLINE complex &operator/=(const T &v) { return *this = complex(re_ / v, im_ / v); }
  /* Friends: a number on either side converts. */
  friend SIMT_INLINE constexpr complex operator+(const complex &a, const complex &b) { return complex(a.re_ + b.re_, a.im_ + b.im_); }
  friend SIMT_INLINE constexpr complex operator-(const complex &a, const complex &b) { return complex(a.re_ - b.re_, a.im_ - b.im_); }
  friend SIMT_INLINE constexpr complex operator*(const complex &a, const complex &b) {
    return complex(a.re_ * b.re_ - a.im_ * b.im_, a.re_ * b.im_ + a.im_ * b.re_);
  }
  friend SIMT_INLINE complex operator/(const complex &a, const complex &b) {
    if (::fabs(b.re_) >= ::fabs(b.im_)) { /* Smith's formula: nothing overflows on the way */
      const T r = b.im_ / b.re_, d = b.re_ + b.im_ * r;
      return complex((a.re_ + a.im_ * r) / d, (a.im_ - a.re_ * r) / d);
    }
    const T r = b.re_ / b.im_, d = b.re_ * r + b.im_;
    return complex((a.re_ * r + a.im_) / d, (a.im_ * r - a.re_) / d);
  }
  friend SIMT_INLINE constexpr complex operator+(const complex &z) { return z; }
  friend SIMT_INLINE constexpr complex operator-(const complex &z) { return complex(-z.re_, -z.im_); }
  friend SIMT_INLINE constexpr bool operator==(const complex &a, const complex &b) { return a.re_ == b.re_ && a.im_ == b.im_; }
  friend SIMT_INLINE constexpr bool operator!=(const complex &a, const complex &b) { return !(a == b); }
};

template <class T> SIMT_INLINE constexpr T real(const complex<T> &z) { return z.real(); }
template <class T> SIMT_INLINE constexpr T imag(const complex<T> &z) { return z.imag(); }
template <class T> SIMT_INLINE constexpr T norm(const complex<T> &z) { return z.real() * z.real() + z.imag() * z.imag(); }
template <class T> SIMT_INLINE constexpr complex<T> conj(const complex<T> &z) { return complex<T>(z.real(), -z.imag()); }
template <class T> SIMT_INLINE T abs(const complex<T> &z) { return ::hypot(z.real(), z.imag()); }
template <class T> SIMT_INLINE T arg(const complex<T> &z) { return ::atan2(z.imag(), z.real()); }
template <class T> SIMT_INLINE complex<T> polar(const T &r, const T &angle = T()) { return complex<T>(r * ::cos(angle), r * ::sin(angle)); }
template <class T> SIMT_INLINE complex<T> exp(const complex<T> &z) { return polar<T>(::exp(z.real()), z.imag()); }
template <class T> SIMT_INLINE complex<T> log(const complex<T> &z) { return complex<T>(::log(abs(z)), arg(z)); }
template <class T> SIMT_INLINE complex<T> sqrt(const complex<T> &z) { return polar<T>(::sqrt(abs(z)), arg(z) / 2); }
template <class T> SIMT_INLINE complex<T> pow(const complex<T> &z, const complex<T> &w) { return exp(w * log(z)); }

} // namespace std
} // namespace cuda

#endif
