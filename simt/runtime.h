/* runtime.h - what the runtime's functions (runtime_*.c) share. Internal to the engine.
 *
 * Each of them begins with simt_call_begin() and ends with simt_call_end(), whatever happens in between. */
#ifndef SIMT_RUNTIME_INTERNAL_H
#define SIMT_RUNTIME_INTERNAL_H
#include "heap.h"
#include "include/cuda_runtime_api.h"
#include "streams.h"

/* The context in *s. Otherwise what the function returns: no run is going on, the call comes from a kernel, or the context is broken. */
cudaError_t simt_call_begin(Simt **s);
cudaError_t simt_query_begin(Simt **s); /* the same for what goes on when the context is broken */
cudaError_t simt_call_end(Simt *s, cudaError_t e); /* e, which is also what cudaGetLastError() says from now on, unless it is a success */

/* A finding of a call's at host code's place, or NULL: it is known already. access: "cudaMemcpy" */
SimtFinding *simt_report_call(Simt *s, SimtClass cls, SimtSeverity severity, const char *access);

/* What an address is, as a call sees it. */
typedef enum SideKind {
  SIDE_PAGEABLE,   /* the host's own */
  SIDE_REGISTERED, /* the host's own, and the device may use it */
  SIDE_SHARED,     /* pinned or managed */
  SIDE_DEVICE,
  SIDE_NOWHERE,    /* in the device's address space, but in no object */
  SIDE_NULL
} SideKind;
typedef struct Side {
  SideKind kind;
  Slot *slot;      /* of SIDE_SHARED and SIDE_DEVICE */
  const Allocation *allocation; /* likewise; NULL: a variable, or a buffer that the runtime has not given out */
  uintptr_t base;  /* of the object; unless it is the host's own */
  uint64_t bytes;
  const char *name;
} Side;
Side simt_side(Simt *s, const void *p);
int simt_side_is_managed(const Side *d); /* an allocation or a variable */
/* Of a buffer larger than memory, the bytes from off on of its slot are fetched. -1: more than fits. What kernels do then says nothing. */
int simt_side_touch(Simt *s, const Side *d, uint64_t off, uint64_t bytes);
int simt_is_managed_place(const void *p); /* in a managed variable that the engine has left where the linker has put it */
int simt_is_mapped(uintptr_t p);          /* there is memory of the process */

/* runtime_copy.c: rows of bytes from one place to another. */
typedef struct Copy {
  const char *call;
  void *to;
  const void *from;
  size_t to_pitch, from_pitch, to_slice, from_slice; /* bytes from row to row, from slice to slice */
  size_t width, height, depth; /* bytes, rows, slices */
  enum cudaMemcpyKind kind;
  cudaStream_t stream;
  int is_async;
} Copy;
cudaError_t simt_copy(Simt *s, const Copy *c);

/* runtime_memory.c: as cudaMalloc() and its kin do. bytes 0: success, and no memory. call: the function's name, for findings */
cudaError_t simt_allocate(Simt *s, HeapKind kind, void **p, uint64_t bytes, const char *call);

/* runtime_device.c */
const struct cudaDeviceProp *simt_device(void);
cudaError_t simt_refused(const char *function); /* the program has called what there is not */

/* runtime_kernel.c */
const SimtEntry *simt_entry_of(const void *kernel); /* NULL: no kernel is there */

#endif
