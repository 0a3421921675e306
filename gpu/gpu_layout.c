/* gpu_layout.c - where the tensors of a batch lie. */
#include "gpu_impl.h"

static int is_output(const WfOp *op, int t) { return op->tensors[t].role == WF_OUT; }

static int is_in_place(const WfCase *c, int t) { return c->in_place == (uint32_t)t + 1; }

/* An object of a job behind those that are there. 0; -1: it takes more than limit_bytes. */
static int add_object(WfGpuLayout *l, size_t job, int tensor, uint64_t size, uint64_t offset, uint64_t guard, uint64_t limit) {
  if (size > limit || l->n_objects == WF_GPU_MAX_OBJECTS)
    return -1;
  uint64_t end = l->n_objects > 0 ? l->at[l->n_objects - 1].at_bytes + l->at[l->n_objects - 1].size_bytes : 0;
  uint64_t at = (end + guard + WF_GPU_ALIGN_BYTES - 1) / WF_GPU_ALIGN_BYTES * WF_GPU_ALIGN_BYTES + offset;
  l->bytes = (at + size + guard + WF_GPU_ALIGN_BYTES - 1) / WF_GPU_ALIGN_BYTES * WF_GPU_ALIGN_BYTES;
  if (l->bytes > limit)
    return -1;
  l->object[job][tensor] = (uint16_t)l->n_objects;
  l->at[l->n_objects++] = (WfGpuObject){.at_bytes = at, .size_bytes = size, .tensor = (uint8_t)tensor, .job = (uint8_t)job};
  return 0;
}

static int add_tensor(WfGpuLayout *l, const WfCase *c, size_t job, int t, uint64_t guard, uint64_t limit) {
  int64_t n = wf_case_elems(c, t);
  const uint64_t elem_bytes = wf_dtype_bytes(c->dtype[t]);
  if (n < 0 || (uint64_t)n > limit / elem_bytes)
    return -1;
  return add_object(l, job, t, (uint64_t)n * elem_bytes, c->fill[t].base_offset_elems * elem_bytes, guard, limit);
}

/* The inputs that jobs with the same case share: those whose memory is not the output's. */
static int add_inputs(WfGpuLayout *l, const WfCase *c, size_t job, uint64_t guard, uint64_t limit) {
  for (int t = 0; t < c->op->n_tensors; t++)
    if (!is_output(c->op, t) && !is_in_place(c, t) && add_tensor(l, c, job, t, guard, limit) != 0)
      return -1;
  return 0;
}

static int add_job(WfGpuLayout *l, const WfGpuJob *jobs, size_t i, uint64_t guard, uint64_t limit) {
  const WfGpuJob *job = &jobs[i];
  const WfCase *c = job->c;
  int output = -1;
  for (int t = 0; t < WF_GPU_JOB_OBJECTS; t++)
    l->object[i][t] = WF_GPU_NO_OBJECT;
  if (i == 0 || jobs[i - 1].c != c) {
    if (add_inputs(l, c, i, guard, limit) != 0)
      return -1;
  } else
    for (int t = 0; t < c->op->n_tensors; t++)
      if (!is_output(c->op, t) && !is_in_place(c, t))
        l->object[i][t] = l->object[i - 1][t];
  for (int t = 0; t < c->op->n_tensors; t++) {
    output = is_output(c->op, t) ? t : output;
    if ((is_in_place(c, t) || (is_output(c->op, t) && !c->in_place)) && add_tensor(l, c, i, t, guard, limit) != 0)
      return -1;
  }
  if (c->in_place)
    l->object[i][output] = l->object[i][c->in_place - 1];
  return job->v->scratch ? add_object(l, i, WF_GPU_SCRATCH, job->g.scratch_bytes, 0, guard, limit) : 0;
}

size_t wf_gpu_layout(WfGpuLayout *out, const WfGpuJob *jobs, size_t n, uint64_t guard_bytes, uint64_t limit_bytes) {
  out->n_jobs = out->n_objects = 0;
  out->bytes = 0;
  for (size_t i = 0; i < n; i++) {
    size_t n_objects = out->n_objects;
    uint64_t bytes = out->bytes;
    if (add_job(out, jobs, i, guard_bytes, limit_bytes) != 0) {
      out->n_objects = n_objects;
      out->bytes = bytes;
      break;
    }
    out->n_jobs++;
  }
  return out->n_jobs;
}

int wf_gpu_layout_large(WfGpuLayout *out, const WfGpuJob *job) {
  out->n_jobs = out->n_objects = 0;
  out->bytes = 0;
  if (add_job(out, job, 0, 0, UINT64_MAX / 4) != 0)
    return -1;
  out->n_jobs = 1;
  return 0;
}

void wf_gpu_guard(const WfGpuLayout *l, size_t i, uint64_t *from, uint64_t *to) {
  *from = i > 0 ? l->at[i - 1].at_bytes + l->at[i - 1].size_bytes : 0;
  *to = i < l->n_objects ? l->at[i].at_bytes : l->bytes;
}
