/* dot_models.h - values of which sums and dot products are hard, and dot products in float as correct kernels compute them: in
 * various orders, fused or not. */
#ifndef DOT_MODELS_H
#define DOT_MODELS_H
#include <stdint.h>

enum { DOT_MAX = 4096, DOT_ROWS = 2, DOT_COLS = 3, DOT_N_ORDERS = 9 };

int dot_below(uint64_t *state, int n); /* 0 .. n-1 */
float dot_draw_normal(uint64_t *state);
/* Any bits; or near another number: so many units in the last place, or so many binary places, away. */
float dot_draw_bits(uint64_t *state, float near);
int dot_draw_depth(uint64_t *state); /* 1 .. DOT_MAX, mostly small */

/* DOT_BITS: anything, NaN and infinities too. */
enum { DOT_NORMAL, DOT_POSITIVE, DOT_MIXED, DOT_CANCELLING, DOT_TINY, DOT_HALF_ULPS, DOT_DESCENDING, DOT_BITS, DOT_N_KINDS };
extern const char *const dot_kind_names[DOT_N_KINDS];
/* a[DOT_ROWS, k] and b[k, DOT_COLS], row-major. */
void dot_draw_factors(int kind, int k, float *a, float *b, uint64_t *state);

typedef struct DotOrder {
  const char *name;
  float (*run)(const float *u, const float *v, int k); /* k <= DOT_MAX */
  int64_t (*depth)(int k);                             /* additions that an addend goes through at most */
  int is_shallow;                                      /* 1: fewer than k */
} DotOrder;
extern const DotOrder dot_orders[DOT_N_ORDERS];

/* Sums by atomicAdd in global memory, which flushes what is subnormal: one after the other, and of the sums of blocks of 32. */
float dot_atomics(const float *x, int k);
float dot_atomic_blocks(const float *x, int k);

#endif
