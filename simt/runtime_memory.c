/* runtime_memory.c - allocating and freeing, and what the runtime says of an address. */
#include "ordered.h"
#include "runtime.h"
#include <stdio.h>
#include <string.h>

enum { PITCH_BYTES = 512, DEVICE = 0 };

static const char rule_free[] =
    "only what the matching allocation function has returned can be freed, once (CUDA Runtime API, cudaFree(), cudaFreeHost())";
static const char rule_value[] = "the function's arguments are not valid (CUDA Runtime API, Memory Management)";

/* ---- allocating ---- */

cudaError_t simt_allocate(Simt *s, HeapKind kind, void **p, uint64_t bytes, const char *call) {
  Allocation *a;
  if (!p) return cudaErrorInvalidValue;
  *p = NULL;
  if (!bytes) return cudaSuccess;
  uint64_t total = simt_device()->totalGlobalMem, used = s->heap ? s->heap->bytes_in_use : 0;
  if ((kind == HEAP_DEVICE && (bytes > total || used > total - bytes)) || simt_heap_alloc(s, kind, bytes, call, simt_place(), &a))
    return cudaErrorMemoryAllocation;
  *p = (void *)a->base;
  return cudaSuccess;
}

static cudaError_t allocate_call(HeapKind kind, void **p, uint64_t bytes, const char *call) {
  Simt *s;
  cudaError_t e = simt_call_begin(&s);
  if (!e) e = simt_allocate(s, kind, p, bytes, call);
  return simt_call_end(s, e);
}

cudaError_t cudaMalloc(void **p, size_t bytes) { return allocate_call(HEAP_DEVICE, p, bytes, "cudaMalloc"); }
cudaError_t cudaMallocHost(void **p, size_t bytes) { return allocate_call(HEAP_HOST, p, bytes, "cudaMallocHost"); }

cudaError_t cudaHostAlloc(void **p, size_t bytes, unsigned flags) {
  Simt *s;
  cudaError_t e = simt_call_begin(&s);
  if (!e && flags > 7) e = cudaErrorInvalidValue;
  if (!e) e = simt_allocate(s, HEAP_HOST, p, bytes, "cudaHostAlloc");
  if (!e && *p) simt_heap_find(s, (uintptr_t)*p)->flags = flags;
  return simt_call_end(s, e);
}

cudaError_t cudaMallocManaged(void **p, size_t bytes, unsigned flags) {
  Simt *s;
  cudaError_t e = simt_call_begin(&s);
  if (!e && ((flags != cudaMemAttachGlobal && flags != cudaMemAttachHost) || !bytes)) e = cudaErrorInvalidValue;
  if (!e) e = simt_allocate(s, HEAP_MANAGED, p, bytes, "cudaMallocManaged");
  return simt_call_end(s, e);
}

static cudaError_t allocate_rows(Simt *s, void **p, size_t *pitch, uint64_t width, uint64_t rows, const char *call) {
  uint64_t bytes;
  if (!pitch || width > simt_largest_buffer()) return cudaErrorInvalidValue;
  *pitch = (width + PITCH_BYTES - 1) / PITCH_BYTES * PITCH_BYTES;
  if (__builtin_mul_overflow(*pitch, rows, &bytes)) return cudaErrorMemoryAllocation;
  return simt_allocate(s, HEAP_DEVICE, p, bytes, call);
}

cudaError_t cudaMallocPitch(void **p, size_t *pitch, size_t width, size_t height) {
  Simt *s;
  cudaError_t e = simt_call_begin(&s);
  if (!e) e = allocate_rows(s, p, pitch, width, height, "cudaMallocPitch");
  return simt_call_end(s, e);
}

cudaError_t cudaMalloc3D(struct cudaPitchedPtr *p, struct cudaExtent extent) {
  Simt *s;
  uint64_t rows;
  cudaError_t e = simt_call_begin(&s);
  if (!e && (!p || __builtin_mul_overflow(extent.height, extent.depth, &rows))) e = cudaErrorInvalidValue;
  if (!e) e = allocate_rows(s, &p->ptr, &p->pitch, extent.width, rows, "cudaMalloc3D");
  if (!e) p->xsize = extent.width, p->ysize = extent.height;
  return simt_call_end(s, e);
}

/* ---- freeing ---- */

static void report_free(Simt *s, const void *p, const char *call) {
  char what[200];
  SimtFinding *f = simt_report_call(s, SIMT_LAUNCH_ERROR, SIMT_ERROR, call);
  if (!f) return;
  const Allocation *gone = simt_heap_gone(s, (uintptr_t)p);
  f->rule = rule_free;
  simt_describe_address(s, p, what, sizeof what);
  if (gone && gone->base == (uintptr_t)p) {
    char freed[96];
    simt_site_text(gone->freed, freed, sizeof freed);
    f->object = gone->name;
    simt_detail(f, "%s of %s, which has been freed already%s%s", call, gone->name, gone->freed ? ", at " : "", freed);
  } else
    simt_detail(f, "%s of %s", call, what);
}

/* kinds: bits of those that the function frees. */
static cudaError_t release(Simt *s, void *p, unsigned kinds, const char *call) {
  if (!p) return cudaSuccess;
  Allocation *a = simt_heap_find(s, (uintptr_t)p);
  if (a && a->base == (uintptr_t)p && kinds >> a->kind & 1) {
    simt_heap_free(s, a, simt_place());
    return cudaSuccess;
  }
  report_free(s, p, call);
  return cudaErrorInvalidValue;
}

enum { DEVICE_KINDS = 1 << HEAP_DEVICE | 1 << HEAP_MANAGED, HOST_KINDS = 1 << HEAP_HOST };

/* It waits for what the device does. */
cudaError_t cudaFree(void *p) {
  Simt *s;
  cudaError_t e = simt_call_begin(&s);
  if (!e && p) simt_device_synchronize();
  if (!e) e = release(s, p, DEVICE_KINDS, "cudaFree");
  return simt_call_end(s, e);
}

cudaError_t cudaFreeHost(void *p) {
  Simt *s;
  cudaError_t e = simt_call_begin(&s);
  if (!e && p) simt_device_synchronize();
  if (!e) e = release(s, p, HOST_KINDS, "cudaFreeHost");
  return simt_call_end(s, e);
}

cudaError_t cudaFreeAsync(void *p, cudaStream_t stream) {
  Simt *s;
  cudaError_t e = simt_call_begin(&s);
  if (!e && simt_stream_index(s, stream) < 0) e = cudaErrorInvalidResourceHandle;
  if (!e && !p) e = cudaErrorInvalidValue;
  const Allocation *a = e ? NULL : simt_heap_find(s, (uintptr_t)p);
  if (a && a->base == (uintptr_t)p && DEVICE_KINDS >> a->kind & 1)
    simt_ordered_free(s, a, (unsigned)simt_stream_index(s, stream), simt_place());
  if (!e) e = release(s, p, DEVICE_KINDS, "cudaFreeAsync");
  return simt_call_end(s, e);
}

/* ---- the host's own memory ---- */

cudaError_t cudaHostRegister(void *p, size_t bytes, unsigned flags) {
  Simt *s;
  cudaError_t e = simt_call_begin(&s);
  if (!e && (!p || !bytes || flags > 15 || simt_slot_of(s, (uintptr_t)p))) e = cudaErrorInvalidValue;
  if (!e && simt_heap_registered(s, (uintptr_t)p, 1)) e = cudaErrorHostMemoryAlreadyRegistered;
  if (!e && simt_heap_register(s, (uintptr_t)p, bytes, flags)) e = cudaErrorMemoryAllocation;
  return simt_call_end(s, e);
}

cudaError_t cudaHostUnregister(void *p) {
  Simt *s;
  cudaError_t e = simt_call_begin(&s);
  if (!e && !p) e = cudaErrorInvalidValue;
  if (!e && simt_heap_unregister(s, (uintptr_t)p)) e = cudaErrorHostMemoryNotRegistered;
  return simt_call_end(s, e);
}

cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned flags) {
  Simt *s;
  cudaError_t e = simt_call_begin(&s);
  if (!e && (!device || flags)) e = cudaErrorInvalidValue;
  if (!e) {
    Side d = simt_side(s, host);
    int is_host = d.kind == SIDE_REGISTERED || (d.kind == SIDE_SHARED && d.allocation && d.allocation->kind == HEAP_HOST);
    *device = is_host ? host : NULL;
    if (!is_host) e = cudaErrorInvalidValue;
  }
  return simt_call_end(s, e);
}

cudaError_t cudaHostGetFlags(unsigned *flags, void *host) {
  Simt *s;
  cudaError_t e = simt_call_begin(&s);
  if (!e) {
    const Allocation *a = simt_heap_find(s, (uintptr_t)host);
    const Registered *r = simt_heap_registered(s, (uintptr_t)host, 1);
    if (!flags || (!r && (!a || a->kind != HEAP_HOST))) e = cudaErrorInvalidValue;
    else *flags = (r ? r->flags : a->flags) | cudaHostAllocMapped;
  }
  return simt_call_end(s, e);
}

/* ---- what there is ---- */

/* As much as a device has free when nothing has been allocated yet: what the context takes is gone already. */
cudaError_t cudaMemGetInfo(size_t *free, size_t *total) {
  enum { CONTEXT_BYTES = 527 << 20 };
  Simt *s;
  cudaError_t e = simt_call_begin(&s);
  if (!e && (!free || !total)) e = cudaErrorInvalidValue;
  if (!e) {
    uint64_t all = simt_device()->totalGlobalMem, used = CONTEXT_BYTES + (s->heap ? s->heap->bytes_in_use : 0);
    *total = all;
    *free = used < all ? all - used : 0;
  }
  return simt_call_end(s, e);
}

static void describe(const Side *d, const void *p, struct cudaPointerAttributes *a) {
  int is_host = d->kind != SIDE_DEVICE;
  memset(a, 0, sizeof *a);
  a->device = DEVICE;
  a->devicePointer = a->hostPointer = (void *)(uintptr_t)p;
  if (!is_host) {
    a->type = cudaMemoryTypeDevice;
    a->hostPointer = NULL;
  } else if (d->kind == SIDE_PAGEABLE || d->kind == SIDE_NOWHERE || d->kind == SIDE_NULL) {
    a->type = cudaMemoryTypeUnregistered;
    a->device = cudaInvalidDeviceId;
    a->devicePointer = NULL;
  } else
    a->type = simt_side_is_managed(d) ? cudaMemoryTypeManaged : cudaMemoryTypeHost;
}

cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes, const void *p) {
  Simt *s;
  cudaError_t e = simt_call_begin(&s);
  if (!e && !attributes) e = cudaErrorInvalidValue;
  if (!e) {
    Side d = simt_side(s, p);
    describe(&d, p, attributes);
  }
  return simt_call_end(s, e);
}

/* Hints about where managed memory is to lie: all of it lies in one place. The range must be managed. */
static cudaError_t hint(const char *call, const void *p, size_t bytes) {
  Simt *s;
  cudaError_t e = simt_call_begin(&s);
  if (e) return simt_call_end(s, e);
  Side d = simt_side(s, p);
  int is_managed = simt_side_is_managed(&d);
  if (!is_managed || d.bytes - ((uintptr_t)p - d.base) < bytes) {
    SimtFinding *f = simt_report_call(s, SIMT_LAUNCH_ERROR, SIMT_ERROR, call);
    char what[200];
    simt_describe_address(s, p, what, sizeof what);
    if (f) f->rule = rule_value;
    if (f && !is_managed) simt_detail(f, "%s of %s: it is not managed memory", call, what);
    else if (f) simt_detail(f, "%s of %llu bytes at %s, which has %llu", call, (unsigned long long)bytes, what, (unsigned long long)d.bytes);
    e = cudaErrorInvalidValue;
  }
  return simt_call_end(s, e);
}

cudaError_t cudaMemPrefetchAsync(const void *p, size_t bytes, struct cudaMemLocation location, unsigned flags, cudaStream_t stream) {
  (void)location, (void)flags, (void)stream;
  return hint("cudaMemPrefetchAsync", p, bytes);
}

cudaError_t cudaMemAdvise(const void *p, size_t bytes, enum cudaMemoryAdvise advice, struct cudaMemLocation location) {
  (void)advice, (void)location;
  return hint("cudaMemAdvise", p, bytes);
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *p, size_t bytes, unsigned flags) {
  (void)stream, (void)flags;
  return hint("cudaStreamAttachMemAsync", p, bytes);
}
