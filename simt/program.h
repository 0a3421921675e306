/* program.h - a whole CUDA program on the engine: the context in which its launches and its calls of the runtime (doc/RUNTIME.md) run,
 * from its first instruction to its last. One a process.
 *
 * Whoever builds such programs calls simt_program_begin() ahead of every constructor of the program's own, and simt_program_end() behind its
 * last destructor. What findings point to lives until then. In between the program's host threads call the runtime as they like. */
#ifndef SIMT_PROGRAM_H
#define SIMT_PROGRAM_H
#include "simt.h"
#ifdef __cplusplus
extern "C" {
#endif

typedef struct SimtProgramHow {
  SimtRun run; /* schedule, detectors, budget; as for simt_begin(). max_steps 0: by the memory that each launch can touch. fill: to be 0, as fresh
                * memory of a device mostly is; what depends on it is found by running launches again */
  /* Each new finding, behind the launch or the call that made it; again when it has turned from a warning to an error. Called by the host
   * thread that caused it, one at a time; must not call the runtime. */
  void (*found)(void *ctx, const SimtFinding *f);
  /* The program calls a function of CUDA's that the engine does not have; it gets cudaErrorNotSupported when this returns. */
  void (*unsupported)(void *ctx, const char *function, const SimtSite *site /* may be NULL */);
  /* What printf() in a kernel writes; NULL: it goes to stdout. */
  void (*print)(void *ctx, const char *text, size_t bytes);
  void *ctx;
} SimtProgramHow;

typedef struct SimtProgramTotals {
  size_t errors, warnings; /* distinct findings */
  uint64_t launches;
  uint64_t unjudged; /* launches that read values nobody wrote and were not run again: too much memory (doc/RUNTIME.md) */
  int abandoned;     /* 1: some launch was cut short without a finding: there is no verdict on it */
} SimtProgramTotals;

/* 0; -1: no memory or address space, or a program runs already. */
int simt_program_begin(const SimtProgramHow *how);

/* Of the text of WARPFUZZ_DEVICE (NULL: none), "multiProcessorCount=108,name=...": 0; -1: the part of it in `bad` is none. */
int simt_program_check_device(const char *text, char *bad, size_t size);

/* Waits for all, tells of what was never freed, and gives everything back. totals may be NULL. Calls of the runtime fail from then on with
 * cudaErrorCudartUnloading. Does nothing when no program runs. */
void simt_program_end(SimtProgramTotals *totals);

/* The context; NULL: no program runs. */
Simt *simt_program(void);

/* Findings so far, as simt_findings() has them, for a program that is about to die of a signal: callable at any time. */
const SimtFinding *simt_program_findings(size_t *n);

#ifdef __cplusplus
}
#endif
#endif
