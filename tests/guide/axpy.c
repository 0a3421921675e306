#include <math.h>

void axpy(const float *x, const float *z, double *y, long n, double alpha) {
  for (long i = 0; i < n; i++) y[i] = alpha * x[i] + z[i];
}

/* The product and the sum are rounded, each by 2^-24 of itself at most. */
void axpy_bound(const float *x, const float *z, const double *y, double *bound, long n, double alpha) {
  (void)y;
  for (long i = 0; i < n; i++) bound[i] = 0x1p-23 * (fabs(alpha * x[i]) + fabs((double)z[i])) + 0x1p-126;
}
