/* heap.h - memory that the program has asked the runtime for: what is there, what was, and who asked. Internal to the engine.
 *
 * Each allocation has a slot of its own; when there are none left, allocations share one. Addresses of what was freed stay unused for long, so
 * that a stale pointer shows. */
#ifndef SIMT_HEAP_H
#define SIMT_HEAP_H
#include "engine.h"

typedef enum HeapKind {
  HEAP_DEVICE,
  HEAP_HOST,    /* pinned: host and device */
  HEAP_MANAGED, /* host and device */
  HEAP_KINDS
} HeapKind;

typedef struct Allocation {
  uintptr_t base;
  uint64_t bytes;        /* as asked for */
  HeapKind kind;
  uint32_t flags;        /* of cudaHostAlloc() */
  const char *call;      /* "cudaMalloc": static text */
  const char *name;      /* for findings: "d_x (cudaMalloc at a.cu:12)" */
  const SimtSite *site;  /* of the call; may be NULL */
  const SimtSite *freed; /* once it is freed: where */
  const struct SimtPool *pool; /* that it is from: runtime_pool.c; NULL: of none */
  uint32_t stream, number; /* allocated by this operation of that stream: ordered.h; number 0: it is there for all */
} Allocation;

/* Memory of the host's own that cudaHostRegister() has been told of. */
typedef struct Registered {
  uintptr_t base;
  uint64_t bytes;
  uint32_t flags;
} Registered;

typedef struct HeapName {
  const char *call;
  const SimtSite *site;
  char *text;
} HeapName;

enum { HEAP_REMEMBERED = 1024 };

struct SimtHeap {
  Allocation *live;      /* by address */
  size_t n_live, live_room;
  Allocation gone[HEAP_REMEMBERED]; /* the last ones, a ring */
  size_t n_gone;         /* ever */
  Registered *registered;
  size_t n_registered, registered_room;
  HeapName *name;
  size_t n_names, name_room;
  unsigned next_slot;    /* to be tried first */
  uint64_t shift[SIMT_SLOTS]; /* of the next object in a slot, from where slots' objects usually begin */
  uint64_t packed_bytes; /* given out of the shared slot */
  uint64_t bytes_in_use; /* of device memory */
};

/* 0; -1: no room. bytes is not 0. */
int simt_heap_alloc(Simt *s, HeapKind kind, uint64_t bytes, const char *call, const SimtSite *site, Allocation **out);
/* a is one of the live ones; it is gone then. */
void simt_heap_free(Simt *s, Allocation *a, const SimtSite *site);
Allocation *simt_heap_find(Simt *s, uintptr_t p);       /* the live one that p lies in; NULL: none */
const Allocation *simt_heap_nearest(Simt *s, uintptr_t p); /* live, of the shared slot, around or next to p */
const Allocation *simt_heap_gone(Simt *s, uintptr_t p); /* the last one freed that p lay in */
const Registered *simt_heap_registered(Simt *s, uintptr_t p, uint64_t bytes); /* that [p, p + bytes) lies in */
int simt_heap_register(Simt *s, uintptr_t p, uint64_t bytes, uint32_t flags); /* 0; -1: no memory */
int simt_heap_unregister(Simt *s, uintptr_t p); /* 0; -1: not registered */
void simt_heap_destroy(Simt *s); /* gives everything back; findings keep their names until then */
void simt_heap_clear(Simt *s);   /* frees every allocation */
void simt_heap_report_leaks(Simt *s);
void simt_pools_destroy(Simt *s); /* runtime_pool.c: behind simt_heap_clear() */

/* Does an access to the shared slot stay in one allocation? */
int simt_heap_inside(Simt *s, uintptr_t p, uint64_t bytes);
/* runtime.c. "which was freed at a.cu:12", "host memory" ...: what p is, for a finding on an address that is in no object */
void simt_describe_address(Simt *s, const void *p, char *to, size_t size);
/* "a.cu:12"; "": site is NULL. */
void simt_site_text(const SimtSite *site, char *to, size_t size);

#endif
