/* simt_user_matrix.h - ldmatrix and mma.sync of inline PTX, by the fragment layouts of the PTX ISA (Matrix multiply-accumulate operation using
 * mma instruction; Warp-level matrix load instruction). Lanes meet in shuffles of the whole warp; loads are the user's, as in
 * simt_user_access.h.
 *
 * Products are summed in double and rounded once: a device adds up in an order and with a precision of its own. */
#ifndef SIMT_USER_MATRIX_H
#define SIMT_USER_MATRIX_H
#include "device_half.h"
#include "simt_engine.h"

namespace simt {

SIMT_INLINE uint64_t word_of_lane(uint64_t v, unsigned lane) { return simt_op_shfl(SIMT_SHFL_IDX, ~0u, v, lane, 32, nullptr); }

struct alignas(16) MatrixRow { uint64_t word[2]; };

/* Row `row` of the matrices that the lanes have loaded. */
SIMT_INLINE MatrixRow row_of_lane(const MatrixRow &mine, unsigned row) { return {{word_of_lane(mine.word[0], row), word_of_lane(mine.word[1], row)}}; }
SIMT_INLINE unsigned half_of_row(const MatrixRow &r, unsigned i) { return static_cast<unsigned>(r.word[i / 4] >> 16 * (i % 4)) & 0xffffu; }

/* N matrices of 8 x 8 elements of 16 bits; lane i has the address of row i. out[m]: two elements of matrix m. */
template <int N, bool Transposed> SIMT_INLINE void load_matrices(const void *p, unsigned (&out)[N]) {
  const unsigned lane = simt_lane_id();
  MatrixRow mine = {};
  if (lane < 8 * N) mine = *static_cast<const MatrixRow *>(p);
  for (unsigned m = 0; m < N; m++) {
    if constexpr (Transposed) {
      const MatrixRow first = row_of_lane(mine, 8 * m + lane % 4 * 2), second = row_of_lane(mine, 8 * m + lane % 4 * 2 + 1);
      out[m] = half_of_row(first, lane / 4) | half_of_row(second, lane / 4) << 16;
    } else {
      const MatrixRow row = row_of_lane(mine, 8 * m + lane / 4);
      out[m] = half_of_row(row, lane % 4 * 2) | half_of_row(row, lane % 4 * 2 + 1) << 16;
    }
  }
}

template <bool IsHalf> SIMT_INLINE double half_number(unsigned bits) {
  return IsHalf ? simt_half_value(static_cast<uint16_t>(bits)) : simt_bfloat_value(static_cast<uint16_t>(bits));
}

/* m16n8k(8 Blocks), A by rows and B by columns: a[2 i], a[2 i + 1] are of rows lane / 4 and 8 more, b[i] of column lane / 4, each with two
 * elements at 8 i + lane % 4 * 2 along k; c and d are at those rows and columns lane % 4 * 2 and 1 more. */
template <bool IsHalf, int Blocks>
SIMT_INLINE void multiply_tile(const unsigned (&a)[2 * Blocks], const unsigned (&b)[Blocks], double (&sum)[4]) {
  const unsigned lane = simt_lane_id();
  for (unsigned i = 0; i < Blocks; i++)
    for (unsigned part = 0; part < 4; part++) {
      const uint64_t rows = word_of_lane(a[2 * i] | static_cast<uint64_t>(a[2 * i + 1]) << 32, lane / 4 * 4 + part);
      const unsigned column[2] = {static_cast<unsigned>(word_of_lane(b[i], lane % 4 * 2 * 4 + part)),
                                  static_cast<unsigned>(word_of_lane(b[i], (lane % 4 * 2 + 1) * 4 + part))};
      for (unsigned e = 0; e < 4; e++)
        for (unsigned k = 0; k < 2; k++)
          sum[e] += half_number<IsHalf>(static_cast<unsigned>(rows >> (32 * (e / 2) + 16 * k)) & 0xffffu) *
                    half_number<IsHalf>(column[e % 2] >> 16 * k & 0xffffu);
    }
}

} // namespace simt

#endif
