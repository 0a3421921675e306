/* simt_user_cub_select.h - cub's device-wide sorts, selections, partitions, histograms and run lengths. See simt_user_cub_device.h. */
#ifndef SIMT_USER_CUB_SELECT_H
#define SIMT_USER_CUB_SELECT_H
#include "simt_user_cub_device.h"

namespace cub {
namespace detail {

/* Eight bits at a time, by way of the memory. V NullType: there are no values. */
template <class K, class V> struct RadixBody {
  const K *keys_in;
  K *keys;
  const V *values_in;
  V *values;
  size_t n;
  int begin, end;
  bool descends;
  static constexpr bool has_values = !std::is_same<V, NullType>::value;
  static size_t key_bytes(size_t n) { return (n * sizeof(K) + 15) / 16 * 16; }
  static size_t wants(size_t n) { return key_bytes(n) + (has_values ? n * sizeof(V) : 0); }

  SIMT_INLINE void copy(const K *from, const V *values_from, K *to, V *values_to) {
    for (size_t i = 0; i < n; i++) {
      to[i] = from[i];
      if constexpr (has_values) values_to[i] = values_from[i];
    }
  }
  SIMT_INLINE void pass(K *to, V *values_to, int from_bit, int to_bit) {
    size_t at[256] = {};
    for (size_t i = 0; i < n; i++) at[digits(keys[i], from_bit, to_bit, descends)]++;
    size_t sum = 0;
    for (int d = 0; d < 256; d++) {
      const size_t count = at[d];
      at[d] = sum;
      sum += count;
    }
    for (size_t i = 0; i < n; i++) {
      const size_t place = at[digits(keys[i], from_bit, to_bit, descends)]++;
      to[place] = keys[i];
      if constexpr (has_values) values_to[place] = values[i];
    }
  }
  SIMT_INLINE void operator()(char *memory) {
    K *other = reinterpret_cast<K *>(memory);
    V *other_values = reinterpret_cast<V *>(memory + (n * sizeof(K) + 15) / 16 * 16);
    if (keys != keys_in) copy(keys_in, values_in, keys, values);
    for (int bit = begin; bit < end; bit += 8) {
      pass(other, other_values, bit, bit + 8 < end ? bit + 8 : end);
      copy(other, other_values, keys, values);
    }
  }
};

template <class K, class V>
SIMT_INLINE cudaError_t radix_sort(void *memory, size_t &bytes, const K *keys_in, K *keys, const V *values_in, V *values, size_t n, int begin, int end,
                              bool descends, cudaStream_t stream) {
  return run(memory, bytes, RadixBody<K, V>::wants(n), stream, RadixBody<K, V>{keys_in, keys, values_in, values, n, begin, end, descends});
}

} // namespace detail

struct DeviceRadixSort {
#define SIMT_CUB_SORT(suffix, descends)                                                                                \
  template <class K, class N>                                                                                          \
  static SIMT_INLINE cudaError_t SortKeys##suffix(void *memory, size_t &bytes, const K *in, K *out, N n, int begin = 0, int end = 8 * sizeof(K), \
                                      cudaStream_t stream = 0) {                                                       \
    const NullType *none = nullptr;                                                                                    \
    return detail::radix_sort(memory, bytes, in, out, none, static_cast<NullType *>(nullptr), static_cast<size_t>(n), begin, end, descends, stream); \
  }                                                                                                                    \
  template <class K, class V, class N>                                                                                 \
  static SIMT_INLINE cudaError_t SortPairs##suffix(void *memory, size_t &bytes, const K *in, K *out, const V *values_in, V *values_out, N n, \
                                       int begin = 0, int end = 8 * sizeof(K), cudaStream_t stream = 0) {              \
    return detail::radix_sort(memory, bytes, in, out, values_in, values_out, static_cast<size_t>(n), begin, end, descends, stream); \
  }                                                                                                                    \
  template <class K, class N>                                                                                          \
  static SIMT_INLINE cudaError_t SortKeys##suffix(void *memory, size_t &bytes, DoubleBuffer<K> &keys, N n, int begin = 0, int end = 8 * sizeof(K), \
                                      cudaStream_t stream = 0) {                                                       \
    const cudaError_t error = SortKeys##suffix(memory, bytes, static_cast<const K *>(keys.Current()), keys.Alternate(), n, begin, end, stream); \
    if (memory && !error) keys.selector ^= 1;                                                                          \
    return error;                                                                                                      \
  }                                                                                                                    \
  template <class K, class V, class N>                                                                                 \
  static SIMT_INLINE cudaError_t SortPairs##suffix(void *memory, size_t &bytes, DoubleBuffer<K> &keys, DoubleBuffer<V> &values, N n, int begin = 0, \
                                       int end = 8 * sizeof(K), cudaStream_t stream = 0) {                             \
    const cudaError_t error = SortPairs##suffix(memory, bytes, static_cast<const K *>(keys.Current()), keys.Alternate(), \
                                                static_cast<const V *>(values.Current()), values.Alternate(), n, begin, end, stream); \
    if (memory && !error) keys.selector ^= 1, values.selector ^= 1;                                                    \
    return error;                                                                                                      \
  }
  SIMT_CUB_SORT(, false)
  SIMT_CUB_SORT(Descending, true)
#undef SIMT_CUB_SORT
};

/* ---- selections ---- */
namespace detail {

/* Items that are chosen, in their order; where Both, the others behind them, the last one first. chooses(i): is item i among them? */
template <bool Both, class In, class Out, class Count, class Choose> struct SelectBody {
  In in;
  Out out;
  Count count;
  size_t n;
  Choose chooses;
  SIMT_INLINE void operator()(char *) {
    size_t n_chosen = 0, n_others = 0;
    for (size_t i = 0; i < n; i++) {
      const ValueOf<In> item = in[i];
      if (chooses(in, i)) out[n_chosen++] = item;
      else if constexpr (Both) out[n - 1 - n_others++] = item;
    }
    *count = static_cast<typename std::decay<decltype(*count)>::type>(n_chosen);
  }
};
template <class Op> struct ChooseIf {
  Op op;
  template <class In> SIMT_INLINE bool operator()(In in, size_t i) { return static_cast<bool>(op(in[i])); }
};
template <class Flags> struct ChooseFlagged {
  Flags flags;
  template <class In> SIMT_INLINE bool operator()(In, size_t i) { return static_cast<bool>(flags[i]); }
};
struct ChooseUnique {
  template <class In> SIMT_INLINE bool operator()(In in, size_t i) { return i == 0 || !(in[i - 1] == in[i]); }
};
template <bool Both, class In, class Out, class Count, class Choose>
SIMT_INLINE cudaError_t select(void *memory, size_t &bytes, In in, Out out, Count count, size_t n, Choose choose, cudaStream_t stream) {
  return run(memory, bytes, tiles(n) * sizeof(unsigned), stream, SelectBody<Both, In, Out, Count, Choose>{in, out, count, n, choose});
}

} // namespace detail

struct DeviceSelect {
  template <class In, class Out, class Count, class N, class Op>
  static SIMT_INLINE cudaError_t If(void *memory, size_t &bytes, In in, Out out, Count count, N n, Op op, cudaStream_t stream = 0) {
    return detail::select<false>(memory, bytes, in, out, count, static_cast<size_t>(n), detail::ChooseIf<Op>{op}, stream);
  }
  template <class In, class Flags, class Out, class Count, class N>
  static SIMT_INLINE cudaError_t Flagged(void *memory, size_t &bytes, In in, Flags flags, Out out, Count count, N n, cudaStream_t stream = 0) {
    return detail::select<false>(memory, bytes, in, out, count, static_cast<size_t>(n), detail::ChooseFlagged<Flags>{flags}, stream);
  }
  template <class In, class Out, class Count, class N>
  static SIMT_INLINE cudaError_t Unique(void *memory, size_t &bytes, In in, Out out, Count count, N n, cudaStream_t stream = 0) {
    return detail::select<false>(memory, bytes, in, out, count, static_cast<size_t>(n), detail::ChooseUnique(), stream);
  }
};

struct DevicePartition {
  template <class In, class Out, class Count, class N, class Op>
  static SIMT_INLINE cudaError_t If(void *memory, size_t &bytes, In in, Out out, Count count, N n, Op op, cudaStream_t stream = 0) {
    return detail::select<true>(memory, bytes, in, out, count, static_cast<size_t>(n), detail::ChooseIf<Op>{op}, stream);
  }
  template <class In, class Flags, class Out, class Count, class N>
  static SIMT_INLINE cudaError_t Flagged(void *memory, size_t &bytes, In in, Flags flags, Out out, Count count, N n, cudaStream_t stream = 0) {
    return detail::select<true>(memory, bytes, in, out, count, static_cast<size_t>(n), detail::ChooseFlagged<Flags>{flags}, stream);
  }
};

/* ---- histograms ---- */
namespace detail {

/* bins are between levels; what lies outside of all is not counted. */
template <class In, class Counter, class Find> struct HistogramBody {
  In samples;
  Counter *counts;
  int levels;
  size_t n;
  Find find;
  SIMT_INLINE void operator()(char *) {
    for (int b = 0; b < levels - 1; b++) counts[b] = 0;
    for (size_t i = 0; i < n; i++) {
      const int bin = find(samples[i], levels);
      if (bin >= 0) counts[bin]++;
    }
  }
};
template <class Level> struct FindEven {
  Level lower, upper;
  template <class T> SIMT_INLINE int operator()(T v, int levels) const {
    typedef typename std::conditional<std::is_integral<Level>::value, long long, Level>::type Wide;
    const Level x = static_cast<Level>(v);
    if (x < lower || !(x < upper)) return -1;
    const int bin = static_cast<int>((static_cast<Wide>(x) - lower) * (levels - 1) / (static_cast<Wide>(upper) - lower));
    return bin < levels - 1 ? bin : levels - 2;
  }
};
template <class Level> struct FindRange {
  const Level *level;
  template <class T> SIMT_INLINE int operator()(T v, int levels) const {
    const Level x = static_cast<Level>(v);
    for (int b = 0; b < levels - 1; b++)
      if (!(x < level[b]) && x < level[b + 1]) return b;
    return -1;
  }
};
template <class In, class Counter, class Find>
SIMT_INLINE cudaError_t histogram(void *memory, size_t &bytes, In samples, Counter *counts, int levels, size_t n, Find find, cudaStream_t stream) {
  return run(memory, bytes, 0, stream, HistogramBody<In, Counter, Find>{samples, counts, levels, n, find});
}

} // namespace detail

struct DeviceHistogram {
  template <class In, class Counter, class Level, class N>
  static SIMT_INLINE cudaError_t HistogramEven(void *memory, size_t &bytes, In samples, Counter *counts, int levels, Level lower, Level upper, N n,
                                   cudaStream_t stream = 0) {
    return detail::histogram(memory, bytes, samples, counts, levels, static_cast<size_t>(n), detail::FindEven<Level>{lower, upper}, stream);
  }
  template <class In, class Counter, class Level, class N>
  static SIMT_INLINE cudaError_t HistogramRange(void *memory, size_t &bytes, In samples, Counter *counts, int levels, const Level *level, N n,
                                    cudaStream_t stream = 0) {
    return detail::histogram(memory, bytes, samples, counts, levels, static_cast<size_t>(n), detail::FindRange<Level>{level}, stream);
  }
};

/* ---- runs of equal keys ---- */
namespace detail {

template <class Keys, class Unique, class Values, class Sums, class Count, class Op> struct RunsBody {
  Keys keys;
  Unique unique;
  Values values;
  Sums sums;
  Count count;
  Op op;
  size_t n;
  SIMT_INLINE void operator()(char *) {
    size_t runs = 0;
    for (size_t i = 0; i < n;) {
      const ValueOf<Keys> key = keys[i];
      auto sum = values[i];
      for (i++; i < n && keys[i] == key; i++) sum = op(sum, values[i]);
      unique[runs] = key;
      sums[runs++] = sum;
    }
    *count = static_cast<typename std::decay<decltype(*count)>::type>(runs);
  }
};

template <class Keys, class Unique, class Values, class Sums, class Count, class Op>
SIMT_INLINE cudaError_t runs(void *memory, size_t &bytes, Keys keys, Unique unique, Values values, Sums sums, Count count, Op op, size_t n,
                        cudaStream_t stream) {
  return run(memory, bytes, 0, stream, RunsBody<Keys, Unique, Values, Sums, Count, Op>{keys, unique, values, sums, count, op, n});
}

} // namespace detail

struct DeviceRunLengthEncode {
  template <class In, class Unique, class Lengths, class Count, class N>
  static SIMT_INLINE cudaError_t Encode(void *memory, size_t &bytes, In in, Unique unique, Lengths lengths, Count count, N n, cudaStream_t stream = 0) {
    return detail::runs(memory, bytes, in, unique, ConstantInputIterator<int>(1), lengths, count, cub::Sum(), static_cast<size_t>(n), stream);
  }
};

} // namespace cub

#endif
