/* attention_relations.c - relations of attention. Each holds of the exact results, and so within the sum of both bounds of those that
 * a right kernel gives:
 *
 * - queries in another order: rows move along. Not with causal, where the place of a row decides what it sees.
 * - keys, and values with them, in another order: a sum of the same terms. Not with causal.
 * - other rows of queries: a row depends on its own query alone.
 * - with causal, keys and values from some place on: the rows before it do not see them. NaN included, which no weight of 0 makes go
 *   away: a score that is not seen is no score of -inf.
 * - q times a power of two and k divided by it: every product of a score stays what it is, as long as nothing becomes subnormal.
 * - v times a power of two: weights do not depend on v, so the result is multiplied by it. */
#include "attention_relations.h"
#include "../fuzz/arith.h"
#include "../fuzz/relation.h"
#include "../fuzz/relation_moves.h"
#include <math.h>

enum { Q, K, V };

typedef struct Shape {
  int64_t rows, keys, d;
  int causal;
} Shape;

static Shape shape_of(const WfRefArgs *a) { return (Shape){a->dim[0], a->dim[1], a->dim[2], a->scalar[1] != 0}; }

static int reorder_queries(const WfRefArgs *a, double largest, uint64_t seed, float *const *changed, int64_t *at) {
  Shape p = shape_of(a);
  (void)largest;
  if (p.causal || p.rows < 2 || p.d < 1)
    return 0;
  WfShuffle s = wf_shuffle_draw(p.rows, &seed);
  wf_shuffle_matrix(a->in[Q], changed[Q], p.rows, p.d, &s, NULL);
  wf_shuffle_indices(at, p.rows, p.d, &s, NULL);
  return 1;
}

static int reorder_keys(const WfRefArgs *a, double largest, uint64_t seed, float *const *changed, int64_t *at) {
  Shape p = shape_of(a);
  (void)largest;
  if (p.causal || p.keys < 2 || p.rows * p.d < 1)
    return 0;
  WfShuffle s = wf_shuffle_draw(p.keys, &seed);
  wf_shuffle_matrix(a->in[K], changed[K], p.keys, p.d, &s, NULL);
  wf_shuffle_matrix(a->in[V], changed[V], p.keys, p.d, &s, NULL);
  wf_indices_stay(at, p.rows * p.d);
  return 1;
}

static int spoil_queries(const WfRefArgs *a, double largest, uint64_t seed, float *const *changed, int64_t *at) {
  Shape p = shape_of(a);
  return p.d > 0 && wf_spoil_rows(changed[Q], p.rows, p.d, p.d, largest, seed, at);
}

/* The rows that see no more than `kept` keys stay. */
static void mark_rows(const WfRefArgs *a, int64_t kept, int64_t *at) {
  Shape p = shape_of(a);
  for (int64_t i = 0; i < p.rows; i++) {
    int64_t row = a->slice ? a->slice[i] : i;
    for (int64_t c = 0; c < p.d; c++)
      at[i * p.d + c] = row < kept ? i * p.d + c : -1;
  }
}

static int spoil_unseen(const WfRefArgs *a, double largest, uint64_t seed, float *const *changed, int64_t *at) {
  Shape p = shape_of(a);
  if (!p.causal || p.keys < 2 || p.rows * p.d < 1)
    return 0;
  int64_t most = p.rows < p.keys ? p.rows : p.keys - 1; /* the first key, of those that exist, that some row does not see */
  int64_t kept = 1 + (int64_t)(wf_split_mix(&seed) % (uint64_t)most);
  for (int64_t j = kept; j < p.keys; j++) {
    wf_spoil_row(changed[K] + j * p.d, p.d, largest, &seed);
    wf_spoil_row(changed[V] + j * p.d, p.d, largest, &seed);
  }
  mark_rows(a, kept, at);
  return 1;
}

static int scale_scores(const WfRefArgs *a, double largest, uint64_t seed, float *const *changed, int64_t *at) {
  Shape p = shape_of(a);
  wf_indices_stay(at, p.rows * p.d);
  return wf_scale_apart(changed, p.rows * p.d, p.keys * p.d, largest, seed);
}

static double values_factor(const WfRefArgs *a, double largest, uint64_t seed) {
  Shape p = shape_of(a);
  int by = wf_scale_draw(wf_scale_room(a->in[V], p.keys * p.d, largest), &seed);
  return by == 0 ? 0 : ldexp(1, by);
}

static int scale_values(const WfRefArgs *a, double largest, uint64_t seed, float *const *changed, int64_t *at) {
  Shape p = shape_of(a);
  double factor = values_factor(a, largest, seed);
  for (int64_t i = 0; i < p.keys * p.d; i++)
    changed[V][i] = (float)(factor * (double)a->in[V][i]);
  wf_indices_stay(at, p.rows * p.d);
  return factor != 0;
}

static const WfRelation queries_reordered = {
    .change = "the queries in another order",
    .rule = "a row's result must not depend on its place",
    .apply = reorder_queries,
};
static const WfRelation keys_reordered = {
    .change = "keys and values in another order",
    .rule = "a result must not depend on the order of the keys",
    .apply = reorder_keys,
};
static const WfRelation queries_spoilt = {
    .change = "other values in other queries",
    .rule = "a row's result must not depend on other queries",
    .same_bits = 1,
    .apply = spoil_queries,
};
static const WfRelation unseen_spoilt = {
    .change = "other values in keys that rows do not see",
    .rule = "a causal result must not depend on later keys and values",
    .same_bits = 1,
    .apply = spoil_unseen,
};
static const WfRelation scores_kept = {
    .change = "q times a power of two and k divided by it",
    .rule = "powers of two that cancel must not change the result",
    .apply = scale_scores,
};
static const WfRelation values_scaled = {
    .change = "v times a power of two",
    .rule = "a power of two in the values must come through unchanged",
    .apply = scale_values,
    .factor = values_factor,
};

const WfRelation *const wf_attention_relations[] = {&queries_reordered, &keys_reordered, &queries_spoilt, &unseen_spoilt,
                                                    &scores_kept,       &values_scaled,  NULL};
