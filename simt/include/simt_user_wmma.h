/* simt_user_wmma.h - nvcuda::wmma: fragments, loads, stores, products. Which element of a matrix a lane holds is not documented, and is a
 * choice of our own: consecutive ones. Accesses are the user's, as in simt_user_access.h; see simt_user_matrix.h for products. */
#ifndef SIMT_USER_WMMA_H
#define SIMT_USER_WMMA_H
#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "simt_user_matrix.h"
#include <type_traits>

namespace nvcuda {
namespace wmma {

struct matrix_a {};
struct matrix_b {};
struct accumulator {};
struct row_major {};
struct col_major {};
enum layout_t { mem_row_major, mem_col_major };

namespace detail {

SIMT_INLINE double number(__half v) { return simt_half_value(__half_as_ushort(v)); }
SIMT_INLINE double number(__nv_bfloat16 v) { return simt_bfloat_value(__bfloat16_as_ushort(v)); }
SIMT_INLINE double number(float v) { return v; }
SIMT_INLINE void round_to(float &to, double v) { to = static_cast<float>(v); }
SIMT_INLINE void round_to(__half &to, double v) { to = __ushort_as_half(simt_half_of(SIMT_TO_NEAREST, v)); }

/* Lines of a matrix: rows of A and of C, columns of B. */
template <class Use, int M, int N, int K> struct Shape;
template <int M, int N, int K> struct Shape<matrix_a, M, N, K> { enum { LINES = M, LENGTH = K }; };
template <int M, int N, int K> struct Shape<matrix_b, M, N, K> { enum { LINES = N, LENGTH = K }; };
template <int M, int N, int K> struct Shape<accumulator, M, N, K> { enum { LINES = M, LENGTH = N }; };

/* All lanes come: a vote, of which nothing is wanted. */
template <class T> SIMT_INLINE void meet(const T *p, unsigned stride, bool is_stored) {
  simt_op_vote(SIMT_VOTE_ANY, ~0u, 0, nullptr);
  simt_op_matrix(p, stride, sizeof(T), is_stored, nullptr);
}

} // namespace detail

template <class Use, int M, int N, int K, class T, class Layout = void> class fragment {
  static_assert((M == 16 && N == 16 && K == 16) || (M == 32 && N == 8 && K == 16) || (M == 8 && N == 32 && K == 16),
                "shapes of 16 x 16 x 16, 32 x 8 x 16 and 8 x 32 x 16 are modelled by the engine");
  typedef detail::Shape<Use, M, N, K> Shape;

public:
  typedef T element_type;
  typedef T storage_element_type;
  enum { num_elements = Shape::LINES * Shape::LENGTH / 32, num_storage_elements = num_elements };
  T x[num_elements];

  /* Line and place in it of x[i] of this lane. */
  static SIMT_INLINE int line_(int i) { return (static_cast<int>(simt_lane_id()) * num_elements + i) / Shape::LENGTH; }
  static SIMT_INLINE int place_(int i) { return (static_cast<int>(simt_lane_id()) * num_elements + i) % Shape::LENGTH; }
};

template <class Use, int M, int N, int K, class T, class Layout, class V>
SIMT_INLINE void fill_fragment(fragment<Use, M, N, K, T, Layout> &f, const V &v) {
  for (int i = 0; i < f.num_elements; i++) f.x[i] = static_cast<T>(v);
}

namespace detail {

template <class F, class T> SIMT_INLINE void load(F &f, const T *p, unsigned stride, bool lines_are_consecutive) {
  meet(p, stride, false);
  for (int i = 0; i < f.num_elements; i++)
    f.x[i] = lines_are_consecutive ? p[static_cast<size_t>(f.line_(i)) * stride + f.place_(i)] : p[static_cast<size_t>(f.place_(i)) * stride + f.line_(i)];
}

} // namespace detail

template <int M, int N, int K, class T, class Layout>
SIMT_INLINE void load_matrix_sync(fragment<matrix_a, M, N, K, T, Layout> &f, const T *p, unsigned stride) {
  detail::load(f, p, stride, std::is_same<Layout, row_major>::value);
}
template <int M, int N, int K, class T, class Layout>
SIMT_INLINE void load_matrix_sync(fragment<matrix_b, M, N, K, T, Layout> &f, const T *p, unsigned stride) {
  detail::load(f, p, stride, std::is_same<Layout, col_major>::value);
}
template <int M, int N, int K, class T>
SIMT_INLINE void load_matrix_sync(fragment<accumulator, M, N, K, T> &f, const T *p, unsigned stride, layout_t layout) {
  detail::load(f, p, stride, layout == mem_row_major);
}
template <int M, int N, int K, class T>
SIMT_INLINE void store_matrix_sync(T *p, const fragment<accumulator, M, N, K, T> &f, unsigned stride, layout_t layout) {
  detail::meet(p, stride, true);
  for (int i = 0; i < f.num_elements; i++) {
    const size_t line = static_cast<size_t>(f.line_(i)), place = static_cast<size_t>(f.place_(i));
    p[layout == mem_row_major ? line * stride + place : place * stride + line] = f.x[i];
  }
}

namespace detail {

/* Line `line` of a matrix of A or B: 16 elements, four a word; word w of the matrix lies with lane w / PER_LANE. */
template <class F> SIMT_INLINE void line_of(const F &f, int line, double (&v)[16]) {
  enum { PER_LANE = F::num_elements / 4 };
  typename F::element_type four[4];
  for (int j = 0; j < 4; j++) {
    uint64_t word;
    __builtin_memcpy(&word, &f.x[j % PER_LANE * 4], sizeof word);
    word = simt::word_of_lane(word, static_cast<unsigned>((line * 4 + j) / PER_LANE));
    __builtin_memcpy(four, &word, sizeof four);
    for (int k = 0; k < 4; k++) v[4 * j + k] = number(four[k]);
  }
}

} // namespace detail

template <int M, int N, int K, class T, class LayoutA, class LayoutB, class D, class C>
SIMT_INLINE void mma_sync(fragment<accumulator, M, N, K, D> &d, const fragment<matrix_a, M, N, K, T, LayoutA> &a,
                          const fragment<matrix_b, M, N, K, T, LayoutB> &b, const fragment<accumulator, M, N, K, C> &c) {
  double row[16], column[16];
  detail::line_of(a, d.line_(0), row);
  for (int i = 0; i < d.num_elements; i++) {
    detail::line_of(b, d.place_(i), column);
    double sum = detail::number(c.x[i]);
    for (int k = 0; k < 16; k++) sum += row[k] * column[k];
    detail::round_to(d.x[i], sum);
  }
}

} // namespace wmma
} // namespace nvcuda

#endif
