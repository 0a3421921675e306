/* norm_exact.c - see norm_exact.h. */
#include "norm_exact.h"

/* 1 / sqrt(v + eps), and the mean. */
static void exact_scale(mpfr_t mean, mpfr_t scale, const NormRow *r) {
  mpfr_t t;
  mpfr_init2(t, NORM_PRECISION);
  mpfr_set_zero(mean, 1);
  mpfr_set_zero(scale, 1);
  for (int c = 0; c < r->n && r->centred; c++)
    mpfr_add_d(mean, mean, (double)r->x[c], MPFR_RNDN);
  mpfr_div_si(mean, mean, r->n, MPFR_RNDN);
  for (int c = 0; c < r->n; c++) {
    mpfr_d_sub(t, (double)r->x[c], mean, MPFR_RNDN);
    mpfr_sqr(t, t, MPFR_RNDN);
    mpfr_add(scale, scale, t, MPFR_RNDN);
  }
  mpfr_div_si(scale, scale, r->n, MPFR_RNDN);
  mpfr_add_d(scale, scale, (double)r->eps, MPFR_RNDN);
  mpfr_rec_sqrt(scale, scale, MPFR_RNDN);
  mpfr_clear(t);
}

void norm_exact(mpfr_t y, const NormRow *r, int at) {
  mpfr_t mean, scale;
  mpfr_inits2(NORM_PRECISION, mean, scale, (mpfr_ptr)NULL);
  exact_scale(mean, scale, r);
  mpfr_d_sub(y, (double)r->x[at], mean, MPFR_RNDN);
  mpfr_mul(y, y, scale, MPFR_RNDN);
  mpfr_mul_d(y, y, r->gamma ? (double)r->gamma[at] : 1, MPFR_RNDN);
  mpfr_add_d(y, y, r->beta ? (double)r->beta[at] : 0, MPFR_RNDN);
  mpfr_clears(mean, scale, (mpfr_ptr)NULL);
}
