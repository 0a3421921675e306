/* guards.c - guards around local arrays whose address is kept somewhere: an access through such a pointer does not show which
 * array it is meant for, but the guards show that it is outside of one.
 *
 * A guard is words that hold what nothing else does: a mix of their own address and a number of this block's. Copied
 * elsewhere, or left on the stack by an earlier block, such a word means nothing. The low three bits say how many bytes in
 * front of it belong to no object either (an array need not end at a word).
 *
 * What is looked at is the stack as it is, whatever lies there: not for AddressSanitizer, and valgrind is told in
 * tests/valgrind.supp. */
#include "engine.h"

enum { WORD_BYTES = 8, GUARD_WORDS = SIMT_GUARD_BYTES / WORD_BYTES, TAIL_MASK = 7 };

static uint64_t guard_word(const Block *b, uintptr_t at) {
  uint64_t z = (at ^ b->guard) * 0x9e3779b97f4a7c15u;
  return (z ^ z >> 32) & ~(uint64_t)TAIL_MASK;
}

/* Of the next block: different from that of every other block of this context. */
uint64_t simt_guard_number(Simt *s) {
  uint64_t z = ++s->guards * 0xbf58476d1ce4e5b9u;
  return (z ^ z >> 31) * 0x94d049bb133111ebu;
}

SIMT_ON_FIBER void simt_guard(void *array, uint64_t bytes) {
  Thread *t = simt_current;
  if (!t) return;
  const Block *b = t->warp->block;
  uint64_t *before = array, *behind = (uint64_t *)((char *)array + (bytes + TAIL_MASK) / WORD_BYTES * WORD_BYTES);
  for (int i = 0; i < GUARD_WORDS; i++) {
    before[-1 - i] = guard_word(b, (uintptr_t)&before[-1 - i]);
    behind[i] = guard_word(b, (uintptr_t)&behind[i]);
  }
  behind[0] |= -bytes & TAIL_MASK;
}

SIMT_ON_FIBER void simt_unguard(void *array, uint64_t bytes) {
  if (!simt_current) return;
  uint64_t *before = array, *behind = (uint64_t *)((char *)array + (bytes + TAIL_MASK) / WORD_BYTES * WORD_BYTES);
  for (int i = 0; i < GUARD_WORDS; i++) before[-1 - i] = behind[i] = 0;
}

SIMT_ON_FIBER int simt_in_guard(const Thread *t, uintptr_t a, uint64_t bytes) {
  const Block *b = t->warp->block;
  uintptr_t end = a + bytes, w = a & ~(uintptr_t)TAIL_MASK;
  for (; w < end; w += WORD_BYTES)
    if ((*(const uint64_t *)w & ~(uint64_t)TAIL_MASK) == guard_word(b, w)) return 1;
  uint64_t next = *(const uint64_t *)w; /* of the stack, or of the space between two */
  return (next & ~(uint64_t)TAIL_MASK) == guard_word(b, w) && end > w - (next & TAIL_MASK);
}
