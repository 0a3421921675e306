/* run.h - runs one variant on one case and judges it: engine findings, poison by further fills, oracle, second
 * schedule, inputs unchanged, outputs written, relations, a repeat (doc/ORACLE.md). */
#ifndef WF_RUN_H
#define WF_RUN_H
#include "../gpu/device.h"
#include "finding.h"

#define WF_MAX_FINDINGS 32
#define WF_MAX_MEANT 4

typedef struct WfVerdict {
  size_t n;                      /* findings, at most WF_MAX_FINDINGS; further ones are only counted */
  size_t n_dropped;
  WfFinding finding[WF_MAX_FINDINGS];
  uint32_t errors, warnings;     /* sets of 1u << SimtClass */
  uint32_t meant;                /* likewise: races that the source says are meant; they are no findings */
  size_t n_meant;
  WfFinding meant_race[WF_MAX_MEANT];
  int no_verdict;                /* 1: the engine gave up without a finding (more blocks wait for each other than it runs at
                                    a time, the grid is too large for the budget of steps, or memory ran out): outputs were not judged */
  char outside[160];             /* why the contract does not admit the case (WfRunOptions.outside); "": it does */
  uint64_t runs;                 /* engine runs this took (fills, schedules) */
  SimtStats stats;               /* of the first run */
  int has_worst;                 /* 1: results were compared with the reference, and some are finite: of these, the largest error */
  double worst_ulp, worst_share; /* in ULP of float at the reference; as share of the bound, where that is not 0 */
  uint32_t situations;           /* set of 1u << WfSituation (situations.h) this execution was in */
} WfVerdict;

typedef struct WfRunner WfRunner; /* engine context and buffers, reused from case to case; keeps no other state */
int wf_runner_create(WfRunner **out); /* 0; -1: no memory, or no addresses */
#define WF_NO_RUNNER "no memory, or no room for the engine's 16 TiB of addresses: see ulimit -v, and vm.overcommit_memory, which must not be 2"
void wf_runner_destroy(WfRunner *r);

/* Where cases run. WF_BACKEND_BOTH: on the engine first, then on the device, one verdict for both. */
typedef enum WfBackend { WF_BACKEND_SIMT, WF_BACKEND_GPU, WF_BACKEND_BOTH } WfBackend;
struct WfGpu;
/* From now on wf_run() runs cases there: on the device of gpu (not WF_BACKEND_SIMT; it must outlive the runner, and is free for others
 * between two calls), with kernels as nvcc compiled them in that flavor. */
void wf_runner_use(WfRunner *r, WfBackend backend, struct WfGpu *gpu, WfGpuFlavor flavor);
const char *wf_runner_device(const WfRunner *r); /* the device, for WfFinding.device; "": none */

typedef struct WfRunOptions {
  uint32_t detect;    /* SIMT_DETECT_* */
  double rtol, atol;  /* what a user adds to the bound of an element: rtol * |reference| + atol; finite, at least 0. With
                         either, invariants are not checked: their bounds know nothing of it */
  int outside;        /* 1: the contract need not admit the case, as long as it has a launch (wf_case_launch) */
  uint64_t max_steps; /* 0: default */
  int may_be_slow;    /* 1: what uses up max_steps has no verdict, and is no hang */
  int some_blocks;    /* 1: only some blocks run, as for cases that are too large, whatever the size; for tests of contracts */
  int all_relations;  /* 1: all further runs that check relations and the repeat, as a replay does; 0: one of them for
                         one case in four, chosen by the case, so that fuzzing stays fast. On a device: repeats */
  int repeated;       /* 1: on a device, at least one repeat, whatever the case says */
  int once;           /* 1: on a device, nothing but one run */
  int patient;        /* 1: on a device, what hangs is run once more with more time: it may have waited for another process */
} WfRunOptions;

/* The case must be admitted by v (wf_case_admits), unless opt->outside. Same case, same build: same verdict, byte for byte.
 * 0; -1: out of memory, or the device failed, -2: the contract does not admit the case; why in err (may be NULL).
 *
 * Findings name causes: the oracle (wrong-special, wrong-result, invariants), the comparison of schedules
 * (nondeterministic), relations and the repeat, in this order, only speak when nothing else is an error, and never about
 * outputs of a run that was cut short.
 * A NaN is a NaN whatever its payload, in every comparison. For input-written, index, expected and got are about the
 * tensor named by simt.object; for nondeterministic, expected is the value under the first schedule. */
int wf_run(WfRunner *r, const WfCase *c, const WfVariant *v, const WfRunOptions *opt, WfVerdict *out, char *err,
           size_t err_size);

/* oracle.c: compares y (kernel output) with the reference, class first, then !(err <= bound). Adds wrong-special and
 * wrong-result to the verdict. */
typedef struct WfJudge {
  const WfOp *op;
  const WfVariant *variant;
  uint64_t key;
  const int64_t *dim;
  const float *y;
  const double *ref, *bound;
  int64_t n_elems;
  WfDtype dtype; /* of the output */
  double rtol, atol;
  const int64_t *slice; /* NULL, or which slices of the output the arrays hold: dim[0] is their number */
  const char *change; /* NULL, or what was done to the input where ref is another run's output: "the columns in ..." */
  const char *rule;   /* static text, with change: what must hold */
  const char *device, *build; /* WfFinding */
} WfJudge;
void wf_judge(const WfJudge *j, WfVerdict *out);
int wf_judge_all_right(const WfJudge *j); /* 1: wf_judge() would add nothing */
int wf_judge_is_right(const WfJudge *j, int64_t i); /* of one element alone */
/* Of an element of a 16-bit type, by the bound alone: least and largest result that is right, numbers of the type. Where the reference is
 * not finite it is both. */
void wf_judge_range(const WfJudge *j, int64_t i, double *low, double *high);
void wf_verdict_add(WfVerdict *v, const WfFinding *f); /* deduplicates by wf_finding_same */

#endif
