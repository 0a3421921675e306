/* cooperative_groups/memcpy_async.h - asynchronous copies of a group. Each is a group of copies of every thread, of which wait() and
 * wait_prior() wait for the thread's own and then for the other threads. */
#ifndef SIMT_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
#define SIMT_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
#include "../cooperative_groups.h"
#include "../simt_user_copy.h"

namespace cooperative_groups {

template <class Group, class To, class From, class Bytes>
SIMT_INLINE void memcpy_async(const Group &g, To *to, const From *from, Bytes bytes) {
  simt::copy_together(to, from, static_cast<size_t>(bytes), g.thread_rank(), g.size());
  simt_op_copies_commit(nullptr);
}
/* With how many elements there are on either side: as many as both have. */
template <class Group, class T>
SIMT_INLINE void memcpy_async(const Group &g, T *to, size_t to_elems, const T *from, size_t from_elems) {
  const size_t n = to_elems < from_elems ? to_elems : from_elems;
  simt::copy_together(to, from, n * sizeof(T), g.thread_rank(), g.size());
  simt_op_copies_commit(nullptr);
}
template <unsigned Stages, class Group> SIMT_INLINE void wait_prior(const Group &g) {
  simt_op_copies_wait(Stages, nullptr);
  g.sync();
}
template <class Group> SIMT_INLINE void wait(const Group &g) { wait_prior<0>(g); }

} // namespace cooperative_groups

#endif
