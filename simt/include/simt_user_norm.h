/* simt_user_norm.h - norms of vectors in memory; as in simt_user_access.h, the accesses are the user's. */
#ifndef SIMT_USER_NORM_H
#define SIMT_USER_NORM_H
#include "simt_math.h"

/* By way of hypot(), as norm3d(). */
SIMT_INLINE double norm(int n, const double *p) {
  double all = 0;
  for (int i = 0; i < n; i++) all = hypot(all, p[i]);
  return all;
}
SIMT_INLINE float normf(int n, const float *p) {
  double all = 0;
  for (int i = 0; i < n; i++) all = hypot(all, static_cast<double>(p[i]));
  return static_cast<float>(all);
}
SIMT_INLINE double rnorm(int n, const double *p) { return 1.0 / norm(n, p); }
SIMT_INLINE float rnormf(int n, const float *p) {
  double all = 0;
  for (int i = 0; i < n; i++) all = hypot(all, static_cast<double>(p[i]));
  return static_cast<float>(1.0 / all);
}

#endif
