/* entry.h - how tests/test_detect.c calls the kernels here: y[r,c] = 2 x[r,c] + w[c] is what each of them claims to compute.
 *
 * In scope of an ENTRY: device pointers x (rows by cols), w (cols), y (rows by cols; nobody wrote it), ints rows and cols,
 * dim3 grid and block. */
#ifndef TESTS_DETECT_ENTRY_H
#define TESTS_DETECT_ENTRY_H
#include "../../fuzz/op.h"

#define ENTRY(name)                                                                                                    \
  static void name##_on(float *x, float *w, float *y, int rows, int cols, dim3 grid, dim3 block);                      \
  extern "C" void name(const WfLaunchArgs *a) {                                                                        \
    name##_on((float *)a->tensor[0], (float *)a->tensor[1], (float *)a->tensor[2], (int)a->dim[0], (int)a->dim[1],     \
              dim3(a->grid[0], a->grid[1], a->grid[2]), dim3(a->block[0], a->block[1], a->block[2]));                  \
  }                                                                                                                    \
  static void name##_on([[maybe_unused]] float *x, [[maybe_unused]] float *w, [[maybe_unused]] float *y,               \
                        [[maybe_unused]] int rows, [[maybe_unused]] int cols, [[maybe_unused]] dim3 grid,              \
                        [[maybe_unused]] dim3 block)

#endif
