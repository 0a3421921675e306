/* dot_exact.h - dot products with MPFR, in as many bits as hold every sum of products of floats. */
#ifndef DOT_EXACT_H
#define DOT_EXACT_H
#include <math.h>
#include <mpfr.h>

enum { DOT_EXACT_BITS = 640 };

/* sum: of DOT_EXACT_BITS. u and v are finite. */
static inline void dot_exact(mpfr_t sum, const float *u, const float *v, int k) {
  mpfr_t a, b;
  mpfr_inits2(DOT_EXACT_BITS, a, b, (mpfr_ptr)NULL);
  mpfr_set_zero(sum, 1);
  for (int e = 0; e < k; e++) {
    mpfr_set_flt(a, u[e], MPFR_RNDN);
    mpfr_set_flt(b, v[e], MPFR_RNDN);
    mpfr_mul(a, a, b, MPFR_RNDN);
    mpfr_add(sum, sum, a, MPFR_RNDN);
  }
  mpfr_clears(a, b, (mpfr_ptr)NULL);
}

/* |sum - have|, rounded up. */
static inline double dot_distance(const mpfr_t sum, double have) {
  mpfr_t d;
  mpfr_init2(d, DOT_EXACT_BITS);
  mpfr_sub_d(d, sum, have, MPFR_RNDN);
  double error = fabs(mpfr_get_d(d, MPFR_RNDU));
  mpfr_clear(d);
  return error;
}

/* 0 of 0 is nothing, anything of 0 too much. */
static inline double dot_part(double error, double limit) { return error == 0 ? 0 : limit > 0 ? error / limit : INFINITY; }

#endif
