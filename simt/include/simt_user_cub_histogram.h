/* simt_user_cub_histogram.h - cub::BlockHistogram, in both of its ways. See simt_user_cub.h. */
#ifndef SIMT_USER_CUB_HISTOGRAM_H
#define SIMT_USER_CUB_HISTOGRAM_H
#include "simt_user_cub_sort.h"

namespace cub {

enum BlockHistogramAlgorithm { BLOCK_HISTO_SORT, BLOCK_HISTO_ATOMIC };

namespace detail {

/* Needs no memory. */
template <class T, int X, int N, int Bins, int Y, int Z> struct AtomicHistogram {
  struct TempStorage { char unused; };
  template <class Counter> static SIMT_INLINE void add(TempStorage &, T (&items)[N], Counter (&counts)[Bins]) {
    for (int i = 0; i < N; i++) atomicAdd(counts + items[i], Counter(1));
  }
};

/* Sorts the items; where each run of equal ones begins and ends is how many there are. */
template <class T, int X, int N, int Bins, int Y, int Z> struct SortedHistogram {
  enum { THREADS = X * Y * Z, ALL = THREADS * N };
  typedef BlockRadixSort<T, X, N, NullType, 4, true, BLOCK_SCAN_WARP_SCANS, cudaSharedMemBankSizeFourByte, Y, Z> Sort;
  typedef BlockDiscontinuity<T, X, Y, Z> Heads;
  union TempStorage {
    typename Sort::TempStorage sort;
    struct {
      typename Heads::TempStorage heads;
      unsigned begin[Bins], end[Bins];
    } runs;
  };
  struct Differs {
    TempStorage &temp;
    SIMT_INLINE bool operator()(const T &a, const T &b, int at) const {
      if (a == b) return false;
      temp.runs.begin[static_cast<int>(b)] = temp.runs.end[static_cast<int>(a)] = static_cast<unsigned>(at);
      return true;
    }
  };
  template <class Counter> static SIMT_INLINE void add(TempStorage &temp, T (&items)[N], Counter (&counts)[Bins]) {
    const int t = static_cast<int>(thread());
    bool is_head[N];
    Sort(temp.sort).Sort(items);
    __syncthreads();
    for (int i = t; i < Bins; i += THREADS) temp.runs.begin[i] = temp.runs.end[i] = ALL;
    __syncthreads();
    Heads(temp.runs.heads).FlagHeads(is_head, items, Differs{temp});
    if (t == 0) temp.runs.begin[static_cast<int>(items[0])] = 0;
    __syncthreads();
    for (int i = t; i < Bins; i += THREADS) counts[i] += static_cast<Counter>(temp.runs.end[i] - temp.runs.begin[i]);
  }
};

} // namespace detail

template <class T, int X, int N, int Bins, BlockHistogramAlgorithm A = BLOCK_HISTO_SORT, int Y = 1, int Z = 1> class BlockHistogram {
  typedef typename std::conditional<A == BLOCK_HISTO_SORT, detail::SortedHistogram<T, X, N, Bins, Y, Z>,
                                    detail::AtomicHistogram<T, X, N, Bins, Y, Z>>::type Way;

public:
  typedef typename Way::TempStorage TempStorage;
  SIMT_INLINE BlockHistogram() : temp_(private_storage<TempStorage>()) {}
  SIMT_INLINE explicit BlockHistogram(TempStorage &temp) : temp_(temp) {}
  template <class Counter> SIMT_INLINE void InitHistogram(Counter (&counts)[Bins]) {
    for (int i = static_cast<int>(detail::thread()); i < Bins; i += X * Y * Z) counts[i] = 0;
  }
  template <class Counter> SIMT_INLINE void Composite(T (&items)[N], Counter (&counts)[Bins]) { Way::add(temp_, items, counts); }
  template <class Counter> SIMT_INLINE void Histogram(T (&items)[N], Counter (&counts)[Bins]) {
    InitHistogram(counts);
    __syncthreads();
    Composite(items, counts);
  }

private:
  TempStorage &temp_;
};

} // namespace cub

#endif
