/* blas_handle.c - handles of cuBLAS and what is set in them; names of statuses; what there is not. */
#include "blas.h"
#include <stdlib.h>

static const char rule_destroyed[] = "cublasDestroy() ends what may be done with a handle (cuBLAS, cublasDestroy())";

cublasStatus_t cublasCreate(cublasHandle_t *h) {
  Simt *s;
  if (!h) return CUBLAS_STATUS_INVALID_VALUE;
  const cudaError_t e = simt_call_begin(&s);
  simt_call_end(s, cudaSuccess);
  if (e) return CUBLAS_STATUS_NOT_INITIALIZED;
  *h = calloc(1, sizeof **h);
  if (*h) (*h)->state = BLAS_ALIVE;
  return *h ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_ALLOC_FAILED;
}

int blas_is_alive(Simt *s, const char *call, const struct cublasContext *h) {
  char where[96];
  if (!h || h->state == BLAS_ALIVE) return h != NULL;
  SimtFinding *f = s && h->state == BLAS_DEAD ? simt_report_call(s, SIMT_LAUNCH_ERROR, SIMT_ERROR, call) : NULL;
  if (!f) return 0;
  f->rule = rule_destroyed;
  simt_site_text(h->destroyed, where, sizeof where);
  simt_detail(f, "%s with a handle that has been destroyed%s%s", call, h->destroyed ? " at " : "", where);
  return 0;
}

static int is_alive(const char *call, const struct cublasContext *h) {
  Simt *s;
  simt_call_begin(&s);
  const int yes = blas_is_alive(s, call, h);
  simt_call_end(s, cudaSuccess);
  return yes;
}

/* The memory stays until the context goes, so that a later use of the handle is known for what it is. */
static void bury(cublasHandle_t h) {
  Simt *s;
  simt_call_begin(&s);
  h->state = BLAS_DEAD;
  h->destroyed = simt_place();
  if (s) {
    h->next = s->kept;
    s->kept = h;
  } else
    free(h);
  simt_call_end(s, cudaSuccess);
}

/* Like freeing memory for the device, it waits for all of it (cuBLAS, cublasDestroy()). */
cublasStatus_t cublasDestroy(cublasHandle_t h) {
  if (!is_alive("cublasDestroy", h)) return CUBLAS_STATUS_NOT_INITIALIZED;
  cudaDeviceSynchronize();
  bury(h);
  return CUBLAS_STATUS_SUCCESS;
}

#define PROPERTY(Name, Type, member)                                                          \
  cublasStatus_t cublasSet##Name(cublasHandle_t h, Type value) {                              \
    if (!is_alive("cublasSet" #Name, h)) return CUBLAS_STATUS_NOT_INITIALIZED;                \
    h->member = value;                                                                        \
    return CUBLAS_STATUS_SUCCESS;                                                             \
  }                                                                                           \
  cublasStatus_t cublasGet##Name(cublasHandle_t h, Type *value) {                             \
    if (!is_alive("cublasGet" #Name, h)) return CUBLAS_STATUS_NOT_INITIALIZED;                \
    if (!value) return CUBLAS_STATUS_INVALID_VALUE;                                           \
    *value = h->member;                                                                       \
    return CUBLAS_STATUS_SUCCESS;                                                             \
  }
PROPERTY(Stream, cudaStream_t, stream)
PROPERTY(PointerMode, cublasPointerMode_t, pointers)
PROPERTY(MathMode, cublasMath_t, math)
PROPERTY(AtomicsMode, cublasAtomicsMode_t, atomics)
#undef PROPERTY

/* None is needed. */
cublasStatus_t cublasSetWorkspace(cublasHandle_t h, void *workspace, size_t bytes) {
  if (!is_alive("cublasSetWorkspace", h)) return CUBLAS_STATUS_NOT_INITIALIZED;
  return workspace || !bytes ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE;
}

cublasStatus_t cublasGetVersion(cublasHandle_t h, int *version) {
  if (!version) return CUBLAS_STATUS_INVALID_VALUE;
  *version = CUBLAS_VERSION;
  return is_alive("cublasGetVersion", h) ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_INITIALIZED;
}

cublasStatus_t cublasGetProperty(libraryPropertyType type, int *value) {
  if (!value || (unsigned)type > PATCH_LEVEL) return CUBLAS_STATUS_INVALID_VALUE;
  *value = type == MAJOR_VERSION ? CUBLAS_VER_MAJOR : type == MINOR_VERSION ? CUBLAS_VER_MINOR : CUBLAS_VER_PATCH;
  return CUBLAS_STATUS_SUCCESS;
}

const char *cublasGetStatusName(cublasStatus_t status) {
  switch (status) {
#define ROW(name, number) \
  case name: return #name;
#include "include/simt_blas_status.def"
#undef ROW
  }
  return "unknown cublasStatus_t";
}

const char *cublasGetStatusString(cublasStatus_t status) {
  switch (status) {
  case CUBLAS_STATUS_SUCCESS: return "success";
  case CUBLAS_STATUS_NOT_INITIALIZED: return "the library was not initialized";
  case CUBLAS_STATUS_ALLOC_FAILED: return "the resource allocation failed";
  case CUBLAS_STATUS_INVALID_VALUE: return "an invalid value was given";
  case CUBLAS_STATUS_ARCH_MISMATCH: return "the device does not have what is needed";
  case CUBLAS_STATUS_MAPPING_ERROR: return "an access to device memory failed";
  case CUBLAS_STATUS_EXECUTION_FAILED: return "the function failed on the device";
  case CUBLAS_STATUS_INTERNAL_ERROR: return "an operation of the library failed";
  case CUBLAS_STATUS_NOT_SUPPORTED: return "the functionality is not supported";
  case CUBLAS_STATUS_LICENSE_ERROR: return "there is no license";
  }
  return "unknown cublasStatus_t";
}

#define ROW(name)                        \
  cublasStatus_t name(void) {            \
    simt_refused(#name);                 \
    return CUBLAS_STATUS_NOT_SUPPORTED;  \
  }
#include "include/simt_blas_refused.def"
#undef ROW
