/* device_shows.c - the declaration, a line a class. */
#include "device_shows.h"
#include <stddef.h>

#define BIT(c) (1u << (c))
#define WRONG (BIT(SIMT_WRONG_SPECIAL) | BIT(SIMT_WRONG_RESULT))
#define OTHER_BITS (WRONG | BIT(SIMT_NONDETERMINISTIC))
/* Where a wild write leads: into a guard, an input, an output's memory, or out of what is mapped. */
#define WILD (OTHER_BITS | BIT(SIMT_OOB_GLOBAL) | BIT(SIMT_INPUT_WRITTEN) | BIT(SIMT_UNWRITTEN_OUTPUT))
/* What is done with a value that is not the right one. */
#define ASTRAY (WILD | BIT(SIMT_UNINIT_GLOBAL) | BIT(SIMT_HANG))

typedef struct Shows {
  uint32_t may;
  const char *misses; /* NULL: it must show one of these */
} Shows;

static const Shows shows[SIMT_CLASS_COUNT] = {
    [SIMT_RACE_WARP] = {ASTRAY, "a race shows only when the hardware takes the bad order"},
    [SIMT_RACE_SHARED] = {ASTRAY, "a race shows only when the hardware takes the bad order"},
    [SIMT_RACE_GLOBAL] = {ASTRAY, "a race shows only when the hardware takes the bad order"},
    [SIMT_BARRIER_DIVERGENCE] = {ASTRAY | BIT(SIMT_TRAP), "barriers count threads that arrive, wherever they do"},
    [SIMT_SHUFFLE_MASK] = {ASTRAY | BIT(SIMT_TRAP), "lanes that a mask leaves out often run along all the same"},
    [SIMT_OOB_GLOBAL] = {WILD | BIT(SIMT_UNINIT_GLOBAL) | BIT(SIMT_HANG), "a read, and a write of what is there already, harms nothing that is mapped"},
    [SIMT_OOB_SHARED] = {ASTRAY, "shared memory is given out in larger pieces than was asked for"},
    [SIMT_OOB_LOCAL] = {ASTRAY | BIT(SIMT_TRAP), "local memory behind an array is other local memory, or a register"},
    [SIMT_MISALIGNED] = {BIT(SIMT_MISALIGNED), NULL},
    [SIMT_UNINIT_GLOBAL] = {ASTRAY, "memory that nobody wrote may hold what is right"},
    [SIMT_UNINIT_SHARED] = {ASTRAY, "shared memory that nobody wrote may hold what is right"},
    [SIMT_UNWRITTEN_OUTPUT] = {BIT(SIMT_UNWRITTEN_OUTPUT), NULL},
    [SIMT_INPUT_WRITTEN] = {BIT(SIMT_INPUT_WRITTEN) | OTHER_BITS, NULL},
    [SIMT_INT_OVERFLOW] = {ASTRAY, "a sum that wraps may lead to the right place again"},
    [SIMT_INT_DIVISION] = {ASTRAY, "a division by zero has some value on a device, which may not matter"},
    [SIMT_HANG] = {BIT(SIMT_HANG), NULL},
    [SIMT_STACK_OVERFLOW] = {BIT(SIMT_OOB_GLOBAL) | BIT(SIMT_TRAP), "a compiler may turn the recursion into a loop"},
    [SIMT_TRAP] = {BIT(SIMT_TRAP), NULL},
    [SIMT_LAUNCH_ERROR] = {BIT(SIMT_LAUNCH_ERROR), NULL},
    [SIMT_WRONG_SPECIAL] = {WRONG | BIT(SIMT_NONDETERMINISTIC), NULL},
    [SIMT_WRONG_RESULT] = {WRONG | BIT(SIMT_NONDETERMINISTIC), NULL},
    [SIMT_NONDETERMINISTIC] = {ASTRAY, "other orders of blocks cannot be forced on a device"},
};

uint32_t wf_device_may_show(uint32_t engine) {
  uint32_t may = 0;
  for (unsigned c = 0; c < SIMT_CLASS_COUNT; c++)
    if (engine >> c & 1)
      may |= shows[c].may;
  return may;
}

const char *wf_device_misses(SimtClass c) { return shows[c].misses; }

int wf_device_agrees(uint32_t engine, uint32_t device, const char **why) {
  *why = NULL;
  if (engine == device || (engine & device))
    return device & ~engine & ~wf_device_may_show(engine) ? -1 : 1;
  if (device & ~wf_device_may_show(engine))
    return -1;
  if (device) {
    *why = "a consequence of what the engine names";
    return 0;
  }
  for (unsigned c = 0; c < SIMT_CLASS_COUNT; c++) {
    if (!(engine >> c & 1))
      continue;
    *why = shows[c].misses;
    if (!*why)
      return -1;
  }
  return 0;
}
