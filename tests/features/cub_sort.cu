// cub_sort.cu - cub::BlockRadixSort, BlockMergeSort, BlockHistogram, BlockDiscontinuity, BlockAdjacentDifference.
#include <cub/block/block_adjacent_difference.cuh>
#include <cub/block/block_discontinuity.cuh>
#include <cub/block/block_histogram.cuh>
#include <cub/block/block_merge_sort.cuh>
#include <cub/block/block_radix_sort.cuh>
#include "feature.h"

struct Differs {
  __device__ bool operator()(int a, int b) const { return a != b; }
};
struct Minus {
  __device__ int operator()(int a, int b) const { return a - b; }
};
struct Less {
  __device__ bool operator()(int a, int b) const { return a / 2 < b / 2; }
};

template <int THREADS, int ITEMS, bool Waits> __global__ void sort(double *out) {
  using Floats = cub::BlockRadixSort<float, THREADS, ITEMS>;
  using Pairs = cub::BlockRadixSort<int, THREADS, ITEMS, int>;
  using Merge = cub::BlockMergeSort<int, THREADS, ITEMS>;
  using Heads = cub::BlockDiscontinuity<int, THREADS>;
  using Steps = cub::BlockAdjacentDifference<int, THREADS>;
  using Histogram = cub::BlockHistogram<unsigned char, THREADS, ITEMS, 8, cub::BLOCK_HISTO_ATOMIC>;
  __shared__ union {
    typename Floats::TempStorage floats;
    typename Pairs::TempStorage pairs;
    typename Merge::TempStorage merge;
    typename Heads::TempStorage heads;
    typename Steps::TempStorage steps;
    typename Histogram::TempStorage histogram;
  } temp;
  __shared__ int counts[8];
  const int t = threadIdx.x, n = THREADS * ITEMS;
  float f[ITEMS];
  int key[ITEMS], value[ITEMS], head[ITEMS], step[ITEMS], pair[ITEMS];
  unsigned char bin[ITEMS];
  for (int i = 0; i < ITEMS; i++) {
    const int at = t * ITEMS + i;
    f[i] = at * 53 % n - n / 2;
    key[i] = at * 7 % 16 - 8;
    value[i] = at;
    bin[i] = at % 5;
    pair[i] = at * 53 % n;
  }
  Floats(temp.floats).Sort(f);
  if (Waits) __syncthreads();
  Pairs(temp.pairs).SortDescending(key, value, 0, 32);
  __syncthreads();
  Heads(temp.heads).FlagHeads(head, key, Differs());
  __syncthreads();
  Steps(temp.steps).SubtractLeft(value, step, Minus());
  __syncthreads();
  Merge(temp.merge).StableSort(pair, Less());
  __syncthreads();
  Histogram(temp.histogram).Histogram(bin, counts);
  __syncthreads();
  for (int i = 0; i < ITEMS; i++) {
    const int at = t * ITEMS + i;
    out[at] = f[i];
    out[n + at] = key[i] + 100 * head[i] + 1000.0 * step[i];
    out[2 * n + at] = pair[i] / 2;
  }
  if (t < 8) out[3 * n + t] = counts[t];
}

RIGHT(cub_sort) { sort<64, 3, true><<<1, 64>>>(out); }
WRONG(cub_sort) { sort<64, 3, false><<<1, 64>>>(out); } // the memory of one sort is used by the next one at once
EXPECTED(cub_sort) {
  const int n = 192, at = i - n;
  if (i < n) return i - n / 2;
  if (i >= 3 * n) return i - 3 * n < 5 ? (n - (i - 3 * n) + 4) / 5 : 0;
  if (i >= 2 * n) return (i - 2 * n) / 2;
  // 12 of each key, 16 apart
  const int key = 7 - at / 12, first = (key + 8) * 7 % 16, before = (key + 9) * 7 % 16 + 16 * 11;
  return key + 100 * (at % 12 == 0) + 1000.0 * (at == 0 ? first : at % 12 ? 16 : first - before);
}
