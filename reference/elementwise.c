/* elementwise.c - sums of two floats, and that they do not depend on the order of the operands. */
#include "elementwise.h"
#include <string.h>

/* `lost`: operands that are flushed. What is left of such a sum is rounded by nothing, so that it may be off from the rounded sum by
 * what that rounds, too. */
static double fast_bound(double a, double b, double sum) {
  double lost = wf_flushed(a) + wf_flushed(b);
  return lost + wf_flushed(sum) + (lost > 0 && isfinite(sum) ? fabs(sum - (a + b)) : 0);
}

void wf_elementwise_add(const float *a, const float *b, int64_t n_elems, uint32_t flags, double *out, double *bound) {
  for (int64_t i = 0; i < n_elems; i++) {
    out[i] = (double)(float)((double)a[i] + (double)b[i]);
    bound[i] = flags & WF_FAST_MATH ? fast_bound((double)a[i], (double)b[i], out[i]) : 0;
  }
}

int wf_elementwise_exchange(const WfRefArgs *a, int64_t n_elems, float *const *changed, int64_t *at) {
  memcpy(changed[0], a->in[1], (size_t)n_elems * sizeof(float));
  memcpy(changed[1], a->in[0], (size_t)n_elems * sizeof(float));
  for (int64_t i = 0; i < n_elems; i++)
    at[i] = i;
  return n_elems > 0;
}
