/* fuzz_target.h - what the libFuzzer targets share. Inputs that start with "warpfuzz case" are cases as text; any other
 * bytes are decoded as a stream of choices. */
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
  int named;          /* files are run: a case that names another variant is run on that one */
} WfFuzzTarget;

/* Takes "--variant=OP/VARIANT" ('*' matches any text; default: the clean variants) and "--out=DIR" (default: here) from
 * the arguments, which stay as they are: libFuzzer ignores what starts with "--". Where an argument is a file, inputs are
 * reproduced rather than fuzzed: a case runs on the variant that it names, judged or not. 0; -1 with a message. */
int wf_fuzz_target_init(WfFuzzTarget *t, const char *op, int argc, char **argv, char *err, size_t err_size);

/* Runs one input: on the variant that it names if that is judged, else on every judged one whose contract admits it.
 * Writes findings to `log` and the case of each variant with an error to the output directory. Returns 1 when an error
 * was found; 0: none, or no case of this op; -1 with a message in `log`: a failure of the harness. */
int wf_fuzz_target_run(const WfFuzzTarget *t, const uint8_t *data, size_t size, FILE *log);

/* libFuzzer's custom mutator and crossover over cases; the result is text, or nothing changes when it does not fit into
 * max_size. Return the new size. */
size_t wf_fuzz_target_mutate(const WfFuzzTarget *t, uint8_t *data, size_t size, size_t max_size, unsigned seed);
size_t wf_fuzz_target_cross(const WfFuzzTarget *t, const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size,
                            uint8_t *out, size_t max_size, unsigned seed);

#endif
