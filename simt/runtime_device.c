/* runtime_device.c - the device: what it says of itself, its limits and versions, synchronisation; and functions that there are not. */
#include "runtime.h"
#include <ctype.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEVICE = 0, VERSION = 13000 };

/* As an H200 answers (CUDA 13.0). What an engine without a clock or a bus cannot have is as there, too. */
static const struct cudaDeviceProp h200 = {
    .name = "NVIDIA H200", .totalGlobalMem = 150109880320, .sharedMemPerBlock = 49152, .regsPerBlock = 65536, .warpSize = 32,
    .memPitch = 2147483647, .maxThreadsPerBlock = 1024, .maxThreadsDim = {1024, 1024, 64}, .maxGridSize = {2147483647, 65535, 65535},
    .totalConstMem = 65536, .major = 9, .minor = 0, .textureAlignment = 512, .texturePitchAlignment = 32, .multiProcessorCount = 132,
    .canMapHostMemory = 1, .maxTexture1D = 131072, .maxTexture1DMipmap = 32768, .maxTexture2D = {131072, 65536},
    .maxTexture2DMipmap = {32768, 32768}, .maxTexture2DLinear = {131072, 65000, 2097120}, .maxTexture2DGather = {32768, 32768},
    .maxTexture3D = {16384, 16384, 16384}, .maxTexture3DAlt = {8192, 8192, 32768}, .maxTextureCubemap = 32768,
    .maxTexture1DLayered = {32768, 2048}, .maxTexture2DLayered = {32768, 32768, 2048}, .maxTextureCubemapLayered = {32768, 2046},
    .maxSurface1D = 32768, .maxSurface2D = {131072, 65536}, .maxSurface3D = {16384, 16384, 16384}, .maxSurface1DLayered = {32768, 2048},
    .maxSurface2DLayered = {32768, 32768, 2048}, .maxSurfaceCubemap = 32768, .maxSurfaceCubemapLayered = {32768, 2046},
    .surfaceAlignment = 512, .concurrentKernels = 1, .ECCEnabled = 1, .pciDeviceID = 6, .asyncEngineCount = 3, .unifiedAddressing = 1,
    .memoryBusWidth = 6016, .l2CacheSize = 62914560, .persistingL2CacheMaxSize = 39321600, .maxThreadsPerMultiProcessor = 2048,
    .streamPrioritiesSupported = 1, .globalL1CacheSupported = 1, .localL1CacheSupported = 1, .sharedMemPerMultiprocessor = 233472,
    .regsPerMultiprocessor = 65536, .managedMemory = 1, .concurrentManagedAccess = 1, .computePreemptionSupported = 1,
    .canUseHostPointerForRegisteredMem = 1, .cooperativeLaunch = 1, .sharedMemPerBlockOptin = 232448, .maxBlocksPerMultiProcessor = 32,
    .accessPolicyMaxWindowSize = 134217728, .reservedSharedMemPerBlock = 1024, .hostRegisterSupported = 1, .sparseCudaArraySupported = 1,
    .hostRegisterReadOnlySupported = 1, .timelineSemaphoreInteropSupported = 1, .memoryPoolsSupported = 1, .gpuDirectRDMASupported = 1,
    .gpuDirectRDMAFlushWritesOptions = 1, .gpuDirectRDMAWritesOrdering = 100, .memoryPoolSupportedHandleTypes = 9,
    .deferredMappingCudaArraySupported = 1, .ipcEventSupported = 1, .clusterLaunch = 1, .unifiedFunctionPointers = 1, .deviceNumaId = -1,
    .gpuPciDeviceID = 590680286, .gpuPciSubsystemID = 415174878, .clockRate = 1980000, .memoryClockRate = 3201000, .deviceOverlap = 1,
    .singleToDoublePrecisionPerfRatio = 2, .maxTexture1DLinear = 268435456};

/* What WARPFUZZ_DEVICE may set: figures on which programs decide. Limits that the engine itself enforces are not among them. */
static const struct {
  const char *name;
  size_t offset, bytes;
} settings[] = {
#define ROW(field) {#field, offsetof(struct cudaDeviceProp, field), sizeof(((struct cudaDeviceProp *)0)->field)}
    ROW(totalGlobalMem), ROW(multiProcessorCount), ROW(l2CacheSize), ROW(clockRate), ROW(memoryClockRate), ROW(memoryBusWidth),
    ROW(major), ROW(minor), ROW(asyncEngineCount), ROW(concurrentKernels), ROW(managedMemory), ROW(concurrentManagedAccess),
    ROW(integrated), ROW(cooperativeLaunch), ROW(computeMode),
#undef ROW
};

static int set_number(struct cudaDeviceProp *p, const char *name, size_t len, const char *text) {
  char *end;
  for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++) {
    if (strlen(settings[i].name) != len || memcmp(settings[i].name, name, len)) continue;
    unsigned long long v = strtoull(text, &end, 0);
    if (!isdigit((unsigned char)*text) || (*end && *end != ',') || (settings[i].bytes == sizeof(int) && v > 0x7fffffff)) return -1;
    size_t wide = v;
    int narrow = (int)v;
    memcpy((char *)p + settings[i].offset, settings[i].bytes == sizeof(int) ? (void *)&narrow : (void *)&wide, settings[i].bytes);
    return 0;
  }
  return -1;
}

static int parse(const char *text, struct cudaDeviceProp *p, char *bad, size_t size) {
  *p = h200;
  for (const char *at = text; at && *at;) {
    size_t all = strcspn(at, ","), len = strcspn(at, "=,");
    int rc = -1;
    if (at[len] == '=' && len == 4 && !memcmp(at, "name", 4)) {
      snprintf(p->name, sizeof p->name, "%.*s", (int)(all - len - 1), at + len + 1);
      rc = 0;
    } else if (at[len] == '=')
      rc = set_number(p, at, len, at + len + 1);
    if (rc) {
      snprintf(bad, size, "%.*s", (int)all, at);
      return -1;
    }
    at += all + (at[all] == ',');
  }
  return 0;
}

int simt_program_check_device(const char *text, char *bad, size_t size) {
  struct cudaDeviceProp p;
  return parse(text, &p, bad, size);
}

static struct cudaDeviceProp device;
static pthread_once_t device_once = PTHREAD_ONCE_INIT;

/* What is not understood has been refused when the program began. */
static void read_device(void) {
  char bad[8];
  if (parse(getenv("WARPFUZZ_DEVICE"), &device, bad, sizeof bad)) device = h200;
}

const struct cudaDeviceProp *simt_device(void) {
  pthread_once(&device_once, read_device);
  return &device;
}

/* ---- what goes on when the context is broken ---- */

static cudaError_t query(int is_valid, cudaError_t otherwise) {
  Simt *s;
  cudaError_t e = simt_query_begin(&s);
  if (!e && !is_valid) e = otherwise;
  return simt_call_end(s, e);
}

/* One number of a function without other arguments. */
static cudaError_t number(int *to, int value) {
  cudaError_t e = query(to != NULL, cudaErrorInvalidValue);
  if (!e) *to = value;
  return e;
}

cudaError_t cudaGetDeviceCount(int *count) { return number(count, 1); }
cudaError_t cudaGetDevice(int *to) { return number(to, DEVICE); }
cudaError_t cudaDriverGetVersion(int *version) { return number(version, VERSION); }
cudaError_t cudaRuntimeGetVersion(int *version) { return number(version, VERSION); }
cudaError_t cudaSetDevice(int which) { return query(which == DEVICE, cudaErrorInvalidDevice); }
cudaError_t cudaInitDevice(int which, unsigned device_flags, unsigned flags) {
  (void)device_flags, (void)flags;
  return query(which == DEVICE, cudaErrorInvalidDevice);
}
cudaError_t cudaSetValidDevices(int *devices, int n) {
  int is_valid = n == 0 || (devices && n == 1 && devices[0] == DEVICE);
  return query(is_valid, cudaErrorInvalidDevice);
}

cudaError_t cudaChooseDevice(int *to, const struct cudaDeviceProp *prop) {
  return number(prop ? to : NULL, DEVICE);
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *prop, int which) {
  cudaError_t e = query(prop != NULL, cudaErrorInvalidValue);
  if (!e) e = query(which == DEVICE, cudaErrorInvalidDevice);
  if (!e) *prop = *simt_device();
  return e;
}

/* 2^40: there is no such attribute. */
static long long attribute(int attr) {
  const struct cudaDeviceProp *p = simt_device();
  switch (attr) {
#define ROW(name, number, value) \
  case number: return (int)(value);
#include "include/simt_device_attributes.def"
#undef ROW
  }
  return 1ll << 40;
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attr, int which) {
  long long v = attribute((int)attr);
  cudaError_t e = query(value && v < 1ll << 40, cudaErrorInvalidValue);
  if (!e) e = query(which == DEVICE, cudaErrorInvalidDevice);
  if (!e) *value = (int)v;
  return e;
}

cudaError_t cudaSetDeviceFlags(unsigned flags) { return query(!(flags & ~0xffu), cudaErrorInvalidValue); }
cudaError_t cudaGetDeviceFlags(unsigned *flags) {
  cudaError_t e = query(flags != NULL, cudaErrorInvalidValue);
  if (!e) *flags = cudaDeviceMapHost;
  return e;
}
/* A device is no peer of its own, and there is no other. */
cudaError_t cudaDeviceCanAccessPeer(int *can, int which, int peer) {
  cudaError_t e = query(can != NULL, cudaErrorInvalidValue);
  if (!e) e = query(which == DEVICE && peer == DEVICE, cudaErrorInvalidDevice);
  if (!e) *can = 0;
  return e;
}

cudaError_t cudaDeviceGetPCIBusId(char *id, int len, int which) {
  const struct cudaDeviceProp *p = simt_device();
  cudaError_t e = query(id && len > 12, cudaErrorInvalidValue);
  if (!e) e = query(which == DEVICE, cudaErrorInvalidDevice);
  if (!e) snprintf(id, (size_t)len, "%04x:%02x:%02x.0", (unsigned)p->pciDomainID & 0xffff, (unsigned)p->pciBusID & 0xff, (unsigned)p->pciDeviceID & 0xff);
  return e;
}
cudaError_t cudaDeviceGetByPCIBusId(int *which, const char *id) {
  char own[16];
  cudaError_t e = cudaDeviceGetPCIBusId(own, sizeof own, DEVICE);
  if (!e) e = query(which && id && !strcmp(id, own), cudaErrorInvalidValue);
  if (!e) *which = DEVICE;
  return e;
}

/* ---- what does not ---- */

static cudaError_t call(int is_valid) {
  Simt *s;
  cudaError_t e = simt_call_begin(&s);
  if (!e && !is_valid) e = cudaErrorInvalidValue;
  return simt_call_end(s, e);
}

cudaError_t cudaDeviceSynchronize(void) {
  Simt *s;
  cudaError_t e = simt_call_begin(&s);
  if (!e) simt_device_synchronize();
  return simt_call_end(s, e);
}
cudaError_t cudaThreadSynchronize(void) { return cudaDeviceSynchronize(); }

/* What is there still is told of as at the end of the program. A context that a kernel has broken stays broken. */
cudaError_t cudaDeviceReset(void) {
  Simt *s;
  cudaError_t e = simt_query_begin(&s);
  if (!e && s->program) {
    simt_device_synchronize();
    if (!s->broken && !s->fault) simt_heap_report_leaks(s);
    simt_heap_clear(s);
    s->last_error = cudaSuccess;
  }
  return simt_call_end(s, e);
}
cudaError_t cudaThreadExit(void) { return cudaDeviceReset(); }

enum { N_LIMITS = cudaLimitPersistingL2CacheSize + 1 };

/* Limits are kept and told, and nothing else: the engine's own are wider, or said in its documents. */
static size_t *limit_of(Simt *s, enum cudaLimit limit) {
  static const size_t usual[N_LIMITS] = {1024, 8650752, 8388608, 0, 2048, 64, 11796480};
  if ((unsigned)limit >= N_LIMITS) return NULL;
  if (!s->limits_set) {
    memcpy(s->limit, usual, sizeof usual);
    s->limits_set = 1;
  }
  return &s->limit[limit];
}

static cudaError_t limit_call(enum cudaLimit limit, size_t *out, const size_t *in) {
  Simt *s;
  cudaError_t e = simt_call_begin(&s);
  size_t *at = e ? NULL : limit_of(s, limit);
  if (!e && (!at || (!out && !in))) e = cudaErrorInvalidValue;
  if (!e && limit == cudaLimitDevRuntimeSyncDepth) e = cudaErrorUnsupportedLimit;
  if (!e && out) *out = *at;
  if (!e && in) *at = *in;
  return simt_call_end(s, e);
}

cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit) { return limit_call(limit, value, NULL); }
cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value) { return limit_call(limit, NULL, &value); }

cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache config) { return call((unsigned)config <= cudaFuncCachePreferEqual); }
cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *config) {
  cudaError_t e = call(config != NULL);
  if (!e) *config = cudaFuncCachePreferNone;
  return e;
}
cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config) { return call((unsigned)config <= cudaSharedMemBankSizeEightByte); }
cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *config) {
  cudaError_t e = call(config != NULL);
  if (!e) *config = cudaSharedMemBankSizeFourByte;
  return e;
}
cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest) {
  cudaError_t e = call(1);
  if (!e && least) *least = 0;
  if (!e && greatest) *greatest = -5;
  return e;
}

cudaError_t cudaCtxResetPersistingL2Cache(void) { return call(1); }
cudaError_t cudaProfilerStart(void) { return call(1); }
cudaError_t cudaProfilerStop(void) { return call(1); }

/* ---- what there is not ---- */

cudaError_t simt_refused(const char *function) {
  Simt *s;
  cudaError_t e = simt_query_begin(&s);
  if (!e && s->program && s->program->unsupported) s->program->unsupported(s->program->ctx, function, simt_place());
  SimtFinding *f = e || s->program ? NULL : simt_report_call(s, SIMT_LAUNCH_ERROR, SIMT_WARNING, function);
  if (f) f->rule = "the engine has no such function (doc/RUNTIME.md)";
  if (f) simt_detail(f, "%s is not supported: it returns cudaErrorNotSupported", function);
  if (!e && !s->program) {
    s->stats.abandoned = 1;
    if (!s->stats.unsupported) s->stats.unsupported_at = simt_place();
    if (!s->stats.unsupported) s->stats.unsupported = function;
  }
  return simt_call_end(s, cudaErrorNotSupported);
}

#define ROW(name) \
  cudaError_t name(void) { return simt_refused(#name); }
#include "include/simt_runtime_refused.def"
#undef ROW
