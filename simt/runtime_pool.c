/* runtime_pool.c - memory in the order of a stream, and the pools that it comes from. What a pool does beyond counting has no effect here: freed
 * memory goes back at once, and no allocation gets what another one has had. Values and errors are those of an H200. */
#include "ordered.h"
#include "runtime.h"
#include <stdlib.h>

enum { DEVICE = 0, REUSES = 3 };
static const uint64_t STEP_BYTES = 32 << 20; /* pools take memory from the device in such pieces */

typedef struct SimtPool {
  struct SimtPool *next;
  int is_there; /* not destroyed: handles of such ones are known all the same, to be refused */
  int reuses[REUSES];
  uint64_t threshold_bytes, reserved_high_bytes, used_high_bytes, most_bytes; /* most_bytes 0: as much as there is */
} Pool;

/* ---- which there are: the device's own is the last of the list ---- */

static Pool *new_pool(Simt *s, uint64_t most_bytes) {
  Pool *p = calloc(1, sizeof *p);
  if (!p) return NULL;
  *p = (Pool){.next = s->pools, .is_there = 1, .reuses = {1, 1, 1}, .most_bytes = most_bytes};
  s->pools = p;
  return p;
}

static Pool *default_pool(Simt *s) {
  Pool *p = s->pools ? s->pools : new_pool(s, 0);
  while (p && p->next) p = p->next;
  return p;
}

static Pool *current_pool(Simt *s) { return s->current_pool ? s->current_pool : default_pool(s); }

static Pool *pool_of(Simt *s, cudaMemPool_t handle) {
  Pool *p = s->pools;
  while (p && (void *)p != (void *)handle) p = p->next;
  return p && p->is_there ? p : NULL;
}

void simt_pools_destroy(Simt *s) {
  while (s->pools) {
    Pool *next = s->pools->next;
    free(s->pools);
    s->pools = next;
  }
}

static uint64_t used_bytes(const Simt *s, const Pool *p) {
  uint64_t sum = 0;
  for (size_t i = 0; s->heap && i < s->heap->n_live; i++)
    if (s->heap->live[i].pool == p) sum += s->heap->live[i].bytes;
  return sum;
}

static uint64_t in_steps(uint64_t bytes) { return (bytes + STEP_BYTES - 1) / STEP_BYTES * STEP_BYTES; }

/* ---- allocating ---- */

static cudaError_t allocate_from(Simt *s, Pool *pool, void **p, uint64_t bytes, unsigned stream, const char *call) {
  uint64_t used = pool ? used_bytes(s, pool) : 0;
  if (!pool) return cudaErrorMemoryAllocation;
  if (p && pool->most_bytes && (bytes > simt_largest_buffer() || in_steps(used + bytes) > in_steps(pool->most_bytes))) return cudaErrorMemoryAllocation;
  cudaError_t e = simt_allocate(s, HEAP_DEVICE, p, bytes, call);
  if (e || !*p) return e;
  Allocation *a = simt_heap_find(s, (uintptr_t)*p);
  a->pool = pool;
  used += bytes;
  if (used > pool->used_high_bytes) pool->used_high_bytes = used;
  if (in_steps(used) > pool->reserved_high_bytes) pool->reserved_high_bytes = in_steps(used);
  simt_ordered_alloc(s, a, stream);
  return cudaSuccess;
}

cudaError_t cudaMallocAsync(void **p, size_t bytes, cudaStream_t stream) {
  Simt *s;
  cudaError_t e = simt_call_begin(&s);
  int i = e ? 0 : simt_stream_index(s, stream);
  if (!e && i < 0) e = cudaErrorInvalidResourceHandle;
  if (!e) e = allocate_from(s, current_pool(s), p, bytes, (unsigned)i, "cudaMallocAsync");
  return simt_call_end(s, e);
}

cudaError_t cudaMallocFromPoolAsync(void **p, size_t bytes, cudaMemPool_t handle, cudaStream_t stream) {
  Simt *s;
  cudaError_t e = simt_call_begin(&s);
  int i = e ? 0 : simt_stream_index(s, stream);
  Pool *pool = e ? NULL : pool_of(s, handle);
  if (!e && !pool) e = cudaErrorInvalidValue;
  if (!e && i < 0) e = cudaErrorInvalidResourceHandle;
  if (!e) e = allocate_from(s, pool, p, bytes, (unsigned)i, "cudaMallocFromPoolAsync");
  return simt_call_end(s, e);
}

/* ---- making, choosing ---- */

cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool, const struct cudaMemPoolProps *how) {
  Simt *s;
  if (pool && how && (how->allocType == cudaMemAllocationTypeManaged || how->location.type > cudaMemLocationTypeDevice))
    return simt_refused("cudaMemPoolCreate() for memory other than the device's");
  cudaError_t e = simt_call_begin(&s);
  if (!e && (!pool || !how || how->allocType != cudaMemAllocationTypePinned)) e = cudaErrorInvalidValue;
  if (!e && (how->location.type != cudaMemLocationTypeDevice || how->location.id != DEVICE)) e = cudaErrorInvalidValue;
  Pool *p = !e && default_pool(s) ? new_pool(s, how->maxSize) : NULL;
  if (!e && !p) e = cudaErrorMemoryAllocation;
  if (!e) *pool = (cudaMemPool_t)(void *)p;
  return simt_call_end(s, e);
}

/* What has been allocated from it stays. */
cudaError_t cudaMemPoolDestroy(cudaMemPool_t handle) {
  Simt *s;
  cudaError_t e = simt_call_begin(&s);
  Pool *p = e ? NULL : pool_of(s, handle);
  if (!e && (!p || p == default_pool(s))) e = cudaErrorInvalidValue;
  if (!e) p->is_there = 0;
  if (!e && s->current_pool == p) s->current_pool = NULL;
  return simt_call_end(s, e);
}

static cudaError_t get_pool(cudaMemPool_t *pool, int device, Pool *which(Simt *)) {
  Simt *s;
  cudaError_t e = simt_call_begin(&s);
  if (!e && device != DEVICE) e = cudaErrorInvalidDevice;
  if (!e && !pool) e = cudaErrorInvalidValue;
  Pool *p = e ? NULL : which(s);
  if (!e && !p) e = cudaErrorMemoryAllocation;
  if (!e) *pool = (cudaMemPool_t)(void *)p;
  return simt_call_end(s, e);
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device) { return get_pool(pool, device, default_pool); }
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device) { return get_pool(pool, device, current_pool); }

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t handle) {
  Simt *s;
  cudaError_t e = simt_call_begin(&s);
  Pool *p = e ? NULL : pool_of(s, handle);
  if (!e && device != DEVICE) e = cudaErrorInvalidDevice;
  if (!e && !p) e = cudaErrorInvalidValue;
  if (!e) s->current_pool = p;
  return simt_call_end(s, e);
}

/* ---- attributes ---- */

static cudaError_t set_attribute(Pool *p, enum cudaMemPoolAttr attribute, const void *value) {
  switch (attribute) {
  case cudaMemPoolReuseFollowEventDependencies:
  case cudaMemPoolReuseAllowOpportunistic:
  case cudaMemPoolReuseAllowInternalDependencies:
    p->reuses[attribute - cudaMemPoolReuseFollowEventDependencies] = *(const int *)value != 0;
    return cudaSuccess;
  case cudaMemPoolAttrReleaseThreshold: p->threshold_bytes = *(const uint64_t *)value; return cudaSuccess;
  case cudaMemPoolAttrReservedMemHigh: /* the watermarks begin anew, and nothing else can be set */
  case cudaMemPoolAttrUsedMemHigh:
    if (*(const uint64_t *)value) return cudaErrorInvalidValue;
    *(attribute == cudaMemPoolAttrUsedMemHigh ? &p->used_high_bytes : &p->reserved_high_bytes) = 0;
    return cudaSuccess;
  case cudaMemPoolAttrReservedMemCurrent:
  case cudaMemPoolAttrUsedMemCurrent: break;
  }
  return cudaErrorInvalidValue;
}

static uint64_t larger(uint64_t a, uint64_t b) { return a > b ? a : b; }

static cudaError_t get_attribute(const Simt *s, const Pool *p, enum cudaMemPoolAttr attribute, void *value) {
  uint64_t *to = value, used = used_bytes(s, p);
  switch (attribute) {
  case cudaMemPoolReuseFollowEventDependencies:
  case cudaMemPoolReuseAllowOpportunistic:
  case cudaMemPoolReuseAllowInternalDependencies:
    *(int *)value = p->reuses[attribute - cudaMemPoolReuseFollowEventDependencies];
    return cudaSuccess;
  case cudaMemPoolAttrReleaseThreshold: *to = p->threshold_bytes; return cudaSuccess;
  case cudaMemPoolAttrReservedMemCurrent: *to = in_steps(used); return cudaSuccess;
  case cudaMemPoolAttrReservedMemHigh: *to = larger(in_steps(used), p->reserved_high_bytes); return cudaSuccess;
  case cudaMemPoolAttrUsedMemCurrent: *to = used; return cudaSuccess;
  case cudaMemPoolAttrUsedMemHigh: *to = larger(used, p->used_high_bytes); return cudaSuccess;
  }
  return cudaErrorInvalidValue;
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t handle, enum cudaMemPoolAttr attribute, void *value) {
  Simt *s;
  cudaError_t e = simt_call_begin(&s);
  Pool *p = e ? NULL : pool_of(s, handle);
  if (!e) e = p && value ? set_attribute(p, attribute, value) : cudaErrorInvalidValue;
  return simt_call_end(s, e);
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t handle, enum cudaMemPoolAttr attribute, void *value) {
  Simt *s;
  cudaError_t e = simt_call_begin(&s);
  const Pool *p = e ? NULL : pool_of(s, handle);
  if (!e) e = p && value ? get_attribute(s, p, attribute, value) : cudaErrorInvalidValue;
  return simt_call_end(s, e);
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t handle, size_t bytes) {
  Simt *s;
  (void)bytes;
  cudaError_t e = simt_call_begin(&s);
  if (!e && !pool_of(s, handle)) e = cudaErrorInvalidValue;
  return simt_call_end(s, e);
}

/* The device that a pool is of can always use it, and there is no other. */
static cudaError_t allow(const struct cudaMemAccessDesc *a) {
  if (a->location.type != cudaMemLocationTypeDevice || a->location.id != DEVICE || a->flags == cudaMemAccessFlagsProtNone) return cudaErrorInvalidDevice;
  return a->flags == cudaMemAccessFlagsProtReadWrite ? cudaSuccess : cudaErrorNotSupported;
}

cudaError_t cudaMemPoolSetAccess(cudaMemPool_t handle, const struct cudaMemAccessDesc *list, size_t n) {
  Simt *s;
  cudaError_t e = simt_call_begin(&s);
  if (!e && (!pool_of(s, handle) || (n && !list))) e = cudaErrorInvalidValue;
  for (size_t i = 0; !e && i < n; i++) e = allow(&list[i]);
  return simt_call_end(s, e);
}

cudaError_t cudaMemPoolGetAccess(enum cudaMemAccessFlags *flags, cudaMemPool_t handle, struct cudaMemLocation *location) {
  Simt *s;
  cudaError_t e = simt_call_begin(&s);
  if (!e && (!flags || !location || !pool_of(s, handle))) e = cudaErrorInvalidValue;
  if (!e && (location->type != cudaMemLocationTypeDevice || location->id != DEVICE)) e = cudaErrorInvalidDevice;
  if (!e) *flags = cudaMemAccessFlagsProtReadWrite;
  return simt_call_end(s, e);
}
