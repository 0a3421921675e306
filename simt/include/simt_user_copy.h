/* simt_user_copy.h - asynchronous copies, by one thread or by a group together; as in simt_user_access.h, the accesses are the user's. They
 * are made at once, and the engine is told that they may happen later, until they are waited for. */
#ifndef SIMT_USER_COPY_H
#define SIMT_USER_COPY_H
#include "simt_engine.h"

namespace simt {

struct alignas(16) CopyWord16 { uint64_t half[2]; };

template <class Word> SIMT_INLINE void copy_word(Word *to, const Word *from, const void *barrier) {
  *to = *from;
  simt_op_copy_begins(to, from, sizeof(Word), sizeof(Word), barrier, nullptr);
}

/* Elements of the largest size that both addresses and the length allow, the rank-th of every `of` of them. barrier: through which the
 * copy is waited for, or NULL. */
template <class Word> SIMT_INLINE void copy_words(void *to, const void *from, size_t bytes, size_t rank, size_t of, const void *barrier) {
  for (size_t i = rank; i < bytes / sizeof(Word); i += of) copy_word(static_cast<Word *>(to) + i, static_cast<const Word *>(from) + i, barrier);
}
SIMT_INLINE void copy_together(void *to, const void *from, size_t bytes, size_t rank, size_t of, const void *barrier = nullptr) {
  const uintptr_t all = reinterpret_cast<uintptr_t>(to) | reinterpret_cast<uintptr_t>(from) | bytes;
  if (all % 16 == 0) copy_words<CopyWord16>(to, from, bytes, rank, of, barrier);
  else if (all % 8 == 0) copy_words<uint64_t>(to, from, bytes, rank, of, barrier);
  else if (all % 4 == 0) copy_words<uint32_t>(to, from, bytes, rank, of, barrier);
  else if (all % 2 == 0) copy_words<uint16_t>(to, from, bytes, rank, of, barrier);
  else copy_words<uint8_t>(to, from, bytes, rank, of, barrier);
}

/* cp.async: from `from_bytes` on, zeros. */
template <class Word> SIMT_INLINE void copy_padded(void *to, const void *from, unsigned from_bytes) {
  if (from_bytes >= sizeof(Word)) {
    copy_word(static_cast<Word *>(to), static_cast<const Word *>(from), nullptr);
    return;
  }
  Word w = {};
  if (from_bytes) __builtin_memcpy(&w, from, from_bytes);
  *static_cast<Word *>(to) = w;
  simt_op_copy_begins(to, from, sizeof w, from_bytes, nullptr, nullptr);
}
/* bytes: 4, 8 or 16, of which both addresses are multiples; `to` is in shared memory. */
SIMT_INLINE void copy_async(void *to, const void *from, unsigned bytes, unsigned from_bytes) {
  if (bytes == 16) copy_padded<CopyWord16>(to, from, from_bytes);
  else if (bytes == 8) copy_padded<uint64_t>(to, from, from_bytes);
  else if (bytes == 4) copy_padded<uint32_t>(to, from, from_bytes);
  else simt_op_trap(nullptr);
}

} // namespace simt

#endif
