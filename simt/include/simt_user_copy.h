/* simt_user_copy.h - copies that a group of threads makes together; as in simt_user_access.h, the accesses are the user's. */
#ifndef SIMT_USER_COPY_H
#define SIMT_USER_COPY_H
#include "simt_engine.h"

namespace simt {

/* Elements of the largest size that both addresses and the length allow, the rank-th of every `of` of them. */
template <class Word> SIMT_INLINE void copy_words(void *to, const void *from, size_t bytes, size_t rank, size_t of) {
  for (size_t i = rank; i < bytes / sizeof(Word); i += of) static_cast<Word *>(to)[i] = static_cast<const Word *>(from)[i];
}
SIMT_INLINE void copy_together(void *to, const void *from, size_t bytes, size_t rank, size_t of) {
  const uintptr_t all = reinterpret_cast<uintptr_t>(to) | reinterpret_cast<uintptr_t>(from) | bytes;
  if (all % 8 == 0) copy_words<uint64_t>(to, from, bytes, rank, of);
  else if (all % 4 == 0) copy_words<uint32_t>(to, from, bytes, rank, of);
  else if (all % 2 == 0) copy_words<uint16_t>(to, from, bytes, rank, of);
  else copy_words<uint8_t>(to, from, bytes, rank, of);
}

} // namespace simt

#endif
