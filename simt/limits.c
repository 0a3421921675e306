/* limits.c - what a device of compute capability 9.0 with 132 multiprocessors can launch, and hold at the same time. The numbers:
 * CUDA C++ Programming Guide, "Technical Specifications per Compute Capability"; Hopper Tuning Guide, "Shared Memory" (228 KB a
 * multiprocessor, of which each block takes 1 KB for the system, and at most 227 KB). Registers are not known and limit nothing. */
#include "engine.h"

enum {
  MULTIPROCESSORS = 132,
  MAX_BLOCKS = 32, /* these three: of a multiprocessor */
  MAX_WARPS = 64,
  SHARED_BYTES = 228 << 10,
  USUAL_SHARED_BYTES = 48 << 10, /* of a block that has not opted in to more */
  MAX_SHARED_BYTES = 227 << 10,
  SYSTEM_SHARED_BYTES = 1 << 10,
  SHARED_UNIT_BYTES = 128
};

uint64_t simt_device_residency(const Simt *s) {
  const Launch *l = &s->launch;
  uint64_t blocks = MAX_WARPS / s->resident[0].n_warps;
  uint64_t bytes = l->kernel->static_shared_bytes + l->shared_bytes + SYSTEM_SHARED_BYTES;
  uint64_t by_shared = SHARED_BYTES / ((bytes + SHARED_UNIT_BYTES - 1) / SHARED_UNIT_BYTES * SHARED_UNIT_BYTES);
  if (blocks > MAX_BLOCKS) blocks = MAX_BLOCKS;
  return MULTIPROCESSORS * (blocks < by_shared ? blocks : by_shared);
}

/* ---- cudaFuncSetAttribute: good for the process, as on a device. Programs do it once, behind a flag of theirs. ---- */

void simt_ask_kernel(void) {
  if (!simt_active || simt_active->in_launch) return;
  simt_active->asking = 1;
  simt_active->asked = NULL;
}

static SimtOptIn *opt_in_of(Simt *s, const SimtKernel *k) {
  for (unsigned i = 0; i < SIMT_MAX_OPT_INS; i++)
    if (s->opt_ins[i].kernel == k) return &s->opt_ins[i];
  return NULL;
}

int simt_allow_dynamic_shared(int bytes) {
  Simt *s = simt_active;
  const SimtKernel *k = s ? s->asked : NULL;
  if (s) s->asking = 0; /* it may not have been a kernel */
  if (!k || bytes < 0 || (uint64_t)bytes + k->static_shared_bytes > MAX_SHARED_BYTES) return -1;
  SimtOptIn *o = opt_in_of(s, k);
  if (!o) o = &s->opt_ins[s->next_opt_in++ % SIMT_MAX_OPT_INS]; /* when there is no room, in place of the oldest */
  *o = (SimtOptIn){.kernel = k, .bytes = (uint64_t)bytes};
  return 0;
}

/* ---- launches ---- */

static const char *shared_refused(Simt *s) {
  const Launch *l = &s->launch;
  const SimtOptIn *o = opt_in_of(s, l->kernel);
  uint64_t all = l->shared_bytes + l->kernel->static_shared_bytes;
  if (all <= USUAL_SHARED_BYTES) return NULL;
  if (!o) return "shared memory exceeds 48 KB, and cudaFuncSetAttribute did not ask for more";
  return l->shared_bytes > o->bytes ? "dynamic shared memory exceeds what cudaFuncSetAttribute asked for" : NULL;
}

/* What cudaLaunchKernel refuses. */
static const char *refused(Simt *s) {
  const uint32_t *g = s->launch.grid, *b = s->launch.block;
  if (!g[0] || !g[1] || !g[2]) return "a grid dimension is zero";
  if (!b[0] || !b[1] || !b[2]) return "a block dimension is zero";
  if (g[0] > 2147483647u) return "the grid's x dimension exceeds 2147483647";
  if (g[1] > 65535 || g[2] > 65535) return "a grid dimension y or z exceeds 65535";
  if (b[2] > 64) return "the block's z dimension exceeds 64";
  if (b[0] > 1024 || b[1] > 1024 || (uint64_t)b[0] * b[1] * b[2] > SIMT_MAX_THREADS) return "the block has more than 1024 threads";
  const char *why = shared_refused(s);
  if (why) return why;
  uint64_t bound = s->launch.kernel->max_threads;
  if (bound && (uint64_t)b[0] * b[1] * b[2] > bound) return "the block has more threads than the kernel's __launch_bounds__";
  if (!s->configured) return "the kernel is called without a launch configuration";
  if (s->launch.stream < 0) return "the stream does not exist";
  return NULL;
}

int simt_check_launch(Simt *s) {
  const char *why = refused(s);
  if (!why) return 0;
  s->refused = 1;
  SimtFinding *f = simt_report(s, SIMT_LAUNCH_ERROR, SIMT_ERROR, NULL, NULL);
  if (f) {
    f->rule = "a launch outside the device's limits does not run (CUDA C++ Programming Guide, Technical Specifications)";
    simt_detail(f, "%s: grid (%u,%u,%u), block (%u,%u,%u)", why, s->launch.grid[0], s->launch.grid[1], s->launch.grid[2],
                s->launch.block[0], s->launch.block[1], s->launch.block[2]);
  }
  return -1;
}

int simt_launch_refused(int forget) {
  Simt *s = simt_active;
  int refused = s && s->refused;
  if (refused && forget) s->refused = 0;
  return refused;
}
