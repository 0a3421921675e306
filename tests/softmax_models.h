/* softmax_models.h - rows to take a softmax of, and float softmaxes as correct kernels compute them, with the errors that
 * their functions may make. */
#ifndef SOFTMAX_MODELS_H
#define SOFTMAX_MODELS_H
#include <stddef.h>
#include <stdint.h>

enum { MODEL_MAX_COLS = 20000 };

uint64_t model_next(uint64_t *state);       /* SplitMix64 */
int model_below(uint64_t *state, int n);    /* 0 .. n-1 */
double model_unit(uint64_t *state);         /* 0 <= . < 1 */
double model_normal(uint64_t *state);       /* nearly so, within 6 */

/* How the exponential and the logarithm err: not at all, always by the most that is documented, up or down, one way for
 * small arguments and the other for large ones, or anyhow. */
typedef enum ModelError { MODEL_EXACT, MODEL_UP, MODEL_DOWN, MODEL_SPLIT, MODEL_RANDOM, MODEL_N_ERRORS } ModelError;

typedef struct Model {
  int fast;       /* __expf instead of expf */
  int flush;      /* what is below FLT_MIN becomes 0 */
  int reciprocal; /* times 1 / sum instead of divided by sum */
  ModelError error;
  uint64_t *state;
  int fast_math;  /* quotients and logarithms err as under fast math; with fast and flush set, all of it */
} Model;

/* x and y: n floats, n <= MODEL_MAX_COLS; at least one of x is finite, none is NaN or +inf. */
typedef struct ModelAlgorithm {
  const char *name;
  void (*run)(const Model *m, const float *x, float *y, int n);
} ModelAlgorithm;
extern const ModelAlgorithm model_algorithms[];
extern const size_t model_n_algorithms;

typedef struct ModelRow {
  const char *name;
  void (*draw)(float *x, int n, uint64_t *state);
} ModelRow;
extern const ModelRow model_rows[];
extern const size_t model_n_rows;

#endif
