/* simt_atomic.h - CUDA's atomic functions: plain overloads, so that `atomicAdd(unsigned *, 1)` converts and users add
 * their own (`atomicMax(float *, float)`).
 *
 * The engine is told first and hands back the address to work on; nothing runs between that and the store. */
#ifndef SIMT_ATOMIC_H
#define SIMT_ATOMIC_H
#include "simt_engine.h"
#include "vector_types.h"

namespace simt {

template <class T> SIMT_INLINE T *atomic_target(T *p, int scope) {
  return static_cast<T *>(simt_op_atomic(p, sizeof(T), scope, SIMT_RMW, nullptr));
}

template <class T> SIMT_INLINE T compare_and_swap(T *p, T compare, T v, int scope) {
  T *q = atomic_target(p, scope);
  const T old = *q;
  *q = old == compare ? v : old;
  return old;
}

} // namespace simt

/* `next` is the new value in terms of old and v. */
#define SIMT_ATOMIC_SCOPED(name, T, scope, next)                                                                       \
  SIMT_INLINE T name(T *p, T v) {                                                                                      \
    T *q = simt::atomic_target(p, scope);                                                                              \
    const T old = *q;                                                                                                  \
    *q = next;                                                                                                         \
    return old;                                                                                                        \
  }
#define SIMT_ATOMIC(name, T, next)                                                                                     \
  SIMT_ATOMIC_SCOPED(name, T, SIMT_SCOPE_DEVICE, next)                                                                 \
  SIMT_ATOMIC_SCOPED(name##_block, T, SIMT_SCOPE_BLOCK, next)                                                          \
  SIMT_ATOMIC_SCOPED(name##_system, T, SIMT_SCOPE_SYSTEM, next)
#define SIMT_ATOMIC_CAS(T)                                                                                             \
  SIMT_INLINE T atomicCAS(T *p, T cmp, T v) { return simt::compare_and_swap(p, cmp, v, SIMT_SCOPE_DEVICE); }           \
  SIMT_INLINE T atomicCAS_block(T *p, T cmp, T v) { return simt::compare_and_swap(p, cmp, v, SIMT_SCOPE_BLOCK); }      \
  SIMT_INLINE T atomicCAS_system(T *p, T cmp, T v) { return simt::compare_and_swap(p, cmp, v, SIMT_SCOPE_SYSTEM); }

/* Signed sums wrap, as on a device. */
SIMT_ATOMIC(atomicAdd, int, static_cast<int>(static_cast<unsigned>(old) + static_cast<unsigned>(v)))
SIMT_ATOMIC(atomicAdd, unsigned, old + v)
SIMT_ATOMIC(atomicAdd, unsigned long long, old + v)
SIMT_ATOMIC(atomicAdd, float, old + v)
SIMT_ATOMIC(atomicAdd, double, old + v)
SIMT_ATOMIC(atomicSub, int, static_cast<int>(static_cast<unsigned>(old) - static_cast<unsigned>(v)))
SIMT_ATOMIC(atomicSub, unsigned, old - v)

SIMT_ATOMIC(atomicExch, int, v)
SIMT_ATOMIC(atomicExch, unsigned, v)
SIMT_ATOMIC(atomicExch, unsigned long long, v)
SIMT_ATOMIC(atomicExch, float, v)

SIMT_ATOMIC(atomicMin, int, old < v ? old : v)
SIMT_ATOMIC(atomicMin, unsigned, old < v ? old : v)
SIMT_ATOMIC(atomicMin, long long, old < v ? old : v)
SIMT_ATOMIC(atomicMin, unsigned long long, old < v ? old : v)
SIMT_ATOMIC(atomicMax, int, old > v ? old : v)
SIMT_ATOMIC(atomicMax, unsigned, old > v ? old : v)
SIMT_ATOMIC(atomicMax, long long, old > v ? old : v)
SIMT_ATOMIC(atomicMax, unsigned long long, old > v ? old : v)

SIMT_ATOMIC(atomicInc, unsigned, old >= v ? 0u : old + 1u)
SIMT_ATOMIC(atomicDec, unsigned, old == 0u || old > v ? v : old - 1u)

#define SIMT_ATOMIC_BITS(T)                                                                                            \
  SIMT_ATOMIC(atomicAnd, T, old & v)                                                                                   \
  SIMT_ATOMIC(atomicOr, T, old | v)                                                                                    \
  SIMT_ATOMIC(atomicXor, T, old ^ v)
SIMT_ATOMIC_BITS(int)
SIMT_ATOMIC_BITS(unsigned)
SIMT_ATOMIC_BITS(unsigned long long)

SIMT_ATOMIC_CAS(int)
SIMT_ATOMIC_CAS(unsigned)
SIMT_ATOMIC_CAS(unsigned long long)
SIMT_ATOMIC_CAS(unsigned short)

/* Of vectors: each element is atomic by itself (CUDA C++ Programming Guide, atomicAdd), at an address for all. */
namespace simt {

template <class V> SIMT_INLINE bool is_aligned_for(V *p) { return reinterpret_cast<uintptr_t>(p) % alignof(V) == 0; }

/* One access to the whole, which is refused. */
template <class V> SIMT_INLINE V atomic_refused(V *p) { return *atomic_target(p, SIMT_SCOPE_DEVICE); }

} // namespace simt

#define SIMT_ATOMIC_VECTOR(name)                                                                                       \
  SIMT_INLINE float2 name(float2 *p, float2 v) {                                                                       \
    if (!simt::is_aligned_for(p)) return simt::atomic_refused(p);                                                      \
    const float x = name(&p->x, v.x), y = name(&p->y, v.y);                                                            \
    return float2{x, y};                                                                                               \
  }                                                                                                                    \
  SIMT_INLINE float4 name(float4 *p, float4 v) {                                                                       \
    if (!simt::is_aligned_for(p)) return simt::atomic_refused(p);                                                      \
    const float x = name(&p->x, v.x), y = name(&p->y, v.y), z = name(&p->z, v.z), w = name(&p->w, v.w);                \
    return float4{x, y, z, w};                                                                                         \
  }
SIMT_ATOMIC_VECTOR(atomicAdd)
SIMT_ATOMIC_VECTOR(atomicAdd_block)
SIMT_ATOMIC_VECTOR(atomicAdd_system)

#undef SIMT_ATOMIC_VECTOR
#undef SIMT_ATOMIC_BITS
#undef SIMT_ATOMIC_CAS
#undef SIMT_ATOMIC
#undef SIMT_ATOMIC_SCOPED

#endif
