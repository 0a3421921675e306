/* gpu.c - batches on their way to the process that owns a device, and what becomes of them when it ends. */
#include "gpu_impl.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define DEFAULT_TIMEOUT_NS (10 * WF_GPU_SECOND_NS)
#define DEFAULT_BATCH_BYTES ((size_t)32 << 20)
enum {
  ARBITRARY_DEATHS = 3,       /* in a row, of which no batch is the cause */
  ARBITRARY_PATIENCE = 5 /* times the time of others, for a job with slices or a patient one */
};

typedef struct Batch {
  WfGpuJob job[WF_GPU_MAX_JOBS];
  WfGpuLayout layout;
  size_t floats_at[WF_GPU_MAX_OBJECTS];    /* in WfGpu.floats: what was sent of the object, and behind it what came back */
  uint8_t is_decoded[WF_GPU_MAX_OBJECTS][2]; /* by is_sent: it is there */
} Batch;

struct WfGpu {
  WfGpuMemory memory;
  WfGpuControl *control;
  WfGpuPeer child;
  uint64_t timeout_ns;
  size_t batch_bytes;
  uint64_t sent, taken;    /* batches: sent, answers taken */
  Batch batch[WF_GPU_BATCHES];
  float *floats[WF_GPU_BATCHES];      /* tensors of 16-bit types, as answers have them */
  size_t floats_room[WF_GPU_BATCHES]; /* elements */
  WfDeviceInfo info;
};

static int say(char *err, size_t err_size, const char *text) {
  if (err_size > 0)
    snprintf(err, err_size, "%s", text);
  return -1;
}

/* ---- the child ---- */

static void run_child(void *memory, int fd) { wf_gpu_child(memory, fd); }

/* It goes on with the oldest batch that is on its way: what was sent is still there. 0; -1, WF_GPU_NO_DEVICE. */
static int start_child(WfGpu *g, char *err, size_t err_size) {
  WfGpuControl *ctl = g->control;
  atomic_store(&ctl->requested, g->sent);
  atomic_store(&ctl->answered, g->taken);
  atomic_store(&ctl->begun, g->taken);
  atomic_store(&ctl->watch, 0);
  atomic_store(&ctl->opened, WF_GPU_OPENING);
  atomic_store(&ctl->parent_sleeps, 0);
  atomic_store(&ctl->child_sleeps, 0);
  g->child.line = (WfGpuLine){-1, &ctl->parent_sleeps, &ctl->child_sleeps};
  if (wf_gpu_spawn(&g->child, run_child, &g->memory, g->memory.plain) != 0)
    return say(err, err_size, "no process can be started for the device");
  int rc = wf_gpu_await_child(&g->child, &ctl->opened, WF_GPU_OPENING, NULL, WF_GPU_ARBITRARY_OPEN_NS);
  uint64_t opened = atomic_load(&ctl->opened);
  if (rc == 1 && opened == WF_GPU_OPEN)
    return 0;
  wf_gpu_end_child(&g->child, rc == 0 ? 0 : WF_GPU_GRACE_NS);
  ctl->why[sizeof ctl->why - 1] = '\0';
  const char *silent = rc == 0 ? "the device could not be opened in time" : "the process that opens the device ended";
  say(err, err_size, rc == 1 ? ctl->why : silent);
  return opened == WF_GPU_ABSENT_DEVICE ? WF_GPU_NO_DEVICE : -1;
}

static int need_child(WfGpu *g, char *err, size_t err_size) {
  return g->child.pid != 0 || start_child(g, err, err_size) == 0 ? 0 : -1;
}

/* ---- memory ---- */

/* An image has room for what a batch may take, and for the guards of a job that is alone. */
static int map_memory(WfGpu *g) {
  const size_t page = 4096, guards = (WF_GPU_JOB_OBJECTS + 1) * (size_t)WF_GPU_LONE_GUARD_BYTES;
  size_t bytes;
  if (__builtin_add_overflow(g->batch_bytes, guards + page - 1, &g->memory.image_bytes))
    return -1;
  g->memory.image_bytes = g->memory.image_bytes / page * page;
  if (__builtin_mul_overflow(g->memory.image_bytes, (size_t)(2 * WF_GPU_BATCHES), &bytes))
    return -1;
  g->memory.host = wf_gpu_map(bytes);
  g->memory.control = g->control = wf_gpu_map(sizeof *g->control);
  return g->memory.host && g->control ? 0 : -1;
}

int wf_gpu_create(WfGpu **out, const WfGpuOptions *opt, char *err, size_t err_size) {
  WfGpu *g = calloc(1, sizeof *g);
  int rc = -1;
  *out = NULL;
  if (!g)
    return say(err, err_size, "out of memory");
  g->timeout_ns = opt->timeout_ns > 0 ? opt->timeout_ns : DEFAULT_TIMEOUT_NS;
  g->batch_bytes = opt->batch_bytes > 0 ? opt->batch_bytes : DEFAULT_BATCH_BYTES;
  g->memory.device = opt->device;
  g->memory.plain = opt->plain;
  if (map_memory(g) != 0)
    say(err, err_size, "no memory for the batches");
  else
    rc = start_child(g, err, err_size);
  if (rc != 0) {
    wf_gpu_destroy(g);
    return rc;
  }
  g->info = g->control->info;
  *out = g;
  return 0;
}

/* A child that waits for a batch ends by itself, so that tools that watch it can say what they saw. */
void wf_gpu_destroy(WfGpu *g) {
  if (!g)
    return;
  if (g->child.pid != 0) {
    int is_idle = atomic_load(&g->control->answered) == g->sent;
    atomic_store(&g->control->requested, WF_GPU_STOP);
    wf_gpu_wake(&g->child.line);
    wf_gpu_end_child(&g->child, is_idle ? WF_GPU_GRACE_NS : 0);
  }
  if (g->memory.host)
    munmap(g->memory.host, 2 * WF_GPU_BATCHES * g->memory.image_bytes);
  if (g->control)
    munmap(g->control, sizeof *g->control);
  for (int k = 0; k < WF_GPU_BATCHES; k++)
    free(g->floats[k]);
  free(g);
}

const WfDeviceInfo *wf_gpu_info(const WfGpu *g) { return &g->info; }

/* ---- batches ---- */

/* Elements of the output at one index of its first axis. */
static size_t slice_elems(const WfGpuJob *job) {
  const WfOp *op = job->c->op;
  int t = 0;
  while (op->tensors[t].role != WF_OUT)
    t++;
  int64_t n = 1;
  for (int axis = 1; axis < op->tensors[t].rank; axis++)
    n *= wf_extent(&op->tensors[t], axis, job->c->dim);
  return (size_t)n;
}

/* One job with slices. */
static size_t lay_out_large(const WfGpu *g, WfGpuLayout *l, const WfGpuJob *job) {
  size_t elems = slice_elems(job), room = g->memory.image_bytes / sizeof(float);
  int fits = job->n_slices > 0 && job->n_slices <= WF_GPU_MAX_SLICES && elems <= room && job->n_slices * elems <= room;
  return fits && wf_gpu_layout_large(l, job) == 0;
}

/* The first jobs that go together, or the first one alone; one with slices goes alone. */
static size_t lay_out(const WfGpu *g, WfGpuLayout *l, const WfGpuJob *jobs, size_t n) {
  if (n > 0 && jobs[0].slice)
    return lay_out_large(g, l, jobs);
  for (size_t i = 0; i < n; i++)
    if (jobs[i].slice || jobs[i].values || jobs[i].patient)
      n = i > 0 ? i : 1;
  if (g->memory.plain)
    return wf_gpu_layout(l, jobs, n > 0, 0, g->memory.image_bytes);
  n = n < WF_GPU_MAX_JOBS ? n : WF_GPU_MAX_JOBS;
  size_t fit = n > 1 ? wf_gpu_layout(l, jobs, n, WF_GPU_GUARD_BYTES, g->batch_bytes) : 0;
  return fit > 1 ? fit : wf_gpu_layout(l, jobs, n > 0, WF_GPU_LONE_GUARD_BYTES, g->memory.image_bytes);
}

int wf_gpu_fits(const WfGpu *g, const WfGpuJob *job) {
  WfGpuLayout l;
  return lay_out(g, &l, job, 1) == 1;
}

/* Inputs that are not the case's, to where the child takes them from. */
static void send_values(WfGpu *g, uint64_t number, const Batch *b) {
  const WfGpuJob *job = &b->job[0];
  for (int t = 0; t < job->c->op->n_tensors; t++) {
    const WfGpuObject *o = &b->layout.at[b->layout.object[0][t]];
    if (job->c->op->tensors[t].role == WF_IN && o->size_bytes > 0)
      wf_dtype_store(job->c->dtype[t], wf_gpu_image_down(&g->memory, number) + o->at_bytes, job->values[t],
                     o->size_bytes / wf_dtype_bytes(job->c->dtype[t]));
  }
}

static void put_batch(WfGpuSlot *s, const Batch *b) {
  const WfGpuJob *first = &b->job[0];
  const WfCase *c = NULL;
  size_t n_cases = 0;
  s->layout.n_jobs = b->layout.n_jobs;
  s->layout.n_objects = b->layout.n_objects;
  s->layout.bytes = b->layout.bytes;
  memcpy(s->layout.object, b->layout.object, b->layout.n_jobs * sizeof *b->layout.object);
  memcpy(s->layout.at, b->layout.at, b->layout.n_objects * sizeof *b->layout.at);
  s->has_values = first->values != NULL && !first->slice;
  s->n_slices = first->slice ? first->n_slices : 0;
  s->slice_elems = first->slice ? slice_elems(first) : 0;
  if (first->slice)
    memcpy(s->slice, first->slice, first->n_slices * sizeof *s->slice);
  for (size_t j = 0; j < b->layout.n_jobs; j++) {
    s->job[j] = b->job[j];
    if (b->job[j].c != c)
      s->c[n_cases++] = *(c = b->job[j].c);
    s->job[j].c = &s->c[n_cases - 1];
  }
}

int wf_gpu_submit(WfGpu *g, const WfGpuJob *jobs, size_t n, char *err, size_t err_size) {
  if (g->sent - g->taken == WF_GPU_BATCHES)
    return 0;
  Batch *b = &g->batch[g->sent % WF_GPU_BATCHES];
  size_t fit = lay_out(g, &b->layout, jobs, n);
  if (fit == 0)
    return 0;
  if (need_child(g, err, err_size) != 0)
    return -1;
  memcpy(b->job, jobs, fit * sizeof *jobs);
  put_batch(&g->control->slot[g->sent % WF_GPU_BATCHES], b);
  if (jobs[0].values && !jobs[0].slice)
    send_values(g, g->sent, b);
  atomic_store(&g->control->requested, ++g->sent);
  wf_gpu_wake(&g->child.line);
  return (int)fit;
}

/* ---- answers ---- */

static const char *object_name(const WfGpuJob *job, int t) { return t == WF_GPU_SCRATCH ? "scratch" : job->c->op->tensors[t].name; }

static void add_damage(WfGpuDamage *d, const WfGpuChange *c, const char *object) {
  if (d->n_words == 0)
    *d = (WfGpuDamage){.object = object, .offset_bytes = c->offset_bytes, .now = c->now};
  d->n_words += c->n_words;
  if (d->n_words == 0)
    *d = (WfGpuDamage){0};
}

/* Elements of object i that came back, of a 16-bit type; 0 of others. */
static size_t halves_of(const WfGpu *g, uint64_t number, size_t i) {
  const Batch *b = &g->batch[number % WF_GPU_BATCHES];
  const WfGpuSlot *s = &g->control->slot[number % WF_GPU_BATCHES];
  const WfGpuObject *o = &b->layout.at[i];
  if (o->tensor == WF_GPU_SCRATCH || b->job[o->job].c->dtype[o->tensor] == WF_F32)
    return 0;
  if (s->n_slices > 0)
    return b->job[0].c->op->tensors[o->tensor].role == WF_OUT ? s->n_slices * s->slice_elems : 0;
  return o->size_bytes / wf_dtype_bytes(b->job[o->job].c->dtype[o->tensor]);
}

/* 0; -1: no memory. */
static int make_room(WfGpu *g, uint64_t number) {
  const size_t k = number % WF_GPU_BATCHES;
  Batch *b = &g->batch[k];
  size_t n = 0;
  for (size_t i = 0; i < b->layout.n_objects; i++) {
    b->floats_at[i] = n;
    n += 2 * halves_of(g, number, i);
  }
  memset(b->is_decoded, 0, b->layout.n_objects * sizeof *b->is_decoded);
  if (n <= g->floats_room[k])
    return 0;
  free(g->floats[k]);
  g->floats[k] = malloc(n * sizeof *g->floats[k]);
  g->floats_room[k] = g->floats[k] ? n : 0;
  return g->floats[k] ? 0 : -1;
}

/* Object i as floats: where it lies, if it has some; else of its 16-bit elements, in a place of its own: one for what was sent, one for
 * what came back. Jobs of one case share their inputs: these are decoded for the first of them. */
static const float *as_floats(WfGpu *g, uint64_t number, size_t i, const unsigned char *image, uint64_t at, int is_sent) {
  const size_t k = number % WF_GPU_BATCHES, n = halves_of(g, number, i);
  Batch *b = &g->batch[k];
  const WfGpuObject *o = &b->layout.at[i];
  if (n == 0)
    return (const float *)(const void *)(image + at);
  float *to = g->floats[k] + b->floats_at[i] + (is_sent ? 0 : n);
  if (!b->is_decoded[i][is_sent])
    wf_dtype_load(b->job[o->job].c->dtype[o->tensor], to, image + at, n);
  b->is_decoded[i][is_sent] = 1;
  return to;
}

static void fill_memory(WfGpu *g, uint64_t number, size_t j, WfGpuAnswer *a) {
  const Batch *b = &g->batch[number % WF_GPU_BATCHES];
  const WfGpuSlot *s = &g->control->slot[number % WF_GPU_BATCHES];
  const WfGpuJob *job = &b->job[j];
  for (int t = 0; t < WF_GPU_JOB_OBJECTS; t++) {
    uint16_t i = b->layout.object[j][t];
    if (i == WF_GPU_NO_OBJECT)
      continue;
    uint64_t at = s->n_slices > 0 ? 0 : b->layout.at[i].at_bytes;
    int is_tensor = t != WF_GPU_SCRATCH, is_input = is_tensor && job->c->op->tensors[t].role == WF_IN;
    if (is_input && s->n_slices == 0)
      a->in[t] = as_floats(g, number, i, wf_gpu_image_up(&g->memory, number), at, 1);
    if (is_tensor && !is_input)
      a->y = as_floats(g, number, i, wf_gpu_image_down(&g->memory, number), at, 0);
    if (g->memory.plain && s->n_slices == 0)
      continue;
    add_damage(&a->input, &s->inside[i], object_name(job, t));
    if (is_input || !is_tensor || !job->c->in_place)
      add_damage(&a->guard, &s->guard[i], object_name(job, t));
  }
  if (!g->memory.plain || s->n_slices > 0) {
    a->unwritten = s->unwritten[j];
    a->first_unwritten = s->first_unwritten[j];
  }
}

static void fill_answers(WfGpu *g, uint64_t number, WfGpuAnswer *out) {
  const Batch *b = &g->batch[number % WF_GPU_BATCHES];
  const WfGpuSlot *s = &g->control->slot[number % WF_GPU_BATCHES];
  for (size_t j = 0; j < b->layout.n_jobs; j++) {
    WfGpuAnswer *a = &out[j];
    *a = (WfGpuAnswer){.end = WF_GPU_RAN};
    if (s->is_lost) {
      a->end = b->layout.n_jobs == 1 ? WF_GPU_FAULT : WF_GPU_UNKNOWN;
      a->error = s->error;
    } else if (s->no_room)
      a->end = WF_GPU_NO_ROOM;
    else if (!s->has_entry[j])
      a->end = WF_GPU_NOT_BUILT;
    else if ((a->launch = s->launch[j]).status == WF_DEVICE_OK)
      fill_memory(g, number, j, a);
  }
}

/* The batch that had begun when the child ended. */
static void blame(const WfGpu *g, uint64_t number, WfGpuEnd end, int status, WfGpuAnswer *out) {
  size_t n = g->batch[number % WF_GPU_BATCHES].layout.n_jobs;
  for (size_t j = 0; j < n; j++) {
    out[j] = (WfGpuAnswer){.end = n == 1 ? end : WF_GPU_UNKNOWN};
    out[j].error.code = end == WF_GPU_DIED ? status : 0;
  }
}

/* The child does not answer any more. 1: the oldest batch is the cause, and has its answers; 0: none is. */
static int take_end(WfGpu *g, int is_late, WfGpuAnswer *out) {
  int status = wf_gpu_end_child(&g->child, is_late ? 0 : WF_GPU_GRACE_NS);
  uint64_t number = g->taken;
  if (atomic_load(&g->control->answered) > number || atomic_load(&g->control->begun) <= number)
    return 0;
  blame(g, number, is_late ? WF_GPU_HUNG : WF_GPU_DIED, status, out);
  g->taken++;
  return 1;
}

static int take_answers(WfGpu *g, WfGpuAnswer *out) {
  const WfGpuSlot *s = &g->control->slot[g->taken % WF_GPU_BATCHES];
  int rc = make_room(g, g->taken);
  if (rc == 0)
    fill_answers(g, g->taken, out);
  if (s->is_lost)
    wf_gpu_end_child(&g->child, 0);
  g->taken++;
  return rc;
}

/* A job with slices has far more to do. */
static uint64_t time_allowed(const WfGpu *g) {
  const WfGpuJob *job = &g->batch[g->taken % WF_GPU_BATCHES].job[0];
  return job->slice || job->patient ? ARBITRARY_PATIENCE * g->timeout_ns : g->timeout_ns;
}

/* What was answered before the child ended, counts. */
int wf_gpu_wait(WfGpu *g, WfGpuAnswer *out, char *err, size_t err_size) {
  if (g->taken == g->sent)
    return say(err, err_size, "no batch is on its way");
  for (int deaths = 0; atomic_load(&g->control->answered) <= g->taken; deaths++) {
    if (deaths == ARBITRARY_DEATHS)
      return say(err, err_size, "the process that owns the device ends again and again before it begins");
    if (need_child(g, err, err_size) != 0)
      return -1;
    int rc = wf_gpu_await_child(&g->child, &g->control->answered, g->taken, &g->control->watch, time_allowed(g));
    if (rc != 1 && take_end(g, rc == 0, out))
      return 0;
  }
  return take_answers(g, out) == 0 ? 0 : say(err, err_size, "out of memory");
}
