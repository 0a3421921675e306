/* simt_user_ptx.h - loads and stores of inline PTX: as in simt_user_access.h, the accesses are the user's. */
#ifndef SIMT_USER_PTX_H
#define SIMT_USER_PTX_H
#include "simt_engine.h"

namespace simt {
namespace ptx {

template <class T, int N> struct alignas(N * sizeof(T)) Vector { T v[N]; };

/* Weak accesses; a vector is one access, with the alignment of its size. */
template <class V> SIMT_INLINE V weak_load(const V *p) { return *p; }
template <class V> SIMT_INLINE void weak_store(V *p, const V &v) { *p = v; }

/* What an instruction leaves in variables of the user. */
template <class T, class V> SIMT_INLINE void leave(T &to, V v) { to = v; }

} // namespace ptx
} // namespace simt

#endif
