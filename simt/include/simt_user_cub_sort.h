/* simt_user_cub_sort.h - cub::BlockRadixSort, BlockMergeSort, BlockDiscontinuity, BlockAdjacentDifference; BlockHistogram, which uses them, is in
 * simt_user_cub_histogram.h. See simt_user_cub.h. */
#ifndef SIMT_USER_CUB_SORT_H
#define SIMT_USER_CUB_SORT_H
#include "simt_user_cub_bits.h"
#include "simt_user_cub_block.h"
#include "simt_user_cub_exchange.h"

namespace cub {

/* A bit at a time: those with a 0 in front, in the order in which they are. */
template <class K, int X, int N, class V = NullType, int RadixBits = 4, bool Memoize = true, BlockScanAlgorithm A = BLOCK_SCAN_WARP_SCANS,
          cudaSharedMemConfig Config = cudaSharedMemBankSizeFourByte, int Y = 1, int Z = 1>
class BlockRadixSort {
  enum { THREADS = X * Y * Z, ALL_BITS = 8 * sizeof(K), HAS_VALUES = !std::is_same<V, NullType>::value };
  typedef BlockScan<int, X, A, Y, Z> Scan;
  typedef BlockExchange<K, X, N, false, Y, Z> Keys;
  typedef BlockExchange<V, X, N, false, Y, Z> Values;

public:
  union TempStorage {
    typename Scan::TempStorage scan;
    typename Keys::TempStorage keys;
    typename Values::TempStorage values;
  };
  SIMT_INLINE BlockRadixSort() : temp_(private_storage<TempStorage>()) {}
  SIMT_INLINE explicit BlockRadixSort(TempStorage &temp) : temp_(temp) {}

#define SIMT_CUB_SORT(name, descends, after)                                                                           \
  SIMT_INLINE void name(K (&keys)[N], int begin = 0, int end = ALL_BITS) {                                             \
    V none[N];                                                                                                         \
    sort(keys, none, begin, end, descends);                                                                            \
    after(keys, none);                                                                                                 \
  }                                                                                                                    \
  template <class W> SIMT_INLINE void name(K (&keys)[N], W (&values)[N], int begin = 0, int end = ALL_BITS) {          \
    sort(keys, values, begin, end, descends);                                                                          \
    after(keys, values);                                                                                               \
  }
  SIMT_CUB_SORT(Sort, false, stay)
  SIMT_CUB_SORT(SortDescending, true, stay)
  SIMT_CUB_SORT(SortBlockedToStriped, false, stripe)
  SIMT_CUB_SORT(SortDescendingBlockedToStriped, true, stripe)
#undef SIMT_CUB_SORT

private:
  SIMT_INLINE void stay(K (&)[N], V (&)[N]) {}
  SIMT_INLINE void stripe(K (&keys)[N], V (&values)[N]) {
    __syncthreads();
    Keys(temp_.keys).BlockedToStriped(keys);
    if constexpr (HAS_VALUES) {
      __syncthreads();
      Values(temp_.values).BlockedToStriped(values);
    }
  }
  SIMT_INLINE void sort(K (&keys)[N], V (&values)[N], int begin, int end, bool descends) {
    for (int bit = begin; bit < end; bit++) {
      int rank[N];
      if (bit > begin) __syncthreads();
      rank_by(keys, rank, bit, descends);
      __syncthreads();
      Keys(temp_.keys).ScatterToBlocked(keys, rank);
      if constexpr (HAS_VALUES) {
        __syncthreads();
        Values(temp_.values).ScatterToBlocked(values, rank);
      }
    }
  }
  SIMT_INLINE void rank_by(K (&keys)[N], int (&rank)[N], int bit, bool descends) {
    const int first = static_cast<int>(detail::thread()) * N;
    int zeros = 0, before, all;
    for (int i = 0; i < N; i++) zeros += !detail::digits(keys[i], bit, bit + 1, descends);
    Scan(temp_.scan).ExclusiveSum(zeros, before, all);
    for (int i = 0; i < N; i++) {
      const bool one = detail::digits(keys[i], bit, bit + 1, descends);
      rank[i] = one ? all + first + i - before : before;
      before += !one;
    }
  }
  TempStorage &temp_;
};

/* Stable. Runs twice as long with each step: the place of a key is its own in its run and, by bisection, the one in the other run. */
template <class K, int X, int N, class V = NullType, int Y = 1, int Z = 1> class BlockMergeSort {
  static_assert((X * Y * Z & (X * Y * Z - 1)) == 0, "a merge sort is for blocks whose size is a power of two");
  enum { THREADS = X * Y * Z, ALL = THREADS * N, HAS_VALUES = !std::is_same<V, NullType>::value };
  typedef BlockExchange<K, X, N, false, Y, Z> Keys;
  typedef BlockExchange<V, X, N, false, Y, Z> Values;

public:
  union TempStorage {
    typename Keys::TempStorage keys;
    typename Values::TempStorage values;
  };
  SIMT_INLINE BlockMergeSort() : temp_(private_storage<TempStorage>()) {}
  SIMT_INLINE explicit BlockMergeSort(TempStorage &temp) : temp_(temp) {}

  template <class Less> SIMT_INLINE void Sort(K (&keys)[N], Less less) {
    V none[N];
    sort(keys, none, less);
  }
  template <class Less> SIMT_INLINE void Sort(K (&keys)[N], Less less, int valid, K otherwise) {
    V none[N];
    pad(keys, valid, otherwise);
    sort(keys, none, less);
  }
  template <class Less> SIMT_INLINE void Sort(K (&keys)[N], V (&values)[N], Less less) { sort(keys, values, less); }
  template <class Less> SIMT_INLINE void Sort(K (&keys)[N], V (&values)[N], Less less, int valid, K otherwise) {
    pad(keys, valid, otherwise);
    sort(keys, values, less);
  }
  template <class Less> SIMT_INLINE void StableSort(K (&keys)[N], Less less) { Sort(keys, less); }
  template <class Less> SIMT_INLINE void StableSort(K (&keys)[N], V (&values)[N], Less less) { Sort(keys, values, less); }

private:
  SIMT_INLINE void pad(K (&keys)[N], int valid, K otherwise) {
    for (int i = 0; i < N; i++)
      if (first() + i >= valid) keys[i] = otherwise;
  }
  static SIMT_INLINE int first() { return static_cast<int>(detail::thread()) * N; }
  template <class Less> SIMT_INLINE void sort(K (&keys)[N], V (&values)[N], Less less) {
    for (int length = 1; length < ALL; length *= 2) {
      int rank[N];
      if (length > 1) __syncthreads();
      for (int i = 0; i < N; i++) temp_.keys.item[first() + i] = keys[i];
      __syncthreads();
      for (int i = 0; i < N; i++) rank[i] = place(first() + i, keys[i], length, less);
      __syncthreads();
      Keys(temp_.keys).ScatterToBlocked(keys, rank);
      if constexpr (HAS_VALUES) {
        __syncthreads();
        Values(temp_.values).ScatterToBlocked(values, rank);
      }
    }
  }
  template <class Less> SIMT_INLINE int place(int at, const K &key, int length, Less less) {
    const int run = at / length * length, pair = at / (2 * length) * (2 * length);
    const bool is_second = run != pair;
    int low = is_second ? pair : pair + length, high = is_second ? run : low + length;
    low = low < ALL ? low : ALL;
    high = high < ALL ? high : ALL;
    const int from = low;
    while (low < high) {
      const int mid = (low + high) / 2;
      const K other = temp_.keys.item[mid];
      if (is_second ? !less(key, other) : less(other, key)) low = mid + 1;
      else high = mid;
    }
    return pair + (at - run) + (low - from);
  }
  TempStorage &temp_;
};

namespace detail {

/* What the threads beside this one have at their ends. */
template <class T, int Threads> struct Ends {
  struct Storage {
    T first[Threads], last[Threads];
  };
  template <int N> static SIMT_INLINE void put(Storage &s, T (&v)[N]) {
    const int t = static_cast<int>(thread());
    s.first[t] = v[0];
    s.last[t] = v[N - 1];
    __syncthreads();
  }
};
/* With the index of the second, where the function takes one. */
template <class Op, class T> SIMT_INLINE auto apply(Op op, const T &a, const T &b, int at) {
  if constexpr (std::is_invocable<Op, const T &, const T &, int>::value) return op(a, b, at);
  else return op(a, b);
}

} // namespace detail

template <class T, int X, int Y = 1, int Z = 1> class BlockDiscontinuity {
  enum { THREADS = X * Y * Z };
  typedef detail::Ends<T, X * Y * Z> Ends;

public:
  struct TempStorage : Ends::Storage {};
  SIMT_INLINE BlockDiscontinuity() : temp_(private_storage<TempStorage>()) {}
  SIMT_INLINE explicit BlockDiscontinuity(TempStorage &temp) : temp_(temp) {}

  template <int N, class Flag, class Op> SIMT_INLINE void FlagHeads(Flag (&head)[N], T (&v)[N], Op op) {
    Ends::put(temp_, v);
    heads(head, v, op, static_cast<const T *>(nullptr));
  }
  template <int N, class Flag, class Op> SIMT_INLINE void FlagHeads(Flag (&head)[N], T (&v)[N], Op op, T before_tile) {
    Ends::put(temp_, v);
    heads(head, v, op, &before_tile);
  }
  template <int N, class Flag, class Op> SIMT_INLINE void FlagTails(Flag (&tail)[N], T (&v)[N], Op op) {
    Ends::put(temp_, v);
    tails(tail, v, op, static_cast<const T *>(nullptr));
  }
  template <int N, class Flag, class Op> SIMT_INLINE void FlagTails(Flag (&tail)[N], T (&v)[N], Op op, T behind_tile) {
    Ends::put(temp_, v);
    tails(tail, v, op, &behind_tile);
  }
  template <int N, class Flag, class Op> SIMT_INLINE void FlagHeadsAndTails(Flag (&head)[N], Flag (&tail)[N], T (&v)[N], Op op) {
    Ends::put(temp_, v);
    heads(head, v, op, static_cast<const T *>(nullptr));
    tails(tail, v, op, static_cast<const T *>(nullptr));
  }

private:
  /* The first of the tile is a head, the last one a tail, unless it is said what lies beside. */
  template <int N, class Flag, class Op> SIMT_INLINE void heads(Flag (&head)[N], T (&v)[N], Op op, const T *outside) {
    const int t = static_cast<int>(detail::thread());
    if (t) head[0] = detail::apply(op, temp_.last[t - 1], v[0], t * N);
    else head[0] = outside ? detail::apply(op, *outside, v[0], 0) : true;
    for (int i = 1; i < N; i++) head[i] = detail::apply(op, v[i - 1], v[i], t * N + i);
  }
  template <int N, class Flag, class Op> SIMT_INLINE void tails(Flag (&tail)[N], T (&v)[N], Op op, const T *outside) {
    const int t = static_cast<int>(detail::thread());
    if (t < THREADS - 1) tail[N - 1] = detail::apply(op, v[N - 1], temp_.first[t + 1], t * N + N);
    else tail[N - 1] = outside ? detail::apply(op, v[N - 1], *outside, t * N + N) : true;
    for (int i = 0; i < N - 1; i++) tail[i] = detail::apply(op, v[i], v[i + 1], t * N + i + 1);
  }
  TempStorage &temp_;
};

template <class T, int X, int Y = 1, int Z = 1> class BlockAdjacentDifference {
  enum { THREADS = X * Y * Z };
  typedef detail::Ends<T, X * Y * Z> Ends;

public:
  struct TempStorage : Ends::Storage {};
  SIMT_INLINE BlockAdjacentDifference() : temp_(private_storage<TempStorage>()) {}
  SIMT_INLINE explicit BlockAdjacentDifference(TempStorage &temp) : temp_(temp) {}

  /* The first of the tile stays what it is, without one in front. */
  template <int N, class Out, class Op> SIMT_INLINE void SubtractLeft(T (&v)[N], Out (&out)[N], Op op) {
    left(v, out, op, static_cast<const T *>(nullptr));
  }
  template <int N, class Out, class Op> SIMT_INLINE void SubtractLeft(T (&v)[N], Out (&out)[N], Op op, T before_tile) {
    left(v, out, op, &before_tile);
  }
  template <int N, class Out, class Op> SIMT_INLINE void SubtractRight(T (&v)[N], Out (&out)[N], Op op) {
    Ends::put(temp_, v);
    const int t = static_cast<int>(detail::thread());
    for (int i = 0; i < N - 1; i++) out[i] = op(v[i], v[i + 1]);
    out[N - 1] = t < THREADS - 1 ? op(v[N - 1], temp_.first[t + 1]) : v[N - 1];
  }

private:
  template <int N, class Out, class Op> SIMT_INLINE void left(T (&v)[N], Out (&out)[N], Op op, const T *outside) {
    Ends::put(temp_, v);
    const int t = static_cast<int>(detail::thread());
    for (int i = N - 1; i > 0; i--) out[i] = op(v[i], v[i - 1]);
    if (t) out[0] = op(v[0], temp_.last[t - 1]);
    else out[0] = outside ? op(v[0], *outside) : v[0];
  }
  TempStorage &temp_;
};

} // namespace cub

#include "simt_user_cub_histogram.h"
#endif
