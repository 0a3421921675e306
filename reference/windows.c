/* windows.c - relations of convolutions. */
#include "windows.h"
#include "../fuzz/arith.h"
#include "../fuzz/relation_moves.h"

static int64_t y_rows(const WfWindows *w) { return w->rows - w->w_rows + 1; }
static int64_t y_cols(const WfWindows *w) { return w->cols - w->w_cols + 1; }

static void turn(const float *from, float *to, int64_t n) {
  for (int64_t i = 0; i < n; i++)
    to[n - 1 - i] = from[i];
}

int wf_windows_turn(const WfWindows *w, const WfRefArgs *a, float *const *changed, int64_t *at) {
  int64_t n = y_rows(w) * y_cols(w);
  turn(a->in[0], changed[0], w->rows * w->cols);
  turn(a->in[1], changed[1], w->w_rows * w->w_cols);
  for (int64_t i = 0; i < n; i++)
    at[i] = n - 1 - i;
  return w->rows * w->cols > 1;
}

/* 1 .. n-1, or 0 for n = 1. */
static int64_t draw_way(int64_t n, uint64_t *state) {
  return n > 1 ? 1 + (int64_t)(wf_split_mix(state) % (uint64_t)(n - 1)) : 0;
}

int wf_windows_move(const WfWindows *w, const WfRefArgs *a, uint64_t seed, float *const *changed, int64_t *at) {
  int64_t down = draw_way(y_rows(w), &seed), right = draw_way(y_cols(w), &seed);
  if (down == 0 && right == 0)
    return 0;
  for (int64_t i = 0; i < w->rows; i++)
    for (int64_t j = 0; j < w->cols; j++)
      changed[0][(i + down) % w->rows * w->cols + (j + right) % w->cols] = a->in[0][i * w->cols + j];
  for (int64_t i = 0; i < y_rows(w); i++)
    for (int64_t j = 0; j < y_cols(w); j++) {
      int is_whole = i + down < y_rows(w) && j + right < y_cols(w);
      at[i * y_cols(w) + j] = is_whole ? (i + down) * y_cols(w) + j + right : -1;
    }
  return 1;
}

int wf_windows_scale(const WfWindows *w, double largest, uint64_t seed, float *const *changed, int64_t *at) {
  wf_indices_stay(at, y_rows(w) * y_cols(w));
  return wf_scale_apart(changed, w->rows * w->cols, w->w_rows * w->w_cols, largest, seed);
}
