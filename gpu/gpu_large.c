/* gpu_large.c - a job whose tensors fit into no image: they are made on the device, each in memory of its own with guards on both
 * sides, and of the output only some slices come back. What has changed of the rest is counted on the device. */
#include "gpu_child.h"
#include <string.h>

enum { GUARD_WORDS = WF_GPU_LONE_GUARD_BYTES / sizeof(uint32_t) };
#define PATTERN_FRONT 0x7f9a5affu
#define PATTERN_BEHIND 0x7f9a5afeu

/* What the device finds, in memory that it reaches: at the beginning of the image that is sent otherwise. */
typedef struct Found {
  WfDeviceDamage front, behind, inside;
} Found;

static Found *found(const WfGpuChild *c, uint64_t number) { return (Found *)(void *)wf_gpu_image_up(c->memory, number); }

static uint64_t offset_words(const WfGpuSlot *s, const WfGpuObject *o) {
  return o->tensor == WF_GPU_SCRATCH ? 0 : s->job[0].c->fill[o->tensor].base_offset_elems;
}

static uint32_t *front_guard(const WfGpuChild *c, size_t i) { return c->own[i]; }

/* Behind the guard and the base offset. */
static uint32_t *object(const WfGpuChild *c, const WfGpuSlot *s, size_t i) {
  return front_guard(c, i) + GUARD_WORDS + offset_words(s, &s->layout.at[i]);
}

/* Sizes of scratch memory need be no multiple of a word. */
static uint64_t object_words(const WfGpuObject *o) { return (o->size_bytes + sizeof(uint32_t) - 1) / sizeof(uint32_t); }

static int is_input(const WfGpuSlot *s, const WfGpuObject *o) {
  return o->tensor != WF_GPU_SCRATCH && s->job[0].c->op->tensors[o->tensor].role == WF_IN;
}

static int is_in_place(const WfGpuSlot *s, const WfGpuObject *o) { return s->job[0].c->in_place == (uint32_t)o->tensor + 1; }

/* ---- before the launch ---- */

static void fill(const WfGpuChild *c, const WfGpuSlot *s, size_t i) {
  const WfGpuObject *o = &s->layout.at[i];
  const WfGpuJob *job = &s->job[0];
  uint32_t *at = object(c, s, i), bits = job->pattern;
  wf_device_fill(c->device, front_guard(c, i), GUARD_WORDS + offset_words(s, o), PATTERN_FRONT);
  wf_device_fill(c->device, at + object_words(o), GUARD_WORDS, PATTERN_BEHIND);
  if (is_input(s, o)) {
    wf_device_values(c->device, job->c, o->tensor, (float *)(void *)at);
    return;
  }
  if (o->tensor != WF_GPU_SCRATCH)
    bits = wf_start_bits(job->v, &job->c->op->tensors[o->tensor], bits);
  wf_device_fill(c->device, at, object_words(o), bits);
}

/* The last one is for the inputs' values a second time. 0; -1: no memory left. */
static int take_memory(WfGpuChild *c, const WfGpuSlot *s) {
  uint64_t largest = 0;
  for (size_t i = 0; i < s->layout.n_objects; i++) {
    const WfGpuObject *o = &s->layout.at[i];
    c->own[i] = wf_device_alloc(c->device, (2 * GUARD_WORDS + offset_words(s, o) + object_words(o)) * sizeof(uint32_t));
    if (!c->own[i])
      return -1;
    if (is_input(s, o) && o->size_bytes > largest)
      largest = o->size_bytes;
  }
  return largest == 0 || (c->own[WF_GPU_JOB_OBJECTS] = wf_device_alloc(c->device, largest)) ? 0 : -1;
}

/* ---- behind it ---- */

static void compare(const WfGpuChild *c, const WfGpuSlot *s, size_t i, Found *f) {
  const WfGpuObject *o = &s->layout.at[i];
  const WfGpuJob *job = &s->job[0];
  uint32_t *at = object(c, s, i);
  wf_device_compare(c->device, front_guard(c, i), NULL, PATTERN_FRONT, GUARD_WORDS + offset_words(s, o), &f->front);
  wf_device_compare(c->device, at + object_words(o), NULL, PATTERN_BEHIND, GUARD_WORDS, &f->behind);
  if (o->tensor == WF_GPU_SCRATCH || is_in_place(s, o))
    return;
  if (is_input(s, o)) {
    wf_device_values(c->device, job->c, o->tensor, c->own[WF_GPU_JOB_OBJECTS]);
    wf_device_compare(c->device, at, c->own[WF_GPU_JOB_OBJECTS], 0, object_words(o), &f->inside);
  } else
    wf_device_compare(c->device, at, NULL, job->pattern, object_words(o), &f->inside);
}

/* The slices of the output, those that follow each other at once. */
static void download(const WfGpuChild *c, const WfGpuSlot *s, size_t i, unsigned char *down) {
  const uint32_t *at = object(c, s, i);
  size_t elems = s->slice_elems, n = 0;
  for (size_t k = 0; k < s->n_slices; k += n) {
    for (n = 1; k + n < s->n_slices && s->slice[k + n] == s->slice[k] + (int64_t)n;)
      n++;
    wf_device_download(c->device, down + k * elems * sizeof(float), at + (size_t)s->slice[k] * elems, n * elems * sizeof(float));
  }
}

static size_t output_object(const WfGpuSlot *s) {
  const WfOp *op = s->job[0].c->op;
  int t = 0;
  while (op->tensors[t].role != WF_OUT)
    t++;
  return s->layout.object[0][t];
}

void wf_gpu_large_start(WfGpuChild *c, WfGpuSlot *s, uint64_t number) {
  Found *f = found(c, number);
  s->no_room = take_memory(c, s) != 0;
  if (s->no_room)
    return;
  memset(f, 0, s->layout.n_objects * sizeof *f);
  for (size_t i = 0; i < s->layout.n_objects; i++)
    fill(c, s, i);
  wf_gpu_launch_all(c, s);
  if (s->error.status != WF_DEVICE_OK)
    return;
  for (size_t i = 0; i < s->layout.n_objects; i++)
    compare(c, s, i, &f[i]);
  download(c, s, output_object(s), wf_gpu_image_down(c->memory, number));
}

void *wf_gpu_large_object(const WfGpuChild *c, const WfGpuSlot *s, size_t i) { return object(c, s, i); }

static void add(WfGpuChange *out, const WfDeviceDamage *d, int64_t first_word) {
  if (d->n_words > 0 && out->n_words == 0)
    *out = (WfGpuChange){.offset_bytes = ((int64_t)d->first + first_word) * (int64_t)sizeof(uint32_t), .now = d->now};
  out->n_words += d->n_words;
}

void wf_gpu_large_examine(const WfGpuChild *c, WfGpuSlot *s, uint64_t number) {
  const Found *f = found(c, number);
  s->unwritten[0] = s->first_unwritten[0] = 0;
  for (size_t i = 0; i < s->layout.n_objects; i++) {
    const WfGpuObject *o = &s->layout.at[i];
    s->guard[i] = s->inside[i] = (WfGpuChange){0};
    add(&s->guard[i], &f[i].front, -(int64_t)(GUARD_WORDS + offset_words(s, o)));
    add(&s->guard[i], &f[i].behind, (int64_t)object_words(o));
    if (is_input(s, o))
      add(&s->inside[i], &f[i].inside, 0);
    else if (o->tensor != WF_GPU_SCRATCH && wf_start_of(s->job[0].v, &s->job[0].c->op->tensors[o->tensor]) == WF_START_NOTHING)
      s->unwritten[0] = object_words(o) - f[i].inside.n_words;
  }
}
