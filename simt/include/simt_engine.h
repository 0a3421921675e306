/* simt_engine.h - the engine's operations and the shim's own helpers. */
#ifndef SIMT_ENGINE_H
#define SIMT_ENGINE_H
#include "simt_access.h"
#include "simt_checks.h"
#include "simt_hot.h"
#include "simt_ops.h"

/* Every function of the shim: gone from the call path when the instrumenter is done. */
#define SIMT_INLINE inline __attribute__((always_inline, nothrow))

namespace simt {

template <int Bytes> struct UintOf;
template <> struct UintOf<4> { typedef uint32_t type; };
template <> struct UintOf<8> { typedef uint64_t type; };

/* The bits of a 4- or 8-byte scalar, zero-extended, and back. */
template <class T> SIMT_INLINE uint64_t to_bits(T v) {
  return __builtin_bit_cast(typename UintOf<sizeof(T)>::type, v);
}

template <class T> SIMT_INLINE T from_bits(uint64_t bits) {
  typedef typename UintOf<sizeof(T)>::type Uint;
  return __builtin_bit_cast(T, static_cast<Uint>(bits));
}

} // namespace simt

#endif
