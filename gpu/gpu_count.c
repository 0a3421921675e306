/* gpu_count.c - asks for devices in a process that ends: this one may have to fork others that use them. */
#include "gpu_impl.h"
#include <stdio.h>
#include <sys/mman.h>

typedef struct Count {
  _Atomic uint64_t is_done;
  _Atomic uint32_t parent_sleeps, child_sleeps;
  int n;
  char why[256];
} Count;

static void count_devices(void *arg, int fd) {
  Count *c = arg;
  const WfGpuLine line = {fd, &c->child_sleeps, &c->parent_sleeps};
  c->n = wf_device_count(c->why, sizeof c->why);
  atomic_store(&c->is_done, 1);
  wf_gpu_wake(&line);
}

/* The reason, if there is none. */
static const char *ask(Count *c) {
  WfGpuPeer child = {.line = {-1, &c->parent_sleeps, &c->child_sleeps}};
  if (wf_gpu_spawn(&child, count_devices, c, 0) != 0)
    return "no process can be started that asks for devices";
  int rc = wf_gpu_await_child(&child, &c->is_done, 0, NULL, WF_GPU_ARBITRARY_OPEN_NS);
  wf_gpu_end_child(&child, rc == 0 ? 0 : WF_GPU_GRACE_NS);
  c->why[sizeof c->why - 1] = '\0';
  return rc == 1 ? c->why : "the process that asks for devices did not answer";
}

int wf_gpu_count(char *why, size_t why_size) {
  Count *c = wf_gpu_map(sizeof *c);
  if (!c) {
    snprintf(why, why_size, "no memory to ask for devices");
    return 0;
  }
  const char *reason = ask(c);
  int n = c->n;
  snprintf(why, why_size, "%s", n > 0 ? "" : reason);
  munmap(c, sizeof *c);
  return n;
}
