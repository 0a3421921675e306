/* simt_runtime.h - functions of the runtime interface that launchers call.
 *
 * What the host issues runs at once; who waits for whom is kept by the engine (streams.c) and judged. */
#ifndef SIMT_RUNTIME_H
#define SIMT_RUNTIME_H
#include "driver_types.h"
#include "simt_engine.h"

namespace simt {

SIMT_INLINE cudaError_t handle_error(int rc) { return rc ? cudaErrorInvalidResourceHandle : cudaSuccess; }

/* A handle that was asked for, to where it is to go. */
template <class Handle> SIMT_INLINE cudaError_t hand_out(Handle *to, void *handle) {
  if (!handle) return cudaErrorMemoryAllocation;
  *to = static_cast<Handle>(handle);
  return cudaSuccess;
}

} // namespace simt

/* ---- errors: of launches, which return none themselves. Nothing fails later: what a kernel does wrong is a finding. ---- */
SIMT_INLINE cudaError_t cudaPeekAtLastError() { return simt_launch_refused(0) ? cudaErrorInvalidConfiguration : cudaSuccess; }
SIMT_INLINE cudaError_t cudaGetLastError() { return simt_launch_refused(1) ? cudaErrorInvalidConfiguration : cudaSuccess; }
SIMT_INLINE const char *cudaGetErrorName(cudaError_t error) { return error ? "cudaError" : "cudaSuccess"; }
SIMT_INLINE const char *cudaGetErrorString(cudaError_t error) { return error ? "an error" : "no error"; }

/* ---- memory ---- */
SIMT_INLINE cudaError_t cudaMemsetAsync(void *p, int value, size_t bytes, cudaStream_t stream = nullptr) {
  return simt_op_memset(p, value, bytes, stream, nullptr) ? cudaErrorInvalidValue : cudaSuccess;
}
SIMT_INLINE cudaError_t cudaMemset(void *p, int value, size_t bytes) { return cudaMemsetAsync(p, value, bytes, nullptr); }

/* ---- streams ---- */
SIMT_INLINE cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags) {
  return simt::hand_out(stream, simt_stream_create(!(flags & cudaStreamNonBlocking)));
}
SIMT_INLINE cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int) {
  return cudaStreamCreateWithFlags(stream, flags);
}
SIMT_INLINE cudaError_t cudaStreamCreate(cudaStream_t *stream) { return cudaStreamCreateWithFlags(stream, cudaStreamDefault); }
SIMT_INLINE cudaError_t cudaStreamDestroy(cudaStream_t stream) { return simt::handle_error(simt_stream_destroy(stream)); }
SIMT_INLINE cudaError_t cudaStreamSynchronize(cudaStream_t stream) { return simt::handle_error(simt_stream_synchronize(stream)); }
SIMT_INLINE cudaError_t cudaStreamQuery(cudaStream_t stream) { return cudaStreamSynchronize(stream); } /* all is done by then */
SIMT_INLINE cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned = 0) {
  return simt::handle_error(simt_stream_wait(stream, event));
}
SIMT_INLINE cudaError_t cudaDeviceSynchronize() { return simt_device_synchronize() ? cudaErrorInitializationError : cudaSuccess; }

/* ---- events ---- */
SIMT_INLINE cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned) { return simt::hand_out(event, simt_event_create()); }
SIMT_INLINE cudaError_t cudaEventCreate(cudaEvent_t *event, unsigned flags = cudaEventDefault) {
  return cudaEventCreateWithFlags(event, flags);
}
SIMT_INLINE cudaError_t cudaEventDestroy(cudaEvent_t event) { return simt::handle_error(simt_event_destroy(event)); }
SIMT_INLINE cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream = nullptr) {
  return simt::handle_error(simt_event_record(event, stream));
}
SIMT_INLINE cudaError_t cudaEventSynchronize(cudaEvent_t event) { return simt::handle_error(simt_event_synchronize(event)); }
SIMT_INLINE cudaError_t cudaEventQuery(cudaEvent_t event) { return cudaEventSynchronize(event); }
/* There is no time here; programs divide by what they measure. */
SIMT_INLINE cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t start, cudaEvent_t end) {
  *ms = 1;
  return cudaEventSynchronize(start) ? cudaErrorInvalidResourceHandle : cudaEventSynchronize(end);
}

namespace simt {

/* An argument of a call that only tells which kernel it is. */
template <class T> inline T &some_argument() {
  alignas(T) static char bytes[sizeof(T)];
  return reinterpret_cast<T &>(bytes);
}

} // namespace simt

namespace simt {

inline cudaError_t set_attribute(cudaFuncAttribute attribute, int value) {
  if (attribute == cudaFuncAttributePreferredSharedMemoryCarveout) return value < -1 || value > 100 ? cudaErrorInvalidValue : cudaSuccess;
  if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize) return cudaErrorInvalidValue;
  return simt_allow_dynamic_shared(value) ? cudaErrorInvalidValue : cudaSuccess;
}

/* Arguments for a kernel whose type is not known: whether it takes the value or the address of one, there is memory. */
struct AnyArguments {
  const void *at[4096 / sizeof(void *)]; /* those in memory, behind six in registers; a kernel takes 4 KB at most */
};

} // namespace simt

/* Of a kernel by its name, or by its address. The carveout is a hint, and changes nothing here. */
template <class... Args> inline cudaError_t cudaFuncSetAttribute(void (*kernel)(Args...), cudaFuncAttribute attribute, int value) {
  simt_ask_kernel();
  kernel(simt::some_argument<Args>()...);
  return simt::set_attribute(attribute, value);
}
inline cudaError_t cudaFuncSetAttribute(const void *kernel, cudaFuncAttribute attribute, int value) {
  static const char memory[4096] = {};
  simt::AnyArguments all;
  for (const void *&at : all.at) at = memory;
  const void *const m = memory;
  simt_ask_kernel();
  reinterpret_cast<void (*)(const void *, const void *, const void *, const void *, const void *, const void *, simt::AnyArguments)>(
      const_cast<void *>(kernel))(m, m, m, m, m, m, all);
  return simt::set_attribute(attribute, value);
}

#endif
