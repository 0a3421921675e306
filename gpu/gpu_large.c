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

static int is_halves(const WfGpuSlot *s, const WfGpuObject *o) {
  return o->tensor != WF_GPU_SCRATCH && s->job[0].c->dtype[o->tensor] != WF_F32;
}

static uint64_t offset_bytes(const WfGpuSlot *s, const WfGpuObject *o) {
  const WfCase *c = s->job[0].c;
  return o->tensor == WF_GPU_SCRATCH ? 0 : c->fill[o->tensor].base_offset_elems * wf_dtype_bytes(c->dtype[o->tensor]);
}

/* Whole words in front of an object: one of 16-bit elements may begin within a word, whose other half no guard watches. */
static uint64_t offset_words(const WfGpuSlot *s, const WfGpuObject *o) { return offset_bytes(s, o) / sizeof(uint32_t); }

static uint32_t *front_guard(const WfGpuChild *c, size_t i) { return c->own[i]; }

/* Behind the guard and the base offset. */
static unsigned char *object(const WfGpuChild *c, const WfGpuSlot *s, size_t i) {
  return (unsigned char *)(front_guard(c, i) + GUARD_WORDS) + offset_bytes(s, &s->layout.at[i]);
}

/* Sizes need be no multiple of a word. */
static uint64_t object_words(const WfGpuObject *o) { return (o->size_bytes + sizeof(uint32_t) - 1) / sizeof(uint32_t); }

/* From the end of the front guard to the beginning of the one behind. */
static uint64_t words_between(const WfGpuSlot *s, const WfGpuObject *o) {
  return (offset_bytes(s, o) % sizeof(uint32_t) + o->size_bytes + sizeof(uint32_t) - 1) / sizeof(uint32_t);
}
static uint32_t *guard_behind(const WfGpuChild *c, const WfGpuSlot *s, size_t i) {
  const WfGpuObject *o = &s->layout.at[i];
  return front_guard(c, i) + GUARD_WORDS + offset_words(s, o) + words_between(s, o);
}
static uint64_t elements(const WfGpuSlot *s, const WfGpuObject *o) {
  return is_halves(s, o) ? o->size_bytes / sizeof(uint16_t) : object_words(o);
}

static int is_input(const WfGpuSlot *s, const WfGpuObject *o) {
  return o->tensor != WF_GPU_SCRATCH && s->job[0].c->op->tensors[o->tensor].role == WF_IN;
}

static int is_in_place(const WfGpuSlot *s, const WfGpuObject *o) { return s->job[0].c->in_place == (uint32_t)o->tensor + 1; }

/* ---- before the launch ---- */

static void fill(const WfGpuChild *c, const WfGpuSlot *s, size_t i) {
  const WfGpuObject *o = &s->layout.at[i];
  const WfGpuJob *job = &s->job[0];
  void *at = object(c, s, i);
  uint32_t bits = job->pattern;
  wf_device_fill(c->device, front_guard(c, i), GUARD_WORDS + offset_words(s, o), PATTERN_FRONT);
  wf_device_fill(c->device, guard_behind(c, s, i), GUARD_WORDS, PATTERN_BEHIND);
  if (is_input(s, o)) {
    wf_device_values(c->device, job->c, o->tensor, at);
    return;
  }
  if (o->tensor != WF_GPU_SCRATCH)
    bits = wf_start_bits(job->v, job->c->op, o->tensor, bits);
  if (is_halves(s, o))
    wf_device_fill_halves(c->device, at, elements(s, o), (uint16_t)bits);
  else
    wf_device_fill(c->device, at, object_words(o), bits);
}

/* The last one is for the inputs' values a second time. 0; -1: no memory left. */
static int take_memory(WfGpuChild *c, const WfGpuSlot *s) {
  uint64_t largest = 0;
  for (size_t i = 0; i < s->layout.n_objects; i++) {
    const WfGpuObject *o = &s->layout.at[i];
    c->own[i] = wf_device_alloc(c->device, (2 * GUARD_WORDS + offset_words(s, o) + words_between(s, o)) * sizeof(uint32_t));
    if (!c->own[i])
      return -1;
    if (is_input(s, o) && o->size_bytes > largest)
      largest = o->size_bytes;
  }
  return largest == 0 || (c->own[WF_GPU_JOB_OBJECTS] = wf_device_alloc(c->device, largest)) ? 0 : -1;
}

/* ---- behind it ---- */

/* Where `was` is NULL, with the pattern. */
static void compare_inside(const WfGpuChild *c, const WfGpuSlot *s, size_t i, const void *was, WfDeviceDamage *out) {
  const WfGpuObject *o = &s->layout.at[i];
  if (is_halves(s, o))
    wf_device_compare_halves(c->device, object(c, s, i), was,
                             (uint16_t)wf_dtype_pattern(s->job[0].c->dtype[o->tensor], s->job[0].pattern), elements(s, o), out);
  else
    wf_device_compare(c->device, object(c, s, i), was, s->job[0].pattern, object_words(o), out);
}

static void compare(const WfGpuChild *c, const WfGpuSlot *s, size_t i, Found *f) {
  const WfGpuObject *o = &s->layout.at[i];
  const WfGpuJob *job = &s->job[0];
  wf_device_compare(c->device, front_guard(c, i), NULL, PATTERN_FRONT, GUARD_WORDS + offset_words(s, o), &f->front);
  wf_device_compare(c->device, guard_behind(c, s, i), NULL, PATTERN_BEHIND, GUARD_WORDS, &f->behind);
  if (o->tensor == WF_GPU_SCRATCH || is_in_place(s, o))
    return;
  if (is_input(s, o)) {
    wf_device_values(c->device, job->c, o->tensor, c->own[WF_GPU_JOB_OBJECTS]);
    compare_inside(c, s, i, c->own[WF_GPU_JOB_OBJECTS], &f->inside);
  } else
    compare_inside(c, s, i, NULL, &f->inside);
}

/* The slices of the output, those that follow each other at once. */
static void download(const WfGpuChild *c, const WfGpuSlot *s, size_t i, unsigned char *down) {
  const unsigned char *at = object(c, s, i);
  const WfGpuObject *o = &s->layout.at[i];
  size_t elems = s->slice_elems, bytes = wf_dtype_bytes(s->job[0].c->dtype[o->tensor]), n = 0;
  for (size_t k = 0; k < s->n_slices; k += n) {
    for (n = 1; k + n < s->n_slices && s->slice[k + n] == s->slice[k] + (int64_t)n;)
      n++;
    wf_device_download(c->device, down + k * elems * bytes, at + (size_t)s->slice[k] * elems * bytes, n * elems * bytes);
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

/* from_bytes: where the units that were compared begin, from the object's start. */
static void add(WfGpuChange *out, const WfDeviceDamage *d, int64_t from_bytes, size_t unit_bytes) {
  if (d->n_words > 0 && out->n_words == 0)
    *out = (WfGpuChange){.offset_bytes = from_bytes + (int64_t)(d->first * unit_bytes), .now = d->now};
  out->n_words += d->n_words;
}

static int counts_unwritten(const WfGpuSlot *s, const WfGpuObject *o) {
  const WfGpuJob *job = &s->job[0];
  return o->tensor != WF_GPU_SCRATCH && wf_start_of(job->v, &job->c->op->tensors[o->tensor]) == WF_START_NOTHING &&
         wf_dtype_pattern_is_rare(job->c->dtype[o->tensor], job->pattern);
}

void wf_gpu_large_examine(const WfGpuChild *c, WfGpuSlot *s, uint64_t number) {
  const Found *f = found(c, number);
  s->unwritten[0] = s->first_unwritten[0] = 0;
  for (size_t i = 0; i < s->layout.n_objects; i++) {
    const WfGpuObject *o = &s->layout.at[i];
    s->guard[i] = s->inside[i] = (WfGpuChange){0};
    const size_t word = sizeof(uint32_t), unit = is_halves(s, o) ? sizeof(uint16_t) : word;
    const int64_t front = -(int64_t)(GUARD_WORDS * word + offset_bytes(s, o));
    add(&s->guard[i], &f[i].front, front, word);
    add(&s->guard[i], &f[i].behind, (int64_t)(words_between(s, o) * word - offset_bytes(s, o) % word), word);
    if (is_input(s, o))
      add(&s->inside[i], &f[i].inside, 0, unit);
    else if (counts_unwritten(s, o))
      s->unwritten[0] = elements(s, o) - f[i].inside.n_words;
  }
}
