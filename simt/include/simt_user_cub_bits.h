/* simt_user_cub_bits.h - keys of cub's radix sorts as unsigned numbers of the same order. */
#ifndef SIMT_USER_CUB_BITS_H
#define SIMT_USER_CUB_BITS_H
#include "simt_user_cub.h"

namespace cub {
namespace detail {

template <int Bytes> struct KeyBits;
template <> struct KeyBits<1> { typedef unsigned char type; };
template <> struct KeyBits<2> { typedef unsigned short type; };
template <> struct KeyBits<4> { typedef unsigned type; };
template <> struct KeyBits<8> { typedef unsigned long long type; };

/* A class of two bytes is a half or a bfloat: floats, too. Zeros of both signs are one key. */
template <class K> SIMT_INLINE unsigned long long ordered_bits(const K &key) {
  typedef typename KeyBits<sizeof(K)>::type Bits;
  constexpr bool is_float = std::is_floating_point<K>::value || std::is_class<K>::value;
  constexpr Bits sign = static_cast<Bits>(Bits(1) << (8 * sizeof(K) - 1));
  Bits bits;
  __builtin_memcpy(&bits, &key, sizeof key);
  if (is_float && bits == sign) bits = 0;
  if (is_float && bits & sign) return static_cast<Bits>(~bits);
  return static_cast<Bits>(is_float || std::is_signed<K>::value ? bits ^ sign : bits);
}

/* Bits [begin, end) of the key, complemented where the order descends. */
template <class K> SIMT_INLINE unsigned long long digits(const K &key, int begin, int end, bool descends) {
  const int n = end - begin;
  const unsigned long long bits = descends ? ~ordered_bits(key) : ordered_bits(key);
  return bits >> begin & (n >= 64 ? ~0ull : (1ull << n) - 1);
}

} // namespace detail
} // namespace cub

#endif
