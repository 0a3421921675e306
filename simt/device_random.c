/* device_random.c - see device_random.h. A step is linear over GF(2) (G. Marsaglia, Xorshift RNGs, 2003): 2^k steps are a matrix of 160 x 160
 * bits, the square of that of 2^(k-1). */
#include "device_random.h"
#include <pthread.h>
#include <string.h>

enum { WORDS = 5, BITS = 32 * WORDS, SEQUENCE_LOG2 = 67, POWERS = SEQUENCE_LOG2 + 64 };

/* Row i is where bit i of a state goes. */
typedef struct Matrix {
  uint32_t row[BITS][WORDS];
} Matrix;

/* By the logarithm of the number of steps; computed when a process first jumps, and constant from then on. */
static Matrix powers[POWERS];
static pthread_once_t computed = PTHREAD_ONCE_INIT;

static void step(uint32_t v[WORDS]) {
  uint32_t t = v[0] ^ v[0] >> 2;
  memmove(v, v + 1, (WORDS - 1) * sizeof *v);
  v[4] = (v[4] ^ v[4] << 4) ^ (t ^ t << 1);
}

static void apply(const Matrix *m, uint32_t v[WORDS]) {
  uint32_t sum[WORDS] = {0};
  for (int i = 0; i < BITS; i++) {
    uint32_t take = 0u - (v[i / 32] >> i % 32 & 1);
    for (int k = 0; k < WORDS; k++) sum[k] ^= take & m->row[i][k];
  }
  memcpy(v, sum, sizeof sum);
}

static void compute(void) {
  for (int i = 0; i < BITS; i++) {
    powers[0].row[i][i / 32] = 1u << i % 32;
    step(powers[0].row[i]);
  }
  for (int n = 1; n < POWERS; n++)
    for (int i = 0; i < BITS; i++) {
      memcpy(powers[n].row[i], powers[n - 1].row[i], sizeof powers[n].row[i]);
      apply(&powers[n - 1], powers[n].row[i]);
    }
}

static void jump(uint32_t v[WORDS], int first_log2, uint64_t n) {
  for (int k = first_log2; n && k < POWERS; n >>= 1, k++)
    if (n & 1) apply(&powers[k], v);
}

void simt_xorwow_jump(uint32_t v[WORDS], uint64_t sequences, uint64_t steps) {
  pthread_once(&computed, compute);
  jump(v, SEQUENCE_LOG2, sequences);
  jump(v, 0, steps);
}
