/* run_impl.h - what the parts of wf_run() share: the runner's buffers, one case being run, one attempt at it. */
#ifndef WF_RUN_IMPL_H
#define WF_RUN_IMPL_H
#include "element.h"
#include "run.h"
#include "sparse.h"

/* NaN patterns that no kernel computes: devices and x86 produce 0x7fffffff, 0x7fc00000 and 0xffc00000. */
#define WF_PATTERN_OUTPUT 0x7fc0deadu /* outputs before a run */
#define WF_PATTERN_FILL 0x7fc0beefu   /* SimtRun.fill, values that nobody wrote */

typedef struct WfArray {
  void *p;
  size_t room_bytes;
} WfArray;

/* A reference of a case of a batch: variants differ in what they ask it for, and take turns. */
typedef struct WfKnownRef {
  const WfCase *c; /* NULL: none */
  WfMasked masked;
  WfDtype arith;
  uint32_t flags;
  int64_t depth;
  uint32_t situations; /* of the case's values, and WF_EXACT */
  WfArray ref, bound;
} WfKnownRef;

enum { WF_KNOWN_REFS = 8 };

struct WfRunner {
  Simt *simt;
  WfBackend backend;
  struct WfGpu *gpu;
  WfGpuFlavor flavor;
  char device_text[160];          /* of findings there */
  WfKnownRef known[WF_KNOWN_REFS]; /* in a ring */
  unsigned next_known;
  WfArray values[WF_MAX_TENSORS]; /* inputs as the host has them */
  WfArray y[3];                   /* outputs of the attempts: first, second, probe */
  WfArray unwritten[2];           /* a byte an output element: first, second */
  WfArray ref, bound;
  WfArray slices;                 /* of a case that is run in part */
  WfArray changed[WF_MAX_TENSORS]; /* inputs of a relation */
  WfArray at, moved;              /* of a relation: WfRelation.apply's `at`; the changed output in the order of the first */
  WfArray moved_ref, moved_bound, changed_bound;
};

/* One engine run of the case and what came of it. */
typedef struct WfAttempt {
  SimtRun run;
  uint32_t pattern;    /* outputs before it */
  SimtStats stats;
  float *y;            /* output after it */
  uint8_t *unwritten;  /* 1 for each output element nobody wrote; NULL for probes */
  uint64_t n_unwritten; /* 0 also when the run was cut short: nothing is said about its outputs then */
} WfAttempt;

/* What a lazy buffer is filled from. */
typedef struct WfLazyTensor {
  const WfCase *c;
  int tensor, is_input;
  uint32_t pattern; /* an output's */
} WfLazyTensor;

/* One wf_run() under way. Host arrays hold a tensor whole, dense; or, where only some blocks run, the slices that these own
 * (sparse.h), one after the other, of each tensor that has the op's first dim first. */
typedef struct WfExec {
  WfRunner *runner;
  const WfCase *c;
  const WfVariant *variant;
  const WfRunOptions *opt;
  WfVerdict *out;
  int output;                     /* index of the output tensor */
  int64_t dim[WF_MAX_DIMS];       /* shape of the host arrays: the case's, but for the number of slices */
  WfSparse plan;
  const int64_t *slice;           /* NULL: the case runs as a whole; else which slices the arrays hold, ascending */
  size_t n_slices;
  WfLazyTensor lazy[WF_MAX_TENSORS];
  size_t n_elems[WF_MAX_TENSORS]; /* of host arrays */
  const float *values[WF_MAX_TENSORS]; /* NULL at the output */
  WfLaunchArgs args;
  size_t scratch_bytes;
  int64_t depth;                  /* as in WfRefArgs */
  WfGpuFlavor flavor;             /* WF_GPU_FASTMATH enters the bound */
  const char *device, *build;     /* of findings: WfFinding */
  /* On a device: runs again, over x->values, into probe.y. 1; 0: it did not come to its end, or was refused; -1: the device failed.
   * NULL: on the engine. */
  int (*again)(struct WfExec *x);
  double *ref, *bound;            /* filled when have_ref */
  int have_ref, have_poison;      /* have_poison: an uninitialised value was found to matter */
  WfAttempt first, second, probe;
} WfExec;

/* run_memory.c. The array with room for n elements; contents are lost when it grows. NULL: out of memory. */
void *wf_array_room(WfArray *a, size_t n, size_t elem_bytes);
void wf_array_free(WfArray *a);

/* Each returns 0, or -1: out of memory. */
int wf_exec_memory(WfExec *x, const WfGeometry *g); /* host arrays and device buffers of the case */
int wf_exec_reference(WfExec *x);                   /* fills ref and bound, once per case */
void wf_exec_restore(WfExec *x, uint32_t pattern);  /* device memory as before the first run */
void wf_ref_args(const WfExec *x, WfRefArgs *a);
void wf_exec_depth(WfExec *x, const WfGeometry *g); /* sets depth; a contract whose text cannot be read knows none */
void wf_fill_pattern(void *p, size_t n_bytes, uint32_t pattern); /* what is left of a word gets its first bytes */
/* Element i of a tensor on the engine, and how many bytes n of them have. */
static inline size_t wf_exec_bytes(const WfExec *x, int t, size_t n) { return n * wf_dtype_bytes(x->c->dtype[t]); }
static inline void *wf_exec_element(const WfExec *x, int t, size_t i) { return (char *)x->args.tensor[t] + wf_exec_bytes(x, t, i); }
/* wf_bad_init() for a tensor's host array. */
void wf_exec_bad_init(const WfExec *x, WfBadSet *b, int tensor);

/* run_sparse.c */
int wf_sparse_begin(WfExec *x, const WfGeometry *g); /* sets slice, n_slices, dim and plan if only some blocks are to run. 0; -1 */
int wf_sparse_tensor(WfExec *x, int t);              /* likewise for memory of tensor t. 0; -1: out of memory */
int wf_sparse_host(WfExec *x, int t);                /* the host array alone, of any tensor, and its length. 0; -1 */
int wf_sparse_restore(WfExec *x, int t, uint32_t pattern); /* 1; 0: the tensor lies in memory whole */
const int64_t *wf_exec_slices(const WfExec *x, int t);     /* NULL: the tensor's host array holds all */
/* Elements of tensor t's host array from `at` on that lie together on the device, and where that is. */
size_t wf_exec_stretch(const WfExec *x, int t, size_t at, size_t *device);
void wf_exec_fetch(WfExec *x, float *y);             /* the output as it is on the device */
int wf_sparse_changed(WfExec *x, int t, WfBadSet *bad); /* 1: bad has the elements of input t that changed; 0: compare all */
void wf_check_ownership(WfExec *x);                  /* race-global: writes to what no block that ran owns */

/* Names the element of a tensor that the finding is about (run.c). A shared variable of a tensor's name has its own. */
void wf_finding_locate(const WfCase *c, SimtFinding *f);

/* Runs the kernel as a->run says, with a->pattern in the outputs; fills stats and y (run.c). */
void wf_exec_attempt(WfExec *x, WfAttempt *a);
#define WF_ALL_CLASSES ((1u << SIMT_CLASS_COUNT) - 1)
/* Those that a run of the case tells: hangs not, where it may just be slow. */
static inline uint32_t wf_exec_classes(const WfExec *x) { return x->opt->may_be_slow ? WF_ALL_CLASSES & ~(1u << SIMT_HANG) : WF_ALL_CLASSES; }
void wf_exec_take_findings(WfExec *x, uint32_t classes); /* the engine's, of these classes, of the last attempt */

/* run.c: compares an output with the reference, and checks the op's invariant where that is right. 0, or -1: out of memory. */
int wf_exec_judge(WfExec *x, const float *y);
int wf_exec_is_exact(const WfExec *x); /* 1: the reference's bounds are all 0, of an output with elements that are not 0 */
/* A WfJudge over the exec's arrays, which have the reference. */
void wf_exec_judging(const WfExec *x, const float *y, WfJudge *j);

/* run_checks.c: what can be said right after an attempt, before the next one. */
void wf_check_inputs(WfExec *x);                     /* input-written */
int wf_check_unwritten(WfExec *x, WfAttempt *a);     /* unwritten-output; 0, or -1: out of memory */
void wf_report_unwritten(WfExec *x, const WfAttempt *a); /* of a->unwritten, at least one element; with the reference at hand */
void wf_check_poison(WfExec *x, const WfAttempt *a); /* runs probes with other fills; stats.poison as an error */
int64_t wf_check_schedules(WfExec *x);               /* nondeterministic; returns the number of different elements */

/* run_gpu.c: an exec of the runner's device, with no values and no reference yet. out may be NULL: nothing is to be told. */
void wf_gpu_exec_begin(WfExec *x, WfRunner *r, const WfCase *c, const WfVariant *v, const WfGeometry *g, const WfRunOptions *opt,
                       WfVerdict *out);

/* run_relations.c: further runs of a case that is right so far, all or some (WfRunOptions.all_relations). 0, or -1: out of
 * memory, or the device failed. */
int wf_check_relations(WfExec *x);

/* The elements both attempts wrote that differ, in all but NaN payloads: first index, or -1. Marks them in bad unless
 * it is NULL. */
int64_t wf_attempt_diff(const WfExec *x, const WfAttempt *a, const WfAttempt *b, WfBadSet *bad);

#endif
