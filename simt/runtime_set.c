/* runtime_set.c - cudaMemset and its kin, in streams as launches are; and __device__ and __constant__ variables by their names. */
#include "runtime.h"
#include <string.h>

static const char rule[] = "a host operation must stay within one allocation (CUDA Runtime API, cudaMemset)";

typedef struct Set {
  const char *call;
  void *p;
  size_t pitch, slice, width, height, depth; /* bytes, rows, slices */
  int value;
  cudaStream_t stream;
} Set;

static void report(Simt *s, const Set *c, const Side *d, uint64_t bytes) {
  char what[200];
  SimtFinding *f = simt_report_call(s, SIMT_LAUNCH_ERROR, SIMT_ERROR, c->call);
  if (!f) return;
  f->rule = rule;
  f->here.access = "host code";
  if (d->slot && d->slot->base && d->slot->size && (d->allocation || !(d->slot->flags & SLOT_HEAP)))
    simt_detail(f, "%s of %llu bytes at byte %lld of %s, which has %llu", c->call, (unsigned long long)bytes,
                (long long)((uintptr_t)c->p - d->base), d->name, (unsigned long long)d->bytes);
  else if (s->program) {
    simt_describe_address(s, c->p, what, sizeof what);
    simt_detail(f, "%s of %llu bytes at %s", c->call, (unsigned long long)bytes, what);
  } else
    simt_detail(f, "%s of %llu bytes outside every buffer", c->call, (unsigned long long)bytes);
}

static cudaError_t set_rows(Simt *s, const Set *c, const Side *d, unsigned stream) {
  for (size_t z = 0; z < c->depth; z++)
    for (size_t y = 0; y < c->height; y++) {
      char *p = (char *)c->p + z * c->slice + y * c->pitch;
      uint64_t off = d->slot ? (uintptr_t)p - d->slot->base : 0;
      if (simt_side_touch(s, d, off, c->width)) return cudaErrorInvalidValue;
    }
  simt_stream_issue(s, stream);
  uint32_t seg = simt_host_segment(s, SIMT_HOST_SETS);
  for (size_t z = 0; z < c->depth; z++)
    for (size_t y = 0; y < c->height; y++) {
      char *p = (char *)c->p + z * c->slice + y * c->pitch;
      memset(p, c->value, c->width);
      if (d->slot) simt_mark_host(d->slot, (uintptr_t)p - d->slot->base, c->width, seg, simt_place(), 1);
    }
  simt_stream_done(s, NULL);
  return cudaSuccess;
}

static cudaError_t set(Simt *s, const Set *c) {
  uint64_t bytes = c->width + (c->height - 1) * c->pitch + (c->depth - 1) * c->slice;
  int stream = simt_stream_index(s, c->stream);
  if (s->aborted) return cudaErrorInvalidValue; /* a device's stream is dead after such an error */
  if (stream < 0) return cudaErrorInvalidResourceHandle;
  if (!c->width || !c->height || !c->depth) return cudaSuccess;
  if (c->width > simt_largest_buffer() || (c->height > 1 && c->width > c->pitch)) return cudaErrorInvalidValue;
  Side d = simt_side(s, c->p);
  int is_device = d.kind == SIDE_DEVICE || d.kind == SIDE_SHARED;
  if (!is_device && d.kind != SIDE_REGISTERED) {
    report(s, c, &d, bytes);
    return cudaErrorInvalidValue;
  }
  if (is_device && d.bytes - ((uintptr_t)c->p - d.base) < bytes) {
    report(s, c, &d, bytes);
    return cudaErrorInvalidValue;
  }
  s->in_engine = 1;
  cudaError_t e = set_rows(s, c, &d, (unsigned)stream);
  s->in_engine = 0;
  return e;
}

static cudaError_t set_call(const Set *c) {
  Simt *s;
  cudaError_t e = simt_call_begin(&s);
  if (!e) e = set(s, c);
  return simt_call_end(s, e);
}

cudaError_t cudaMemset(void *p, int value, size_t bytes) {
  return set_call(&(Set){"cudaMemset", p, bytes, bytes, bytes, 1, 1, value, NULL});
}
cudaError_t cudaMemsetAsync(void *p, int value, size_t bytes, cudaStream_t stream) {
  return set_call(&(Set){"cudaMemsetAsync", p, bytes, bytes, bytes, 1, 1, value, stream});
}
cudaError_t cudaMemset2D(void *p, size_t pitch, int value, size_t width, size_t height) {
  return set_call(&(Set){"cudaMemset2D", p, pitch, pitch * height, width, height, 1, value, NULL});
}
cudaError_t cudaMemset2DAsync(void *p, size_t pitch, int value, size_t width, size_t height, cudaStream_t stream) {
  return set_call(&(Set){"cudaMemset2DAsync", p, pitch, pitch * height, width, height, 1, value, stream});
}
cudaError_t cudaMemset3D(struct cudaPitchedPtr p, int value, struct cudaExtent extent) {
  return set_call(&(Set){"cudaMemset3D", p.ptr, p.pitch, p.pitch * p.ysize, extent.width, extent.height, extent.depth, value, NULL});
}
cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr p, int value, struct cudaExtent extent, cudaStream_t stream) {
  return set_call(&(Set){"cudaMemset3DAsync", p.ptr, p.pitch, p.pitch * p.ysize, extent.width, extent.height, extent.depth, value, stream});
}

/* ---- symbols: host code names a variable by the address that the linker gave it ---- */

extern char __stop_simt_managed[] __attribute__((weak));

/* Host code has the address of a managed one that kernels have. */
static const SimtVariable *variable_named(Simt *s, const void *name, uint64_t *off) {
  const SimtVariable *v = simt_variable_of(s, name, off);
  return v && v->how & SIMT_VARIABLE_MANAGED ? v : simt_variable_at(name, off);
}

static int is_managed_variable(Simt *s, const void *name) {
  uint64_t off;
  return simt_is_managed_place(name) || simt_variable_of(s, name, &off);
}

/* Where it is on the device; and its bytes from there on. NULL: there is no such variable. */
static char *symbol(Simt *s, const void *host, uint64_t *bytes) {
  uint64_t off = 0;
  const SimtVariable *v = variable_named(s, host, &off);
  if (v) {
    char *p = simt_variable_in(s, v);
    *bytes = v->bytes - off;
    return (p ? p : (char *)v->host) + off;
  }
  *bytes = simt_is_managed_place(host) ? (uint64_t)(__stop_simt_managed - (const char *)host) : 0;
  return simt_is_managed_place(host) ? (char *)(uintptr_t)host : NULL;
}

static cudaError_t copy_symbol(const char *call, const void *name, void *host, size_t bytes, size_t offset, int to_symbol,
                               enum cudaMemcpyKind kind, cudaStream_t stream, int is_async) {
  Simt *s;
  uint64_t room = 0;
  cudaError_t e = simt_call_begin(&s);
  if (e) return simt_call_end(s, e);
  enum cudaMemcpyKind wanted = to_symbol ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost;
  char *p = symbol(s, name, &room);
  if (!p) return simt_call_end(s, cudaErrorInvalidSymbol);
  if (kind != wanted && kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault) return simt_call_end(s, cudaErrorInvalidMemcpyDirection);
  if (offset > room || bytes > room - offset) {
    SimtFinding *f = simt_report_call(s, SIMT_OOB_GLOBAL, SIMT_ERROR, call);
    if (f) f->rule = rule;
    if (f)
      simt_detail(f, "%s of %llu bytes at byte %llu of a variable that has %llu", call, (unsigned long long)bytes, (unsigned long long)offset,
                  (unsigned long long)room);
    return simt_call_end(s, cudaErrorInvalidValue);
  }
  Copy c = {.call = call, .to = to_symbol ? p + offset : host, .from = to_symbol ? host : p + offset, .width = bytes, .height = 1, .depth = 1,
            .kind = is_managed_variable(s, name) ? cudaMemcpyDefault : kind, .stream = stream, .is_async = is_async};
  return simt_call_end(s, simt_copy(s, &c));
}

cudaError_t cudaMemcpyToSymbol(const void *name, const void *from, size_t bytes, size_t offset, enum cudaMemcpyKind kind) {
  return copy_symbol("cudaMemcpyToSymbol", name, (void *)(uintptr_t)from, bytes, offset, 1, kind, NULL, 0);
}
cudaError_t cudaMemcpyToSymbolAsync(const void *name, const void *from, size_t bytes, size_t offset, enum cudaMemcpyKind kind,
                                    cudaStream_t stream) {
  return copy_symbol("cudaMemcpyToSymbolAsync", name, (void *)(uintptr_t)from, bytes, offset, 1, kind, stream, 1);
}
cudaError_t cudaMemcpyFromSymbol(void *to, const void *name, size_t bytes, size_t offset, enum cudaMemcpyKind kind) {
  return copy_symbol("cudaMemcpyFromSymbol", name, to, bytes, offset, 0, kind, NULL, 0);
}
cudaError_t cudaMemcpyFromSymbolAsync(void *to, const void *name, size_t bytes, size_t offset, enum cudaMemcpyKind kind, cudaStream_t stream) {
  return copy_symbol("cudaMemcpyFromSymbolAsync", name, to, bytes, offset, 0, kind, stream, 1);
}

cudaError_t cudaGetSymbolAddress(void **p, const void *name) {
  Simt *s;
  uint64_t room;
  cudaError_t e = simt_call_begin(&s);
  if (!e && !p) e = cudaErrorInvalidValue;
  if (!e && !(*p = symbol(s, name, &room))) e = cudaErrorInvalidSymbol;
  return simt_call_end(s, e);
}

/* Of a managed variable that stays where the linker has put it, it is not known where it ends. */
cudaError_t cudaGetSymbolSize(size_t *bytes, const void *name) {
  Simt *s;
  uint64_t off = 0;
  cudaError_t e = simt_call_begin(&s);
  const SimtVariable *v = e ? NULL : variable_named(s, name, &off);
  if (!e && !bytes) e = cudaErrorInvalidValue;
  if (!e && !v) e = cudaErrorInvalidSymbol;
  if (!e) *bytes = v->bytes;
  return simt_call_end(s, e);
}
