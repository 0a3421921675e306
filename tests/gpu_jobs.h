/* gpu_jobs.h - what tests of the GPU leg share: jobs on the ops of gpu_kernels.h, sent and checked. A check that fails fails the
 * test. */
#ifndef GPU_JOBS_H
#define GPU_JOBS_H
#include "gpu_kernels.h"

#define GPU_PATTERN 0x7fc0deadu
#define GPU_SECOND UINT64_C(1000000000) /* in ns */
enum { GPU_N = 32 };                    /* length that the kernels of the engine take */

WfCase gpu_make_case(const WfOp *op, int64_t n, uint64_t seed);
WfGpuJob gpu_make_job(const WfCase *c, const WfVariant *v); /* with 12 bytes of scratch memory, if any */

WfGpu *gpu_create(uint64_t timeout_ns); /* and gpu_kernels_begin() */
void gpu_submit(WfGpu *g, const WfGpuJob *jobs, size_t n); /* all of them fit */
void gpu_await(WfGpu *g, WfGpuAnswer *out);
void gpu_run(WfGpu *g, const WfGpuJob *jobs, size_t n, WfGpuAnswer *out); /* both */
WfGpuAnswer gpu_run_one(WfGpu *g, const WfCase *c, const WfVariant *v);

void gpu_check_inputs(const WfGpuJob *job, const WfGpuAnswer *a); /* those of the answer are the case's */
/* And the output is right: of gpu_subtract, and of those that do as gpu_add. */
void gpu_check_values(const WfGpuJob *job, const WfGpuAnswer *a);
/* And nothing else was written, nothing left. */
void gpu_check_clean(const WfGpuJob *job, const WfGpuAnswer *a);
void gpu_check_next(WfGpu *g); /* the next job is clean */

#endif
