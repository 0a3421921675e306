/* gpu_batch.h - fuzzing on a device alone: many executions at a time, so that small cases need not wait for each other. What is
 * not right in company is run again by itself, and only that says what it is. */
#ifndef WF_GPU_BATCH_H
#define WF_GPU_BATCH_H
#include "fuzzer.h"
#include "../gpu/gpu.h"

typedef struct WfGpuBatches WfGpuBatches;

typedef struct WfGpuSink { /* told of each execution */
  void *arg;
  /* Before a case runs by itself. */
  void (*before)(void *arg, const WfStep *s);
  /* After an execution; message: NULL, or that it failed and has no verdict. 0; -1: the end. */
  int (*done)(void *arg, WfStep *s, const char *message);
  /* Asked before each further case that was not right in company: 1: there is no time left to run it by itself, and it has no verdict
   * (WfVerdict.no_verdict). The first of a batch always is run. */
  int (*is_over)(void *arg);
} WfGpuSink;

/* The fuzzer's runner must use the device of gpu already (wf_runner_use), and all its targets be built in that flavor. Of opt,
 * rtol, atol and outside count. 0; -1: no
 * memory. */
int wf_gpu_batches_create(WfGpuBatches **out, WfFuzzer *f, const WfTarget *targets, size_t n_targets, WfGpu *gpu,
                          const WfRunOptions *opt);
void wf_gpu_batches_destroy(WfGpuBatches *b);

/* One batch more is chosen and sent, an earlier one judged, if there is one; at most `runs` executions are begun. Returns how many
 * were (fewer than were chosen, if they did not all fit: the next batch begins with the others), or -1: sink->done said so, or the
 * device cannot be used any more (err). With runs = 0 all that is on its way is judged. */
int wf_gpu_batches_step(WfGpuBatches *b, uint64_t runs, const WfGpuSink *sink, char *err, size_t err_size);

#endif
