/* fuzz_target.h - what the fuzz targets share. Inputs that start with "warpfuzz case" are cases as text; any other
 * bytes are decoded as a stream of choices. doc/TARGETS.md is the user's side of it. */
#ifndef WF_FUZZ_TARGET_H
#define WF_FUZZ_TARGET_H
#include "run.h"
#include "select.h"

typedef struct WfFuzzTarget {
  const WfOp *op;
  WfTarget *variants; /* those that are judged */
  size_t n_variants;
  WfRunner *runner;
  const char *out;    /* where the cases of findings go */
  int keeps_log;      /* 1: findings.jsonl as well: the directory was named */
  int named;          /* files are run: a case that names another variant is run on that one */
  int goes_on;        /* 1: a finding does not end the process. What it told, and what it ends with: */
  int status;         /* exit status if anything was found */
  uint64_t *told;     /* ids of findings, malloc'ed */
  size_t n_told;
  uint64_t n_bad;     /* executions with an error */
} WfFuzzTarget;

/* Takes "--variant=OP/VARIANT" ('*' matches any text; default: the clean variants) and "--out=DIR" (default: here) from
 * the arguments, which stay as they are: libFuzzer ignores what starts with "--". Without the argument WARPFUZZ_VARIANT and WARPFUZZ_OUT
 * say the same; WARPFUZZ_ABORT=0 makes the process go on behind findings. A directory that is named is made. Where an argument is a file,
 * inputs are reproduced rather than fuzzed: a case runs on the variant that it names, judged or not. 0; -1 with a message of one line. */
int wf_fuzz_target_init(WfFuzzTarget *t, const char *op, int argc, char **argv, char *err, size_t err_size);
void wf_fuzz_target_free(WfFuzzTarget *t);

/* Runs one input: on the variant that it names if that is judged, else on every judged one whose contract admits it.
 * Writes the case of each variant with an error to the output directory and then its findings to `log`. Returns 1 + the class of the first
 * error that was found; 0: none, or no case of this op; -1 with a message in `log`: a failure of the harness. */
int wf_fuzz_target_run(WfFuzzTarget *t, const uint8_t *data, size_t size, FILE *log);

/* libFuzzer's custom mutator and crossover over cases; the result is text, or nothing changes when it does not fit into
 * max_size. An input that is larger than max_size (libFuzzer minimizes it) is made simpler instead, and fits. Return the new size. */
size_t wf_fuzz_target_mutate(const WfFuzzTarget *t, uint8_t *data, size_t size, size_t max_size, unsigned seed);
size_t wf_fuzz_target_cross(const WfFuzzTarget *t, const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size,
                            uint8_t *out, size_t max_size, unsigned seed);

/* Ends the process by abort(), in a function that is called after the class: who groups crashes by their stacks has a group a class. */
void wf_fuzz_target_crash(SimtClass cls) __attribute__((noreturn));

#endif
