/* target_crash.c - one function a class of findings, to crash in. What looks at crashes, such as ClusterFuzz, takes the innermost functions of
 * the stack for the crash's name: it must say what was found, and be the same each time. */
#include "fuzz_target.h"
#include <stdlib.h>

#define CLASSES(X) \
  X(SIMT_RACE_WARP, race_warp) \
  X(SIMT_RACE_SHARED, race_shared) \
  X(SIMT_RACE_GLOBAL, race_global) \
  X(SIMT_BARRIER_DIVERGENCE, barrier_divergence) \
  X(SIMT_SHUFFLE_MASK, shuffle_mask) \
  X(SIMT_OOB_GLOBAL, oob_global) \
  X(SIMT_OOB_SHARED, oob_shared) \
  X(SIMT_OOB_LOCAL, oob_local) \
  X(SIMT_MISALIGNED, misaligned) \
  X(SIMT_UNINIT_GLOBAL, uninit_global) \
  X(SIMT_UNINIT_SHARED, uninit_shared) \
  X(SIMT_UNWRITTEN_OUTPUT, unwritten_output) \
  X(SIMT_INPUT_WRITTEN, input_written) \
  X(SIMT_INT_OVERFLOW, int_overflow) \
  X(SIMT_INT_DIVISION, int_division) \
  X(SIMT_HANG, hang) \
  X(SIMT_STACK_OVERFLOW, stack_overflow) \
  X(SIMT_TRAP, trap) \
  X(SIMT_LAUNCH_ERROR, launch_error) \
  X(SIMT_WRONG_SPECIAL, wrong_special) \
  X(SIMT_WRONG_RESULT, wrong_result) \
  X(SIMT_NONDETERMINISTIC, nondeterministic)

/* The volatile keeps compilers from making one function of them all. */
#define CRASH(cls, name) \
  __attribute__((noinline)) static void warpfuzz_##name(void) { \
    volatile SimtClass found = cls; \
    (void)found; \
    abort(); \
  }
CLASSES(CRASH)

#define ROW(cls, name) [cls] = warpfuzz_##name,
static void (*const crash[])(void) = {CLASSES(ROW)};
_Static_assert(sizeof crash / sizeof *crash == SIMT_CLASS_COUNT, "every class has its crash");

void wf_fuzz_target_crash(SimtClass cls) {
  if (cls < SIMT_CLASS_COUNT) crash[cls]();
  abort(); /* behind the call, so that it is none that leaves no frame */
}
