/* cli_gpu.c - what the commands need of devices. */
#include "cli.h"
#include "select.h"
#include <stdio.h>

/* Tools that watch may be a thousand times slower than the kernel, and end it themselves when it takes too long. */
#define PLAIN_DEVICE_NS (UINT64_C(24) * 3600 * 1000000000)

int wf_backend_check(const WfOptions *o, int *n_devices) {
  char why[256] = "";
  *n_devices = 0;
  if (o->backend == WF_BACKEND_SIMT) return WF_EXIT_CLEAN;
  *n_devices = wf_gpu_count(why, sizeof why);
  if (*n_devices > 0) return WF_EXIT_CLEAN;
  wf_say("warpfuzz: no device to run on: %s", why);
  return WF_EXIT_NOTHING;
}

int wf_backend_open(const WfOptions *o, WfRunner *r, WfGpu **out) {
  const WfGpuOptions opt = {.plain = o->plain, .timeout_ns = o->device_ns == 0 && o->plain ? PLAIN_DEVICE_NS : o->device_ns};
  char err[256] = "";
  *out = NULL;
  if (o->backend == WF_BACKEND_SIMT) return WF_EXIT_CLEAN;
  int rc = wf_gpu_create(out, &opt, err, sizeof err);
  if (rc == 0) {
    wf_runner_use(r, o->backend, *out, o->flavor);
    return WF_EXIT_CLEAN;
  }
  wf_say("warpfuzz: %s", err);
  return rc == WF_GPU_NO_DEVICE ? WF_EXIT_NOTHING : WF_EXIT_HARNESS;
}

int wf_backend_has(const WfOptions *o, const WfTarget *t) {
  return o->backend == WF_BACKEND_SIMT || wf_device_entry(t->variant, t->op, o->flavor) != NULL;
}

int wf_backend_keep_built(const WfOptions *o, WfTarget *targets, size_t *n_targets) {
  size_t n = 0;
  for (size_t i = 0; i < *n_targets; i++)
    if (wf_backend_has(o, &targets[i])) targets[n++] = targets[i];
  if (n < *n_targets)
    wf_say("warpfuzz: %zu variant%s left out: not built for the device in the flavor %s", *n_targets - n,
           *n_targets - n == 1 ? "" : "s", wf_gpu_flavor_name(o->flavor));
  *n_targets = n;
  return n > 0 ? WF_EXIT_CLEAN : WF_EXIT_NOTHING;
}
