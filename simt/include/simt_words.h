/* simt_words.h - values of any type through operations on words: for shuffles of cooperative groups and of cub. */
#ifndef SIMT_WORDS_H
#define SIMT_WORDS_H
#include "simt_engine.h"
#include "simt_integer.h"
#include <type_traits>

namespace simt {

/* v of the lane that mode, arg and width name, word by word; padding of the last word is zero. */
template <class T> SIMT_INLINE T shuffle_words(int mode, unsigned mask, const T &v, unsigned arg, unsigned width) {
  static_assert(std::is_trivially_copyable<T>::value, "only trivially copyable values pass between lanes");
  constexpr unsigned n = (sizeof(T) + 7) / 8;
  uint64_t word[n] = {};
  T result;
  __builtin_memcpy(word, &v, sizeof v);
  for (unsigned i = 0; i < n; i++) word[i] = simt_op_shfl(mode, mask, word[i], arg, width, nullptr);
  __builtin_memcpy(&result, word, sizeof result);
  return result;
}

SIMT_INLINE unsigned lanes_below(unsigned lane) { return (1u << lane) - 1; }

/* Bits of `lanes` that stand in `mask`, packed: bit i is that of the i-th lane of the mask. */
SIMT_INLINE unsigned pack_lanes(unsigned mask, unsigned lanes) {
  unsigned packed = 0;
  for (unsigned rank = 0; mask; mask &= mask - 1, rank++) packed |= (lanes >> __builtin_ctz(mask) & 1u) << rank;
  return packed;
}

} // namespace simt

#endif
