/* limits.c - what a device of compute capability 9.0 with 132 multiprocessors can launch, and hold at the same time. The numbers:
 * CUDA C++ Programming Guide, "Technical Specifications per Compute Capability"; Hopper Tuning Guide, "Shared Memory" (228 KB a
 * multiprocessor, of which each block takes 1 KB for the system, and at most 227 KB). Registers are not known and limit nothing. */
#include "heap.h"
#include "runtime_errors.h"
#include <string.h>

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

/* 0: not even one block. */
uint64_t simt_kernel_residency(const SimtKernel *k, uint64_t n_threads, uint64_t dynamic_bytes) {
  uint64_t blocks = MAX_WARPS / ((n_threads + SIMT_LANES - 1) / SIMT_LANES);
  uint64_t bytes = k->static_shared_bytes + dynamic_bytes + SYSTEM_SHARED_BYTES;
  uint64_t by_shared = SHARED_BYTES / ((bytes + SHARED_UNIT_BYTES - 1) / SHARED_UNIT_BYTES * SHARED_UNIT_BYTES);
  if (blocks > MAX_BLOCKS) blocks = MAX_BLOCKS;
  return blocks < by_shared ? blocks : by_shared;
}

uint64_t simt_device_residency(const Simt *s) {
  const Launch *l = &s->launch;
  uint64_t processors = s->multiprocessors ? s->multiprocessors : MULTIPROCESSORS;
  return processors * simt_kernel_residency(l->kernel, (uint64_t)l->block[0] * l->block[1] * l->block[2], l->shared_bytes);
}

/* ---- cudaFuncSetAttribute: good for the process, as on a device. Programs do it once, behind a flag of theirs. ---- */

static SimtOptIn *opt_in_of(Simt *s, const SimtKernel *k) {
  for (unsigned i = 0; i < SIMT_MAX_OPT_INS; i++)
    if (s->opt_ins[i].kernel == k) return &s->opt_ins[i];
  return NULL;
}

uint64_t simt_most_dynamic_shared(Simt *s, const SimtKernel *k) {
  const SimtOptIn *o = opt_in_of(s, k);
  if (o) return o->bytes;
  return k->static_shared_bytes < USUAL_SHARED_BYTES ? USUAL_SHARED_BYTES - k->static_shared_bytes : 0;
}

int simt_allow_dynamic_shared(Simt *s, const SimtKernel *k, int bytes) {
  if (bytes < 0 || (uint64_t)bytes + k->static_shared_bytes > MAX_SHARED_BYTES) return -1;
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
  if (!o) return "shared memory exceeds 48 KB, and cudaFuncSetAttribute has not allowed more";
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
  if (s->cooperative && s->launch.n_blocks > simt_device_residency(s)) return "a cooperative launch has more blocks than the device holds at once";
  if (!s->configured) return "the kernel is called without a launch configuration";
  if (s->launch.stream < 0) return "the stream does not exist";
  return NULL;
}

/* As CUDA 13 has it on an H200. */
static int error_of(const Simt *s) {
  const uint32_t *b = s->launch.block;
  uint64_t bound = s->launch.kernel->max_threads, n = (uint64_t)b[0] * b[1] * b[2];
  if (s->launch.stream < 0) return CUDA_INVALID_HANDLE;
  return s->cooperative && n && n <= SIMT_MAX_THREADS && (!bound || n <= bound) ? CUDA_COOPERATIVE_TOO_LARGE : CUDA_INVALID_VALUE;
}

/* Where host code launches; NULL: not known, or in the entry that was made for a kernel (fuzz/entry.c), which is nobody's source. */
static const SimtSite *launch_place(void) {
  static const char made[] = "entry of ";
  const SimtSite *site = simt_place();
  return site && strncmp(site->file, made, sizeof made - 1) != 0 ? site : NULL;
}

/* A launch of a case has no place among the finding's, which the case's statement would share with all that it launches: the text has it. */
static void describe(Simt *s, SimtFinding *f, const char *why, const SimtSite *site) {
  const uint32_t *g = s->launch.grid, *b = s->launch.block;
  char at[96] = "";
  if (!s->program) simt_site_text(site, at, sizeof at);
  simt_detail(f, "%s: grid (%u,%u,%u), block (%u,%u,%u): %s%s%s", why, g[0], g[1], g[2], b[0], b[1], b[2],
              simt_error_name(s->last_error), *at ? " at " : "", at);
  simt_add_failed(s, f);
}

int simt_check_launch(Simt *s) {
  const char *why = refused(s);
  if (!why) return 0;
  const SimtSite *place = launch_place(), *site = s->program ? place : NULL;
  s->last_error = error_of(s);
  SimtFinding *f = simt_report(s, SIMT_LAUNCH_ERROR, SIMT_ERROR, site, NULL);
  if (f) {
    if (site) f->here = simt_host_where(site, "launch");
    f->rule = "a launch outside the device's limits does not run (CUDA C++ Programming Guide, Technical Specifications)";
    describe(s, f, why, place);
  }
  s->failed = (SimtFailed){NULL, s->launch.kernel, place, s->last_error};
  return -1;
}
