/* runtime_stream.c - streams, events and host functions in streams. What is issued runs at once; who waits for whom is kept and judged. */
#include "runtime.h"

static cudaError_t handle_error(int rc) { return rc ? cudaErrorInvalidResourceHandle : cudaSuccess; }

/* ---- streams ---- */

static cudaError_t create_stream(cudaStream_t *stream, unsigned flags) {
  Simt *s;
  cudaError_t e = simt_call_begin(&s);
  if (!e && (!stream || flags > cudaStreamNonBlocking)) e = cudaErrorInvalidValue;
  if (!e && !(*stream = simt_stream_create(!(flags & cudaStreamNonBlocking)))) e = cudaErrorMemoryAllocation;
  return simt_call_end(s, e);
}

cudaError_t cudaStreamCreate(cudaStream_t *stream) { return create_stream(stream, cudaStreamDefault); }
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags) { return create_stream(stream, flags); }
cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int priority) {
  (void)priority;
  return create_stream(stream, flags);
}

/* One of the default ones is nobody's to destroy: it has no number. */
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  Simt *s;
  cudaError_t e = simt_call_begin(&s);
  if (!e) e = handle_error(simt_stream_destroy(stream));
  return simt_call_end(s, e);
}

static cudaError_t wait_for_stream(cudaStream_t stream) {
  Simt *s;
  cudaError_t e = simt_call_begin(&s);
  if (!e) e = handle_error(simt_stream_synchronize(stream));
  return simt_call_end(s, e);
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) { return wait_for_stream(stream); }
cudaError_t cudaStreamQuery(cudaStream_t stream) { return wait_for_stream(stream); } /* all is done by then */

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
  Simt *s;
  cudaError_t e = simt_call_begin(&s);
  if (!e && flags > cudaEventWaitExternal) e = cudaErrorInvalidValue;
  if (!e) e = handle_error(simt_stream_wait(stream, event));
  return simt_call_end(s, e);
}

/* Of a stream: one number. */
static cudaError_t tell(cudaStream_t stream, int *to, int value) {
  Simt *s;
  cudaError_t e = simt_call_begin(&s);
  if (!e && !to) e = cudaErrorInvalidValue;
  if (!e) e = handle_error(simt_stream_index(s, stream) < 0);
  if (!e) *to = value;
  return simt_call_end(s, e);
}

cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority) { return tell(stream, priority, 0); }
cudaError_t cudaStreamGetDevice(cudaStream_t stream, int *device) { return tell(stream, device, 0); }
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus *status) {
  int none;
  cudaError_t e = tell(stream, status ? &none : NULL, cudaStreamCaptureStatusNone);
  if (!e) *status = (enum cudaStreamCaptureStatus)none;
  return e;
}

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned *flags) {
  Simt *s;
  cudaError_t e = simt_call_begin(&s);
  if (!e && !flags) e = cudaErrorInvalidValue;
  int i = e ? -1 : simt_stream_index(s, stream);
  if (!e) e = handle_error(i < 0);
  if (!e) *flags = i && !s->streams->stream[i].blocking ? cudaStreamNonBlocking : cudaStreamDefault;
  return simt_call_end(s, e);
}

/* ---- host functions: run at once, as if the host had waited for the stream alone ---- */

typedef struct HostCall {
  cudaHostFn_t fn;
  cudaStreamCallback_t callback;
  void *data;
} HostCall;

static cudaError_t call_in_stream(cudaStream_t stream, const HostCall *c) {
  Simt *s;
  SimtClock outside;
  cudaError_t e = simt_call_begin(&s);
  int i = e ? -1 : simt_stream_index(s, stream);
  if (!e) e = handle_error(i < 0);
  if (!e && !c->fn && !c->callback) e = cudaErrorInvalidValue;
  if (e) return simt_call_end(s, e);
  simt_stream_enter(s, (unsigned)i, &outside);
  if (c->fn) c->fn(c->data);
  else c->callback(stream, cudaSuccess, c->data);
  simt_stream_leave(s, &outside);
  return simt_call_end(s, cudaSuccess);
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t fn, void *data) {
  return call_in_stream(stream, &(HostCall){.fn = fn, .data = data});
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void *data, unsigned flags) {
  return flags ? cudaErrorInvalidValue : call_in_stream(stream, &(HostCall){.callback = callback, .data = data});
}

/* ---- events ---- */

static cudaError_t create_event(cudaEvent_t *event, unsigned flags) {
  Simt *s;
  cudaError_t e = simt_call_begin(&s);
  if (!e && (!event || flags > 7)) e = cudaErrorInvalidValue;
  if (!e && !(*event = simt_event_create())) e = cudaErrorMemoryAllocation;
  return simt_call_end(s, e);
}

cudaError_t cudaEventCreate(cudaEvent_t *event) { return create_event(event, cudaEventDefault); }
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags) { return create_event(event, flags); }

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  Simt *s;
  cudaError_t e = simt_call_begin(&s);
  if (!e) e = handle_error(simt_event_destroy(event));
  return simt_call_end(s, e);
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  Simt *s;
  cudaError_t e = simt_call_begin(&s);
  if (!e) e = handle_error(simt_event_record(event, stream));
  return simt_call_end(s, e);
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned flags) {
  return flags > cudaEventRecordExternal ? cudaErrorInvalidValue : cudaEventRecord(event, stream);
}

static cudaError_t wait_for_event(cudaEvent_t event) {
  Simt *s;
  cudaError_t e = simt_call_begin(&s);
  if (!e) e = handle_error(simt_event_synchronize(event));
  return simt_call_end(s, e);
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) { return wait_for_event(event); }
cudaError_t cudaEventQuery(cudaEvent_t event) { return wait_for_event(event); }

/* There is no time here, and programs divide by what they measure. An event that was never recorded has none; nor has one yet that the host has
 * not waited for: the function itself waits for nothing. */
cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t start, cudaEvent_t end) {
  Simt *s;
  cudaError_t e = simt_call_begin(&s);
  if (!e && !ms) e = cudaErrorInvalidValue;
  if (!e && (simt_event_recorded(start) != 1 || simt_event_recorded(end) != 1)) e = cudaErrorInvalidResourceHandle;
  if (!e && !(simt_event_is_over(start) && simt_event_is_over(end))) e = cudaErrorNotReady;
  if (!e) *ms = 1;
  return simt_call_end(s, e);
}
