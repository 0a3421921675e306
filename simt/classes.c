/* classes.c - names of the finding classes, as in cases, reports and on the command line. */
#include "simt.h"
#include <string.h>

static const char *const names[] = {
    [SIMT_RACE_WARP] = "race-warp",
    [SIMT_RACE_SHARED] = "race-shared",
    [SIMT_RACE_GLOBAL] = "race-global",
    [SIMT_BARRIER_DIVERGENCE] = "barrier-divergence",
    [SIMT_SHUFFLE_MASK] = "shuffle-mask",
    [SIMT_OOB_GLOBAL] = "oob-global",
    [SIMT_OOB_SHARED] = "oob-shared",
    [SIMT_OOB_LOCAL] = "oob-local",
    [SIMT_MISALIGNED] = "misaligned",
    [SIMT_UNINIT_GLOBAL] = "uninit-global",
    [SIMT_UNINIT_SHARED] = "uninit-shared",
    [SIMT_UNWRITTEN_OUTPUT] = "unwritten-output",
    [SIMT_INPUT_WRITTEN] = "input-written",
    [SIMT_INT_OVERFLOW] = "int-overflow",
    [SIMT_INT_DIVISION] = "int-division",
    [SIMT_HANG] = "hang",
    [SIMT_STACK_OVERFLOW] = "stack-overflow",
    [SIMT_TRAP] = "trap",
    [SIMT_LAUNCH_ERROR] = "launch-error",
    [SIMT_WRONG_SPECIAL] = "wrong-special",
    [SIMT_WRONG_RESULT] = "wrong-result",
    [SIMT_NONDETERMINISTIC] = "nondeterministic",
};
_Static_assert(sizeof names / sizeof *names == SIMT_CLASS_COUNT, "every class has a name");
_Static_assert(SIMT_CLASS_COUNT <= 32, "sets of classes are 32-bit words");

const char *simt_class_name(SimtClass c) {
  return (unsigned)c < SIMT_CLASS_COUNT ? names[c] : "unknown";
}

int simt_class_parse(const char *name, size_t len, SimtClass *out) {
  for (unsigned c = 0; c < SIMT_CLASS_COUNT; c++) {
    if (strlen(names[c]) == len && memcmp(names[c], name, len) == 0) {
      *out = (SimtClass)c;
      return 0;
    }
  }
  return -1;
}
