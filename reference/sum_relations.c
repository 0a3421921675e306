/* sum_relations.c - relations of sums and maxima. */
#include "sum_relations.h"
#include "../fuzz/arith.h"
#include "../fuzz/relation_moves.h"
#include <math.h>

static int64_t outputs(const WfReduction *r) { return r->by_column ? r->cols : r->rows; }
static int64_t addends(const WfReduction *r) { return r->by_column ? r->rows : r->cols; }

int wf_reduction_reorder(const WfReduction *r, const WfRefArgs *a, uint64_t seed, float *const *changed, int64_t *at) {
  if (outputs(r) < 1 || addends(r) < 2)
    return 0;
  WfShuffle s = wf_shuffle_draw(addends(r), &seed);
  wf_shuffle_matrix(a->in[0], changed[0], r->rows, r->cols, r->by_column ? &s : NULL, r->by_column ? NULL : &s);
  wf_indices_stay(at, outputs(r));
  return 1;
}

int wf_reduction_move(const WfReduction *r, const WfRefArgs *a, uint64_t seed, float *const *changed, int64_t *at) {
  if (outputs(r) < 2 || addends(r) < 1)
    return 0;
  WfShuffle s = wf_shuffle_draw(outputs(r), &seed);
  wf_shuffle_matrix(a->in[0], changed[0], r->rows, r->cols, r->by_column ? NULL : &s, r->by_column ? &s : NULL);
  wf_shuffle_indices(at, 1, outputs(r), NULL, &s);
  return 1;
}

double wf_reduction_factor(const WfReduction *r, const WfRefArgs *a, double largest, int any_sign, uint64_t seed) {
  int by = wf_scale_draw(wf_scale_room(a->in[0], r->rows * r->cols, largest), &seed);
  int is_negative = any_sign && wf_split_mix(&seed) & 1;
  return by == 0 ? 0 : is_negative ? -ldexp(1, by) : ldexp(1, by);
}

int wf_reduction_scale(const WfReduction *r, const WfRefArgs *a, double factor, float *const *changed, int64_t *at) {
  for (int64_t i = 0; i < r->rows * r->cols; i++)
    changed[0][i] = (float)(factor * (double)a->in[0][i]);
  wf_indices_stay(at, outputs(r));
  return factor != 0;
}
