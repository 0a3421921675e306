/* simt_user_cub.h - cub's collectives of blocks and warps by their public interface; an implementation of our own.
 *
 * Values pass between lanes by shuffles and between warps by the shared memory that the user gives, whose accesses are the user's: to use it
 * again without a barrier in between is a race here, as it is there. The order in which values are combined is that of the threads, but for
 * reductions of a warp, in which lane i takes what lane i + 1, i + 2, i + 4 ... has. Where cub promises the result to one thread, the others
 * get a part of it. */
#ifndef SIMT_USER_CUB_H
#define SIMT_USER_CUB_H
#include "cuda_runtime.h"
#include "simt_words.h"

namespace cub {

enum BlockReduceAlgorithm { BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY, BLOCK_REDUCE_RAKING, BLOCK_REDUCE_WARP_REDUCTIONS };
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };
enum BlockLoadAlgorithm {
  BLOCK_LOAD_DIRECT, BLOCK_LOAD_STRIPED, BLOCK_LOAD_VECTORIZE, BLOCK_LOAD_TRANSPOSE, BLOCK_LOAD_WARP_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED
};
enum BlockStoreAlgorithm {
  BLOCK_STORE_DIRECT, BLOCK_STORE_STRIPED, BLOCK_STORE_VECTORIZE, BLOCK_STORE_TRANSPOSE, BLOCK_STORE_WARP_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED
};

struct Sum {
  template <class T> SIMT_INLINE T operator()(const T &a, const T &b) const { return a + b; }
};
struct Max {
  template <class T> SIMT_INLINE T operator()(const T &a, const T &b) const { return a < b ? b : a; }
};
struct Min {
  template <class T> SIMT_INLINE T operator()(const T &a, const T &b) const { return b < a ? b : a; }
};

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
  SIMT_INLINE void InclusiveSum(T v, T &out) { InclusiveScan(v, out, Sum()); }
  SIMT_INLINE void InclusiveSum(T v, T &out, T &all) { InclusiveScan(v, out, Sum(), all); }
  SIMT_INLINE void ExclusiveSum(T v, T &out) { ExclusiveScan(v, out, T(0), Sum()); }
  SIMT_INLINE void ExclusiveSum(T v, T &out, T &all) { ExclusiveScan(v, out, T(0), Sum(), all); }
  SIMT_INLINE T Broadcast(T v, unsigned from) { return detail::from_lane<Size>(v, static_cast<int>(from)); }
};

/* ---- blocks ---- */
namespace detail {

/* Combines in the thread, then as the collective C does. */
template <class T, int N, class Op> SIMT_INLINE T fold(const T (&v)[N], Op op) {
  T all = v[0];
  for (int i = 1; i < N; i++) all = op(all, v[i]);
  return all;
}

template <class T, int Threads> struct WarpValues { T of_warp[(Threads + 31) / 32]; };

} // namespace detail

/* Memory for collectives that were not given any: one for each kind, of the block. */
template <class Storage> SIMT_INLINE Storage &private_storage() {
  __shared__ Storage storage;
  return storage;
}

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

template <class T, int X, BlockScanAlgorithm A = BLOCK_SCAN_RAKING, int Y = 1, int Z = 1> class BlockScan {
  enum { WARPS = (X * Y * Z + 31) / 32 };

public:
  struct TempStorage : detail::WarpValues<T, X * Y * Z> {};
  SIMT_INLINE BlockScan() : temp_(private_storage<TempStorage>()) {}
  SIMT_INLINE explicit BlockScan(TempStorage &temp) : temp_(temp) {}

  /* One value. */
  template <class Op> SIMT_INLINE void InclusiveScan(T v, T &out, Op op) {
    T all;
    InclusiveScan(v, out, op, all);
  }
  template <class Op> SIMT_INLINE void InclusiveScan(T v, T &out, Op op, T &all) {
    T before;
    const Place p = place(v, op, before, all);
    out = p.is_first ? p.upto : op(before, p.upto);
  }
  template <class Op> SIMT_INLINE void ExclusiveScan(T v, T &out, T first, Op op) {
    T all;
    ExclusiveScan(v, out, first, op, all);
  }
  template <class Op> SIMT_INLINE void ExclusiveScan(T v, T &out, T first, Op op, T &all) {
    T before;
    const Place p = place(v, op, before, all);
    const T lane_before = detail::from_lane<32>(p.upto, p.lane ? p.lane - 1 : 0);
    out = p.is_first ? first : op(first, before);
    if (p.lane) out = op(out, lane_before);
  }
  SIMT_INLINE void InclusiveSum(T v, T &out) { InclusiveScan(v, out, Sum()); }
  SIMT_INLINE void InclusiveSum(T v, T &out, T &all) { InclusiveScan(v, out, Sum(), all); }
  SIMT_INLINE void ExclusiveSum(T v, T &out) { ExclusiveScan(v, out, T(0), Sum()); }
  SIMT_INLINE void ExclusiveSum(T v, T &out, T &all) { ExclusiveScan(v, out, T(0), Sum(), all); }

  /* Several values a thread, one behind the other. */
  template <int N, class Op> SIMT_INLINE void ExclusiveScan(T (&v)[N], T (&out)[N], T first, Op op, T &all) {
    T upto;
    ExclusiveScan(detail::fold(v, op), upto, first, op, all);
    for (int i = 0; i < N; i++) {
      const T mine = v[i];
      out[i] = upto;
      upto = op(upto, mine);
    }
  }
  template <int N> SIMT_INLINE void ExclusiveSum(T (&v)[N], T (&out)[N], T &all) { ExclusiveScan(v, out, T(0), Sum(), all); }
  template <int N> SIMT_INLINE void ExclusiveSum(T (&v)[N], T (&out)[N]) {
    T all;
    ExclusiveScan(v, out, T(0), Sum(), all);
  }
  template <int N> SIMT_INLINE void InclusiveSum(T (&v)[N], T (&out)[N], T &all) {
    T upto;
    ExclusiveScan(detail::fold(v, Sum()), upto, T(0), Sum(), all);
    for (int i = 0; i < N; i++) out[i] = upto = upto + v[i];
  }
  template <int N> SIMT_INLINE void InclusiveSum(T (&v)[N], T (&out)[N]) {
    T all;
    InclusiveSum(v, out, all);
  }

private:
  struct Place {
    T upto; /* of the warp */
    int lane;
    bool is_first; /* warp */
  };
  /* before: of the warps in front, where there are any. */
  template <class Op> SIMT_INLINE Place place(T v, Op op, T &before, T &all) {
    const int t = static_cast<int>(detail::thread()), warp = t / 32, last = X * Y * Z - 1;
    const Place p = {detail::scan<32>(v, op), t % 32, warp == 0};
    if (p.lane == 31 || t == last) temp_.of_warp[warp] = p.upto;
    __syncthreads();
    T sum = temp_.of_warp[0];
    before = sum;
    for (int w = 1; w < WARPS; w++) {
      if (w == warp) before = sum;
      sum = op(sum, temp_.of_warp[w]);
    }
    all = sum;
    return p;
  }
  TempStorage &temp_;
};

/* ---- loads and stores: how the items get to their threads changes nothing ---- */
template <class T, int X, int N, BlockLoadAlgorithm A = BLOCK_LOAD_DIRECT, int Y = 1, int Z = 1> class BlockLoad {
public:
  struct TempStorage { char unused; };
  SIMT_INLINE BlockLoad() {}
  SIMT_INLINE explicit BlockLoad(TempStorage &) {}
  template <class From> SIMT_INLINE void Load(From from, T (&items)[N]) { Load(from, items, X * Y * Z * N); }
  template <class From> SIMT_INLINE void Load(From from, T (&items)[N], int valid) {
    for (int i = 0; i < N; i++)
      if (at(i) < valid) items[i] = from[at(i)];
  }
  template <class From, class Default> SIMT_INLINE void Load(From from, T (&items)[N], int valid, Default otherwise) {
    for (int i = 0; i < N; i++) {
      if (at(i) < valid) items[i] = from[at(i)];
      else items[i] = otherwise;
    }
  }

private:
  static SIMT_INLINE int at(int i) {
    const int t = static_cast<int>(detail::thread());
    return A == BLOCK_LOAD_STRIPED ? i * X * Y * Z + t : t * N + i;
  }
};

template <class T, int X, int N, BlockStoreAlgorithm A = BLOCK_STORE_DIRECT, int Y = 1, int Z = 1> class BlockStore {
public:
  struct TempStorage { char unused; };
  SIMT_INLINE BlockStore() {}
  SIMT_INLINE explicit BlockStore(TempStorage &) {}
  template <class To> SIMT_INLINE void Store(To to, T (&items)[N]) { Store(to, items, X * Y * Z * N); }
  template <class To> SIMT_INLINE void Store(To to, T (&items)[N], int valid) {
    for (int i = 0; i < N; i++)
      if (at(i) < valid) to[at(i)] = items[i];
  }

private:
  static SIMT_INLINE int at(int i) {
    const int t = static_cast<int>(detail::thread());
    return A == BLOCK_STORE_STRIPED ? i * X * Y * Z + t : t * N + i;
  }
};

} // namespace cub

#endif
