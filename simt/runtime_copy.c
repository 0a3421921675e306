/* runtime_copy.c - copies: rows of bytes between host and device, as operations in streams, and what is wrong with them. */
#include "runtime.h"
#include <stdio.h>
#include <string.h>

static const char rule_range[] = "a copy must stay within one allocation on either side (CUDA Runtime API, cudaMemcpy())";
static const char rule_kind[] =
    "the kind of a copy says which side is the device's; the other side's address is taken as the host's (CUDA Runtime API, cudaMemcpyKind)";
static const char rule_unwritten[] = "memory that nobody has written holds no value (CUDA Runtime API, cudaMalloc(): it is not cleared)";

/* From the first byte to behind the last; 0: there is none. ~0: more than there can be. */
static uint64_t span(uint64_t width, uint64_t height, uint64_t depth, uint64_t pitch, uint64_t slice) {
  uint64_t rows, slices, sum;
  if (!width || !height || !depth) return 0;
  if (__builtin_mul_overflow(height - 1, pitch, &rows) || __builtin_mul_overflow(depth - 1, slice, &slices) ||
      __builtin_add_overflow(rows, slices, &sum) || __builtin_add_overflow(sum, width, &sum))
    return ~0ull;
  return sum;
}

static SimtFinding *report_range(Simt *s, const Copy *c, const void *p, const char *way) {
  char what[200];
  SimtFinding *f = simt_report_call(s, SIMT_OOB_GLOBAL, SIMT_ERROR, c->call);
  if (!f) return NULL;
  f->rule = rule_range;
  simt_describe_address(s, p, what, sizeof what);
  simt_detail(f, "%s %s %s", c->call, way, what);
  return f;
}

/* Is one side as the kind of the copy says, and inside of one object? Host memory that nobody knows is not looked at. */
static int is_good(Simt *s, const Copy *c, const Side *d, const void *p, uint64_t bytes, int is_device, int writes) {
  const char *way = writes ? "writes to" : "reads from";
  if (d->kind == SIDE_NULL || d->kind == SIDE_NOWHERE || (d->kind == SIDE_PAGEABLE && is_device)) {
    SimtFinding *f = report_range(s, c, p, way);
    if (f && d->kind == SIDE_PAGEABLE) f->rule = rule_kind;
    return 0;
  }
  if (d->kind == SIDE_PAGEABLE || d->kind == SIDE_REGISTERED) return 1;
  uint64_t off = (uintptr_t)p - d->base;
  if (bytes <= d->bytes - off) return 1;
  SimtFinding *f = report_range(s, c, p, way);
  if (f) {
    f->object = d->name;
    f->offset_bytes = (int64_t)off;
    simt_detail(f, "%s %s %llu bytes at byte %llu of %s, which has %llu", c->call, writes ? "writes" : "reads", (unsigned long long)bytes,
                (unsigned long long)off, d->name, (unsigned long long)d->bytes);
  }
  return 0;
}

/* Such a copy is made all the same: the driver looks at the addresses. */
static void check_kind(Simt *s, const Copy *c, const Side *to, const Side *from) {
  int to_host = c->kind == cudaMemcpyDeviceToHost || c->kind == cudaMemcpyHostToHost;
  int from_host = c->kind == cudaMemcpyHostToDevice || c->kind == cudaMemcpyHostToHost;
  const Side *wrong = to_host && to->kind == SIDE_DEVICE ? to : from_host && from->kind == SIDE_DEVICE ? from : NULL;
  SimtFinding *f = wrong ? simt_report_call(s, SIMT_LAUNCH_ERROR, SIMT_WARNING, c->call) : NULL;
  if (!f) return;
  f->rule = rule_kind;
  f->object = wrong->name;
  simt_detail(f, "%s takes %s, which is device memory, for the host's", c->call, wrong->name);
}

/* ---- what nobody has written ---- */

/* Of bytes that are read one by one, or by words: the first that nobody has written, from off on. 1: all are written. */
static int is_written_by(Simt *s, const Slot *o, uint64_t off, uint64_t elem_bytes, uint64_t n, uint64_t *first) {
  uint64_t bad, missing = n ? simt_unwritten(s, (const void *)(o->base + off), elem_bytes, n, &bad) : 0;
  if (missing) *first = off + bad * elem_bytes;
  if (missing && elem_bytes > 1) is_written_by(s, o, *first, 1, elem_bytes, first); /* which byte of it */
  return !missing;
}

static int is_written(Simt *s, const Slot *o, uint64_t off, uint64_t bytes, uint64_t *first) {
  uint64_t head = off % 4 ? 4 - off % 4 : 0;
  if (o->flags & SIMT_BUF_INIT) return 1;
  if (head > bytes) head = bytes;
  uint64_t words = (bytes - head) / 4, tail = (bytes - head) % 4;
  return is_written_by(s, o, off, 1, head, first) && is_written_by(s, o, off + head, 4, words, first) &&
         is_written_by(s, o, off + head + 4 * words, 1, tail, first);
}

static void check_written(Simt *s, const Copy *c, const Side *from, uint64_t off, uint64_t bytes) {
  uint64_t first;
  if (!(s->run.detect & SIMT_DETECT_UNINIT) || from->kind != SIDE_DEVICE || is_written(s, from->slot, off, bytes, &first)) return;
  SimtFinding *f = simt_report_call(s, SIMT_UNINIT_GLOBAL, SIMT_WARNING, c->call);
  if (!f) return;
  f->rule = rule_unwritten;
  f->object = from->name;
  f->offset_bytes = (int64_t)(first + from->slot->base - from->base);
  simt_detail(f, "%s to the host reads byte %lld of %s, where nobody has written", c->call, (long long)f->offset_bytes, from->name);
}

/* Memory that the host reads sooner or later. Managed memory may be the device's business alone. */
static int is_hosts(const Side *to) { return !to->slot || (to->kind == SIDE_SHARED && to->allocation && to->allocation->kind == HEAP_HOST); }

/* ---- the copy ---- */

/* What it does to the shadow of both sides. */
typedef struct Marks {
  int reads, writes;   /* whether to note them: somebody may ask */
  int unwritten;       /* the source has bytes that nobody has written: they stay so */
  uint32_t seg;
} Marks;

static void mark_row(Simt *s, const Side *to, const Side *from, uint64_t to_off, uint64_t from_off, uint64_t bytes, const Marks *m) {
  const SimtSite *site = simt_place();
  if (m->reads && from->slot) simt_mark_host(from->slot, from_off, bytes, m->seg, site, 0);
  if (m->writes && to->slot) simt_mark_host(to->slot, to_off, bytes, m->seg, site, 1);
  if (m->unwritten && to->slot) simt_mark_unwritten(s, to->slot, to_off, from->slot, from_off, bytes);
}

/* An object that one copy fills, in a program of one line of operations, has no need of marks: all of it is written. Where a run is judged by
 * which elements of its output were, they tell it. */
static int fills(const Simt *s, const Copy *c, const Side *to) {
  return s->program && to->slot && !(to->slot->flags & SLOT_PACKED) && c->height * c->depth == 1 && c->width == to->slot->size;
}

static void run_rows(Simt *s, const Copy *c, const Side *to, const Side *from, const Marks *m) {
  for (size_t z = 0; z < c->depth; z++)
    for (size_t y = 0; y < c->height; y++) {
      char *t = (char *)c->to + z * c->to_slice + y * c->to_pitch;
      const char *f = (const char *)c->from + z * c->from_slice + y * c->from_pitch;
      uint64_t to_off = to->slot ? (uintptr_t)t - to->slot->base : 0, from_off = from->slot ? (uintptr_t)f - from->slot->base : 0;
      if (is_hosts(to) && from->slot) check_written(s, c, from, from_off, c->width);
      mark_row(s, to, from, to_off, from_off, c->width, m);
      s->in_engine = 0; /* what the host's own address leads to is host code's business */
      memmove(t, f, c->width);
      s->in_engine = 1;
    }
}

static Marks choose_marks(Simt *s, const Copy *c, const Side *to, const Side *from, unsigned stream, uint64_t from_span) {
  uint64_t first;
  int many = simt_stream_is_many(s, stream);
  Marks m = {.reads = many || c->is_async, .writes = many || c->is_async || !fills(s, c, to)};
  if (to->slot && from->slot && from->kind == SIDE_DEVICE)
    m.unwritten = !is_written(s, from->slot, (uintptr_t)c->from - from->slot->base, from_span, &first);
  m.writes |= m.unwritten;
  return m;
}

/* The host has waited for a copy behind these, whatever their name: what it copies to or from is no memory that the device can use itself. */
static int host_waits(const Copy *c, const Side *to) { return !c->is_async || (to->kind == SIDE_PAGEABLE && !to->slot); }

static void perform(Simt *s, const Copy *c, const Side *to, const Side *from, unsigned stream, uint64_t from_span) {
  s->in_engine = 1;
  simt_stream_issue(s, stream);
  Marks m = choose_marks(s, c, to, from, stream, from_span);
  m.seg = simt_host_segment(s, SIMT_HOST_COPIES);
  if (m.unwritten && to->slot->flags & SIMT_BUF_INIT && !(to->slot->flags & SLOT_HOST)) {
    simt_mark_host(to->slot, 0, to->slot->size, m.seg, simt_place(), 1);
    to->slot->flags &= ~(uint32_t)SIMT_BUF_INIT;
  }
  run_rows(s, c, to, from, &m);
  if (!m.unwritten && fills(s, c, to)) to->slot->flags |= SIMT_BUF_INIT;
  simt_stream_done(s, NULL);
  s->in_engine = 0;
  if (host_waits(c, to)) simt_stream_synchronize(c->stream);
}

cudaError_t simt_copy(Simt *s, const Copy *c) {
  uint64_t to_span = span(c->width, c->height, c->depth, c->to_pitch, c->to_slice);
  uint64_t from_span = span(c->width, c->height, c->depth, c->from_pitch, c->from_slice);
  if (!to_span) return cudaSuccess;
  if ((unsigned)c->kind > cudaMemcpyDefault) return cudaErrorInvalidMemcpyDirection;
  if ((c->height > 1 || c->depth > 1) && (c->width > c->to_pitch || c->width > c->from_pitch)) return cudaErrorInvalidPitchValue;
  int stream = simt_stream_index(s, c->stream);
  if (stream < 0) return cudaErrorInvalidResourceHandle;
  Side to = simt_side(s, c->to), from = simt_side(s, c->from);
  int to_device = c->kind == cudaMemcpyHostToDevice || c->kind == cudaMemcpyDeviceToDevice;
  int from_device = c->kind == cudaMemcpyDeviceToHost || c->kind == cudaMemcpyDeviceToDevice;
  if (!is_good(s, c, &to, c->to, to_span, to_device, 1) || !is_good(s, c, &from, c->from, from_span, from_device, 0))
    return cudaErrorInvalidValue;
  check_kind(s, c, &to, &from);
  perform(s, c, &to, &from, (unsigned)stream, from_span);
  return cudaSuccess;
}

/* ---- the functions ---- */

static cudaError_t copy_call(const Copy *c) {
  Simt *s;
  cudaError_t e = simt_call_begin(&s);
  if (!e) e = simt_copy(s, c);
  return simt_call_end(s, e);
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind) {
  return copy_call(&(Copy){.call = "cudaMemcpy", .to = to, .from = from, .width = bytes, .height = 1, .depth = 1, .kind = kind});
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind, cudaStream_t stream) {
  return copy_call(&(Copy){.call = "cudaMemcpyAsync", .to = to, .from = from, .width = bytes, .height = 1, .depth = 1, .kind = kind,
                           .stream = stream, .is_async = 1});
}

static cudaError_t copy_2d(const char *call, void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height,
                           enum cudaMemcpyKind kind, cudaStream_t stream, int is_async) {
  Simt *s;
  cudaError_t e = simt_call_begin(&s);
  if (!e && width && height && (width > to_pitch || width > from_pitch)) e = cudaErrorInvalidPitchValue;
  if (!e)
    e = simt_copy(s, &(Copy){.call = call, .to = to, .from = from, .to_pitch = to_pitch, .from_pitch = from_pitch, .width = width,
                             .height = height, .depth = 1, .kind = kind, .stream = stream, .is_async = is_async});
  return simt_call_end(s, e);
}

cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height,
                         enum cudaMemcpyKind kind) {
  return copy_2d("cudaMemcpy2D", to, to_pitch, from, from_pitch, width, height, kind, NULL, 0);
}

cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height,
                              enum cudaMemcpyKind kind, cudaStream_t stream) {
  return copy_2d("cudaMemcpy2DAsync", to, to_pitch, from, from_pitch, width, height, kind, stream, 1);
}

static const char *at(struct cudaPitchedPtr p, struct cudaPos pos) {
  return (const char *)p.ptr + pos.x + p.pitch * (pos.y + p.ysize * pos.z);
}

static cudaError_t copy_3d(const char *call, const struct cudaMemcpy3DParms *p, cudaStream_t stream, int is_async) {
  if (!p) return copy_call(&(Copy){.call = call, .width = 1, .height = 1, .depth = 1, .kind = cudaMemcpyDefault});
  if (p->srcArray || p->dstArray) return cudaErrorNotSupported; /* no function here makes an array */
  return copy_call(&(Copy){.call = call, .to = (void *)(uintptr_t)at(p->dstPtr, p->dstPos), .from = at(p->srcPtr, p->srcPos),
                           .to_pitch = p->dstPtr.pitch, .from_pitch = p->srcPtr.pitch, .to_slice = p->dstPtr.pitch * p->dstPtr.ysize,
                           .from_slice = p->srcPtr.pitch * p->srcPtr.ysize, .width = p->extent.width, .height = p->extent.height,
                           .depth = p->extent.depth, .kind = p->kind, .stream = stream, .is_async = is_async});
}

cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *p) { return copy_3d("cudaMemcpy3D", p, NULL, 0); }
cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *p, cudaStream_t stream) { return copy_3d("cudaMemcpy3DAsync", p, stream, 1); }
