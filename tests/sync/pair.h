/* pair.h - what the kernels here share: for each pattern a right and a wrong form of one kernel, for tests/test_sync.c.
 *
 * `out` holds n ints that nobody wrote, `in` the numbers 1 to n, `acc` n zeros that count as written. */
#ifndef TESTS_SYNC_PAIR_H
#define TESTS_SYNC_PAIR_H

#define PAIR(name)                                                                                                     \
  template <bool Right> static void name##_on(int *out, const int *in, int *acc, int n);                               \
  extern "C" void name##_right(void **b, int n) { name##_on<true>((int *)b[0], (const int *)b[1], (int *)b[2], n); }    \
  extern "C" void name##_wrong(void **b, int n) { name##_on<false>((int *)b[0], (const int *)b[1], (int *)b[2], n); }   \
  template <bool Right>                                                                                                \
  static void name##_on([[maybe_unused]] int *out, [[maybe_unused]] const int *in, [[maybe_unused]] int *acc,          \
                        [[maybe_unused]] int n)

#endif
