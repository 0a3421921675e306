/* primes.h - for tests of drawn shapes. */
#ifndef WF_TESTS_PRIMES_H
#define WF_TESTS_PRIMES_H
#include <stdint.h>

static inline int is_prime(int64_t v) {
  for (int64_t d = 2; d * d <= v; d++)
    if (v % d == 0)
      return 0;
  return v > 1;
}

#endif
