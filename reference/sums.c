/* sums.c - sums of elements with their bounds. */
#include "sums.h"
#include <float.h>
#include <math.h>

/* What atomic additions may lose. Later additions round what they lost as they round the addends: (1 + gamma). */
static double flushed(const WfSum *s, double value) {
  const int lowest = FLT_MIN_EXP - 1; /* FLT_MIN = 2^lowest */
  if (s->unit_exponent >= lowest || (s->n == 1 && fabs(value) >= (double)FLT_MIN))
    return 0;
  return 2 * (double)s->n * (double)FLT_MIN * (1 + wf_gamma((double)s->n));
}

WfApprox wf_sum_elements(const float *x, int64_t n, int64_t stride, int64_t depth, WfDtype arith) {
  WfSum s;
  wf_sum_init(&s);
  s.arith = arith;
  for (int64_t i = 0; i < n; i++)
    wf_sum_add(&s, (double)x[i * stride]);
  WfApprox r = wf_sum_result(&s, depth);
  if (isfinite(r.value) && arith == WF_F32)
    r.bound += flushed(&s, r.value);
  return r;
}
