/* simt_runtime.h - functions of the runtime interface that launchers call. Everything runs in one stream, in order. */
#ifndef SIMT_RUNTIME_H
#define SIMT_RUNTIME_H
#include "driver_types.h"
#include "simt_engine.h"

inline cudaError_t cudaMemset(void *p, int value, size_t bytes) {
  return simt_memset(p, value, bytes) ? cudaErrorInvalidValue : cudaSuccess;
}

inline cudaError_t cudaMemsetAsync(void *p, int value, size_t bytes, cudaStream_t stream = nullptr) {
  (void)stream;
  return cudaMemset(p, value, bytes);
}

#endif
