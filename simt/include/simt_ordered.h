/* simt_ordered.h - atomic loads, stores and read-modify-writes with a scope and a memory order, for what CUDA offers them by:
 * cuda::atomic, inline PTX. See simt_op_atomic_ordered(). */
#ifndef SIMT_ORDERED_H
#define SIMT_ORDERED_H
#include "simt_engine.h"

namespace simt {

/* The value before the operation goes to the caller, who stores the next one through the same address. */
template <class T> SIMT_INLINE T *ordered_target(T *p, int scope, int order) {
  return static_cast<T *>(simt_op_atomic_ordered(p, sizeof(T), scope, SIMT_RMW, order, nullptr));
}

template <class T> SIMT_INLINE T ordered_load(const T *p, int scope, int order) {
  return *static_cast<const T *>(simt_op_atomic_ordered(const_cast<T *>(p), sizeof(T), scope, SIMT_STRONG_LOAD, order, nullptr));
}

template <class T> SIMT_INLINE void ordered_store(T *p, T v, int scope, int order) {
  *static_cast<T *>(simt_op_atomic_ordered(p, sizeof(T), scope, SIMT_STRONG_STORE, order, nullptr)) = v;
}

template <class T> SIMT_INLINE T ordered_add(T *p, T v, int scope, int order) {
  T *q = ordered_target(p, scope, order);
  const T old = *q;
  *q = old + v;
  return old;
}

} // namespace simt

#endif
