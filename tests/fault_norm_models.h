/* fault_norm_models.h - rows to take a layernorm or rmsnorm of, both as correct kernels compute them in float, with the errors that their
 * functions may make, and exactly, with MPFR. */
#ifndef FAULT_NORM_MODELS_H
#define FAULT_NORM_MODELS_H
#include <mpfr.h>
#include <stdint.h>

enum { NORM_MAX_COLS = 3000, NORM_PRECISION = 300 };

typedef struct NormRow {
  int cols, centred;               /* centred: layernorm; else rmsnorm */
  float eps;
  const float *x, *gamma, *beta;   /* cols each; gamma NULL: all 1; beta NULL: all 0 */
} NormRow;

double norm_draw_normal(uint64_t *state);

enum { NORM_NORMAL, NORM_FAR, NORM_MIXED, NORM_LARGE, NORM_DENORMAL, NORM_CONSTANT, NORM_OUTLIER, NORM_ALTERNATING,
       NORM_NEARLY_CONSTANT, NORM_INTEGERS, NORM_N_KINDS };
extern const char *const norm_kind_names[NORM_N_KINDS];
int norm_draw_cols(uint64_t *state);
void norm_draw_row(int kind, int cols, float *x, float *gamma, float *beta, uint64_t *state);

typedef struct NormKernel { /* how a kernel's functions err: -1, 0 or 1 times the most that is documented */
  int root, quotient;
  int fast; /* the documented errors of fast math, subnormals flushed */
  int line; /* a x + b */
} NormKernel;
NormKernel norm_draw_kernel(uint64_t *state);

typedef struct NormStatistics {
  float mean, square; /* square: variance, or mean of squares */
} NormStatistics;

typedef struct NormAlgorithm {
  const char *name;
  NormStatistics (*run)(const float *x, int n, int centred, const NormKernel *k);
  int lanes, is_welford;
} NormAlgorithm;
enum { NORM_N_ALGORITHMS = 5 };
extern const NormAlgorithm norm_algorithms[NORM_N_ALGORITHMS];
int64_t norm_depth(const NormAlgorithm *a, int cols); /* as a contract tells it */

void norm_run(const NormRow *r, const NormAlgorithm *a, const NormKernel *k, float *y);
/* The same for rows whose squares may overflow: statistics of the row divided by `unit`, at least its largest magnitude or a
 * power of two near it. gamma and beta are not used. */
void norm_run_scaled(const NormRow *r, const NormAlgorithm *a, const NormKernel *k, float unit, float *y);

void norm_exact(mpfr_t y, const NormRow *r, int at); /* y: of NORM_PRECISION bits; the result at `at` */
double norm_distance(const mpfr_t from, double v);   /* |from - v| */

#endif
