/* launcher.h - what the kernels here share: a host function that tests/test_simt.c calls.
 *
 * `out` holds n ints that nobody wrote, `in` the numbers 1 to n, `acc` n zeros that count as written. */
#ifndef TESTS_SIMT_LAUNCHER_H
#define TESTS_SIMT_LAUNCHER_H

#define LAUNCHER(name)                                                                                                 \
  static void name##_on(int *out, const int *in, int *acc, int n);                                                     \
  extern "C" void name(void **buffers, int n) {                                                                        \
    name##_on((int *)buffers[0], (const int *)buffers[1], (int *)buffers[2], n);                                       \
  }                                                                                                                    \
  static void name##_on([[maybe_unused]] int *out, [[maybe_unused]] const int *in, [[maybe_unused]] int *acc,          \
                        [[maybe_unused]] int n)

#endif
