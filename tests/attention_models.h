/* attention_models.h - inputs of attention, and attentions in float as correct kernels compute them, with the errors that their
 * functions may make. */
#ifndef ATTENTION_MODELS_H
#define ATTENTION_MODELS_H
#include <stdint.h>

enum { ATTENTION_MAX_ROWS = 4, ATTENTION_MAX_KEYS = 4100, ATTENTION_MAX_D = 32 };

typedef struct AttentionShape {
  int rows, keys, d, causal;
  float scale;
} AttentionShape;
AttentionShape attention_draw_shape(int most_keys, uint64_t *state);     /* mostly few keys */
int attention_seen(const AttentionShape *s, int row);                   /* keys that the row sees */

typedef struct AttentionArrays {
  float q[ATTENTION_MAX_ROWS * ATTENTION_MAX_D];
  float k[ATTENTION_MAX_KEYS * ATTENTION_MAX_D], v[ATTENTION_MAX_KEYS * ATTENTION_MAX_D];
  float o[ATTENTION_MAX_ROWS * ATTENTION_MAX_D];
} AttentionArrays; /* row-major, dense by the shape */

enum { ATTENTION_NORMAL, ATTENTION_PEAKED, ATTENTION_HUGE_SCORES, ATTENTION_TIES, ATTENTION_ASCENDING, ATTENTION_MIXED,
       ATTENTION_ZERO_QUERY, ATTENTION_DENORMAL, ATTENTION_MASKED_KEYS, ATTENTION_LARGE_VALUES, ATTENTION_HALF_ULPS,
       ATTENTION_CANCELLING, ATTENTION_N_KINDS };
extern const char *const attention_kind_names[ATTENTION_N_KINDS];
/* Masked keys: some key is left for the first row alone. */
void attention_draw_inputs(int kind, const AttentionShape *s, AttentionArrays *a, uint64_t *state);

typedef struct AttentionKernel {
  int error; /* how exponentials and quotients err: -1, 0 or 1 times the most that is documented; 2: one way or the other by the argument */
  int fast;  /* those of fast math, subnormals flushed */
  int exp2;  /* exponentials as powers of 2, the scale times log2(e) multiplied into q */
  int weights_first; /* p = w / sum, then the sum over p v */
  int backwards;     /* the dot products of q and k */
} AttentionKernel;
AttentionKernel attention_draw_kernel(uint64_t *state);

typedef struct AttentionAlgorithm {
  const char *name;
  void (*run)(const AttentionKernel *m, const AttentionShape *s, AttentionArrays *a, int row); /* o[row,*] */
} AttentionAlgorithm;
enum { ATTENTION_N_ALGORITHMS = 5, ATTENTION_ALL_SCORES = 0 };
extern const AttentionAlgorithm attention_algorithms[ATTENTION_N_ALGORITHMS];

#endif
