/* cooperative_groups/scan.h - prefix sums over tiles and coalesced groups, with any operation. */
#ifndef SIMT_COOPERATIVE_GROUPS_SCAN_H
#define SIMT_COOPERATIVE_GROUPS_SCAN_H
#include "reduce.h"

namespace cooperative_groups {

template <class Group, class T, class Op> SIMT_INLINE auto inclusive_scan(const Group &g, T v, Op &&op) -> decltype(op(v, v)) {
  const unsigned rank = g.thread_rank();
  for (unsigned apart = 1; apart < g.size(); apart *= 2) {
    const T before = g.shfl_up(v, apart);
    if (rank >= apart) v = op(before, v);
  }
  return v;
}
template <class Group, class T> SIMT_INLINE T inclusive_scan(const Group &g, T v) { return inclusive_scan(g, v, plus<T>()); }

/* The first one gets T(). */
template <class Group, class T, class Op> SIMT_INLINE auto exclusive_scan(const Group &g, T v, Op &&op) -> decltype(op(v, v)) {
  const T before = g.shfl_up(inclusive_scan(g, v, op), 1);
  return g.thread_rank() == 0 ? T() : before;
}
template <class Group, class T> SIMT_INLINE T exclusive_scan(const Group &g, T v) { return exclusive_scan(g, v, plus<T>()); }

} // namespace cooperative_groups

#endif
