/* relation_moves.c - permutations without memory, and exact scaling. */
#include "relation_moves.h"
#include "arith.h"
#include <float.h>
#include <math.h>
#include <string.h>

/* ---- order ---- */

static int64_t below(uint64_t *state, int64_t n) {
  return (int64_t)(wf_split_mix(state) % (uint64_t)n);
}

WfShuffle wf_shuffle_draw(int64_t n, uint64_t *state) {
  WfShuffle s = {n, 1 + below(state, n - 1), below(state, n)};
  while (wf_common_divisor(s.factor, n) != 1)
    s.factor = s.factor % (n - 1) + 1;
  if (s.factor == 1 && s.first == 0)
    s.first = 1;
  return s;
}

int64_t wf_shuffle_at(const WfShuffle *s, int64_t i) {
  return (int64_t)(((unsigned __int128)i * (uint64_t)s->factor + (uint64_t)s->first) % (uint64_t)s->n);
}

static int64_t place(const WfShuffle *s, int64_t i) { return s ? wf_shuffle_at(s, i) : i; }

void wf_shuffle_matrix(const float *from, float *to, int64_t rows, int64_t cols, const WfShuffle *row, const WfShuffle *col) {
  for (int64_t r = 0; r < rows && !col; r++)
    memcpy(to + place(row, r) * cols, from + r * cols, (size_t)cols * sizeof *to);
  for (int64_t c = 0; c < cols && col; c++) {
    int64_t to_col = wf_shuffle_at(col, c);
    for (int64_t r = 0; r < rows; r++)
      to[place(row, r) * cols + to_col] = from[r * cols + c];
  }
}

void wf_shuffle_indices(int64_t *at, int64_t rows, int64_t cols, const WfShuffle *row, const WfShuffle *col) {
  for (int64_t c = 0; c < cols; c++) {
    int64_t to_col = place(col, c);
    for (int64_t r = 0; r < rows; r++)
      at[r * cols + c] = place(row, r) * cols + to_col;
  }
}

void wf_indices_stay(int64_t *at, int64_t n) {
  for (int64_t i = 0; i < n; i++)
    at[i] = i;
}

/* ---- powers of two ---- */

WfScaleRoom wf_scale_room(const float *x, int64_t n, double largest) {
  int lowest = FLT_MAX_EXP, highest = FLT_MIN_EXP, any = 0, exponent;
  for (int64_t i = 0; i < n; i++) {
    if (!isfinite(x[i]) || x[i] == 0)
      continue;
    if (fabsf(x[i]) < FLT_MIN)
      return (WfScaleRoom){0, 0};
    frexpf(x[i], &exponent); /* |x| is in [2^(exponent - 1), 2^exponent) */
    lowest = exponent < lowest ? exponent : lowest;
    highest = exponent > highest ? exponent : highest;
    any = 1;
  }
  int up = ilogb(largest) - highest, down = lowest - FLT_MIN_EXP;
  return any ? (WfScaleRoom){down, up > 0 ? up : 0} : (WfScaleRoom){0, 0};
}

int wf_scale_draw(WfScaleRoom r, uint64_t *state) {
  uint64_t bits = wf_split_mix(state);
  int is_up = r.down == 0 || (r.up > 0 && bits & 1), room = is_up ? r.up : r.down;
  if (room == 0)
    return 0;
  int by = 1 + (int)(bits / 2 % (uint64_t)room);
  return is_up ? by : -by;
}

void wf_scale_by(const float *from, float *to, int64_t n, int exponent) {
  for (int64_t i = 0; i < n; i++)
    to[i] = ldexpf(from[i], exponent);
}

static int less(int a, int b) { return a < b ? a : b; }

int wf_scale_apart(float *const *changed, int64_t m, int64_t n, double largest, uint64_t seed) {
  WfScaleRoom a = wf_scale_room(changed[0], m, largest), b = wf_scale_room(changed[1], n, largest);
  int by = wf_scale_draw((WfScaleRoom){less(a.down, b.up), less(a.up, b.down)}, &seed);
  wf_scale_by(changed[0], changed[0], m, by);
  wf_scale_by(changed[1], changed[1], n, -by);
  return by != 0;
}
