/* cooperative_groups/reduce.h - reductions over tiles and coalesced groups.
 *
 * In a tile every lane combines what it has with the lane 16, 8, 4, 2 and 1 apart. In other groups the values are combined in the order of
 * ranks. A device promises no order. */
#ifndef SIMT_COOPERATIVE_GROUPS_REDUCE_H
#define SIMT_COOPERATIVE_GROUPS_REDUCE_H
#include "../cooperative_groups.h"

namespace cooperative_groups {

template <class T> struct plus {
  SIMT_INLINE T operator()(T a, T b) const { return a + b; }
};
template <class T> struct less {
  SIMT_INLINE T operator()(T a, T b) const { return b < a ? b : a; }
};
template <class T> struct greater {
  SIMT_INLINE T operator()(T a, T b) const { return a < b ? b : a; }
};
template <class T> struct bit_and {
  SIMT_INLINE T operator()(T a, T b) const { return a & b; }
};
template <class T> struct bit_or {
  SIMT_INLINE T operator()(T a, T b) const { return a | b; }
};
template <class T> struct bit_xor {
  SIMT_INLINE T operator()(T a, T b) const { return a ^ b; }
};

template <unsigned Size, class Parent, class T, class Op>
SIMT_INLINE auto reduce(const thread_block_tile<Size, Parent> &g, T v, Op &&op) -> decltype(op(v, v)) {
  if constexpr (Size > 32) {
    return g.combine(v, op);
  } else {
    for (unsigned apart = Size / 2; apart; apart /= 2) v = op(v, g.shfl_xor(v, apart));
    return v;
  }
}
template <class T, class Op> SIMT_INLINE auto reduce(const coalesced_group &g, T v, Op &&op) -> decltype(op(v, v)) {
  T all = g.shfl(v, 0);
  for (unsigned rank = 1; rank < g.size(); rank++) all = op(all, g.shfl(v, static_cast<int>(rank)));
  return all;
}

/* To where p shows, by one thread: the atomic of the operation. */
template <class Group, class T> SIMT_INLINE void reduce_update_async(const Group &g, T *p, T v, plus<T> op) {
  const T all = reduce(g, v, op);
  if (g.thread_rank() == 0) atomicAdd(p, all);
}

} // namespace cooperative_groups

#endif
