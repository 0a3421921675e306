/* fuzz_op.c - libFuzzer target of every op. One property: no clean kernel of the op has an error on any case that its contract
 * admits. The program's name says which op: fuzz_softmax, fuzz_fault_F14 (of fault/F14), with or without _replay or _afl. With
 * --variant=softmax/NAME another choice of kernels, e.g. a faulty one to be caught. */
#include "afl_coverage.h"
#include "fuzz_target.h"
#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size, uint8_t *out,
                                 size_t max_size, unsigned seed);

/* libFuzzer hands no context to its callbacks. Set once; nothing is kept from input to input but the engine's memory, and with
 * WARPFUZZ_ABORT=0 what was told. */
static WfFuzzTarget target;

/* The driver would end with 0, whatever was found on the way. */
static void end(void) {
  if (target.n_bad == 0) return;
  fprintf(stderr, "warpfuzz: %" PRIu64 " execution%s with an error, %zu finding%s\n", target.n_bad, target.n_bad == 1 ? "" : "s", target.n_told,
          target.n_told == 1 ? "" : "s");
  fflush(stdout);
  _exit(target.status);
}

int LLVMFuzzerInitialize(int *argc, char ***argv) {
  char err[1024];
  const char *program = (*argv)[0];
  const WfOp *op = wf_op_of_program(program, "fuzz_");
  if (!op) {
    fprintf(stderr, "%s: a fuzz target is called fuzz_OP, and there is no such op\n", program);
    exit(2);
  }
  if (wf_fuzz_target_init(&target, op->name, *argc, *argv, err, sizeof err) == 0 && (!target.goes_on || atexit(end) == 0)) return 0;
  fprintf(stderr, "%s: %s\n", program, err);
  exit(2);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  int found = wf_fuzz_target_run(&target, data, size, stderr);
  wf_afl_coverage_take(); /* of a crash, too: AFL tells crashes apart by it */
  if (found < 0) abort();
  if (found && !target.goes_on) wf_fuzz_target_crash((SimtClass)(found - 1)); /* the driver saves the input and ends */
  return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed) {
  return wf_fuzz_target_mutate(&target, data, size, max_size, seed);
}

size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size, uint8_t *out,
                                 size_t max_size, unsigned seed) {
  return wf_fuzz_target_cross(&target, a, a_size, b, b_size, out, max_size, seed);
}
