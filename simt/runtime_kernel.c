/* runtime_kernel.c - kernels by their address: launches with an array of arguments, attributes, occupancy. */
#include "runtime.h"
#include <stdlib.h>
#include <string.h>

extern const SimtEntry __start_simt_kernels[] __attribute__((weak)), __stop_simt_kernels[] __attribute__((weak));

const SimtEntry *simt_entry_of(const void *kernel) {
  for (const SimtEntry *e = __start_simt_kernels; e < __stop_simt_kernels; e++)
    if (e->stub == kernel) return e;
  return NULL;
}

/* ---- launches ---- */

static const char rule_arguments[] = "a launch takes an array of pointers to all of the kernel's arguments (CUDA Runtime API, cudaLaunchKernel())";

static char *pack(const SimtEntry *k, void **args) {
  char *all = calloc(1, k->pack_bytes + 1);
  for (uint32_t i = 0; all && i < k->n_pieces; i++) {
    const SimtPiece *p = &k->pieces[i];
    memcpy(all + p->pack_offset_bytes, (const char *)args[p->arg] + p->arg_offset_bytes, p->bytes);
  }
  return all;
}

/* Of an array of arguments with holes: the first one missing; n_args: none is. */
static uint32_t first_missing(const SimtEntry *k, void **args) {
  uint32_t i = 0;
  while (i < k->n_args && args && args[i]) i++;
  return i;
}

static cudaError_t launch_packed(Simt *s, const SimtEntry *k, const cudaLaunchConfig_t *c, int cooperative, char *all) {
  const uint32_t grid[3] = {c->gridDim.x, c->gridDim.y, c->gridDim.z}, block[3] = {c->blockDim.x, c->blockDim.y, c->blockDim.z};
  int before = s->last_error;
  s->last_error = cudaSuccess;
  simt_configure_launch(grid, block, c->dynamicSmemBytes, c->stream);
  s->cooperative = cooperative;
  simt_launch_kernel(k->kernel, all, k->pack_bytes);
  cudaError_t e = (cudaError_t)s->last_error;
  if (!e) s->last_error = before;
  return e;
}

static cudaError_t launch(const char *call, const void *kernel, const cudaLaunchConfig_t *c, int cooperative, void **args) {
  Simt *s;
  cudaError_t e = simt_call_begin(&s);
  const SimtEntry *k = e ? NULL : simt_entry_of(kernel);
  if (!e && !k) e = cudaErrorInvalidResourceHandle;
  if (!e && k->n_args == ~0u) e = cudaErrorNotSupported;
  if (!e && first_missing(k, args) < k->n_args) {
    SimtFinding *f = simt_report_call(s, SIMT_LAUNCH_ERROR, SIMT_ERROR, call);
    if (f) f->rule = rule_arguments;
    if (f) simt_detail(f, "%s of %s: argument %u of %u is a null pointer", call, k->kernel->name, first_missing(k, args) + 1, k->n_args);
    e = cudaErrorInvalidValue;
  }
  if (e) return simt_call_end(s, e);
  char *all = pack(k, args);
  e = all ? launch_packed(s, k, c, cooperative, all) : cudaErrorMemoryAllocation;
  free(all);
  return simt_call_end(s, e);
}

cudaError_t cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **args, size_t shared, cudaStream_t stream) {
  const cudaLaunchConfig_t c = {.gridDim = grid, .blockDim = block, .dynamicSmemBytes = shared, .stream = stream};
  return launch("cudaLaunchKernel", kernel, &c, 0, args);
}

cudaError_t cudaLaunchCooperativeKernel(const void *kernel, dim3 grid, dim3 block, void **args, size_t shared, cudaStream_t stream) {
  const cudaLaunchConfig_t c = {.gridDim = grid, .blockDim = block, .dynamicSmemBytes = shared, .stream = stream};
  return launch("cudaLaunchCooperativeKernel", kernel, &c, 1, args);
}

/* Attributes that ask for what the engine cannot do are refused; those that only make something faster are passed over. */
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *kernel, void **args) {
  int cooperative = 0;
  if (!config || (config->numAttrs && !config->attrs)) return launch("cudaLaunchKernelExC", NULL, config, 0, args);
  for (unsigned i = 0; i < config->numAttrs; i++) {
    const cudaLaunchAttribute *a = &config->attrs[i];
    int is_cluster = a->id == cudaLaunchAttributeClusterDimension || a->id == cudaLaunchAttributePreferredClusterDimension;
    if (a->id == cudaLaunchAttributeCooperative) cooperative = a->val.cooperative;
    if (is_cluster && a->val.clusterDim.x * a->val.clusterDim.y * a->val.clusterDim.z > 1) return simt_refused("clusters (cudaLaunchKernelEx)");
  }
  return launch("cudaLaunchKernelExC", kernel, config, cooperative, args);
}

/* ---- attributes ---- */

/* Registers are not known here: what is said of them limits no launch. */
static void describe(Simt *s, const SimtKernel *k, struct cudaFuncAttributes *a) {
  enum { REGISTERS = 32, CAPABILITY = 90, DEFAULT_CARVEOUT = -1, MAX_THREADS = 1024 };
  memset(a, 0, sizeof *a);
  a->sharedSizeBytes = k->static_shared_bytes;
  a->maxThreadsPerBlock = k->max_threads && k->max_threads < MAX_THREADS ? (int)k->max_threads : MAX_THREADS;
  a->numRegs = REGISTERS;
  a->ptxVersion = a->binaryVersion = CAPABILITY;
  a->maxDynamicSharedSizeBytes = (int)simt_most_dynamic_shared(s, k);
  a->preferredShmemCarveout = DEFAULT_CARVEOUT;
}

/* The kernel's, or what a function returns that is given none. */
static cudaError_t find_kernel(const void *kernel, const SimtKernel **k) {
  const SimtEntry *e = simt_entry_of(kernel);
  *k = e ? e->kernel : NULL;
  return e ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, const void *kernel) {
  Simt *s;
  const SimtKernel *k = NULL;
  cudaError_t e = simt_call_begin(&s);
  if (!e && !attributes) e = cudaErrorInvalidValue;
  if (!e) e = find_kernel(kernel, &k);
  if (!e) describe(s, k, attributes);
  return simt_call_end(s, e);
}

static cudaError_t set_attribute(Simt *s, const SimtKernel *k, enum cudaFuncAttribute attribute, int value) {
  switch (attribute) {
  case cudaFuncAttributeMaxDynamicSharedMemorySize: return simt_allow_dynamic_shared(s, k, value) ? cudaErrorInvalidValue : cudaSuccess;
  case cudaFuncAttributePreferredSharedMemoryCarveout: return value < -1 || value > 100 ? cudaErrorInvalidValue : cudaSuccess; /* a hint */
  case cudaFuncAttributeNonPortableClusterSizeAllowed:
  case cudaFuncAttributeClusterSchedulingPolicyPreference: return cudaSuccess;
  case cudaFuncAttributeClusterDimMustBeSet:
  case cudaFuncAttributeRequiredClusterWidth:
  case cudaFuncAttributeRequiredClusterHeight:
  case cudaFuncAttributeRequiredClusterDepth:
  case cudaFuncAttributeMax: break;
  }
  return cudaErrorInvalidValue;
}

cudaError_t cudaFuncSetAttribute(const void *kernel, enum cudaFuncAttribute attribute, int value) {
  Simt *s;
  const SimtKernel *k = NULL;
  cudaError_t e = simt_call_begin(&s);
  if (!e) e = find_kernel(kernel, &k);
  if (!e) e = set_attribute(s, k, attribute, value);
  return simt_call_end(s, e);
}

/* Hints. */
static cudaError_t configure(const void *kernel, unsigned config, unsigned most) {
  Simt *s;
  const SimtKernel *k = NULL;
  cudaError_t e = simt_call_begin(&s);
  if (!e && config > most) e = cudaErrorInvalidValue;
  if (!e) e = find_kernel(kernel, &k);
  return simt_call_end(s, e);
}

cudaError_t cudaFuncSetCacheConfig(const void *kernel, enum cudaFuncCache config) {
  return configure(kernel, (unsigned)config, cudaFuncCachePreferEqual);
}
cudaError_t cudaFuncSetSharedMemConfig(const void *kernel, enum cudaSharedMemConfig config) {
  return configure(kernel, (unsigned)config, cudaSharedMemBankSizeEightByte);
}

cudaError_t cudaFuncGetName(const char **name, const void *kernel) {
  Simt *s;
  const SimtKernel *k = NULL;
  cudaError_t e = simt_call_begin(&s);
  if (!e && !name) e = cudaErrorInvalidValue;
  if (!e) e = find_kernel(kernel, &k);
  if (!e) *name = k->name;
  return simt_call_end(s, e);
}

/* ---- occupancy ---- */

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *kernel, int block_size, size_t dynamic_shared,
                                                                   unsigned flags) {
  Simt *s;
  const SimtKernel *k = NULL;
  cudaError_t e = simt_call_begin(&s);
  if (!e && (!blocks || block_size <= 0 || flags > cudaOccupancyDisableCachingOverride)) e = cudaErrorInvalidValue;
  if (!e) e = find_kernel(kernel, &k);
  if (!e) *blocks = block_size > SIMT_MAX_THREADS ? 0 : (int)simt_kernel_residency(k, (uint64_t)block_size, dynamic_shared);
  return simt_call_end(s, e);
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *kernel, int block_size, size_t dynamic_shared) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, kernel, block_size, dynamic_shared, cudaOccupancyDefault);
}

/* The most of which so many blocks of that size still find room. */
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, const void *kernel, int blocks, int block_size) {
  Simt *s;
  const SimtKernel *k = NULL;
  cudaError_t e = simt_call_begin(&s);
  if (!e && (!bytes || blocks <= 0 || block_size <= 0 || block_size > SIMT_MAX_THREADS)) e = cudaErrorInvalidValue;
  if (!e) e = find_kernel(kernel, &k);
  if (!e && simt_kernel_residency(k, (uint64_t)block_size, 0) < (uint64_t)blocks) e = cudaErrorInvalidValue;
  if (!e) {
    size_t lo = 0, hi = simt_device()->sharedMemPerBlockOptin;
    while (lo < hi) {
      size_t mid = (lo + hi + 1) / 2;
      if (simt_kernel_residency(k, (uint64_t)block_size, mid) >= (uint64_t)blocks) lo = mid;
      else hi = mid - 1;
    }
    *bytes = lo;
  }
  return simt_call_end(s, e);
}
