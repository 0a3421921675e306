/* run_gpu.h - a case on a device: what the answers of the device's process (gpu/gpu.h) say of a variant. */
#ifndef WF_RUN_GPU_H
#define WF_RUN_GPU_H
#include "run.h"
#include "../gpu/gpu.h"

/* Runs one admitted case on the runner's device, alone, and again with other poison and under other circumstances, and judges it as
 * wf_run() does: findings are added to out. 0; -1 with a message: out of memory, or the device is not there any more. */
int wf_run_gpu(WfRunner *r, const WfCase *c, const WfVariant *v, const WfGeometry *g, const WfRunOptions *opt, WfVerdict *out,
               char *err, size_t err_size);

/* The job of a first run, for a batch. */
void wf_gpu_job(const WfRunner *r, const WfCase *c, const WfVariant *v, const WfGeometry *g, WfGpuJob *out);

/* run_company.c. Of a job that ran in company: is everything right? 1: it is, and wf_run_gpu() would find nothing in this run; 0: something is
 * not, and a run of its own must say what; -1: out of memory. Sets the situations (situations.h) of a job that ran. The reference is
 * made once for jobs that follow each other with the same case and the same contract, as far as the reference asks for it; a
 * new batch, whose cases may lie where others did, has to be begun. */
void wf_gpu_batch_begin(WfRunner *r);
int wf_gpu_is_right(WfRunner *r, const WfGpuJob *job, const WfGpuAnswer *a, const WfRunOptions *opt, uint32_t *situations);

#endif
