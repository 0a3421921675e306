/* elementwise.c - sums of two floats, and that they do not depend on the order of the operands. */
#include "elementwise.h"
#include <string.h>

/* `lost`: operands that are flushed. What is left of such a sum is rounded by nothing, so that it may be off from the rounded sum by
 * what that rounds, too. */
static double fast_bound(double a, double b, double sum) {
  double lost = wf_flushed(a) + wf_flushed(b);
  return lost + wf_flushed(sum) + (lost > 0 && isfinite(sum) ? fabs(sum - (a + b)) : 0);
}

/* What may be stored in 16 bits in place of `sum`, which is `exact` as float. Both differences are exact: the numbers are within a factor of two. */
static double stored_bound(const WfRefArgs *a, double exact, double sum) {
  double bound = a->stored != WF_F32 && isfinite(sum) ? fabs(exact - sum) : 0;
  if (a->arith == WF_F32 || a->arith == a->stored || !isfinite(sum))
    return bound;
  double narrow = wf_dtype_round(a->arith, exact);
  return isfinite(narrow) ? fmax(bound, fabs(narrow - sum)) : INFINITY;
}

void wf_elementwise_add(const WfRefArgs *a, int64_t n_elems, double *out, double *bound) {
  for (int64_t i = 0; i < n_elems; i++) {
    double x = (double)a->in[0][i], y = (double)a->in[1][i];
    out[i] = (double)(float)(x + y);
    bound[i] = stored_bound(a, x + y, out[i]) + (a->variant_flags & WF_FAST_MATH ? fast_bound(x, y, out[i]) : 0);
  }
}

int wf_elementwise_exchange(const WfRefArgs *a, int64_t n_elems, float *const *changed, int64_t *at) {
  memcpy(changed[0], a->in[1], (size_t)n_elems * sizeof(float));
  memcpy(changed[1], a->in[0], (size_t)n_elems * sizeof(float));
  for (int64_t i = 0; i < n_elems; i++)
    at[i] = i;
  return n_elems > 0;
}
