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

namespace simt {

/* An argument of a call that only tells which kernel it is. */
template <class T> inline T &some_argument() {
  alignas(T) static char bytes[sizeof(T)];
  return reinterpret_cast<T &>(bytes);
}

} // namespace simt

/* Of a kernel by its name; pointers to void are not taken. The carveout is a hint, and changes nothing here. */
template <class... Args> inline cudaError_t cudaFuncSetAttribute(void (*kernel)(Args...), cudaFuncAttribute attribute, int value) {
  if (attribute == cudaFuncAttributePreferredSharedMemoryCarveout) return value < -1 || value > 100 ? cudaErrorInvalidValue : cudaSuccess;
  if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize) return cudaErrorInvalidValue;
  simt_ask_kernel();
  kernel(simt::some_argument<Args>()...);
  return simt_allow_dynamic_shared(value) ? cudaErrorInvalidValue : cudaSuccess;
}

#endif
