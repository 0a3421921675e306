/* fuzz_op.c - libFuzzer target of every op. One property: no clean kernel of the op has an error on any case that its contract
 * admits. The program's name says which op: fuzz_softmax, fuzz_fault_F14 (of fault/F14), with or without _replay. With
 * --variant=softmax/NAME another choice of kernels, e.g. a faulty one to be caught. */
#include "fuzz_target.h"
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size, uint8_t *out,
                                 size_t max_size, unsigned seed);

/* libFuzzer hands no context to its callbacks. Set once; nothing is kept from input to input but the engine's memory. */
static WfFuzzTarget target;

/* Is `name` this op's, with _ for / ? */
static int is_name_of(const WfOp *op, const char *name, size_t len) {
  if (strlen(op->name) != len) return 0;
  for (size_t i = 0; i < len; i++)
    if (name[i] != (op->name[i] == '/' ? '_' : op->name[i])) return 0;
  return 1;
}

static const WfOp *named_op(const char *program) {
  static const char prefix[] = "fuzz_", suffix[] = "_replay";
  const char *slash = strrchr(program, '/'), *name = slash ? slash + 1 : program;
  size_t len = strlen(name);
  if (strncmp(name, prefix, sizeof prefix - 1) != 0) return NULL;
  name += sizeof prefix - 1;
  len -= sizeof prefix - 1;
  if (len >= sizeof suffix && strcmp(name + len - (sizeof suffix - 1), suffix) == 0) len -= sizeof suffix - 1;
  for (size_t i = 0; wf_ops[i]; i++)
    if (is_name_of(wf_ops[i], name, len)) return wf_ops[i];
  return NULL;
}

int LLVMFuzzerInitialize(int *argc, char ***argv) {
  char err[512];
  const WfOp *op = named_op((*argv)[0]);
  if (!op) {
    fprintf(stderr, "%s: a fuzz target's name is fuzz_OP, and there is no such op\n", (*argv)[0]);
    exit(2);
  }
  if (wf_fuzz_target_init(&target, op->name, *argc, *argv, err, sizeof err) == 0) return 0;
  fprintf(stderr, "%s: %s\n", (*argv)[0], err);
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
