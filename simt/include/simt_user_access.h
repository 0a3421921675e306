/* simt_user_access.h - loads and stores that the user asked for through a function.
 *
 * The instrumenter passes over the accesses of shim code, except those written in files simt_user_*: they belong to the line of the
 * call. Hence only functions whose accesses are the user's live here. */
#ifndef SIMT_USER_ACCESS_H
#define SIMT_USER_ACCESS_H
#include "simt_engine.h"

namespace simt {

template <class T> struct Same { typedef T type; }; /* keeps an argument out of deduction */

/* For results that CUDA delivers through a pointer. */
template <class T> SIMT_INLINE void user_store(T *p, typename Same<T>::type v) { *p = v; }

/* ld.cg and ld.cv ask the L2 cache, or memory, each time: where atomics leave what they write. Flags are polled so. As strong as
 * volatile, therefore. */
template <class T> SIMT_INLINE T fresh(const T *p) {
  if constexpr (__is_arithmetic(T)) return *static_cast<const volatile T *>(p);
  else return *p;
}

} // namespace simt

/* Other cache hints change nothing that a result depends on: plain accesses. */
template <class T> SIMT_INLINE T __ldg(const T *p) { return *p; }
template <class T> SIMT_INLINE T __ldca(const T *p) { return *p; }
template <class T> SIMT_INLINE T __ldcg(const T *p) { return simt::fresh(p); }
template <class T> SIMT_INLINE T __ldcs(const T *p) { return *p; }
template <class T> SIMT_INLINE T __ldlu(const T *p) { return *p; }
template <class T> SIMT_INLINE T __ldcv(const T *p) { return simt::fresh(p); }
template <class T> SIMT_INLINE void __stwb(T *p, typename simt::Same<T>::type v) { *p = v; }
template <class T> SIMT_INLINE void __stcg(T *p, typename simt::Same<T>::type v) { *p = v; }
template <class T> SIMT_INLINE void __stcs(T *p, typename simt::Same<T>::type v) { *p = v; }
template <class T> SIMT_INLINE void __stwt(T *p, typename simt::Same<T>::type v) { *p = v; }

#endif
