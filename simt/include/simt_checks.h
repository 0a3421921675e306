/* simt_checks.h - tests of arithmetic that are inlined into kernels, put there by simt-instrument: one comparison each, and a
 * call of the engine (overflow.c) only when something is wrong. */
#ifndef SIMT_CHECKS_H
#define SIMT_CHECKS_H
#include "simt_hot.h"
#ifdef __cplusplus
extern "C" {
#endif

#define SIMT_CHECK __attribute__((always_inline, used, nothrow)) inline

/* a OP b does not fit in `bits` bits, signed. op: '+', '-', '*', '/' or '%'. */
void simt_overflowed(int64_t a, int64_t b, uint32_t op, uint32_t bits, const SimtSite *site) SIMT_KEEPS;
/* The access at p should have been off_bytes further on: an index lost its upper bits, by the operation at `op`. */
void simt_wrapped(void *p, int64_t off_bytes, uint32_t is_write, const SimtSite *site, const SimtSite *op) SIMT_KEEPS;
/* An access to a local variable or to an argument at a byte of it that is no multiple of the type's alignment. */
void simt_misplaced(void *p, void *variable, uint32_t align_bytes, uint32_t is_write, const SimtSite *site) SIMT_KEEPS;
void simt_divide(uint32_t by_zero, const SimtSite *site) SIMT_KEEPS;

SIMT_CHECK void simt_check_signed(uint32_t over, int64_t a, int64_t b, uint32_t op, uint32_t bits, const SimtSite *site) {
  if (__builtin_expect(over, 0)) simt_overflowed(a, b, op, bits, site);
}

/* How far the address is from where wide arithmetic leads, in units, taking numbers with the upper bit set as signed (s) and as unsigned
 * (u). One of them 0: nothing is lost. Different signs: it may be so for a mixture of the two, if there are several such numbers. */
SIMT_CHECK void simt_check_index(void *p, int64_t s, int64_t u, int64_t unit_bytes, uint32_t several, uint32_t is_write,
                                 const SimtSite *site, const SimtSite *op) {
  if (__builtin_expect(s != 0 && u != 0 && ((s ^ u) >= 0 || !several), 0)) simt_wrapped(p, s * unit_bytes, is_write, site, op);
}

SIMT_CHECK void simt_check_divisor(uint32_t by_zero, const SimtSite *site) {
  if (__builtin_expect(by_zero, 0)) simt_divide(1, site);
}

/* Counted from the start of the variable, which a compiler aligns as it likes. */
SIMT_CHECK void simt_local_place(void *p, void *variable, uint32_t align_bytes, uint32_t is_write, const SimtSite *site) {
  uint64_t off_bytes = (uint64_t)((char *)p - (char *)variable);
  if (__builtin_expect((off_bytes & (align_bytes - 1)) != 0, 0)) simt_misplaced(p, variable, align_bytes, is_write, site);
}

/* What a local variable holds. Bits that nobody has assigned are noted, and may become others. (8 bytes: the same in each half.) */
void simt_unset(const SimtSite *site) SIMT_KEEPS;

SIMT_CHECK uint32_t simt_local_4(uint32_t bits, const SimtSite *site) {
  if (__builtin_expect(bits != SIMT_UNSET, 1)) return bits;
  simt_unset(site);
  return (uint32_t)(uintptr_t)simt_hot.address;
}

SIMT_CHECK uint64_t simt_local_8(uint64_t bits, const SimtSite *site) {
  if (__builtin_expect(bits != (SIMT_UNSET | (uint64_t)SIMT_UNSET << 32), 1)) return bits;
  simt_unset(site);
  return (uint32_t)(uintptr_t)simt_hot.address * 0x100000001u;
}

/* The same of a word some of whose bits, those that are 1 in `unset`, nobody has assigned. */
SIMT_CHECK uint32_t simt_local_bits_4(uint32_t bits, uint32_t unset_bits, const SimtSite *site) {
  if (__builtin_expect(unset_bits == 0, 1)) return bits;
  simt_unset(site);
  const uint32_t fill = (uint32_t)(uintptr_t)simt_hot.address;
  return fill == SIMT_UNSET ? bits : (bits & ~unset_bits) | (fill & unset_bits);
}

SIMT_CHECK uint64_t simt_local_bits_8(uint64_t bits, uint64_t unset_bits, const SimtSite *site) {
  if (__builtin_expect(unset_bits == 0, 1)) return bits;
  simt_unset(site);
  const uint32_t fill = (uint32_t)(uintptr_t)simt_hot.address;
  return fill == SIMT_UNSET ? bits : (bits & ~unset_bits) | (fill * 0x100000001u & unset_bits);
}

#undef SIMT_CHECK
#ifdef __cplusplus
}
#endif
#endif
