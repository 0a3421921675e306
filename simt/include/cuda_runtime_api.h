/* cuda_runtime_api.h - the runtime interface. For C and C++; doc/RUNTIME.md says what each function does here.
 *
 * The functions are the engine's (simt/runtime_*.c). Their symbols begin with simt_, so that a program may hold the engine and CUDA's own
 * runtime at the same time. */
#ifndef SIMT_CUDA_RUNTIME_API_H
#define SIMT_CUDA_RUNTIME_API_H
#if defined(__cplusplus) && !defined(SIMT_HOST_ONLY)
#include "simt_libc.h" /* before any system header */
#endif
#include "driver_types.h"
#include "host_defines.h"
#include "vector_types.h"

#define CUDART_VERSION 13000
#define CUDART_CB
#define CUDARTAPI

#ifdef __cplusplus
#define SIMT_OR(value) = value /* a default argument, which C has not */
extern "C" {
#else
#define SIMT_OR(value)
#endif
#define SIMT_RUNTIME(name) __asm__("simt_" #name)

/* ---- errors ---- */
cudaError_t cudaGetLastError(void) SIMT_RUNTIME(cudaGetLastError);
cudaError_t cudaPeekAtLastError(void) SIMT_RUNTIME(cudaPeekAtLastError);
const char *cudaGetErrorName(cudaError_t error) SIMT_RUNTIME(cudaGetErrorName);
const char *cudaGetErrorString(cudaError_t error) SIMT_RUNTIME(cudaGetErrorString);

/* ---- devices ---- */
cudaError_t cudaGetDeviceCount(int *count) SIMT_RUNTIME(cudaGetDeviceCount);
cudaError_t cudaGetDevice(int *device) SIMT_RUNTIME(cudaGetDevice);
cudaError_t cudaSetDevice(int device) SIMT_RUNTIME(cudaSetDevice);
cudaError_t cudaInitDevice(int device, unsigned deviceFlags, unsigned flags) SIMT_RUNTIME(cudaInitDevice);
cudaError_t cudaSetValidDevices(int *devices, int n) SIMT_RUNTIME(cudaSetValidDevices);
cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *prop) SIMT_RUNTIME(cudaChooseDevice);
cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *prop, int device) SIMT_RUNTIME(cudaGetDeviceProperties);
cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attr, int device) SIMT_RUNTIME(cudaDeviceGetAttribute);
cudaError_t cudaDeviceSynchronize(void) SIMT_RUNTIME(cudaDeviceSynchronize);
cudaError_t cudaDeviceReset(void) SIMT_RUNTIME(cudaDeviceReset);
cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit) SIMT_RUNTIME(cudaDeviceGetLimit);
cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value) SIMT_RUNTIME(cudaDeviceSetLimit);
cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *config) SIMT_RUNTIME(cudaDeviceGetCacheConfig);
cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache config) SIMT_RUNTIME(cudaDeviceSetCacheConfig);
cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *config) SIMT_RUNTIME(cudaDeviceGetSharedMemConfig);
cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config) SIMT_RUNTIME(cudaDeviceSetSharedMemConfig);
cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest) SIMT_RUNTIME(cudaDeviceGetStreamPriorityRange);
cudaError_t cudaDeviceGetPCIBusId(char *id, int len, int device) SIMT_RUNTIME(cudaDeviceGetPCIBusId);
cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *id) SIMT_RUNTIME(cudaDeviceGetByPCIBusId);
cudaError_t cudaSetDeviceFlags(unsigned flags) SIMT_RUNTIME(cudaSetDeviceFlags);
cudaError_t cudaGetDeviceFlags(unsigned *flags) SIMT_RUNTIME(cudaGetDeviceFlags);
cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer) SIMT_RUNTIME(cudaDeviceCanAccessPeer);
cudaError_t cudaDriverGetVersion(int *version) SIMT_RUNTIME(cudaDriverGetVersion);
cudaError_t cudaRuntimeGetVersion(int *version) SIMT_RUNTIME(cudaRuntimeGetVersion);
cudaError_t cudaThreadSynchronize(void) SIMT_RUNTIME(cudaThreadSynchronize);
cudaError_t cudaThreadExit(void) SIMT_RUNTIME(cudaThreadExit);
cudaError_t cudaCtxResetPersistingL2Cache(void) SIMT_RUNTIME(cudaCtxResetPersistingL2Cache);
cudaError_t cudaProfilerStart(void) SIMT_RUNTIME(cudaProfilerStart);
cudaError_t cudaProfilerStop(void) SIMT_RUNTIME(cudaProfilerStop);

/* ---- memory ---- */
cudaError_t cudaMalloc(void **p, size_t bytes) SIMT_RUNTIME(cudaMalloc);
cudaError_t cudaFree(void *p) SIMT_RUNTIME(cudaFree);
cudaError_t cudaMallocHost(void **p, size_t bytes) SIMT_RUNTIME(cudaMallocHost);
cudaError_t cudaHostAlloc(void **p, size_t bytes, unsigned flags) SIMT_RUNTIME(cudaHostAlloc);
cudaError_t cudaFreeHost(void *p) SIMT_RUNTIME(cudaFreeHost);
cudaError_t cudaHostRegister(void *p, size_t bytes, unsigned flags) SIMT_RUNTIME(cudaHostRegister);
cudaError_t cudaHostUnregister(void *p) SIMT_RUNTIME(cudaHostUnregister);
cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned flags) SIMT_RUNTIME(cudaHostGetDevicePointer);
cudaError_t cudaHostGetFlags(unsigned *flags, void *host) SIMT_RUNTIME(cudaHostGetFlags);
cudaError_t cudaMallocPitch(void **p, size_t *pitch, size_t width, size_t height) SIMT_RUNTIME(cudaMallocPitch);
cudaError_t cudaMalloc3D(struct cudaPitchedPtr *p, struct cudaExtent extent) SIMT_RUNTIME(cudaMalloc3D);
cudaError_t cudaMallocManaged(void **p, size_t bytes, unsigned flags SIMT_OR(cudaMemAttachGlobal)) SIMT_RUNTIME(cudaMallocManaged);
cudaError_t cudaMallocAsync(void **p, size_t bytes, cudaStream_t stream) SIMT_RUNTIME(cudaMallocAsync);
cudaError_t cudaMallocFromPoolAsync(void **p, size_t bytes, cudaMemPool_t pool, cudaStream_t stream) SIMT_RUNTIME(cudaMallocFromPoolAsync);
cudaError_t cudaFreeAsync(void *p, cudaStream_t stream) SIMT_RUNTIME(cudaFreeAsync);
cudaError_t cudaMemGetInfo(size_t *free, size_t *total) SIMT_RUNTIME(cudaMemGetInfo);
cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes, const void *p) SIMT_RUNTIME(cudaPointerGetAttributes);
cudaError_t cudaMemPrefetchAsync(const void *p, size_t bytes, struct cudaMemLocation location, unsigned flags,
    cudaStream_t stream SIMT_OR(0)) SIMT_RUNTIME(cudaMemPrefetchAsync);
cudaError_t cudaMemAdvise(const void *p, size_t bytes, enum cudaMemoryAdvise advice,
    struct cudaMemLocation location) SIMT_RUNTIME(cudaMemAdvise);
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device) SIMT_RUNTIME(cudaDeviceGetDefaultMemPool);
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device) SIMT_RUNTIME(cudaDeviceGetMemPool);
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute, void *value) SIMT_RUNTIME(cudaMemPoolSetAttribute);
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute, void *value) SIMT_RUNTIME(cudaMemPoolGetAttribute);
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t bytes) SIMT_RUNTIME(cudaMemPoolTrimTo);
cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool, const struct cudaMemPoolProps *how) SIMT_RUNTIME(cudaMemPoolCreate);
cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) SIMT_RUNTIME(cudaMemPoolDestroy);
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const struct cudaMemAccessDesc *list, size_t n) SIMT_RUNTIME(cudaMemPoolSetAccess);
cudaError_t cudaMemPoolGetAccess(enum cudaMemAccessFlags *flags, cudaMemPool_t pool,
    struct cudaMemLocation *location) SIMT_RUNTIME(cudaMemPoolGetAccess);
cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) SIMT_RUNTIME(cudaDeviceSetMemPool);
cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *p, size_t bytes SIMT_OR(0),
    unsigned flags SIMT_OR(cudaMemAttachSingle)) SIMT_RUNTIME(cudaStreamAttachMemAsync);

/* ---- copies ---- */
cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind) SIMT_RUNTIME(cudaMemcpy);
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
    cudaStream_t stream SIMT_OR(0)) SIMT_RUNTIME(cudaMemcpyAsync);
cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height,
    enum cudaMemcpyKind kind) SIMT_RUNTIME(cudaMemcpy2D);
cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height,
    enum cudaMemcpyKind kind, cudaStream_t stream SIMT_OR(0)) SIMT_RUNTIME(cudaMemcpy2DAsync);
cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *p) SIMT_RUNTIME(cudaMemcpy3D);
cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *p, cudaStream_t stream SIMT_OR(0)) SIMT_RUNTIME(cudaMemcpy3DAsync);
cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *from, size_t bytes, size_t offset SIMT_OR(0),
    enum cudaMemcpyKind kind SIMT_OR(cudaMemcpyHostToDevice)) SIMT_RUNTIME(cudaMemcpyToSymbol);
cudaError_t cudaMemcpyFromSymbol(void *to, const void *symbol, size_t bytes, size_t offset SIMT_OR(0),
    enum cudaMemcpyKind kind SIMT_OR(cudaMemcpyDeviceToHost)) SIMT_RUNTIME(cudaMemcpyFromSymbol);
cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *from, size_t bytes, size_t offset, enum cudaMemcpyKind kind,
    cudaStream_t stream SIMT_OR(0)) SIMT_RUNTIME(cudaMemcpyToSymbolAsync);
cudaError_t cudaMemcpyFromSymbolAsync(void *to, const void *symbol, size_t bytes, size_t offset, enum cudaMemcpyKind kind,
    cudaStream_t stream SIMT_OR(0)) SIMT_RUNTIME(cudaMemcpyFromSymbolAsync);
cudaError_t cudaGetSymbolAddress(void **p, const void *symbol) SIMT_RUNTIME(cudaGetSymbolAddress);
cudaError_t cudaGetSymbolSize(size_t *bytes, const void *symbol) SIMT_RUNTIME(cudaGetSymbolSize);
cudaError_t cudaMemset(void *p, int value, size_t bytes) SIMT_RUNTIME(cudaMemset);
cudaError_t cudaMemsetAsync(void *p, int value, size_t bytes, cudaStream_t stream SIMT_OR(0)) SIMT_RUNTIME(cudaMemsetAsync);
cudaError_t cudaMemset2D(void *p, size_t pitch, int value, size_t width, size_t height) SIMT_RUNTIME(cudaMemset2D);
cudaError_t cudaMemset2DAsync(void *p, size_t pitch, int value, size_t width, size_t height,
    cudaStream_t stream SIMT_OR(0)) SIMT_RUNTIME(cudaMemset2DAsync);
cudaError_t cudaMemset3D(struct cudaPitchedPtr p, int value, struct cudaExtent extent) SIMT_RUNTIME(cudaMemset3D);
cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr p, int value, struct cudaExtent extent,
    cudaStream_t stream SIMT_OR(0)) SIMT_RUNTIME(cudaMemset3DAsync);

/* ---- streams and events ---- */
cudaError_t cudaStreamCreate(cudaStream_t *stream) SIMT_RUNTIME(cudaStreamCreate);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags) SIMT_RUNTIME(cudaStreamCreateWithFlags);
cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int priority) SIMT_RUNTIME(cudaStreamCreateWithPriority);
cudaError_t cudaStreamDestroy(cudaStream_t stream) SIMT_RUNTIME(cudaStreamDestroy);
cudaError_t cudaStreamSynchronize(cudaStream_t stream) SIMT_RUNTIME(cudaStreamSynchronize);
cudaError_t cudaStreamQuery(cudaStream_t stream) SIMT_RUNTIME(cudaStreamQuery);
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags SIMT_OR(0)) SIMT_RUNTIME(cudaStreamWaitEvent);
cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority) SIMT_RUNTIME(cudaStreamGetPriority);
cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned *flags) SIMT_RUNTIME(cudaStreamGetFlags);
cudaError_t cudaStreamGetDevice(cudaStream_t stream, int *device) SIMT_RUNTIME(cudaStreamGetDevice);
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus *status) SIMT_RUNTIME(cudaStreamIsCapturing);
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void *userData,
    unsigned flags) SIMT_RUNTIME(cudaStreamAddCallback);
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t fn, void *userData) SIMT_RUNTIME(cudaLaunchHostFunc);
cudaError_t cudaEventCreate(cudaEvent_t *event) SIMT_RUNTIME(cudaEventCreate);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags) SIMT_RUNTIME(cudaEventCreateWithFlags);
cudaError_t cudaEventDestroy(cudaEvent_t event) SIMT_RUNTIME(cudaEventDestroy);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream SIMT_OR(0)) SIMT_RUNTIME(cudaEventRecord);
cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream SIMT_OR(0),
    unsigned flags SIMT_OR(0)) SIMT_RUNTIME(cudaEventRecordWithFlags);
cudaError_t cudaEventSynchronize(cudaEvent_t event) SIMT_RUNTIME(cudaEventSynchronize);
cudaError_t cudaEventQuery(cudaEvent_t event) SIMT_RUNTIME(cudaEventQuery);
cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t start, cudaEvent_t end) SIMT_RUNTIME(cudaEventElapsedTime);

/* ---- kernels ---- */
cudaError_t cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **args, size_t sharedMem,
    cudaStream_t stream) SIMT_RUNTIME(cudaLaunchKernel);
cudaError_t cudaLaunchCooperativeKernel(const void *kernel, dim3 grid, dim3 block, void **args, size_t sharedMem,
    cudaStream_t stream) SIMT_RUNTIME(cudaLaunchCooperativeKernel);
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *kernel, void **args) SIMT_RUNTIME(cudaLaunchKernelExC);
cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, const void *kernel) SIMT_RUNTIME(cudaFuncGetAttributes);
cudaError_t cudaFuncSetAttribute(const void *kernel, enum cudaFuncAttribute attribute, int value) SIMT_RUNTIME(cudaFuncSetAttribute);
cudaError_t cudaFuncSetCacheConfig(const void *kernel, enum cudaFuncCache config) SIMT_RUNTIME(cudaFuncSetCacheConfig);
cudaError_t cudaFuncSetSharedMemConfig(const void *kernel, enum cudaSharedMemConfig config) SIMT_RUNTIME(cudaFuncSetSharedMemConfig);
cudaError_t cudaFuncGetName(const char **name, const void *kernel) SIMT_RUNTIME(cudaFuncGetName);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *kernel, int blockSize,
    size_t dynamicShared) SIMT_RUNTIME(cudaOccupancyMaxActiveBlocksPerMultiprocessor);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *kernel, int blockSize,
    size_t dynamicShared, unsigned flags) SIMT_RUNTIME(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags);
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, const void *kernel, int blocks,
    int blockSize) SIMT_RUNTIME(cudaOccupancyAvailableDynamicSMemPerBlock);

/* ---- what there is not: any call of these compiles, says so when it is reached, and returns cudaErrorNotSupported ---- */
#ifdef __cplusplus
#define SIMT_ANYTHING ...
#else
#define SIMT_ANYTHING
#endif
#define ROW(name) cudaError_t name(SIMT_ANYTHING) SIMT_RUNTIME(name);
#include "simt_runtime_refused.def"
#undef ROW
#undef SIMT_ANYTHING

#ifdef __cplusplus
}
#endif
#undef SIMT_OR

static inline struct cudaPitchedPtr make_cudaPitchedPtr(void *p, size_t pitch, size_t xsize, size_t ysize) {
  struct cudaPitchedPtr r = {p, pitch, xsize, ysize};
  return r;
}
static inline struct cudaExtent make_cudaExtent(size_t width, size_t height, size_t depth) {
  struct cudaExtent r = {width, height, depth};
  return r;
}
static inline struct cudaPos make_cudaPos(size_t x, size_t y, size_t z) {
  struct cudaPos r = {x, y, z};
  return r;
}

#endif
