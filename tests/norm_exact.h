/* norm_exact.h - layernorm and rmsnorm with MPFR. */
#ifndef NORM_EXACT_H
#define NORM_EXACT_H
#include "norm_models.h"
#include <mpfr.h>

enum { NORM_PRECISION = 300 };

void norm_exact(mpfr_t y, const NormRow *r, int at); /* y: of NORM_PRECISION bits; the result at `at` */

#endif
