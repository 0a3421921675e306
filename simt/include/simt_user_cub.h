/* simt_user_cub.h - cub's collectives of blocks and warps by their public interface; an implementation of our own.
 *
 * Values pass between lanes by shuffles and between warps by the shared memory that the user gives, whose accesses are the user's: to use it
 * again without a barrier in between is a race here, as it is there. The order in which values are combined is that of the threads, but for
 * reductions of a warp, in which lane i takes what lane i + 1, i + 2, i + 4 ... has. Where cub promises the result to one thread, the others
 * get a part of it. */
#ifndef SIMT_USER_CUB_H
#define SIMT_USER_CUB_H
#include "cuda/functional"
#include "cuda_runtime.h"
#include "simt_words.h"

namespace cub {

struct NullType {};
template <class K, class V> struct KeyValuePair {
  typedef K Key;
  typedef V Value;
  K key;
  V value;
};

struct Sum {
  template <class T, class U> SIMT_INLINE auto operator()(const T &a, const U &b) const -> decltype(a + b) { return a + b; }
};
struct Max {
  template <class T, class U> SIMT_INLINE std::common_type_t<T, U> operator()(const T &a, const U &b) const { return a < b ? b : a; }
};
struct Min {
  template <class T, class U> SIMT_INLINE std::common_type_t<T, U> operator()(const T &a, const U &b) const { return b < a ? b : a; }
};
struct Equality {
  template <class T> SIMT_INLINE bool operator()(const T &a, const T &b) const { return a == b; }
};
struct Inequality {
  template <class T> SIMT_INLINE bool operator()(const T &a, const T &b) const { return !(a == b); }
};
/* Of equal values the one with the smaller key. */
struct ArgMax {
  template <class P> SIMT_INLINE P operator()(const P &a, const P &b) const {
    return a.value < b.value || (a.value == b.value && b.key < a.key) ? b : a;
  }
};
struct ArgMin {
  template <class P> SIMT_INLINE P operator()(const P &a, const P &b) const {
    return b.value < a.value || (a.value == b.value && b.key < a.key) ? b : a;
  }
};

SIMT_INLINE unsigned LaneId() { return simt_lane_id(); }
SIMT_INLINE unsigned WarpId() { return simt::ptx::p_warpid(); }

namespace detail {

SIMT_INLINE unsigned thread() { return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); }

/* Of the lanes of a logical warp; lane i of it. */
template <int Size> SIMT_INLINE unsigned mask() {
  return Size == 32 ? ~0u : ((1u << (Size & 31)) - 1) << (simt_lane_id() / Size * Size);
}
template <int Size> SIMT_INLINE int lane() { return static_cast<int>(simt_lane_id() % Size); }

template <int Size, class T> SIMT_INLINE T from_lane(const T &v, int at) {
  return simt::shuffle_words(SIMT_SHFL_IDX, mask<Size>(), v, simt_lane_id() / Size * Size + static_cast<unsigned>(at), 32);
}
/* For lane 0: what the first `valid` lanes have. */
template <int Size, class T, class Op> SIMT_INLINE T reduce(T v, Op op, int valid) {
  const int i = lane<Size>();
  for (int apart = 1; apart < Size; apart *= 2) {
    const bool has = i + apart < valid;
    const T other = from_lane<Size>(v, has ? i + apart : i);
    if (has) v = op(v, other);
  }
  return v;
}
template <int Size, class T, class Op> SIMT_INLINE T scan(T v, Op op) {
  const int i = lane<Size>();
  for (int apart = 1; apart < Size; apart *= 2) {
    const bool has = i >= apart;
    const T other = from_lane<Size>(v, has ? i - apart : i);
    if (has) v = op(other, v);
  }
  return v;
}

} // namespace detail

/* ---- warps ---- */
template <class T, int Size = 32> class WarpReduce {
public:
  struct TempStorage { char unused; };
  SIMT_INLINE WarpReduce() {}
  SIMT_INLINE explicit WarpReduce(TempStorage &) {}
  template <class Op> SIMT_INLINE T Reduce(T v, Op op) { return detail::reduce<Size>(v, op, Size); }
  template <class Op> SIMT_INLINE T Reduce(T v, Op op, int valid) { return detail::reduce<Size>(v, op, valid); }
  SIMT_INLINE T Sum(T v) { return Reduce(v, cub::Sum()); }
  SIMT_INLINE T Sum(T v, int valid) { return Reduce(v, cub::Sum(), valid); }
  SIMT_INLINE T Max(T v) { return Reduce(v, cub::Max()); }
  SIMT_INLINE T Min(T v) { return Reduce(v, cub::Min()); }
};

template <class T, int Size = 32> class WarpScan {
public:
  struct TempStorage { char unused; };
  SIMT_INLINE WarpScan() {}
  SIMT_INLINE explicit WarpScan(TempStorage &) {}
  template <class Op> SIMT_INLINE void InclusiveScan(T v, T &out, Op op) { out = detail::scan<Size>(v, op); }
  template <class Op> SIMT_INLINE void InclusiveScan(T v, T &out, Op op, T &all) {
    const T upto = detail::scan<Size>(v, op);
    all = detail::from_lane<Size>(upto, Size - 1);
    out = upto;
  }
  template <class Op> SIMT_INLINE void ExclusiveScan(T v, T &out, T first, Op op) {
    const int i = detail::lane<Size>();
    const T before = detail::from_lane<Size>(detail::scan<Size>(v, op), i ? i - 1 : 0);
    out = i ? op(first, before) : first;
  }
  template <class Op> SIMT_INLINE void ExclusiveScan(T v, T &out, T first, Op op, T &all) {
    const T upto = detail::scan<Size>(v, op);
    const int i = detail::lane<Size>();
    const T before = detail::from_lane<Size>(upto, i ? i - 1 : 0);
    all = detail::from_lane<Size>(upto, Size - 1);
    out = i ? op(first, before) : first;
  }
  /* Without a first value, lane 0 keeps what it has. */
  template <class Op> SIMT_INLINE void ExclusiveScan(T v, T &out, Op op) { out = before(v, detail::scan<Size>(v, op)); }
  template <class Op> SIMT_INLINE void ExclusiveScan(T v, T &out, Op op, T &all) {
    const T upto = detail::scan<Size>(v, op);
    all = detail::from_lane<Size>(upto, Size - 1);
    out = before(v, upto);
  }
  template <class Op> SIMT_INLINE void Scan(T v, T &inclusive, T &exclusive, Op op) {
    const T upto = detail::scan<Size>(v, op);
    exclusive = before(v, upto);
    inclusive = upto;
  }
  template <class Op> SIMT_INLINE void Scan(T v, T &inclusive, T &exclusive, T first, Op op) {
    ExclusiveScan(v, exclusive, first, op);
    inclusive = op(exclusive, v);
  }
  SIMT_INLINE void InclusiveSum(T v, T &out) { InclusiveScan(v, out, Sum()); }
  SIMT_INLINE void InclusiveSum(T v, T &out, T &all) { InclusiveScan(v, out, Sum(), all); }
  SIMT_INLINE void ExclusiveSum(T v, T &out) { ExclusiveScan(v, out, T(0), Sum()); }
  SIMT_INLINE void ExclusiveSum(T v, T &out, T &all) { ExclusiveScan(v, out, T(0), Sum(), all); }
  SIMT_INLINE T Broadcast(T v, unsigned from) { return detail::from_lane<Size>(v, static_cast<int>(from)); }

private:
  static SIMT_INLINE T before(T v, T upto) {
    const int i = detail::lane<Size>();
    const T other = detail::from_lane<Size>(upto, i ? i - 1 : 0);
    return i ? other : v;
  }
};

/* Memory for collectives that were not given any: one for each kind, of the block. */
template <class Storage> SIMT_INLINE Storage &private_storage() {
  __shared__ Storage storage;
  return storage;
}

} // namespace cub

#endif

