/* simt_user_cub_block.h - cub::BlockReduce and cub::BlockScan. See simt_user_cub.h. */
#ifndef SIMT_USER_CUB_BLOCK_H
#define SIMT_USER_CUB_BLOCK_H
#include "simt_user_cub.h"

namespace cub {

enum BlockReduceAlgorithm {
  BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY, BLOCK_REDUCE_RAKING, BLOCK_REDUCE_WARP_REDUCTIONS, BLOCK_REDUCE_WARP_REDUCTIONS_NONDETERMINISTIC
};
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };

namespace detail {

/* Combines in the thread, then as the collective C does. */
template <class T, int N, class Op> SIMT_INLINE T fold(const T (&v)[N], Op op) {
  T all = v[0];
  for (int i = 1; i < N; i++) all = op(all, v[i]);
  return all;
}

template <class T, int Threads> struct WarpValues { T of_warp[(Threads + 31) / 32]; };
template <class T, int Threads> struct ScanValues : WarpValues<T, Threads> { T prefix; };

} // namespace detail

template <class T, int X, BlockReduceAlgorithm A = BLOCK_REDUCE_WARP_REDUCTIONS, int Y = 1, int Z = 1> class BlockReduce {
  enum { THREADS = X * Y * Z };

public:
  struct TempStorage : detail::WarpValues<T, X * Y * Z> {};
  SIMT_INLINE BlockReduce() : temp_(private_storage<TempStorage>()) {}
  SIMT_INLINE explicit BlockReduce(TempStorage &temp) : temp_(temp) {}

  template <class Op> SIMT_INLINE T Reduce(T v, Op op, int valid) {
    const int t = static_cast<int>(detail::thread()), warp = t / 32, warps = (valid + 31) / 32;
    v = detail::reduce<32>(v, op, valid - 32 * warp < 32 ? valid - 32 * warp : 32);
    if (t % 32 == 0 && warp < warps) temp_.of_warp[warp] = v;
    __syncthreads();
    for (int w = 1; t == 0 && w < warps; w++) v = op(v, temp_.of_warp[w]);
    return v;
  }
  template <class Op> SIMT_INLINE T Reduce(T v, Op op) { return Reduce(v, op, THREADS); }
  template <int N, class Op> SIMT_INLINE T Reduce(T (&v)[N], Op op) { return Reduce(detail::fold(v, op), op, THREADS); }
  SIMT_INLINE T Sum(T v) { return Reduce(v, cub::Sum(), THREADS); }
  SIMT_INLINE T Sum(T v, int valid) { return Reduce(v, cub::Sum(), valid); }
  template <int N> SIMT_INLINE T Sum(T (&v)[N]) { return Reduce(detail::fold(v, cub::Sum()), cub::Sum(), THREADS); }

private:
  TempStorage &temp_;
};

/* One value a thread, or several, one behind the other. The exclusive forms without a first value leave thread 0 what it has: cub promises
 * nothing there. */
template <class T, int X, BlockScanAlgorithm A = BLOCK_SCAN_RAKING, int Y = 1, int Z = 1> class BlockScan {
  enum { WARPS = (X * Y * Z + 31) / 32 };

public:
  struct TempStorage : detail::ScanValues<T, X * Y * Z> {};
  SIMT_INLINE BlockScan() : temp_(private_storage<TempStorage>()) {}
  SIMT_INLINE explicit BlockScan(TempStorage &temp) : temp_(temp) {}

  /* One value. */
  template <class Op> SIMT_INLINE void InclusiveScan(T v, T &out, Op op) {
    T all;
    InclusiveScan(v, out, op, all);
  }
  template <class Op> SIMT_INLINE void InclusiveScan(T v, T &out, Op op, T &all) { out = including(before(v, op, all), v, op); }
  template <class Op, class Callback> SIMT_INLINE void InclusiveScan(T v, T &out, Op op, Callback &prefix) {
    out = including(behind(before_all(v, op, prefix), op), v, op);
  }
  template <class Op> SIMT_INLINE void ExclusiveScan(T v, T &out, T first, Op op) {
    T all;
    ExclusiveScan(v, out, first, op, all);
  }
  template <class Op> SIMT_INLINE void ExclusiveScan(T v, T &out, T first, Op op, T &all) { out = from(before(v, op, all), first, op); }
  template <class Op> SIMT_INLINE void ExclusiveScan(T v, T &out, Op op) {
    T all;
    ExclusiveScan(v, out, op, all);
  }
  template <class Op> SIMT_INLINE void ExclusiveScan(T v, T &out, Op op, T &all) {
    const Before b = before(v, op, all);
    out = b.is_first ? v : b.value;
  }
  template <class Op, class Callback> SIMT_INLINE void ExclusiveScan(T v, T &out, Op op, Callback &prefix) {
    out = behind(before_all(v, op, prefix), op).value;
  }
  SIMT_INLINE void InclusiveSum(T v, T &out) { InclusiveScan(v, out, Sum()); }
  SIMT_INLINE void InclusiveSum(T v, T &out, T &all) { InclusiveScan(v, out, Sum(), all); }
  template <class Callback> SIMT_INLINE void InclusiveSum(T v, T &out, Callback &prefix) { InclusiveScan(v, out, Sum(), prefix); }
  SIMT_INLINE void ExclusiveSum(T v, T &out) { ExclusiveScan(v, out, T(0), Sum()); }
  SIMT_INLINE void ExclusiveSum(T v, T &out, T &all) { ExclusiveScan(v, out, T(0), Sum(), all); }
  template <class Callback> SIMT_INLINE void ExclusiveSum(T v, T &out, Callback &prefix) { ExclusiveScan(v, out, Sum(), prefix); }

  /* Several. */
  template <int N, class Op> SIMT_INLINE void InclusiveScan(T (&v)[N], T (&out)[N], Op op) {
    T all;
    InclusiveScan(v, out, op, all);
  }
  template <int N, class Op> SIMT_INLINE void InclusiveScan(T (&v)[N], T (&out)[N], Op op, T &all) {
    include_each(before(detail::fold(v, op), op, all), v, out, op);
  }
  template <int N, class Op, class Callback> SIMT_INLINE void InclusiveScan(T (&v)[N], T (&out)[N], Op op, Callback &prefix) {
    include_each(behind(before_all(detail::fold(v, op), op, prefix), op), v, out, op);
  }
  template <int N, class Op> SIMT_INLINE void ExclusiveScan(T (&v)[N], T (&out)[N], T first, Op op) {
    T all;
    ExclusiveScan(v, out, first, op, all);
  }
  template <int N, class Op> SIMT_INLINE void ExclusiveScan(T (&v)[N], T (&out)[N], T first, Op op, T &all) {
    exclude_each(from(before(detail::fold(v, op), op, all), first, op), v, out, op);
  }
  template <int N, class Op> SIMT_INLINE void ExclusiveScan(T (&v)[N], T (&out)[N], Op op) {
    T all;
    ExclusiveScan(v, out, op, all);
  }
  template <int N, class Op> SIMT_INLINE void ExclusiveScan(T (&v)[N], T (&out)[N], Op op, T &all) {
    const Before b = before(detail::fold(v, op), op, all);
    if (!b.is_first) return exclude_each(b.value, v, out, op);
    T upto = v[0];
    for (int i = 1; i < N; i++) {
      const T mine = v[i];
      out[i] = upto;
      upto = op(upto, mine);
    }
  }
  template <int N, class Op, class Callback> SIMT_INLINE void ExclusiveScan(T (&v)[N], T (&out)[N], Op op, Callback &prefix) {
    exclude_each(behind(before_all(detail::fold(v, op), op, prefix), op).value, v, out, op);
  }
  template <int N> SIMT_INLINE void InclusiveSum(T (&v)[N], T (&out)[N]) { InclusiveScan(v, out, Sum()); }
  template <int N> SIMT_INLINE void InclusiveSum(T (&v)[N], T (&out)[N], T &all) { InclusiveScan(v, out, Sum(), all); }
  template <int N, class Callback> SIMT_INLINE void InclusiveSum(T (&v)[N], T (&out)[N], Callback &prefix) {
    InclusiveScan(v, out, Sum(), prefix);
  }
  template <int N> SIMT_INLINE void ExclusiveSum(T (&v)[N], T (&out)[N]) { ExclusiveScan(v, out, T(0), Sum()); }
  template <int N> SIMT_INLINE void ExclusiveSum(T (&v)[N], T (&out)[N], T &all) { ExclusiveScan(v, out, T(0), Sum(), all); }
  template <int N, class Callback> SIMT_INLINE void ExclusiveSum(T (&v)[N], T (&out)[N], Callback &prefix) {
    ExclusiveScan(v, out, Sum(), prefix);
  }

private:
  struct Before { /* of the threads in front */
    T value;
    bool is_first; /* there are none, and no value */
  };
  struct Prefixed {
    Before before;
    T prefix;
  };
  template <class Op> static SIMT_INLINE T including(const Before &b, T v, Op op) { return b.is_first ? v : op(b.value, v); }
  template <class Op> static SIMT_INLINE T from(const Before &b, T first, Op op) { return b.is_first ? first : op(first, b.value); }
  template <class Op> static SIMT_INLINE Before behind(const Prefixed &p, Op op) { return {from(p.before, p.prefix, op), false}; }
  template <int N, class Op> static SIMT_INLINE void include_each(const Before &b, T (&v)[N], T (&out)[N], Op op) {
    T upto = including(b, v[0], op);
    out[0] = upto;
    for (int i = 1; i < N; i++) out[i] = upto = op(upto, v[i]);
  }
  template <int N, class Op> static SIMT_INLINE void exclude_each(T upto, T (&v)[N], T (&out)[N], Op op) {
    for (int i = 0; i < N; i++) {
      const T mine = v[i];
      out[i] = upto;
      upto = op(upto, mine);
    }
  }

  template <class Op> SIMT_INLINE Before before(T v, Op op, T &all) {
    const int t = static_cast<int>(detail::thread()), warp = t / 32, lane = t % 32, last = X * Y * Z - 1;
    const T upto = detail::scan<32>(v, op), lane_before = detail::from_lane<32>(upto, lane ? lane - 1 : 0);
    if (lane == 31 || t == last) temp_.of_warp[warp] = upto;
    __syncthreads();
    T sum = temp_.of_warp[0], in_front = sum;
    for (int w = 1; w < WARPS; w++) {
      if (w == warp) in_front = sum;
      sum = op(sum, temp_.of_warp[w]);
    }
    all = sum;
    if (!warp) return {lane_before, lane == 0};
    return {lane ? op(in_front, lane_before) : in_front, false};
  }
  /* The first warp asks for what is in front of the block, and what its lane 0 is told is for all. */
  template <class Op, class Callback> SIMT_INLINE Prefixed before_all(T v, Op op, Callback &callback) {
    T all;
    const Before b = before(v, op, all);
    const unsigned t = detail::thread();
    if (t < 32) {
      const T prefix = callback(all);
      if (t == 0) temp_.prefix = prefix;
    }
    __syncthreads();
    return {b, temp_.prefix};
  }
  TempStorage &temp_;
};

} // namespace cub

#endif
