/* gpu_image.c - what a batch's memory holds before its launches, and what of it has changed behind them. */
#include "gpu_impl.h"
#include <string.h>

/* Of guards, counted up from one to the next: a value that was read behind one tensor and is written behind another is seen. A
 * signalling NaN: moves keep it, but no arithmetic gives one, neither on a device nor on x86. */
#define PATTERN_GUARD 0x7f9a5a00u

enum { WORD_BYTES = sizeof(uint32_t) };

/* The bytes of a word up to `to`, from `from` on: what begins or ends within it. Where the next one begins. */
static uint64_t fill_part(unsigned char *image, uint64_t from, uint64_t to, uint32_t pattern) {
  unsigned char bytes[WORD_BYTES];
  memcpy(bytes, &pattern, WORD_BYTES);
  do
    image[from] = bytes[from % WORD_BYTES];
  while (++from < to && from % WORD_BYTES != 0);
  return from;
}

/* From `from` to before `to`, as words of the image have it. By doubling, since guards are large. */
static void fill(unsigned char *image, uint64_t from, uint64_t to, uint32_t pattern) {
  if (from < to && from % WORD_BYTES != 0)
    from = fill_part(image, from, to, pattern);
  uint64_t n = (to - from) / WORD_BYTES * WORD_BYTES, done = WORD_BYTES;
  if (n > 0)
    memcpy(image + from, &pattern, WORD_BYTES);
  for (uint64_t more; done < n; done += more) {
    more = done < n - done ? done : n - done;
    memcpy(image + from + done, image + from, more);
  }
  if (from + n < to)
    fill_part(image, from + n, to, pattern);
}

/* A case's values as elements of their type, some at a time. */
static void put_values(const WfCase *c, int tensor, unsigned char *to) {
  enum { SOME = 1024 };
  const WfDtype type = c->dtype[tensor];
  float values[SOME];
  if (type == WF_F32) {
    wf_case_values(c, tensor, (float *)(void *)to);
    return;
  }
  for (int64_t n = wf_case_elems(c, tensor), at = 0; at < n; at += SOME) {
    int64_t some = n - at < SOME ? n - at : SOME;
    wf_case_values_at(c, tensor, at, some, values);
    wf_dtype_store(type, to + at * (int64_t)wf_dtype_bytes(type), values, (size_t)some);
  }
}

static int holds_values(const WfGpuJob *job, const WfGpuObject *o) {
  return o->tensor != WF_GPU_SCRATCH && job->c->op->tensors[o->tensor].role == WF_IN;
}

static void fill_object(const WfGpuSlot *s, const WfGpuObject *o, unsigned char *up, const unsigned char *values) {
  const WfGpuJob *job = &s->job[o->job];
  if (holds_values(job, o) && s->has_values) {
    memcpy(up + o->at_bytes, values + o->at_bytes, o->size_bytes);
    return;
  }
  if (holds_values(job, o)) {
    put_values(job->c, o->tensor, up + o->at_bytes);
    return;
  }
  uint32_t bits = job->pattern;
  if (o->tensor != WF_GPU_SCRATCH)
    bits = wf_start_bits(job->v, job->c->op, o->tensor, bits);
  fill(up, o->at_bytes, o->at_bytes + o->size_bytes, bits);
}

void wf_gpu_build(const WfGpuSlot *s, unsigned char *up, const unsigned char *values) {
  const WfGpuLayout *l = &s->layout;
  for (size_t i = 0; i <= l->n_objects; i++) {
    uint64_t from, to;
    wf_gpu_guard(l, i, &from, &to);
    fill(up, from, to, PATTERN_GUARD + (uint32_t)i);
    if (i < l->n_objects)
      fill_object(s, &l->at[i], up, values);
  }
}

/* Adds the words from `from` to before `to` that differ. The first one may begin within a word. */
static void compare(WfGpuChange *out, const WfGpuObject *o, const unsigned char *up, const unsigned char *down, uint64_t from,
                    uint64_t to) {
  if (memcmp(up + from, down + from, to - from) == 0)
    return;
  for (uint64_t at = from, next; at < to; at = next) {
    next = at - at % WORD_BYTES + WORD_BYTES;
    next = next < to ? next : to;
    if (memcmp(up + at, down + at, next - at) == 0)
      continue;
    uint64_t word = at - at % WORD_BYTES;
    if (out->n_words++ > 0)
      continue;
    out->offset_bytes = (int64_t)(word - o->at_bytes);
    memcpy(&out->now, down + word, WORD_BYTES);
  }
}

/* The halves of the guards on both sides of it; all of those at the ends of the image. */
static void examine_guards(WfGpuSlot *s, size_t i, const unsigned char *up, const unsigned char *down) {
  const WfGpuLayout *l = &s->layout;
  uint64_t from, to;
  wf_gpu_guard(l, i, &from, &to);
  if (i > 0)
    from += (to - from) / 2 / WORD_BYTES * WORD_BYTES;
  compare(&s->guard[i], &l->at[i], up, down, from, to);
  wf_gpu_guard(l, i + 1, &from, &to);
  if (i + 1 < l->n_objects)
    to = from + (to - from) / 2 / WORD_BYTES * WORD_BYTES;
  compare(&s->guard[i], &l->at[i], up, down, from, to);
}

/* In blocks of a known length, for compilers that have vector instructions only for such loops. */
static uint64_t count_words(const uint32_t *w, uint64_t n, uint32_t pattern) {
  enum { BLOCK = 64 };
  uint64_t count = 0, i = 0;
  for (; n - i >= BLOCK; i += BLOCK) {
    uint32_t in_block = 0;
    for (int k = 0; k < BLOCK; k++)
      in_block += w[i + (uint64_t)k] == pattern;
    count += in_block;
  }
  for (; i < n; i++)
    count += w[i] == pattern;
  return count;
}

static void count_unwritten_halves(WfGpuSlot *s, const WfGpuObject *o, const unsigned char *down) {
  const WfGpuJob *job = &s->job[o->job];
  const uint16_t pattern = (uint16_t)wf_dtype_pattern(job->c->dtype[o->tensor], job->pattern);
  const uint16_t *y = (const uint16_t *)(const void *)(down + o->at_bytes);
  uint64_t count = 0, first = 0;
  for (uint64_t i = 0; i < o->size_bytes / sizeof *y; i++)
    if (y[i] == pattern && count++ == 0)
      first = i;
  s->unwritten[o->job] = count;
  s->first_unwritten[o->job] = first;
}

static void count_unwritten(WfGpuSlot *s, const WfGpuObject *o, const unsigned char *down) {
  const WfGpuJob *job = &s->job[o->job];
  const WfDtype type = job->c->dtype[o->tensor];
  if (wf_start_of(job->v, &job->c->op->tensors[o->tensor]) != WF_START_NOTHING || !wf_dtype_pattern_is_rare(type, job->pattern))
    return;
  if (type != WF_F32) {
    count_unwritten_halves(s, o, down);
    return;
  }
  const uint32_t *y = (const uint32_t *)(const void *)(down + o->at_bytes);
  uint64_t count = count_words(y, o->size_bytes / WORD_BYTES, job->pattern), first = 0;
  while (count > 0 && y[first] != job->pattern)
    first++;
  s->unwritten[o->job] = count;
  s->first_unwritten[o->job] = first;
}

void wf_gpu_examine(WfGpuSlot *s, const unsigned char *up, const unsigned char *down) {
  const WfGpuLayout *l = &s->layout;
  memset(s->unwritten, 0, l->n_jobs * sizeof *s->unwritten);
  memset(s->first_unwritten, 0, l->n_jobs * sizeof *s->first_unwritten);
  memset(s->guard, 0, l->n_objects * sizeof *s->guard);
  memset(s->inside, 0, l->n_objects * sizeof *s->inside);
  for (size_t i = 0; i < l->n_objects; i++) {
    const WfGpuObject *o = &l->at[i];
    const WfGpuJob *job = &s->job[o->job];
    examine_guards(s, i, up, down);
    if (o->tensor == WF_GPU_SCRATCH)
      continue;
    if (!holds_values(job, o))
      count_unwritten(s, o, down);
    else if (job->c->in_place != (uint32_t)o->tensor + 1)
      compare(&s->inside[i], o, up, down, o->at_bytes, o->at_bytes + o->size_bytes);
  }
}
