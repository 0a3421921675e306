/* elementwise.c - sums of two floats, and that they do not depend on the order of the operands. */
#include "elementwise.h"
#include <float.h>
#include <math.h>
#include <string.h>

double wf_flushed(double x) { return fabs(x) < (double)FLT_MIN ? fabs(x) : 0; }

void wf_elementwise_add(const float *a, const float *b, int64_t n_elems, uint32_t flags, double *out, double *bound) {
  for (int64_t i = 0; i < n_elems; i++) {
    out[i] = (double)(float)((double)a[i] + (double)b[i]);
    bound[i] = flags & WF_FAST_MATH ? wf_flushed((double)a[i]) + wf_flushed((double)b[i]) + wf_flushed(out[i]) : 0;
  }
}

int wf_elementwise_exchange(const WfRefArgs *a, int64_t n_elems, float *const *changed, int64_t *at) {
  memcpy(changed[0], a->in[1], (size_t)n_elems * sizeof(float));
  memcpy(changed[1], a->in[0], (size_t)n_elems * sizeof(float));
  for (int64_t i = 0; i < n_elems; i++)
    at[i] = i;
  return n_elems > 0;
}
