/* cooperative_groups.h - blocks, tiles of a warp, coalesced groups and the grid: ranks, barriers, shuffles, votes, partitions.
 *
 * A group of lanes is a mask of its warp; its operations are those of the warp with that mask, so whoever does not come to one is found
 * as with __shfl_sync() and __syncwarp(). Tiles of several warps have a barrier of their own. Groups over several devices and clusters are not
 * modelled. */
#ifndef SIMT_COOPERATIVE_GROUPS_H
#define SIMT_COOPERATIVE_GROUPS_H
#include "cuda_runtime.h"
#include "simt_words.h"

namespace cooperative_groups {

class thread_block;
class coalesced_group;
template <unsigned Size, class Parent = void, bool SeveralWarps = (Size > 32)> class thread_block_tile;

namespace details {

SIMT_INLINE unsigned block_size() { return blockDim.x * blockDim.y * blockDim.z; }
SIMT_INLINE unsigned block_rank() { return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); }
SIMT_INLINE unsigned long long grid_blocks() { return 1ull * gridDim.x * gridDim.y * gridDim.z; }
SIMT_INLINE unsigned long long grid_block() {
  return blockIdx.x + static_cast<unsigned long long>(gridDim.x) * (blockIdx.y + static_cast<unsigned long long>(gridDim.y) * blockIdx.z);
}
SIMT_INLINE unsigned tile_mask(unsigned size) {
  return (size == 32 ? ~0u : (1u << size) - 1) << (simt_lane_id() & ~(size - 1));
}
template <class T> SIMT_INLINE T *tile_memory() { /* a value a warp */
  __shared__ T value[32];
  return value;
}

} // namespace details

/* Any group that is a block or a part of a warp: what its kinds convert to. */
class thread_group {
protected:
  unsigned mask_;     /* of the warp; 0: the whole block */
  unsigned meta_rank_, meta_size_;
  SIMT_INLINE thread_group(unsigned mask, unsigned meta_rank, unsigned meta_size)
      : mask_(mask), meta_rank_(meta_rank), meta_size_(meta_size) {}
  friend SIMT_INLINE thread_group tiled_partition(const thread_group &parent, unsigned size);

public:
  SIMT_INLINE void sync() const {
    if (mask_) simt_op_syncwarp(mask_, nullptr);
    else simt_op_barrier(SIMT_BARRIER_PLAIN, 0, nullptr);
  }
  SIMT_INLINE unsigned size() const { return mask_ ? static_cast<unsigned>(__popc(mask_)) : details::block_size(); }
  SIMT_INLINE unsigned num_threads() const { return size(); }
  SIMT_INLINE unsigned thread_rank() const {
    return mask_ ? static_cast<unsigned>(__popc(mask_ & simt::lanes_below(simt_lane_id()))) : details::block_rank();
  }
  SIMT_INLINE bool is_valid() const { return true; }
};

class thread_block : public thread_group {
  friend SIMT_INLINE thread_block this_thread_block();
  SIMT_INLINE thread_block() : thread_group(0, 0, 1) {}

public:
  struct arrival_token {};
  static SIMT_INLINE void sync() { simt_op_barrier(SIMT_BARRIER_PLAIN, 0, nullptr); }
  static SIMT_INLINE unsigned size() { return details::block_size(); }
  static SIMT_INLINE unsigned num_threads() { return details::block_size(); }
  static SIMT_INLINE unsigned thread_rank() { return details::block_rank(); }
  static SIMT_INLINE dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  static SIMT_INLINE dim3 thread_index() { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
  static SIMT_INLINE dim3 group_dim() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
  static SIMT_INLINE dim3 dim_threads() { return group_dim(); }
  /* The two halves of a barrier: all of it is in the second one, by which what came before the first is ordered too. */
  SIMT_INLINE arrival_token barrier_arrive() const { return arrival_token(); }
  SIMT_INLINE void barrier_wait(arrival_token &&) const { sync(); }
};
SIMT_INLINE thread_block this_thread_block() { return thread_block(); }

/* ---- lanes by their rank in a mask ---- */
class coalesced_group : public thread_group {
  template <unsigned Size, class Parent, bool SeveralWarps> friend class thread_block_tile;
  friend struct lanes_access;
  SIMT_INLINE coalesced_group(unsigned mask, unsigned meta_rank = 0, unsigned meta_size = 1)
      : thread_group(mask, meta_rank, meta_size) {}
  SIMT_INLINE unsigned lane(unsigned rank) const { return rank < size() ? __fns(mask_, 0, static_cast<int>(rank) + 1) : simt_lane_id(); }
  template <class T> SIMT_INLINE T from(const T &v, unsigned lane) const {
    return simt::shuffle_words(SIMT_SHFL_IDX, mask_, v, lane, 32);
  }

public:
  SIMT_INLINE unsigned meta_group_rank() const { return meta_rank_; }
  SIMT_INLINE unsigned meta_group_size() const { return meta_size_; }
  template <class T> SIMT_INLINE T shfl(const T &v, int rank) const { return from(v, lane(static_cast<unsigned>(rank) % size())); }
  template <class T> SIMT_INLINE T shfl_up(const T &v, unsigned delta) const {
    const unsigned rank = thread_rank();
    return from(v, lane(rank < delta ? rank : rank - delta));
  }
  template <class T> SIMT_INLINE T shfl_down(const T &v, unsigned delta) const {
    const unsigned rank = thread_rank();
    return from(v, lane(delta < size() - rank ? rank + delta : rank));
  }
  SIMT_INLINE int any(int pred) const { return static_cast<int>(simt_op_vote(SIMT_VOTE_ANY, mask_, pred, nullptr)); }
  SIMT_INLINE int all(int pred) const { return static_cast<int>(simt_op_vote(SIMT_VOTE_ALL, mask_, pred, nullptr)); }
  SIMT_INLINE unsigned ballot(int pred) const {
    return simt::pack_lanes(mask_, simt_op_vote(SIMT_VOTE_BALLOT, mask_, pred, nullptr));
  }
  template <class T> SIMT_INLINE unsigned match_any(T v) const {
    return simt::pack_lanes(mask_, simt_op_match(0, mask_, simt::to_bits(v), nullptr));
  }
  template <class T> SIMT_INLINE unsigned match_all(T v, int &pred) const {
    const unsigned lanes = simt_op_match(1, mask_, simt::to_bits(v), nullptr);
    pred = lanes != 0;
    return simt::pack_lanes(mask_, lanes);
  }
};

/* Makes and opens groups of lanes, for the functions below. */
struct lanes_access {
  static SIMT_INLINE coalesced_group group(unsigned mask, unsigned meta_rank, unsigned meta_size) {
    return coalesced_group(mask, meta_rank, meta_size);
  }
  static SIMT_INLINE unsigned mask(const coalesced_group &g) { return g.mask_; }
  template <unsigned Size, class Parent> static SIMT_INLINE unsigned mask(const thread_block_tile<Size, Parent> &g) {
    return g.lanes();
  }
};

SIMT_INLINE coalesced_group coalesced_threads() { return lanes_access::group(simt_op_activemask(nullptr), 0, 1); }

/* ---- tiles ---- */
template <unsigned Size, class Parent> class thread_block_tile<Size, Parent, false> : public thread_group {
  static_assert(Size >= 1 && (Size & (Size - 1)) == 0, "the size of a tile is a power of two");
  friend struct lanes_access;
  SIMT_INLINE unsigned lanes() const { return mask_; }
  SIMT_INLINE unsigned base() const { return simt_lane_id() & ~(Size - 1); }
  template <class T> SIMT_INLINE T exchange(int mode, const T &v, unsigned arg) const {
    return simt::shuffle_words(mode, mask_, v, arg, Size);
  }

public:
  SIMT_INLINE thread_block_tile(unsigned meta_rank, unsigned meta_size)
      : thread_group(details::tile_mask(Size), meta_rank, meta_size) {}
  template <class Other> SIMT_INLINE thread_block_tile(const thread_block_tile<Size, Other> &other)
      : thread_group(details::tile_mask(Size), other.meta_group_rank(), other.meta_group_size()) {}
  SIMT_INLINE operator coalesced_group() const { return coalesced_group(mask_, meta_rank_, meta_size_); }

  SIMT_INLINE void sync() const { simt_op_syncwarp(mask_, nullptr); }
  static constexpr SIMT_INLINE unsigned size() { return Size; }
  static constexpr SIMT_INLINE unsigned num_threads() { return Size; }
  SIMT_INLINE unsigned thread_rank() const { return simt_lane_id() & (Size - 1); }
  SIMT_INLINE unsigned meta_group_rank() const { return meta_rank_; }
  SIMT_INLINE unsigned meta_group_size() const { return meta_size_; }
  template <class T> SIMT_INLINE T shfl(const T &v, int rank) const { return exchange(SIMT_SHFL_IDX, v, static_cast<unsigned>(rank)); }
  template <class T> SIMT_INLINE T shfl_up(const T &v, unsigned delta) const { return exchange(SIMT_SHFL_UP, v, delta); }
  template <class T> SIMT_INLINE T shfl_down(const T &v, unsigned delta) const { return exchange(SIMT_SHFL_DOWN, v, delta); }
  template <class T> SIMT_INLINE T shfl_xor(const T &v, unsigned bits) const { return exchange(SIMT_SHFL_XOR, v, bits); }
  SIMT_INLINE int any(int pred) const { return static_cast<int>(simt_op_vote(SIMT_VOTE_ANY, mask_, pred, nullptr)); }
  SIMT_INLINE int all(int pred) const { return static_cast<int>(simt_op_vote(SIMT_VOTE_ALL, mask_, pred, nullptr)); }
  SIMT_INLINE unsigned ballot(int pred) const { return simt_op_vote(SIMT_VOTE_BALLOT, mask_, pred, nullptr) >> base(); }
  template <class T> SIMT_INLINE unsigned match_any(T v) const {
    return simt_op_match(0, mask_, simt::to_bits(v), nullptr) >> base();
  }
  template <class T> SIMT_INLINE unsigned match_all(T v, int &pred) const {
    const unsigned lanes = simt_op_match(1, mask_, simt::to_bits(v), nullptr);
    pred = lanes != 0;
    return lanes >> base();
  }
};

/* Of several warps. What passes between them goes by memory of the tile's. */
template <unsigned Size, class Parent> class thread_block_tile<Size, Parent, true> {
  static_assert(Size <= 1024 && (Size & (Size - 1)) == 0, "the size of a tile is a power of two");
  unsigned meta_rank_, meta_size_;
  static SIMT_INLINE unsigned tile() { return details::block_rank() / Size; }

public:
  SIMT_INLINE thread_block_tile(unsigned meta_rank, unsigned meta_size) : meta_rank_(meta_rank), meta_size_(meta_size) {}
  template <class Other> SIMT_INLINE thread_block_tile(const thread_block_tile<Size, Other> &other)
      : meta_rank_(other.meta_group_rank()), meta_size_(other.meta_group_size()) {}
  SIMT_INLINE void sync() const {
    /* Numbers of tiles of all sizes: 16 of 64 threads, 8 of 128 ... */
    const unsigned first = SIMT_NAMED_BARRIERS + 32 - 2048 / Size, rest = details::block_size() - tile() * Size;
    simt_op_part_meet(first + tile(), rest < Size ? rest : Size, 1, nullptr);
  }
  static constexpr SIMT_INLINE unsigned size() { return Size; }
  static constexpr SIMT_INLINE unsigned num_threads() { return Size; }
  SIMT_INLINE unsigned thread_rank() const { return details::block_rank() % Size; }
  SIMT_INLINE unsigned meta_group_rank() const { return meta_rank_; }
  SIMT_INLINE unsigned meta_group_size() const { return meta_size_; }
  /* From one thread, the same for all. */
  template <class T> SIMT_INLINE T shfl(const T &v, int rank) const {
    T *common = details::tile_memory<T>() + tile() * (Size / 32);
    sync();
    if (thread_rank() == static_cast<unsigned>(rank)) *common = v;
    sync();
    return *common;
  }
  SIMT_INLINE int any(int pred) const { return combine(pred != 0, [](int a, int b) { return a | b; }); }
  SIMT_INLINE int all(int pred) const { return combine(pred != 0, [](int a, int b) { return a & b; }); }
  /* Warp by warp, then over the warps. */
  template <class T, class Op> SIMT_INLINE T combine(T v, Op op) const {
    T *of_warp = details::tile_memory<T>() + tile() * (Size / 32);
    for (unsigned apart = 16; apart; apart /= 2) v = op(v, simt::shuffle_words(SIMT_SHFL_XOR, ~0u, v, apart, 32));
    sync();
    of_warp[thread_rank() / 32] = v;
    sync();
    v = of_warp[0];
    for (unsigned w = 1; w < Size / 32; w++) v = op(v, of_warp[w]);
    return v;
  }
};

/* What devices before compute capability 8.0 need for tiles of several warps. */
template <unsigned MaxBlockSize = 1024> struct block_tile_memory { char unused; };
template <unsigned MaxBlockSize> SIMT_INLINE thread_block this_thread_block(block_tile_memory<MaxBlockSize> &) { return this_thread_block(); }

template <unsigned Size> SIMT_INLINE thread_block_tile<Size, thread_block> tiled_partition(const thread_block &) {
  return thread_block_tile<Size, thread_block>(details::block_rank() / Size, (details::block_size() + Size - 1) / Size);
}
template <unsigned Size, unsigned Of, class Parent>
SIMT_INLINE thread_block_tile<Size, thread_block_tile<Of, Parent>> tiled_partition(const thread_block_tile<Of, Parent> &parent) {
  static_assert(Size <= Of, "a tile is no larger than what it is a tile of");
  return thread_block_tile<Size, thread_block_tile<Of, Parent>>(parent.thread_rank() / Size, Of / Size);
}
SIMT_INLINE thread_block_tile<1> this_thread() { return thread_block_tile<1>(0, 1); }

/* Of a part of a warp, by the ranks in it. */
SIMT_INLINE thread_group tiled_partition(const thread_group &parent, unsigned size) {
  if (!parent.mask_) return thread_group(details::tile_mask(size), details::block_rank() / size, (details::block_size() + size - 1) / size);
  const unsigned tile = parent.thread_rank() / size;
  unsigned mask = 0, rank = 0;
  for (unsigned rest = parent.mask_; rest; rest &= rest - 1, rank++)
    if (rank / size == tile) mask |= rest & (0u - rest);
  return thread_group(mask, tile, (parent.size() + size - 1) / size);
}
SIMT_INLINE coalesced_group tiled_partition(const coalesced_group &parent, unsigned size) {
  const unsigned tile = parent.thread_rank() / size;
  unsigned mask = 0, rank = 0;
  for (unsigned rest = lanes_access::mask(parent); rest; rest &= rest - 1, rank++)
    if (rank / size == tile) mask |= rest & (0u - rest);
  return lanes_access::group(mask, tile, (parent.size() + size - 1) / size);
}

/* Those that agree with the caller. */
template <class Group> SIMT_INLINE coalesced_group binary_partition(const Group &g, bool pred) {
  const unsigned mask = lanes_access::mask(g), yes = simt_op_vote(SIMT_VOTE_BALLOT, mask, pred, nullptr);
  return lanes_access::group(pred ? yes : mask & ~yes, pred ? 0 : 1, 2);
}
template <class Group, class Label> SIMT_INLINE coalesced_group labeled_partition(const Group &g, Label label) {
  const unsigned mask = lanes_access::mask(g);
  const unsigned mine = simt_op_match(0, mask, static_cast<uint64_t>(label), nullptr);
  const unsigned first = mine & (0u - mine), leaders = simt_op_vote(SIMT_VOTE_BALLOT, mask, first == 1u << simt_lane_id(), nullptr);
  return lanes_access::group(mine, static_cast<unsigned>(__popc(leaders & (first - 1))), static_cast<unsigned>(__popc(leaders)));
}

/* ---- the grid ---- */
class grid_group {
  friend SIMT_INLINE grid_group this_grid();
  SIMT_INLINE grid_group() {}

public:
  SIMT_INLINE bool is_valid() const { return true; }
  SIMT_INLINE void sync() const { simt::grid_sync(); }
  SIMT_INLINE unsigned long long size() const { return details::grid_blocks() * details::block_size(); }
  SIMT_INLINE unsigned long long num_threads() const { return size(); }
  SIMT_INLINE unsigned long long thread_rank() const {
    return details::grid_block() * details::block_size() + details::block_rank();
  }
  SIMT_INLINE dim3 group_dim() const { return dim3(gridDim.x, gridDim.y, gridDim.z); }
  SIMT_INLINE dim3 dim_blocks() const { return group_dim(); }
  SIMT_INLINE dim3 block_index() const { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  SIMT_INLINE unsigned long long num_blocks() const { return details::grid_blocks(); }
  SIMT_INLINE unsigned long long block_rank() const { return details::grid_block(); }
};
SIMT_INLINE grid_group this_grid() { return grid_group(); }

/* ---- the same as functions ---- */
template <class Group> SIMT_INLINE void sync(const Group &g) { g.sync(); }
template <class Group> SIMT_INLINE auto thread_rank(const Group &g) { return g.thread_rank(); }
template <class Group> SIMT_INLINE auto group_size(const Group &g) { return g.size(); }

/* One thread of the group does it; of lanes, all may get its result. */
template <class Group, class Fn, class... Args> SIMT_INLINE void invoke_one(const Group &g, Fn &&fn, Args &&...args) {
  if (g.thread_rank() == 0) fn(args...);
}
template <class Group, class Fn, class... Args> SIMT_INLINE auto invoke_one_broadcast(const Group &g, Fn &&fn, Args &&...args) {
  decltype(fn(args...)) result{};
  if (g.thread_rank() == 0) result = fn(args...);
  return g.shfl(result, 0);
}

} // namespace cooperative_groups

#endif
