/* gpu_jobs.c - see gpu_jobs.h. */
#include "gpu_jobs.h"
#include <check.h>
#include <string.h>

WfCase gpu_make_case(const WfOp *op, int64_t n, uint64_t seed) {
  WfCase c;
  memset(&c, 0, sizeof c);
  c.op = op;
  c.dim[0] = n;
  for (int t = 0; t < 2; t++)
    c.fill[t] = (WfFill){.dist = WF_DIST_NORMAL, .seed = seed + (uint64_t)t, .scale = 1};
  return c;
}

WfGpuJob gpu_make_job(const WfCase *c, const WfVariant *v) {
  return (WfGpuJob){.c = c, .v = v, .g = {{1, 1, 1}, {32, 1, 1}, 0, v->scratch ? 12 : 0}, .pattern = GPU_PATTERN};
}

WfGpu *gpu_create(uint64_t timeout_ns) {
  const WfGpuOptions opt = {.timeout_ns = timeout_ns, .batch_bytes = 2 << 20};
  char err[256] = "";
  WfGpu *g;
  gpu_kernels_begin();
  ck_assert_msg(wf_gpu_create(&g, &opt, err, sizeof err) == 0, "%s", err);
  return g;
}

void gpu_submit(WfGpu *g, const WfGpuJob *jobs, size_t n) {
  char err[256] = "";
  int sent = wf_gpu_submit(g, jobs, n, err, sizeof err);
  ck_assert_msg(sent == (int)n, "%d sent: %s", sent, err);
}

void gpu_await(WfGpu *g, WfGpuAnswer *out) {
  char err[256] = "";
  ck_assert_msg(wf_gpu_wait(g, out, err, sizeof err) == 0, "%s", err);
}

void gpu_run(WfGpu *g, const WfGpuJob *jobs, size_t n, WfGpuAnswer *out) {
  gpu_submit(g, jobs, n);
  gpu_await(g, out);
}

WfGpuAnswer gpu_run_one(WfGpu *g, const WfCase *c, const WfVariant *v) {
  const WfGpuJob job = gpu_make_job(c, v);
  WfGpuAnswer a;
  gpu_run(g, &job, 1, &a);
  return a;
}

void gpu_check_inputs(const WfGpuJob *job, const WfGpuAnswer *a) {
  for (int t = 0; t < 2; t++)
    for (int64_t i = 0; i < job->c->dim[0]; i++)
      ck_assert(a->in[t][i] == wf_case_value(job->c, t, i));
  ck_assert_ptr_null(a->in[GPU_C]);
}

/* Of gpu_add and gpu_subtract, and of those that do as they do. */
void gpu_check_values(const WfGpuJob *job, const WfGpuAnswer *a) {
  float sign = job->v == &gpu_subtract ? -1.0f : 1.0f;
  ck_assert_int_eq(a->end, WF_GPU_RAN);
  ck_assert_int_eq(a->launch.status, WF_DEVICE_OK);
  gpu_check_inputs(job, a);
  for (int64_t i = 0; i < job->c->dim[0]; i++)
    ck_assert(a->y[i] == a->in[0][i] + sign * a->in[1][i]);
}

void gpu_check_clean(const WfGpuJob *job, const WfGpuAnswer *a) {
  gpu_check_values(job, a);
  ck_assert_uint_eq(a->guard.n_words, 0);
  ck_assert_uint_eq(a->input.n_words, 0);
  ck_assert_uint_eq(a->unwritten, 0);
}

/* The device is well. */
void gpu_check_next(WfGpu *g) {
  const WfCase c = gpu_make_case(&gpu_op, GPU_N, 99);
  const WfGpuJob job = gpu_make_job(&c, &gpu_add);
  WfGpuAnswer a;
  gpu_run(g, &job, 1, &a);
  gpu_check_clean(&job, &a);
}
