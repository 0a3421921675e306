/* transpose.c - b[j,i] = a[i,j]. An element is copied, so there is one right value and the bound is 0; NaN stays NaN, whatever its
 * payload, infinities stay what they are. The sign of a zero is not judged. Under fast math (WF_FAST_MATH) nothing is flushed, for a
 * copy is no arithmetic; but kernels that scale by 1 on the way are right too, so that a number below FLT_MIN may become 0. */
#include "../fuzz/arith.h"
#include "elementwise.h"
#include <string.h>

static int reference(const WfRefArgs *a, double *out, double *bound) {
  int64_t m = a->dim[0], n = a->dim[1];
  for (int64_t i = 0; i < m; i++)
    for (int64_t j = 0; j < n; j++) {
      double v = (double)a->in[0][i * n + j];
      out[j * m + i] = v;
      bound[j * m + i] = a->variant_flags & WF_FAST_MATH ? wf_flushed(v) : 0;
    }
  return 0;
}

/* ---- relations ---- */

/* Of a square matrix: the transposed one as input. What comes out, the input transposed twice, is the first input; so each of its
 * elements is found in the first output on the other side of the diagonal. */
static int transpose_twice(const WfRefArgs *a, double largest, uint64_t seed, float *const *changed, int64_t *at) {
  int64_t n = a->dim[0];
  (void)largest;
  (void)seed;
  if (n < 2 || a->dim[1] != n)
    return 0;
  for (int64_t i = 0; i < n; i++)
    for (int64_t j = 0; j < n; j++) {
      changed[0][j * n + i] = a->in[0][i * n + j];
      at[i * n + j] = j * n + i;
    }
  return 1;
}

/* Rows rotated: the output's columns rotate along. */
static int rotate_rows(const WfRefArgs *a, double largest, uint64_t seed, float *const *changed, int64_t *at) {
  int64_t m = a->dim[0], n = a->dim[1];
  (void)largest;
  if (m < 2 || n < 1)
    return 0;
  int64_t by = 1 + (int64_t)(wf_split_mix(&seed) % (uint64_t)(m - 1));
  for (int64_t i = 0; i < m; i++) {
    int64_t to = (i + by) % m;
    memcpy(changed[0] + to * n, a->in[0] + i * n, (size_t)n * sizeof(float));
    for (int64_t j = 0; j < n; j++)
      at[j * m + i] = j * m + to;
  }
  return 1;
}

static const WfRelation twice = {
    .change = "the matrix transposed",
    .rule = "a matrix transposed twice must be what it was",
    .same_bits = 1,
    .apply = transpose_twice,
};
static const WfRelation rotated = {
    .change = "the rows in another order",
    .rule = "the columns of the transposed matrix must follow the rows",
    .same_bits = 1,
    .apply = rotate_rows,
};

#define WF_VARIANTS "../kernels/transpose/variants.def"
#define WF_ENTRY(ident) wf_entry_transpose_##ident
#include "../fuzz/variants.h"

static const WfRelation *const relations[] = {&twice, &rotated, NULL};

const WfOp wf_op_transpose = {
    .name = "transpose",
    .n_dims = 2,
    .n_tensors = 2,
    .dims = {{"m", 0, 1000}, {"n", 0, 1000}},
    .tensors = {{"a", WF_IN, 2, {0, 1}, WF_START_NOTHING}, {"b", WF_OUT, 2, {1, 0}, WF_START_NOTHING}},
    .exact = 1,
    .arith = 1,
    .reference = reference,
    .relations = relations,
    .variants = variants,
    .n_variants = sizeof variants / sizeof *variants,
};
