/* simt_user_cub_device.h - cub's algorithms for the whole device: each call is one launch in the stream that it is given, and its accesses
 * are that launch's. Items are combined in the order in which they lie.
 *
 * The first call, without memory, says how much is wanted; the second one uses that much, to its last byte. Less is cudaErrorInvalidValue. What it
 * keeps there is its own business: but for sorts it only touches both ends, in a way that shows when two calls use the same memory at a time. */
#ifndef SIMT_USER_CUB_DEVICE_H
#define SIMT_USER_CUB_DEVICE_H
#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "simt_user_cub_bits.h"
#include "simt_user_cub_iterator.h"
#include <limits>

namespace cub {

/* Two buffers of which the one holds the data; where the sorted ones are in the end, selector says. */
template <class T> struct DoubleBuffer {
  T *d_buffers[2];
  int selector;
  DoubleBuffer() : d_buffers{nullptr, nullptr}, selector(0) {}
  DoubleBuffer(T *current, T *alternate) : d_buffers{current, alternate}, selector(0) {}
  T *Current() { return d_buffers[selector]; }
  T *Alternate() { return d_buffers[selector ^ 1]; }
};

namespace detail {

enum { TILE_ITEMS = 1024, DEVICE_ALIGNMENT_BYTES = 256 };

template <class Body> __global__ void device_algorithm(Body body, char *memory, size_t bytes) {
  memory[0] = 0;
  body(memory + (-reinterpret_cast<uintptr_t>(memory) & (DEVICE_ALIGNMENT_BYTES - 1)));
  memory[bytes - 1] = memory[0];
}

/* wants: bytes that the body uses, from an address that is a multiple of the alignment. */
template <class Body> SIMT_INLINE cudaError_t run(void *memory, size_t &bytes, size_t wants, cudaStream_t stream, Body body) {
  const size_t needed = wants + DEVICE_ALIGNMENT_BYTES;
  if (!memory) {
    bytes = needed;
    return cudaSuccess;
  }
  if (bytes < needed) return cudaErrorInvalidValue;
  ::simt::configure(dim3(1), dim3(1), 0, stream);
  device_algorithm<Body>(body, static_cast<char *>(memory), needed);
  return cudaPeekAtLastError();
}

template <class N> SIMT_INLINE size_t tiles(N n) { return (static_cast<size_t>(n) + TILE_ITEMS - 1) / TILE_ITEMS; }

/* Per tile, and over the tiles. */
template <class Acc, class In, class Out, class Op, class Init> struct ReduceBody {
  In in;
  Out out;
  size_t n;
  Op op;
  Init init;
  SIMT_INLINE void operator()(char *) {
    Acc all = init;
    for (size_t t = 0; t < tiles(n); t++) {
      Acc sum = in[t * TILE_ITEMS];
      for (size_t i = t * TILE_ITEMS + 1; i < n && i < (t + 1) * TILE_ITEMS; i++) sum = op(sum, in[i]);
      all = op(all, sum);
    }
    *out = all;
  }
};

template <class Op, class Init, class In> using Accumulated = typename std::decay<std::invoke_result_t<Op, Init, ValueOf<In>>>::type;

template <class In, class Out, class Op, class Init>
SIMT_INLINE cudaError_t reduce_all(void *memory, size_t &bytes, In in, Out out, size_t n, Op op, Init init, cudaStream_t stream) {
  typedef Accumulated<Op, Init, In> Acc;
  return run(memory, bytes, tiles(n) * sizeof(Acc), stream, ReduceBody<Acc, In, Out, Op, Init>{in, out, n, op, init});
}

template <class T> SIMT_INLINE T least() { return std::numeric_limits<T>::lowest(); }
template <class T> SIMT_INLINE T most() { return std::numeric_limits<T>::max(); }
template <> SIMT_INLINE __half least<__half>() { return __ushort_as_half(0xfbff); }
template <> SIMT_INLINE __half most<__half>() { return __ushort_as_half(0x7bff); }
template <> SIMT_INLINE __nv_bfloat16 least<__nv_bfloat16>() { return __ushort_as_bfloat16(0xff7f); }
template <> SIMT_INLINE __nv_bfloat16 most<__nv_bfloat16>() { return __ushort_as_bfloat16(0x7f7f); }

/* What there is without any item (cub, DeviceReduce::ArgMin() and ArgMax()). */
template <class Pair, class Op> SIMT_INLINE Pair no_pair() {
  typedef typename Pair::Value T;
  return {1, std::is_same<Op, cub::ArgMax>::value ? least<T>() : most<T>()};
}

/* The best of pairs, from the first one. */
template <class In, class Out, class Index, class Op> struct ArgBody {
  In in;
  Out out;
  Index at;
  size_t n;
  Op op;
  SIMT_INLINE void operator()(char *) {
    typedef KeyValuePair<int, ValueOf<In>> Pair;
    Pair best = n ? Pair{0, in[0]} : no_pair<Pair, Op>();
    for (size_t i = 1; i < n; i++) best = op(best, Pair{static_cast<int>(i), in[i]});
    if constexpr (std::is_same<Index, NullType>::value) *out = typename std::decay<decltype(*out)>::type{best.key, best.value};
    else *out = best.value, *at = best.key;
  }
};
template <class Op, class In, class Out, class Index>
SIMT_INLINE cudaError_t arg(void *memory, size_t &bytes, In in, Out out, Index at, size_t n, cudaStream_t stream) {
  return run(memory, bytes, tiles(n) * sizeof(KeyValuePair<int, ValueOf<In>>), stream, ArgBody<In, Out, Index, Op>{in, out, at, n, Op()});
}

} // namespace detail

struct DeviceReduce {
  template <class In, class Out, class Op, class T, class N>
  static SIMT_INLINE cudaError_t Reduce(void *memory, size_t &bytes, In in, Out out, N n, Op op, T init, cudaStream_t stream = 0) {
    return detail::reduce_all(memory, bytes, in, out, static_cast<size_t>(n), op, init, stream);
  }
  template <class In, class Out, class N> static SIMT_INLINE cudaError_t Sum(void *memory, size_t &bytes, In in, Out out, N n, cudaStream_t stream = 0) {
    return Reduce(memory, bytes, in, out, n, cub::Sum(), detail::ValueOf<Out>(), stream);
  }
  template <class In, class Out, class N> static SIMT_INLINE cudaError_t Max(void *memory, size_t &bytes, In in, Out out, N n, cudaStream_t stream = 0) {
    return Reduce(memory, bytes, in, out, n, cub::Max(), detail::least<detail::ValueOf<In>>(), stream);
  }
  template <class In, class Out, class N> static SIMT_INLINE cudaError_t Min(void *memory, size_t &bytes, In in, Out out, N n, cudaStream_t stream = 0) {
    return Reduce(memory, bytes, in, out, n, cub::Min(), detail::most<detail::ValueOf<In>>(), stream);
  }
  template <class In, class Out, class N> static SIMT_INLINE cudaError_t ArgMax(void *memory, size_t &bytes, In in, Out out, N n, cudaStream_t stream = 0) {
    return detail::arg<cub::ArgMax>(memory, bytes, in, out, NullType(), static_cast<size_t>(n), stream);
  }
  template <class In, class Out, class N> static SIMT_INLINE cudaError_t ArgMin(void *memory, size_t &bytes, In in, Out out, N n, cudaStream_t stream = 0) {
    return detail::arg<cub::ArgMin>(memory, bytes, in, out, NullType(), static_cast<size_t>(n), stream);
  }
  template <class In, class Out, class Index>
  static SIMT_INLINE cudaError_t ArgMax(void *memory, size_t &bytes, In in, Out out, Index at, long long n, cudaStream_t stream = 0) {
    return detail::arg<cub::ArgMax>(memory, bytes, in, out, at, static_cast<size_t>(n), stream);
  }
  template <class In, class Out, class Index>
  static SIMT_INLINE cudaError_t ArgMin(void *memory, size_t &bytes, In in, Out out, Index at, long long n, cudaStream_t stream = 0) {
    return detail::arg<cub::ArgMin>(memory, bytes, in, out, at, static_cast<size_t>(n), stream);
  }
  template <class In, class Out, class Op, class Transform, class T, class N>
  static SIMT_INLINE cudaError_t TransformReduce(void *memory, size_t &bytes, In in, Out out, N n, Op op, Transform transform, T init, cudaStream_t stream = 0) {
    typedef std::decay_t<std::invoke_result_t<Transform, detail::ValueOf<In>>> Value;
    return Reduce(memory, bytes, TransformInputIterator<Value, Transform, In>(in, transform), out, n, op, init, stream);
  }
};

/* ---- segments ---- */
namespace detail {

template <class Acc, class In, class Out, class Begin, class End, class Op, class Init> struct SegmentsBody {
  In in;
  Out out;
  size_t n;
  Begin begin;
  End end;
  Op op;
  Init init;
  SIMT_INLINE void operator()(char *) {
    for (size_t s = 0; s < n; s++) {
      Acc sum = init;
      for (auto i = begin[s], stop = static_cast<decltype(i)>(end[s]); i < stop; i++) sum = op(sum, in[i]);
      out[s] = sum;
    }
  }
};

} // namespace detail

struct DeviceSegmentedReduce {
  template <class In, class Out, class N, class Begin, class End, class Op, class T>
  static SIMT_INLINE cudaError_t Reduce(void *memory, size_t &bytes, In in, Out out, N segments, Begin begin, End end, Op op, T init, cudaStream_t stream = 0) {
    typedef detail::Accumulated<Op, T, In> Acc;
    return detail::run(memory, bytes, 0, stream,
                       detail::SegmentsBody<Acc, In, Out, Begin, End, Op, T>{in, out, static_cast<size_t>(segments), begin, end, op, init});
  }
#define SIMT_CUB_SEGMENTED(name, op, init)                                                                             \
  template <class In, class Out, class N, class Begin, class End>                                                      \
  static SIMT_INLINE cudaError_t name(void *memory, size_t &bytes, In in, Out out, N segments, Begin begin, End end, cudaStream_t stream = 0) { \
    return Reduce(memory, bytes, in, out, segments, begin, end, op(), init, stream);                                   \
  }
  SIMT_CUB_SEGMENTED(Sum, cub::Sum, detail::ValueOf<Out>())
  SIMT_CUB_SEGMENTED(Max, cub::Max, detail::least<detail::ValueOf<In>>())
  SIMT_CUB_SEGMENTED(Min, cub::Min, detail::most<detail::ValueOf<In>>())
#undef SIMT_CUB_SEGMENTED
};

/* ---- scans ---- */
namespace detail {

template <class Acc, bool Inclusive, class In, class Out, class Op, class Init> struct ScanBody {
  In in;
  Out out;
  size_t n;
  Op op;
  Init init;
  SIMT_INLINE void operator()(char *) {
    size_t i = 0;
    Acc upto = first(init);
    if constexpr (std::is_same<Init, NullType>::value) out[i++] = upto;
    for (; i < n; i++) {
      const Acc next = op(upto, in[i]);
      out[i] = Inclusive ? next : upto;
      upto = next;
    }
  }
  SIMT_INLINE Acc first(NullType) { return in[0]; }
  template <class T> SIMT_INLINE Acc first(const T &v) { return v; }
};
template <bool Inclusive, class In, class Out, class Op, class Init>
SIMT_INLINE cudaError_t scan_all(void *memory, size_t &bytes, In in, Out out, size_t n, Op op, Init init, cudaStream_t stream) {
  typedef typename std::conditional<std::is_same<Init, NullType>::value, ValueOf<In>, Init>::type First;
  typedef Accumulated<Op, First, In> Acc;
  if (memory && !n) return cudaSuccess;
  return run(memory, bytes, tiles(n) * sizeof(Acc), stream, ScanBody<Acc, Inclusive, In, Out, Op, Init>{in, out, n, op, init});
}

} // namespace detail

struct DeviceScan {
  template <class In, class Out, class Op, class T, class N>
  static SIMT_INLINE cudaError_t ExclusiveScan(void *memory, size_t &bytes, In in, Out out, Op op, T init, N n, cudaStream_t stream = 0) {
    return detail::scan_all<false>(memory, bytes, in, out, static_cast<size_t>(n), op, init, stream);
  }
  template <class In, class Out, class Op, class N>
  static SIMT_INLINE cudaError_t InclusiveScan(void *memory, size_t &bytes, In in, Out out, Op op, N n, cudaStream_t stream = 0) {
    return detail::scan_all<true>(memory, bytes, in, out, static_cast<size_t>(n), op, NullType(), stream);
  }
  template <class In, class Out, class Op, class T, class N>
  static SIMT_INLINE cudaError_t InclusiveScanInit(void *memory, size_t &bytes, In in, Out out, Op op, T init, N n, cudaStream_t stream = 0) {
    return detail::scan_all<true>(memory, bytes, in, out, static_cast<size_t>(n), op, init, stream);
  }
  template <class In, class Out, class N> static SIMT_INLINE cudaError_t ExclusiveSum(void *memory, size_t &bytes, In in, Out out, N n, cudaStream_t stream = 0) {
    return ExclusiveScan(memory, bytes, in, out, cub::Sum(), detail::ValueOf<In>(), n, stream);
  }
  template <class In, class Out, class N> static SIMT_INLINE cudaError_t InclusiveSum(void *memory, size_t &bytes, In in, Out out, N n, cudaStream_t stream = 0) {
    return InclusiveScan(memory, bytes, in, out, cub::Sum(), n, stream);
  }
  template <class Data> static SIMT_INLINE cudaError_t ExclusiveSum(void *memory, size_t &bytes, Data data, int n, cudaStream_t stream = 0) {
    return ExclusiveSum(memory, bytes, data, data, n, stream);
  }
  template <class Data> static SIMT_INLINE cudaError_t InclusiveSum(void *memory, size_t &bytes, Data data, int n, cudaStream_t stream = 0) {
    return InclusiveSum(memory, bytes, data, data, n, stream);
  }
};

} // namespace cub

#include "simt_user_cub_select.h"
#endif
