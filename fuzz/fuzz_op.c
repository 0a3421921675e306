/* fuzz_op.c - libFuzzer target of every op. One property: no clean kernel of the op has an error on any case that its contract
 * admits. The program's name says which op: fuzz_softmax, fuzz_fault_F14 (of fault/F14), with or without _replay. With
 * --variant=softmax/NAME another choice of kernels, e.g. a faulty one to be caught. */
#include "fuzz_target.h"
#include <stdlib.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size, uint8_t *out,
                                 size_t max_size, unsigned seed);

/* libFuzzer hands no context to its callbacks. Set once; nothing is kept from input to input but the engine's memory. */
static WfFuzzTarget target;

int LLVMFuzzerInitialize(int *argc, char ***argv) {
  char err[512];
  const char *program = (*argv)[0];
  const WfOp *op = wf_op_of_program(program, "fuzz_");
  if (!op) {
    fprintf(stderr, "%s: a fuzz target is called fuzz_OP, and there is no such op\n", program);
    exit(2);
  }
  if (wf_fuzz_target_init(&target, op->name, *argc, *argv, err, sizeof err) == 0) return 0;
  fprintf(stderr, "%s: %s\n", program, err);
  exit(2);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (wf_fuzz_target_run(&target, data, size, stderr) != 0) abort(); /* libFuzzer saves the input and ends */
  return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed) {
  return wf_fuzz_target_mutate(&target, data, size, max_size, seed);
}

size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size, uint8_t *out,
                                 size_t max_size, unsigned seed) {
  return wf_fuzz_target_cross(&target, a, a_size, b, b_size, out, max_size, seed);
}
