/* simt_sync.h - barriers, fences, votes, matches, warp reductions, and what a kernel says to the outside. */
#ifndef SIMT_SYNC_H
#define SIMT_SYNC_H
#include "simt_engine.h"
#include "simt_user_access.h"

/* ---- block ---- */
SIMT_INLINE void __syncthreads() { simt_op_barrier(SIMT_BARRIER_PLAIN, 0, nullptr); }
SIMT_INLINE int __syncthreads_count(int pred) { return simt_op_barrier(SIMT_BARRIER_COUNT, pred, nullptr); }
SIMT_INLINE int __syncthreads_and(int pred) { return simt_op_barrier(SIMT_BARRIER_AND, pred, nullptr); }
SIMT_INLINE int __syncthreads_or(int pred) { return simt_op_barrier(SIMT_BARRIER_OR, pred, nullptr); }

namespace simt {

/* Of all blocks of a launch. */
SIMT_INLINE void grid_sync() {
  simt_op_barrier(SIMT_BARRIER_PLAIN, 0, nullptr);
  if (simt_thread_idx_x() + simt_thread_idx_y() + simt_thread_idx_z() == 0) simt_op_grid_meet(nullptr);
  simt_op_barrier(SIMT_BARRIER_PLAIN, 0, nullptr);
}

} // namespace simt

/* ---- fences ---- */
SIMT_INLINE void __threadfence_block() { simt_op_fence(SIMT_SCOPE_BLOCK, nullptr); }
SIMT_INLINE void __threadfence() { simt_op_fence(SIMT_SCOPE_DEVICE, nullptr); }
SIMT_INLINE void __threadfence_system() { simt_op_fence(SIMT_SCOPE_SYSTEM, nullptr); }

/* ---- warp ---- */
SIMT_INLINE void __syncwarp(unsigned mask = 0xffffffffu) { simt_op_syncwarp(mask, nullptr); }
SIMT_INLINE unsigned __activemask() { return simt_op_activemask(nullptr); }

SIMT_INLINE int __all_sync(unsigned mask, int pred) {
  return static_cast<int>(simt_op_vote(SIMT_VOTE_ALL, mask, pred, nullptr));
}
SIMT_INLINE int __any_sync(unsigned mask, int pred) {
  return static_cast<int>(simt_op_vote(SIMT_VOTE_ANY, mask, pred, nullptr));
}
SIMT_INLINE int __uni_sync(unsigned mask, int pred) {
  return static_cast<int>(simt_op_vote(SIMT_VOTE_UNI, mask, pred, nullptr));
}
SIMT_INLINE unsigned __ballot_sync(unsigned mask, int pred) {
  return simt_op_vote(SIMT_VOTE_BALLOT, mask, pred, nullptr);
}

/* The forms without a mask, gone from current toolkits: among the lanes in lock step. */
SIMT_INLINE int __all(int pred) { return __all_sync(simt_op_together(nullptr), pred); }
SIMT_INLINE int __any(int pred) { return __any_sync(simt_op_together(nullptr), pred); }
SIMT_INLINE unsigned __ballot(int pred) { return __ballot_sync(simt_op_together(nullptr), pred); }

#define SIMT_MATCH(T)                                                                                                  \
  SIMT_INLINE unsigned __match_any_sync(unsigned mask, T value) {                                                      \
    return simt_op_match(0, mask, simt::to_bits(value), nullptr);                                                      \
  }                                                                                                                    \
  SIMT_INLINE unsigned __match_all_sync(unsigned mask, T value, int *pred) {                                           \
    const unsigned lanes = simt_op_match(1, mask, simt::to_bits(value), nullptr);                                      \
    simt::user_store(pred, lanes != 0);                                                                                \
    return lanes;                                                                                                      \
  }
SIMT_MATCH(int)
SIMT_MATCH(unsigned)
SIMT_MATCH(long)
SIMT_MATCH(unsigned long)
SIMT_MATCH(long long)
SIMT_MATCH(unsigned long long)
SIMT_MATCH(float)
SIMT_MATCH(double)
#undef SIMT_MATCH

#define SIMT_WARP_REDUCE(name, T, mode)                                                                                \
  SIMT_INLINE T name(unsigned mask, T value) {                                                                         \
    return static_cast<T>(simt_op_reduce(mode, mask, static_cast<unsigned>(value), nullptr));                          \
  }
SIMT_WARP_REDUCE(__reduce_add_sync, unsigned, SIMT_REDUCE_ADD)
SIMT_WARP_REDUCE(__reduce_add_sync, int, SIMT_REDUCE_ADD)
SIMT_WARP_REDUCE(__reduce_min_sync, unsigned, SIMT_REDUCE_MIN_U)
SIMT_WARP_REDUCE(__reduce_min_sync, int, SIMT_REDUCE_MIN_S)
SIMT_WARP_REDUCE(__reduce_max_sync, unsigned, SIMT_REDUCE_MAX_U)
SIMT_WARP_REDUCE(__reduce_max_sync, int, SIMT_REDUCE_MAX_S)
SIMT_WARP_REDUCE(__reduce_and_sync, unsigned, SIMT_REDUCE_AND)
SIMT_WARP_REDUCE(__reduce_or_sync, unsigned, SIMT_REDUCE_OR)
SIMT_WARP_REDUCE(__reduce_xor_sync, unsigned, SIMT_REDUCE_XOR)
#undef SIMT_WARP_REDUCE

/* ---- the outside; printf, assert and clock are in simt_libc.h ---- */
[[noreturn]] SIMT_INLINE void __trap() { simt_op_trap(nullptr); }
SIMT_INLINE long long clock64() { return simt_op_clock(nullptr); }
/* Of a debugger; without one a launch goes on, or fails. */
SIMT_INLINE void __brkpt() { simt_op_trap(nullptr); }
SIMT_INLINE void __nanosleep(unsigned ns) { simt_op_nanosleep(ns, nullptr); }

#endif
