/* gpu_child.c - the process that owns the device: takes batches one after the other. The host memory of the next one is made while
 * the device works on the one before; but a batch is begun only when the one before is answered, so that whatever ends this
 * process is due to the only batch that has begun and has no answer. */
#include "gpu_child.h"
#include <stdio.h>
#include <string.h>

/* ---- opening ---- */

static uint64_t open_device(WfGpuChild *c) {
  WfGpuControl *ctl = c->control;
  const WfGpuMemory *m = c->memory;
  const WfDeviceOptions opt = {m->device, m->host, WF_GPU_BATCHES * 2 * m->image_bytes};
  int n = wf_device_count(ctl->why, sizeof ctl->why);
  if (n == 0)
    return WF_GPU_ABSENT_DEVICE;
  if (m->device < 0 || m->device >= n) {
    snprintf(ctl->why, sizeof ctl->why, "there is no device %d: %d %s visible", m->device, n, n == 1 ? "is" : "are");
    return WF_GPU_CLOSED;
  }
  if (wf_device_open(&c->device, &opt, ctl->why, sizeof ctl->why) != 0)
    return WF_GPU_CLOSED;
  wf_device_info(c->device, &ctl->info);
  c->image = m->plain ? NULL : wf_device_alloc(c->device, m->image_bytes);
  if (m->plain || c->image)
    return WF_GPU_OPEN;
  snprintf(ctl->why, sizeof ctl->why, "device %d has no %zu bytes left", m->device, m->image_bytes);
  return WF_GPU_CLOSED;
}

static void tell(const WfGpuChild *c, _Atomic uint64_t *counter, uint64_t value) {
  atomic_store(counter, value);
  wf_gpu_wake(&c->line);
}

/* ---- memory of tensors ---- */

static int has_value(const WfGpuJob *job, const WfGpuObject *o) {
  if (o->tensor == WF_GPU_SCRATCH)
    return 0;
  const WfTensorDesc *t = &job->c->op->tensors[o->tensor];
  return t->role == WF_IN || t->start != WF_START_NOTHING;
}

static uint64_t base_offset_bytes(const WfGpuJob *job, const WfGpuObject *o) {
  return o->tensor == WF_GPU_SCRATCH ? 0 : job->c->fill[o->tensor].base_offset_elems * wf_dtype_bytes(job->c->dtype[o->tensor]);
}

/* Plain: memory of their own for all objects. What nobody wrote stays so, for tools that watch it. 0; -1: none left. */
static int own_memory(WfGpuChild *c, const WfGpuSlot *s, const unsigned char *up) {
  for (size_t i = 0; i < s->layout.n_objects; i++) {
    const WfGpuObject *o = &s->layout.at[i];
    uint64_t offset = base_offset_bytes(&s->job[0], o), bytes = offset + o->size_bytes;
    c->own[i] = wf_device_alloc(c->device, bytes > 0 ? bytes : 1);
    if (!c->own[i])
      return -1;
    if (o->size_bytes > 0 && has_value(&s->job[0], o))
      wf_device_upload(c->device, (char *)c->own[i] + offset, up + o->at_bytes, o->size_bytes);
  }
  return 0;
}

static void give_own_back(WfGpuChild *c) {
  for (int i = 0; i <= WF_GPU_JOB_OBJECTS; i++) {
    if (c->own[i])
      wf_device_free(c->device, c->own[i]);
    c->own[i] = NULL;
  }
}

static void *object_memory(const WfGpuChild *c, const WfGpuSlot *s, size_t job, size_t i) {
  const WfGpuObject *o = &s->layout.at[i];
  if (s->n_slices > 0)
    return wf_gpu_large_object(c, s, i);
  return c->memory->plain ? (char *)c->own[i] + base_offset_bytes(&s->job[job], o) : (char *)c->image + o->at_bytes;
}

/* ---- a batch ---- */

static void set_args(const WfGpuChild *c, const WfGpuSlot *s, size_t j, WfLaunchArgs *a) {
  const WfGpuJob *job = &s->job[j];
  *a = (WfLaunchArgs){.shared_bytes = job->g.shared_bytes};
  memcpy(a->dim, job->c->dim, sizeof a->dim);
  memcpy(a->scalar, job->c->scalar, sizeof a->scalar);
  memcpy(a->grid, job->g.grid, sizeof a->grid);
  memcpy(a->block, job->g.block, sizeof a->block);
  for (int t = 0; t < WF_GPU_JOB_OBJECTS; t++) {
    uint16_t i = s->layout.object[j][t];
    if (i != WF_GPU_NO_OBJECT)
      *(t == WF_GPU_SCRATCH ? &a->scratch : &a->tensor[t]) = object_memory(c, s, j, i);
  }
}

/* Behind the end of the context nothing is launched. */
void wf_gpu_launch_all(const WfGpuChild *c, WfGpuSlot *s) {
  for (size_t j = 0; j < s->layout.n_jobs && s->error.status == WF_DEVICE_OK; j++) {
    const WfGpuJob *job = &s->job[j];
    WfEntry *entry = wf_device_entry(job->v, job->c->op, job->flavor);
    WfLaunchArgs args;
    s->has_entry[j] = entry != NULL;
    s->launch[j] = (WfDeviceError){.status = WF_DEVICE_OK};
    if (!entry)
      continue;
    if (job->disturb)
      wf_device_disturb(c->device, job->disturb);
    set_args(c, s, j, &args);
    wf_device_launch(c->device, entry, &args, &s->launch[j]);
    if (s->launch[j].status > WF_DEVICE_REFUSED)
      s->error = s->launch[j];
  }
}

static void read_own(const WfGpuChild *c, const WfGpuSlot *s, unsigned char *down) {
  for (size_t i = 0; i < s->layout.n_objects; i++) {
    const WfGpuObject *o = &s->layout.at[i];
    int is_read = o->size_bytes > 0 && o->tensor != WF_GPU_SCRATCH &&
                  (s->job[0].c->op->tensors[o->tensor].role == WF_OUT || s->job[0].c->in_place == (uint32_t)o->tensor + 1);
    if (is_read)
      wf_device_download(c->device, down + o->at_bytes, object_memory(c, s, 0, i), o->size_bytes);
  }
}

static void start_plain(WfGpuChild *c, WfGpuSlot *s, uint64_t number) {
  if (own_memory(c, s, wf_gpu_image_up(c->memory, number)) != 0) {
    s->error = (WfDeviceError){.status = WF_DEVICE_LOST, .name = "no device memory left"};
    return;
  }
  wf_gpu_launch_all(c, s);
  read_own(c, s, wf_gpu_image_down(c->memory, number));
}

static void start(WfGpuChild *c, uint64_t number) {
  WfGpuSlot *s = &c->control->slot[number % WF_GPU_BATCHES];
  s->error = (WfDeviceError){.status = WF_DEVICE_OK};
  s->is_lost = s->no_room = 0;
  atomic_store(&c->control->begun, number + 1);
  atomic_fetch_add(&c->control->watch, 1);
  if (s->n_slices > 0)
    wf_gpu_large_start(c, s, number);
  else if (c->memory->plain)
    start_plain(c, s, number);
  else {
    wf_device_upload(c->device, c->image, wf_gpu_image_up(c->memory, number), s->layout.bytes);
    wf_gpu_launch_all(c, s);
    wf_device_download(c->device, wf_gpu_image_down(c->memory, number), c->image, s->layout.bytes);
  }
  atomic_fetch_add(&c->control->watch, 1);
}

static void examine(const WfGpuChild *c, WfGpuSlot *s, uint64_t number) {
  if (s->n_slices > 0)
    wf_gpu_large_examine(c, s, number);
  else if (!c->memory->plain)
    wf_gpu_examine(s, wf_gpu_image_up(c->memory, number), wf_gpu_image_down(c->memory, number));
}

/* 0; -1: the context is lost. */
static int finish(WfGpuChild *c, uint64_t number) {
  WfGpuSlot *s = &c->control->slot[number % WF_GPU_BATCHES];
  WfDeviceError e;
  atomic_fetch_add(&c->control->watch, 1);
  wf_device_sync(c->device, &e);
  give_own_back(c);
  atomic_fetch_add(&c->control->watch, 1);
  if (e.status > WF_DEVICE_REFUSED)
    s->error = e; /* which tells more than a launch behind it */
  s->is_lost = s->error.status != WF_DEVICE_OK;
  if (!s->is_lost && !s->no_room)
    examine(c, s, number);
  tell(c, &c->control->answered, number + 1);
  return s->is_lost ? -1 : 0;
}

/* ---- all batches ---- */

static int has_come(const WfGpuChild *c, uint64_t number) {
  uint64_t requested = atomic_load(&c->control->requested);
  return requested != WF_GPU_STOP && requested > number;
}

/* 0; -1: there will be none. */
static int await_batch(const WfGpuChild *c, uint64_t number) {
  uint64_t requested;
  while ((requested = atomic_load(&c->control->requested)) != WF_GPU_STOP && requested <= number)
    if (wf_gpu_await(&c->line, &c->control->requested, requested, 0) < 0)
      return -1;
  return requested == WF_GPU_STOP ? -1 : 0;
}

static void build(const WfGpuChild *c, uint64_t number) {
  const WfGpuSlot *s = &c->control->slot[number % WF_GPU_BATCHES];
  if (s->n_slices == 0)
    wf_gpu_build(s, wf_gpu_image_up(c->memory, number), wf_gpu_image_down(c->memory, number));
}

static void serve(WfGpuChild *c) {
  uint64_t number = atomic_load(&c->control->answered), built = number; /* before it, all are */
  do {
    if (built == number) {
      if (await_batch(c, number) != 0)
        return;
      build(c, built++);
    }
    start(c, number);
    if (has_come(c, built))
      build(c, built++);
  } while (finish(c, number++) == 0);
}

void wf_gpu_child(const WfGpuMemory *m, int fd) {
  WfGpuControl *ctl = m->control;
  WfGpuChild c = {.memory = m, .control = ctl, .line = {fd, &ctl->child_sleeps, &ctl->parent_sleeps}};
  uint64_t opened = open_device(&c);
  tell(&c, &ctl->opened, opened);
  if (opened == WF_GPU_OPEN)
    serve(&c);
}
