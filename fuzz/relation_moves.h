/* relation_moves.h - what relations do to inputs: elements in another order, and powers of two. */
#ifndef WF_RELATION_MOVES_H
#define WF_RELATION_MOVES_H
#include <stdint.h>

/* A permutation of 0 .. n-1 that needs no memory: i -> (i * factor + first) mod n, factor and n without a common divisor. */
typedef struct WfShuffle {
  int64_t n, factor, first;
} WfShuffle;

WfShuffle wf_shuffle_draw(int64_t n, uint64_t *state); /* n >= 2; something moves */
int64_t wf_shuffle_at(const WfShuffle *s, int64_t i);  /* where i goes */

/* from, to: rows x cols, row-major; NULL: that index stays. */
void wf_shuffle_matrix(const float *from, float *to, int64_t rows, int64_t cols, const WfShuffle *row, const WfShuffle *col);
/* at[i]: the index that element i of such a matrix has behind wf_shuffle_matrix(). */
void wf_shuffle_indices(int64_t *at, int64_t rows, int64_t cols, const WfShuffle *row, const WfShuffle *col);

void wf_indices_stay(int64_t *at, int64_t n); /* at[i] = i */

/* By which powers of two, 2^-down to 2^up, all of some floats can be multiplied such that none that is finite and not 0 becomes
 * subnormal or larger than a limit: every product is exact. Both are 0 or more; 0 where there is no such element, or one is subnormal. */
typedef struct WfScaleRoom {
  int down, up;
} WfScaleRoom;

WfScaleRoom wf_scale_room(const float *x, int64_t n, double largest);
/* Not 0, unless there is no room. */
int wf_scale_draw(WfScaleRoom r, uint64_t *state);
/* to[i] = 2^exponent from[i]; they may be the same. */
void wf_scale_by(const float *from, float *to, int64_t n, int exponent);

/* changed[0] times a power of two and changed[1] divided by it: 1, or 0 where one of them has no room. Both hold the inputs, m and
 * n elements. */
int wf_scale_apart(float *const *changed, int64_t m, int64_t n, double largest, uint64_t seed);

#endif
