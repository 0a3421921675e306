/* norm_models.h - rows to normalise, and layernorms and rmsnorms in float as correct kernels compute them, with the errors that
 * their functions may make. */
#ifndef NORM_MODELS_H
#define NORM_MODELS_H
#include <stdint.h>

enum { NORM_MAX_COLS = 4096 };

/* ---- rows ---- */

enum { NORM_NORMAL, NORM_FAR, NORM_MIXED, NORM_LARGE, NORM_DENORMAL, NORM_CONSTANT, NORM_OUTLIER, NORM_ALTERNATING, NORM_NEARLY_CONSTANT,
       NORM_INTEGERS, NORM_HALF_ULPS, NORM_N_KINDS };
extern const char *const norm_kind_names[NORM_N_KINDS];

/* x, gamma and beta: n each, n <= NORM_MAX_COLS. gamma and beta are 1 and 0 in half of the rows. */
void norm_draw_row(int kind, int n, float *x, float *gamma, float *beta, uint64_t *state);
int norm_draw_cols(int most, uint64_t *state); /* 1 .. most, mostly small */

/* ---- float kernels ---- */

/* An element that is added 0 or 2 times. */
typedef struct NormFault {
  int at;
  int in_mean, in_square; /* how often: 1 is right */
} NormFault;

/* What a row is divided by before its squares are taken, so that they do not overflow: nothing; its largest magnitude if that is above 1;
 * the power of two below that; its largest magnitude whatever it is, unless it is nearly 0. */
typedef enum NormUnit { NORM_UNSCALED, NORM_ABOVE_ONE, NORM_POWER_OF_TWO, NORM_ALWAYS } NormUnit;
enum { NORM_N_UNITS = NORM_ALWAYS + 1 };
extern const char *const norm_unit_names[NORM_N_UNITS];

typedef struct NormKernel { /* how a kernel's functions err: -1, 0 or 1 times the most that is documented */
  int root, quotient;
  int fast;   /* the documented errors of fast math, subnormals flushed */
  int line;   /* a x + b */
  NormUnit unit;
  const NormFault *fault; /* NULL: none. Of sums in float in two passes only */
} NormKernel;
NormKernel norm_draw_kernel(uint64_t *state); /* unscaled, without a fault */

typedef struct NormRow {
  int n, centred; /* centred: layernorm */
  const float *x, *gamma, *beta; /* n each; gamma NULL: 1, beta NULL: 0 */
  float eps;
} NormRow;

typedef struct NormStatistics {
  float mean, square; /* square: variance, or mean of squares */
} NormStatistics;

typedef struct NormAlgorithm {
  const char *name;
  NormStatistics (*run)(const float *x, int n, int centred, const NormKernel *k);
  int64_t (*depth)(int n); /* additions that an element goes through at most, as a contract tells them (reference/norm.h) */
} NormAlgorithm;
enum { NORM_LANES = 1 /* two passes, 32 lanes */, NORM_WELFORD = 8 /* from here on */, NORM_N_ALGORITHMS = 10 };
extern const NormAlgorithm norm_algorithms[NORM_N_ALGORITHMS];

void norm_run(const NormAlgorithm *a, const NormRow *r, const NormKernel *k, float *y);

#endif
