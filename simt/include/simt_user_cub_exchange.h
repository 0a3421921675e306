/* simt_user_cub_exchange.h - cub::BlockExchange, BlockLoad, BlockStore, and the functions that they are made of. Forms that pass items through
 * shared memory do so here, with the barriers that they have there. See simt_user_cub.h. */
#ifndef SIMT_USER_CUB_EXCHANGE_H
#define SIMT_USER_CUB_EXCHANGE_H
#include "simt_user_cub.h"

namespace cub {

enum BlockLoadAlgorithm {
  BLOCK_LOAD_DIRECT, BLOCK_LOAD_STRIPED, BLOCK_LOAD_VECTORIZE, BLOCK_LOAD_TRANSPOSE, BLOCK_LOAD_WARP_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED
};
enum BlockStoreAlgorithm {
  BLOCK_STORE_DIRECT, BLOCK_STORE_STRIPED, BLOCK_STORE_VECTORIZE, BLOCK_STORE_TRANSPOSE, BLOCK_STORE_WARP_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED
};

namespace detail {

/* Where item i of thread t of a tile lies. */
template <int N> struct Blocked {
  static SIMT_INLINE int at(int t, int i) { return t * N + i; }
};
template <int Threads> struct Striped {
  static SIMT_INLINE int at(int t, int i) { return i * Threads + t; }
};
template <int N> struct WarpStriped {
  static SIMT_INLINE int at(int t, int i) { return t / 32 * 32 * N + i * 32 + t % 32; }
};

template <class Where, class T, int N, class From> SIMT_INLINE void load(int t, From from, T (&items)[N]) {
  for (int i = 0; i < N; i++) items[i] = from[Where::at(t, i)];
}
template <class Where, class T, int N, class From> SIMT_INLINE void load(int t, From from, T (&items)[N], int valid) {
  for (int i = 0; i < N; i++)
    if (Where::at(t, i) < valid) items[i] = from[Where::at(t, i)];
}
template <class Where, class T, int N, class To> SIMT_INLINE void store(int t, To to, T (&items)[N], int valid) {
  for (int i = 0; i < N; i++)
    if (Where::at(t, i) < valid) to[Where::at(t, i)] = items[i];
}
template <class T, int N, class Default> SIMT_INLINE void fill(T (&items)[N], Default v) {
  for (int i = 0; i < N; i++) items[i] = v;
}

/* As wide as 16 bytes and the number of items allow; the alignment is the vector's. */
template <class T, int N> constexpr int vector_elems() {
  int n = 4;
  while (n > 1 && (N % n || n * sizeof(T) > 16)) n /= 2;
  return n;
}
template <class T, int N> struct alignas(vector_elems<T, N>() * sizeof(T)) Wide { T v[vector_elems<T, N>()]; };
template <class T, int N> SIMT_INLINE void load_wide(int t, const T *from, T (&items)[N]) {
  constexpr int n = vector_elems<T, N>();
  for (int i = 0; i < N; i += n) {
    const Wide<T, N> wide = *reinterpret_cast<const Wide<T, N> *>(from + t * N + i);
    for (int k = 0; k < n; k++) items[i + k] = wide.v[k];
  }
}
template <class T, int N> SIMT_INLINE void store_wide(int t, T *to, T (&items)[N]) {
  constexpr int n = vector_elems<T, N>();
  for (int i = 0; i < N; i += n) {
    Wide<T, N> wide;
    for (int k = 0; k < n; k++) wide.v[k] = items[i + k];
    *reinterpret_cast<Wide<T, N> *>(to + t * N + i) = wide;
  }
}

} // namespace detail

/* ---- direct: t is the thread's number in its block ---- */
#define SIMT_CUB_DIRECT(name, Parameters, ...)                                                                         \
  template <Parameters class T, int N, class From> SIMT_INLINE void LoadDirect##name(int t, From from, T (&items)[N]) { \
    detail::load<__VA_ARGS__>(t, from, items);                                                                         \
  }                                                                                                                    \
  template <Parameters class T, int N, class From>                                                                     \
  SIMT_INLINE void LoadDirect##name(int t, From from, T (&items)[N], int valid) {                                      \
    detail::load<__VA_ARGS__>(t, from, items, valid);                                                                  \
  }                                                                                                                    \
  template <Parameters class T, class Default, int N, class From>                                                      \
  SIMT_INLINE void LoadDirect##name(int t, From from, T (&items)[N], int valid, Default otherwise) {                   \
    detail::fill(items, otherwise);                                                                                    \
    detail::load<__VA_ARGS__>(t, from, items, valid);                                                                  \
  }                                                                                                                    \
  template <Parameters class T, int N, class To> SIMT_INLINE void StoreDirect##name(int t, To to, T (&items)[N]) {     \
    detail::store<__VA_ARGS__>(t, to, items, 0x7fffffff);                                                              \
  }                                                                                                                    \
  template <Parameters class T, int N, class To>                                                                       \
  SIMT_INLINE void StoreDirect##name(int t, To to, T (&items)[N], int valid) {                                         \
    detail::store<__VA_ARGS__>(t, to, items, valid);                                                                   \
  }
#define SIMT_CUB_NONE
#define SIMT_CUB_THREADS int Threads,
SIMT_CUB_DIRECT(Blocked, SIMT_CUB_NONE, detail::Blocked<N>)
SIMT_CUB_DIRECT(Striped, SIMT_CUB_THREADS, detail::Striped<Threads>)
SIMT_CUB_DIRECT(WarpStriped, SIMT_CUB_NONE, detail::WarpStriped<N>)
#undef SIMT_CUB_DIRECT
#undef SIMT_CUB_NONE
#undef SIMT_CUB_THREADS
template <class T, int N> SIMT_INLINE void LoadDirectBlockedVectorized(int t, T *from, T (&items)[N]) { detail::load_wide(t, from, items); }
template <class T, int N> SIMT_INLINE void StoreDirectBlockedVectorized(int t, T *to, T (&items)[N]) { detail::store_wide(t, to, items); }

/* ---- exchange ---- */
template <class T, int X, int N, bool TimeSliced = false, int Y = 1, int Z = 1> class BlockExchange {
  enum { THREADS = X * Y * Z };
  typedef detail::Blocked<N> Blocked;
  typedef detail::Striped<THREADS> Striped;
  typedef detail::WarpStriped<N> WarpStriped;

public:
  struct TempStorage { T item[(THREADS + 31) / 32 * 32 * N]; };
  SIMT_INLINE BlockExchange() : temp_(private_storage<TempStorage>()) {}
  SIMT_INLINE explicit BlockExchange(TempStorage &temp) : temp_(temp) {}

  template <class Out> SIMT_INLINE void StripedToBlocked(const T (&in)[N], Out (&out)[N]) { pass<Striped, Blocked>(in, out); }
  template <class Out> SIMT_INLINE void BlockedToStriped(const T (&in)[N], Out (&out)[N]) { pass<Blocked, Striped>(in, out); }
  template <class Out> SIMT_INLINE void WarpStripedToBlocked(const T (&in)[N], Out (&out)[N]) { pass_in_warp<WarpStriped, Blocked>(in, out); }
  template <class Out> SIMT_INLINE void BlockedToWarpStriped(const T (&in)[N], Out (&out)[N]) { pass_in_warp<Blocked, WarpStriped>(in, out); }
  SIMT_INLINE void StripedToBlocked(T (&v)[N]) { StripedToBlocked(v, v); }
  SIMT_INLINE void BlockedToStriped(T (&v)[N]) { BlockedToStriped(v, v); }
  SIMT_INLINE void WarpStripedToBlocked(T (&v)[N]) { WarpStripedToBlocked(v, v); }
  SIMT_INLINE void BlockedToWarpStriped(T (&v)[N]) { BlockedToWarpStriped(v, v); }

  /* Each item to the place of its rank. */
  template <class Out, class Offset> SIMT_INLINE void ScatterToBlocked(const T (&in)[N], Out (&out)[N], Offset (&rank)[N]) {
    scatter<Blocked>(in, out, [&](int i) { return rank[i] >= 0; }, rank);
  }
  template <class Out, class Offset> SIMT_INLINE void ScatterToStriped(const T (&in)[N], Out (&out)[N], Offset (&rank)[N]) {
    scatter<Striped>(in, out, [](int) { return true; }, rank);
  }
  template <class Out, class Offset> SIMT_INLINE void ScatterToStripedGuarded(const T (&in)[N], Out (&out)[N], Offset (&rank)[N]) {
    scatter<Striped>(in, out, [&](int i) { return rank[i] >= 0; }, rank);
  }
  template <class Out, class Offset, class Flag>
  SIMT_INLINE void ScatterToStripedFlagged(const T (&in)[N], Out (&out)[N], Offset (&rank)[N], Flag (&valid)[N]) {
    scatter<Striped>(in, out, [&](int i) { return static_cast<bool>(valid[i]); }, rank);
  }
  template <class Offset> SIMT_INLINE void ScatterToBlocked(T (&v)[N], Offset (&rank)[N]) { ScatterToBlocked(v, v, rank); }
  template <class Offset> SIMT_INLINE void ScatterToStriped(T (&v)[N], Offset (&rank)[N]) { ScatterToStriped(v, v, rank); }

private:
  template <class Where> SIMT_INLINE void put(const T (&in)[N]) {
    const int t = static_cast<int>(detail::thread());
    for (int i = 0; i < N; i++) temp_.item[Where::at(t, i)] = in[i];
  }
  template <class Where, class Out> SIMT_INLINE void get(Out (&out)[N]) {
    const int t = static_cast<int>(detail::thread());
    for (int i = 0; i < N; i++) out[i] = temp_.item[Where::at(t, i)];
  }
  template <class From, class To, class Out> SIMT_INLINE void pass(const T (&in)[N], Out (&out)[N]) {
    put<From>(in);
    __syncthreads();
    get<To>(out);
  }
  /* Each warp has a part of its own. */
  template <class From, class To, class Out> SIMT_INLINE void pass_in_warp(const T (&in)[N], Out (&out)[N]) {
    put<From>(in);
    __syncwarp();
    get<To>(out);
  }
  template <class To, class Out, class Offset, class Valid>
  SIMT_INLINE void scatter(const T (&in)[N], Out (&out)[N], Valid valid, Offset (&rank)[N]) {
    for (int i = 0; i < N; i++)
      if (valid(i)) temp_.item[rank[i]] = in[i];
    __syncthreads();
    get<To>(out);
  }
  TempStorage &temp_;
};

/* ---- load and store ---- */
namespace detail {

struct NoMemory { char unused; };
template <class T, int X, int N, int Y, int Z, bool Passes> using PassingMemory =
    typename std::conditional<Passes, typename BlockExchange<T, X, N, false, Y, Z>::TempStorage, NoMemory>::type;

} // namespace detail

template <class T, int X, int N, BlockLoadAlgorithm A = BLOCK_LOAD_DIRECT, int Y = 1, int Z = 1> class BlockLoad {
  enum {
    THREADS = X * Y * Z,
    BLOCK = A == BLOCK_LOAD_TRANSPOSE,
    WARP = A == BLOCK_LOAD_WARP_TRANSPOSE || A == BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED
  };
  typedef BlockExchange<T, X, N, false, Y, Z> Exchange;

public:
  struct TempStorage { detail::PassingMemory<T, X, N, Y, Z, BLOCK || WARP> memory; };
  SIMT_INLINE BlockLoad() : temp_(private_storage<TempStorage>()) {}
  SIMT_INLINE explicit BlockLoad(TempStorage &temp) : temp_(temp) {}

  template <class From> SIMT_INLINE void Load(From from, T (&items)[N]) {
    if constexpr (A == BLOCK_LOAD_VECTORIZE && std::is_pointer<From>::value) detail::load_wide<T>(thread(), from, items);
    else detail::load<Where>(thread(), from, items);
    pass(items);
  }
  template <class From> SIMT_INLINE void Load(From from, T (&items)[N], int valid) {
    detail::load<Where>(thread(), from, items, valid);
    pass(items);
  }
  template <class From, class Default> SIMT_INLINE void Load(From from, T (&items)[N], int valid, Default otherwise) {
    detail::fill(items, otherwise);
    Load(from, items, valid);
  }

private:
  typedef typename std::conditional<
      BLOCK || A == BLOCK_LOAD_STRIPED, detail::Striped<THREADS>,
      typename std::conditional<WARP, detail::WarpStriped<N>, detail::Blocked<N>>::type>::type Where;
  static SIMT_INLINE int thread() { return static_cast<int>(detail::thread()); }
  SIMT_INLINE void pass(T (&items)[N]) {
    if constexpr (BLOCK) Exchange(temp_.memory).StripedToBlocked(items, items);
    if constexpr (WARP) Exchange(temp_.memory).WarpStripedToBlocked(items, items);
  }
  TempStorage &temp_;
};

template <class T, int X, int N, BlockStoreAlgorithm A = BLOCK_STORE_DIRECT, int Y = 1, int Z = 1> class BlockStore {
  enum {
    THREADS = X * Y * Z,
    BLOCK = A == BLOCK_STORE_TRANSPOSE,
    WARP = A == BLOCK_STORE_WARP_TRANSPOSE || A == BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED
  };
  typedef BlockExchange<T, X, N, false, Y, Z> Exchange;

public:
  struct TempStorage { detail::PassingMemory<T, X, N, Y, Z, BLOCK || WARP> memory; };
  SIMT_INLINE BlockStore() : temp_(private_storage<TempStorage>()) {}
  SIMT_INLINE explicit BlockStore(TempStorage &temp) : temp_(temp) {}

  template <class To> SIMT_INLINE void Store(To to, T (&items)[N]) {
    if constexpr (A == BLOCK_STORE_VECTORIZE && std::is_pointer<To>::value) detail::store_wide<T>(thread(), to, items);
    else Store(to, items, 0x7fffffff);
  }
  template <class To> SIMT_INLINE void Store(To to, T (&items)[N], int valid) {
    if constexpr (BLOCK) Exchange(temp_.memory).BlockedToStriped(items, items);
    if constexpr (WARP) Exchange(temp_.memory).BlockedToWarpStriped(items, items);
    detail::store<Where>(thread(), to, items, valid);
  }

private:
  typedef typename std::conditional<
      BLOCK || A == BLOCK_STORE_STRIPED, detail::Striped<THREADS>,
      typename std::conditional<WARP, detail::WarpStriped<N>, detail::Blocked<N>>::type>::type Where;
  static SIMT_INLINE int thread() { return static_cast<int>(detail::thread()); }
  TempStorage &temp_;
};

} // namespace cub

#endif
