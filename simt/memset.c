/* memset.c - cudaMemset: what the host has done to device memory between launches, in a stream as they are. */
#include "streams.h"
#include <string.h>

static const char rule[] = "a host operation must stay within one allocation (CUDA Runtime API, cudaMemset)";

static void report(Simt *s, const Slot *o, const void *p, size_t bytes, const SimtSite *site) {
  SimtFinding *f = simt_report_host(s, site);
  if (!f) return;
  f->rule = rule;
  if (o && o->size)
    simt_detail(f, "cudaMemset of %llu bytes at byte %lld of %s, which has %llu", (unsigned long long)bytes,
                (long long)((uintptr_t)p - o->base), o->name, (unsigned long long)o->size);
  else
    simt_detail(f, "cudaMemset of %llu bytes outside every buffer", (unsigned long long)bytes);
}

static int set(Simt *s, void *p, int value, size_t bytes, unsigned stream, const SimtSite *site) {
  Slot *o = simt_slot_of(s, (uintptr_t)p);
  uint64_t off = o ? (uintptr_t)p - o->base : 0;
  if (!o || off >= o->size || o->size - off < bytes) {
    report(s, o, p, bytes, site);
    return -1;
  }
  if (o->lazy && simt_lazy_touch(o, off, bytes)) { /* more than fits: what the kernels do then says nothing */
    s->aborted = s->stats.abandoned = 1;
    return -1;
  }
  simt_stream_issue(s, stream);
  memset(p, value, bytes);
  simt_observe_host_write(s, o, off, bytes, site);
  simt_stream_done(s, NULL);
  return 0;
}

int simt_op_memset(void *p, int value, size_t bytes, void *stream, const SimtSite *site) {
  Simt *s = simt_active;
  if (!s || s->in_launch || s->aborted) return -1; /* a device's stream is dead after such an error */
  int k = simt_stream_index(s, stream);
  if (k < 0) return -1;
  s->in_engine = 1;
  int rc = bytes ? set(s, p, value, bytes, (unsigned)k, site) : 0;
  s->in_engine = 0;
  return rc;
}
