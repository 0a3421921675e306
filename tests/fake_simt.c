/* fake_simt.c - see fake_simt.h. One context is current at a time, as in the engine. */
#include "fake_simt.h"
#include <stdlib.h>
#include <string.h>

#define MAX_BUFFERS 8
#define MAX_FOUND 64
#define MAX_TOUCHED 64
#define ALIGN_BYTES 256

typedef struct Buffer {
  const char *name;
  unsigned char *block, *base; /* allocation; the tensor's first byte in it */
  size_t bytes;
  unsigned flags;
  uint8_t *written; /* by element of 4 bytes */
  SimtLazyBuffer lazy;
  uint64_t touched[MAX_TOUCHED];
  size_t n_touched;
} Buffer;

const SimtSite fake_store_site = {.file = "k.cu", .func = "fake_store", .line = 20, .column = 5};

struct Simt {
  Buffer buffer[MAX_BUFFERS];
  size_t n_buffers, n_found;
  SimtRun run;
  SimtStats stats;
  SimtFinding found[MAX_FOUND];
};

static _Thread_local Simt *current;

int simt_create(Simt **out) {
  *out = calloc(1, sizeof **out);
  return *out ? 0 : -1;
}

void simt_destroy(Simt *s) {
  simt_free_all(s);
  free(s);
}

int simt_alloc(Simt *s, const char *name, size_t bytes, size_t base_offset_bytes, unsigned flags, void **out) {
  if (s->n_buffers == MAX_BUFFERS || bytes > simt_largest_buffer())
    return -1;
  Buffer *b = &s->buffer[s->n_buffers];
  size_t room = (base_offset_bytes + bytes + ALIGN_BYTES) / ALIGN_BYTES * ALIGN_BYTES;
  b->block = aligned_alloc(ALIGN_BYTES, room);
  b->written = calloc(bytes / sizeof(float) + 1, 1);
  if (!b->block || !b->written) {
    free(b->block);
    free(b->written);
    return -1;
  }
  memset(b->block, 0, room);
  b->name = name;
  b->base = b->block + base_offset_bytes;
  b->bytes = bytes;
  b->flags = flags;
  s->n_buffers++;
  *out = b->base;
  return 0;
}

static Buffer *buffer_of(Simt *s, const void *p) {
  for (size_t i = 0; i < s->n_buffers; i++) {
    Buffer *b = &s->buffer[i];
    if ((const unsigned char *)p >= b->base && (const unsigned char *)p < b->base + b->bytes)
      return b;
  }
  return NULL;
}

/* The stand-in's buffers are small: all of it is filled at once, and counts as touched. */
int simt_alloc_lazy(Simt *s, const SimtLazyBuffer *b, void **out) {
  if (simt_alloc(s, b->name, b->bytes, b->base_offset_bytes, b->flags, out))
    return -1;
  s->buffer[s->n_buffers - 1].lazy = *b;
  return 0;
}

uint64_t simt_largest_buffer(void) { return UINT64_C(1) << 40; }

void simt_refresh(Simt *s, void *p) {
  Buffer *b = buffer_of(s, p);
  b->n_touched = 0;
  for (size_t at = 0; at < b->bytes; at += SIMT_CHUNK_BYTES) {
    size_t left = b->bytes - at;
    b->lazy.fill(b->lazy.ctx, at, left < SIMT_CHUNK_BYTES ? left : SIMT_CHUNK_BYTES, b->base + at);
    b->touched[b->n_touched++] = at;
    if (b->n_touched == MAX_TOUCHED)
      abort();
  }
}

int simt_touch(Simt *s, void *q, size_t bytes) {
  const Buffer *b = buffer_of(s, q);
  return b && (size_t)((unsigned char *)q - b->base) + bytes <= b->bytes ? 0 : -1;
}

const uint64_t *simt_touched(Simt *s, const void *p, size_t *n) {
  const Buffer *b = buffer_of(s, p);
  *n = b->n_touched;
  return b->touched;
}

void simt_free_all(Simt *s) {
  for (size_t i = 0; i < s->n_buffers; i++) {
    free(s->buffer[i].block);
    free(s->buffer[i].written);
  }
  s->n_buffers = 0;
}

static size_t element_of(const Buffer *b, const void *p) {
  return (size_t)((const unsigned char *)p - b->base) / sizeof(float);
}

uint64_t simt_unwritten(Simt *s, const void *p, size_t elem_bytes, uint64_t n_elems, uint64_t *first) {
  const Buffer *b = buffer_of(s, p);
  uint64_t missing = 0;
  if (!b || elem_bytes != sizeof(float))
    abort();
  for (uint64_t i = 0; i < n_elems; i++)
    if (!b->written[element_of(b, p) + i] && missing++ == 0)
      *first = i;
  return missing;
}

void simt_begin(Simt *s, const SimtRun *run) {
  for (size_t i = 0; i < s->n_buffers; i++)
    memset(s->buffer[i].written, 0, s->buffer[i].bytes / sizeof(float));
  s->run = *run;
  memset(&s->stats, 0, sizeof s->stats);
  s->n_found = 0;
  current = s;
}

int simt_last_write(Simt *s, const void *p, SimtWhere *out) {
  const Buffer *b = buffer_of(s, p);
  memset(out, 0, sizeof *out);
  if (!b || !b->written[element_of(b, p)])
    return 0;
  *out = (SimtWhere){&fake_store_site, {0, 0, 0}, {(uint32_t)element_of(b, p), 0, 0}, 0, "write", 0, {0}};
  return 1;
}

int simt_call(Simt *s, void (*host)(void *arg), void *arg) {
  (void)s;
  host(arg);
  return 0;
}

size_t simt_end(Simt *s, SimtStats *stats) {
  current = NULL;
  if (stats)
    *stats = s->stats;
  return s->n_found;
}

const SimtFinding *simt_findings(const Simt *s, size_t *n) {
  *n = s->n_found;
  return s->found;
}

uint8_t *simt_coverage(size_t *n) {
  *n = 0;
  return NULL;
}

const SimtCover *simt_covers(size_t *n) {
  *n = 0;
  return NULL;
}

size_t simt_cover_first(const SimtCover *c) {
  (void)c;
  return 0;
}

void fake_store(float *p, float v) {
  Buffer *b = buffer_of(current, p);
  b->written[element_of(b, p)] = 1;
  *p = v;
}

uint64_t fake_schedule(void) {
  return current->run.schedule;
}

int fake_reversed(void) {
  return current->run.reverse_blocks;
}

void fake_trace(uint64_t step) {
  current->stats.trace_hash = (current->stats.trace_hash ^ step) * 0x100000001b3u;
}

void fake_abandon(void) {
  current->stats.abandoned = 1;
}

static void note_poison(SimtClass cls, const SimtSite *site) {
  SimtStats *st = &current->stats;
  for (int i = 0; i < st->poison_read; i++)
    if (st->poison[i].here.site == site)
      return;
  SimtFinding *f = &st->poison[st->poison_read++];
  f->cls = cls;
  f->severity = SIMT_WARNING;
  f->kernel = "fake_kernel";
  f->here.site = site;
  f->object = "slots";
  f->rule = "a value nobody wrote must not matter";
}

void fake_poison(SimtClass cls) {
  note_poison(cls, NULL);
}

float fake_absent_at(SimtClass cls, const SimtSite *site) {
  const SimtRun *r = &current->run;
  float v;
  note_poison(cls, site);
  memcpy(&v, r->fill_site && r->fill_site != site ? &r->other_fill : &r->fill, sizeof v);
  return v;
}

float fake_absent(SimtClass cls) {
  return fake_absent_at(cls, NULL);
}

void fake_finding(SimtClass cls, SimtSeverity severity, const SimtSite *here, const SimtSite *other) {
  if (current->n_found == MAX_FOUND)
    abort();
  SimtFinding *f = &current->found[current->n_found++];
  memset(f, 0, sizeof *f);
  f->cls = cls;
  f->severity = severity;
  f->kernel = "fake_kernel";
  f->here.site = here;
  f->here.access = "write";
  f->other.site = other;
  f->other.access = other ? "read" : "";
  f->object = "slots";
  f->rule = "as the test says";
  f->count = 1;
}

const char *fake_buffer_name(const void *p) {
  const Buffer *b = buffer_of(current, p);
  return b && b->base == p ? b->name : NULL;
}

int fake_buffer_is_init(const void *p) {
  const Buffer *b = buffer_of(current, p);
  return b && (b->flags & SIMT_BUF_INIT) != 0;
}
