/* simt_user_cub_iterator.h - cub's iterators, and loads and stores with cache hints. See simt_user_cub.h. */
#ifndef SIMT_USER_CUB_ITERATOR_H
#define SIMT_USER_CUB_ITERATOR_H
#include "simt_user_cub.h"
#include <cstddef>
#include <iterator>

namespace cub {

enum CacheLoadModifier { LOAD_DEFAULT, LOAD_CA, LOAD_CG, LOAD_CS, LOAD_CV, LOAD_LDG, LOAD_VOLATILE };
enum CacheStoreModifier { STORE_DEFAULT, STORE_WB, STORE_CG, STORE_CS, STORE_WT, STORE_VOLATILE };

/* Of the hints, two say more than how long a line is kept. */
template <CacheLoadModifier M, class T> SIMT_INLINE T ThreadLoad(const T *p) {
  if constexpr (M == LOAD_CV || M == LOAD_CG || M == LOAD_VOLATILE) return simt::fresh(p);
  else return *p;
}
template <CacheLoadModifier M, class T> SIMT_INLINE T ThreadLoad(T *p) { return ThreadLoad<M>(static_cast<const T *>(p)); }
template <CacheStoreModifier M, class T> SIMT_INLINE void ThreadStore(T *p, typename simt::Same<T>::type v) {
  if constexpr (M == STORE_VOLATILE && std::is_arithmetic<T>::value) *static_cast<volatile T *>(p) = v;
  else *p = v;
}

namespace detail {

/* All that iterators of random access have in common: Self has at(), for where it is, and an Offset called at_. */
template <class Self, class T, class Offset, class Reference = T> struct Iterator {
  typedef T value_type;
  typedef Offset difference_type;
  typedef Reference reference;
  typedef T *pointer;
  typedef std::random_access_iterator_tag iterator_category;
  Offset at_ = 0;
  SIMT_INLINE Self &self() { return *static_cast<Self *>(this); }
  SIMT_INLINE const Self &self() const { return *static_cast<const Self *>(this); }
  template <class D> SIMT_INLINE Self operator+(D n) const {
    Self s = self();
    s.at_ += static_cast<Offset>(n);
    return s;
  }
  template <class D> SIMT_INLINE Self operator-(D n) const { return *this + -static_cast<Offset>(n); }
  SIMT_INLINE Offset operator-(const Self &other) const { return at_ - other.at_; }
  template <class D> SIMT_INLINE Self &operator+=(D n) { return self() = *this + n; }
  template <class D> SIMT_INLINE Self &operator-=(D n) { return self() = *this - n; }
  SIMT_INLINE Self &operator++() { return *this += 1; }
  SIMT_INLINE Self operator++(int) {
    const Self s = self();
    ++*this;
    return s;
  }
  SIMT_INLINE Reference operator*() const { return self().at(at_); }
  template <class D> SIMT_INLINE Reference operator[](D n) const { return self().at(at_ + static_cast<Offset>(n)); }
  SIMT_INLINE bool operator==(const Self &other) const { return at_ == other.at_; }
  SIMT_INLINE bool operator!=(const Self &other) const { return at_ != other.at_; }
};

template <class It> using ValueOf = typename std::decay<decltype(*std::declval<It &>())>::type;

} // namespace detail

template <CacheLoadModifier M, class T, class Offset = ptrdiff_t>
struct CacheModifiedInputIterator : detail::Iterator<CacheModifiedInputIterator<M, T, Offset>, T, Offset> {
  const T *p;
  template <class U> SIMT_INLINE CacheModifiedInputIterator(U *from) : p(from) {}
  SIMT_INLINE T at(Offset i) const { return ThreadLoad<M>(p + i); }
};

namespace detail {

template <CacheStoreModifier M, class T> struct StoringReference {
  T *p;
  SIMT_INLINE const T &operator=(const T &v) const {
    ThreadStore<M>(p, v);
    return v;
  }
};

} // namespace detail

template <CacheStoreModifier M, class T, class Offset = ptrdiff_t>
struct CacheModifiedOutputIterator
    : detail::Iterator<CacheModifiedOutputIterator<M, T, Offset>, T, Offset, detail::StoringReference<M, T>> {
  T *p;
  SIMT_INLINE CacheModifiedOutputIterator(T *to) : p(to) {}
  SIMT_INLINE detail::StoringReference<M, T> at(Offset i) const { return {p + i}; }
};

template <class T, class Offset = ptrdiff_t> struct CountingInputIterator : detail::Iterator<CountingInputIterator<T, Offset>, T, Offset> {
  T first;
  SIMT_INLINE CountingInputIterator(T v) : first(v) {}
  SIMT_INLINE T at(Offset i) const { return first + static_cast<T>(i); }
};

template <class T, class Offset = ptrdiff_t> struct ConstantInputIterator : detail::Iterator<ConstantInputIterator<T, Offset>, T, Offset> {
  T v;
  SIMT_INLINE ConstantInputIterator(T value, Offset = 0) : v(value) {}
  SIMT_INLINE T at(Offset) const { return v; }
};

template <class T, class Op, class From, class Offset = ptrdiff_t>
struct TransformInputIterator : detail::Iterator<TransformInputIterator<T, Op, From, Offset>, T, Offset> {
  From from;
  Op op;
  SIMT_INLINE TransformInputIterator(From it, Op f) : from(it), op(f) {}
  SIMT_INLINE T at(Offset i) const { return op(from[i]); }
};

template <class From, class Offset = ptrdiff_t, class T = detail::ValueOf<From>>
struct ArgIndexInputIterator : detail::Iterator<ArgIndexInputIterator<From, Offset, T>, KeyValuePair<Offset, T>, Offset> {
  From from;
  SIMT_INLINE ArgIndexInputIterator(From it) : from(it) {}
  SIMT_INLINE KeyValuePair<Offset, T> at(Offset i) const { return {i, from[i]}; }
};

namespace detail {

struct Nowhere {
  template <class V> SIMT_INLINE const Nowhere &operator=(const V &) const { return *this; }
};

} // namespace detail

template <class Offset = ptrdiff_t>
struct DiscardOutputIterator : detail::Iterator<DiscardOutputIterator<Offset>, detail::Nowhere, Offset, detail::Nowhere> {
  SIMT_INLINE DiscardOutputIterator(Offset = 0) {}
  SIMT_INLINE detail::Nowhere at(Offset) const { return {}; }
};

} // namespace cub

#endif
