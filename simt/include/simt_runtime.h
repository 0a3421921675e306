/* simt_runtime.h - what cuda_runtime.h adds to the runtime interface for C++: functions that take typed pointers, symbols and kernels.
 *
 * All of them are inlined into their caller, whose place a finding names. */
#ifndef SIMT_RUNTIME_H
#define SIMT_RUNTIME_H
#include "cuda_runtime_api.h"
#include <utility>

#define SIMT_TYPED template <class T> inline __attribute__((always_inline)) cudaError_t
#define SIMT_PLAIN inline __attribute__((always_inline)) cudaError_t

namespace simt {

template <class T> inline __attribute__((always_inline)) void **address_of(T **p) { return reinterpret_cast<void **>(p); }
template <class T> inline __attribute__((always_inline)) const void *symbol_of(const T &symbol) {
  return reinterpret_cast<const void *>(&reinterpret_cast<const char &>(symbol));
}
template <class T> inline __attribute__((always_inline)) const void *kernel_of(T *kernel) {
  return reinterpret_cast<const void *>(kernel);
}

} // namespace simt

/* ---- memory ---- */
SIMT_TYPED cudaMalloc(T **p, size_t bytes) { return ::cudaMalloc(simt::address_of(p), bytes); }
SIMT_TYPED cudaMallocHost(T **p, size_t bytes) { return ::cudaMallocHost(simt::address_of(p), bytes); }
SIMT_PLAIN cudaMallocHost(void **p, size_t bytes, unsigned flags) { return ::cudaHostAlloc(p, bytes, flags); }
SIMT_TYPED cudaMallocHost(T **p, size_t bytes, unsigned flags) { return ::cudaHostAlloc(simt::address_of(p), bytes, flags); }
SIMT_TYPED cudaHostAlloc(T **p, size_t bytes, unsigned flags) { return ::cudaHostAlloc(simt::address_of(p), bytes, flags); }
SIMT_TYPED cudaHostGetDevicePointer(T **device, void *host, unsigned flags) {
  return ::cudaHostGetDevicePointer(simt::address_of(device), host, flags);
}
SIMT_TYPED cudaMallocManaged(T **p, size_t bytes, unsigned flags = cudaMemAttachGlobal) {
  return ::cudaMallocManaged(simt::address_of(p), bytes, flags);
}
SIMT_TYPED cudaMallocPitch(T **p, size_t *pitch, size_t width, size_t height) {
  return ::cudaMallocPitch(simt::address_of(p), pitch, width, height);
}
SIMT_TYPED cudaMallocAsync(T **p, size_t bytes, cudaStream_t stream) { return ::cudaMallocAsync(simt::address_of(p), bytes, stream); }
SIMT_PLAIN cudaMallocAsync(void **p, size_t bytes, cudaMemPool_t pool, cudaStream_t stream) { return ::cudaMallocFromPoolAsync(p, bytes, pool, stream); }
SIMT_TYPED cudaMallocAsync(T **p, size_t bytes, cudaMemPool_t pool, cudaStream_t stream) {
  return ::cudaMallocFromPoolAsync(simt::address_of(p), bytes, pool, stream);
}
SIMT_TYPED cudaMallocFromPoolAsync(T **p, size_t bytes, cudaMemPool_t pool, cudaStream_t stream) {
  return ::cudaMallocFromPoolAsync(simt::address_of(p), bytes, pool, stream);
}
SIMT_TYPED cudaStreamAttachMemAsync(cudaStream_t stream, T *p, size_t bytes = 0, unsigned flags = cudaMemAttachSingle) {
  return ::cudaStreamAttachMemAsync(stream, static_cast<void *>(p), bytes, flags);
}

/* As before CUDA 13, by the number of a device. */
SIMT_PLAIN cudaMemPrefetchAsync(const void *p, size_t bytes, int device, cudaStream_t stream = nullptr) {
  const cudaMemLocation to = {device == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice, device < 0 ? 0 : device};
  return ::cudaMemPrefetchAsync(p, bytes, to, 0, stream);
}
SIMT_PLAIN cudaMemAdvise(const void *p, size_t bytes, cudaMemoryAdvise advice, int device) {
  const cudaMemLocation to = {device == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice, device < 0 ? 0 : device};
  return ::cudaMemAdvise(p, bytes, advice, to);
}

/* ---- symbols ---- */
SIMT_TYPED cudaMemcpyToSymbol(const T &symbol, const void *from, size_t bytes, size_t offset = 0,
                              cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return ::cudaMemcpyToSymbol(simt::symbol_of(symbol), from, bytes, offset, kind);
}
SIMT_TYPED cudaMemcpyToSymbolAsync(const T &symbol, const void *from, size_t bytes, size_t offset = 0,
                                   cudaMemcpyKind kind = cudaMemcpyHostToDevice, cudaStream_t stream = nullptr) {
  return ::cudaMemcpyToSymbolAsync(simt::symbol_of(symbol), from, bytes, offset, kind, stream);
}
SIMT_TYPED cudaMemcpyFromSymbol(void *to, const T &symbol, size_t bytes, size_t offset = 0,
                                cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  return ::cudaMemcpyFromSymbol(to, simt::symbol_of(symbol), bytes, offset, kind);
}
SIMT_TYPED cudaMemcpyFromSymbolAsync(void *to, const T &symbol, size_t bytes, size_t offset = 0,
                                     cudaMemcpyKind kind = cudaMemcpyDeviceToHost, cudaStream_t stream = nullptr) {
  return ::cudaMemcpyFromSymbolAsync(to, simt::symbol_of(symbol), bytes, offset, kind, stream);
}
SIMT_TYPED cudaGetSymbolAddress(void **p, const T &symbol) { return ::cudaGetSymbolAddress(p, simt::symbol_of(symbol)); }
SIMT_TYPED cudaGetSymbolSize(size_t *bytes, const T &symbol) { return ::cudaGetSymbolSize(bytes, simt::symbol_of(symbol)); }

/* ---- events ---- */
SIMT_PLAIN cudaEventCreate(cudaEvent_t *event, unsigned flags) { return ::cudaEventCreateWithFlags(event, flags); }

/* ---- kernels ---- */
SIMT_TYPED cudaLaunchKernel(T *kernel, dim3 grid, dim3 block, void **args, size_t shared = 0, cudaStream_t stream = nullptr) {
  return ::cudaLaunchKernel(simt::kernel_of(kernel), grid, block, args, shared, stream);
}
SIMT_TYPED cudaLaunchCooperativeKernel(T *kernel, dim3 grid, dim3 block, void **args, size_t shared = 0, cudaStream_t stream = nullptr) {
  return ::cudaLaunchCooperativeKernel(simt::kernel_of(kernel), grid, block, args, shared, stream);
}
template <class... Wanted, class... Given>
inline __attribute__((always_inline)) cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config, void (*kernel)(Wanted...),
                                                                     Given &&...args) {
  return [&](Wanted... converted) __attribute__((always_inline)) {
    void *at[] = {const_cast<void *>(simt::symbol_of(converted))..., nullptr};
    return ::cudaLaunchKernelExC(config, simt::kernel_of(kernel), at);
  }(std::forward<Given>(args)...);
}
SIMT_TYPED cudaFuncGetAttributes(cudaFuncAttributes *attributes, T *kernel) {
  return ::cudaFuncGetAttributes(attributes, simt::kernel_of(kernel));
}
SIMT_TYPED cudaFuncSetAttribute(T *kernel, cudaFuncAttribute attribute, int value) {
  return ::cudaFuncSetAttribute(simt::kernel_of(kernel), attribute, value);
}
SIMT_TYPED cudaFuncSetCacheConfig(T *kernel, cudaFuncCache config) { return ::cudaFuncSetCacheConfig(simt::kernel_of(kernel), config); }
SIMT_TYPED cudaFuncSetSharedMemConfig(T *kernel, cudaSharedMemConfig config) {
  return ::cudaFuncSetSharedMemConfig(simt::kernel_of(kernel), config);
}

/* ---- occupancy ---- */
SIMT_TYPED cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, T kernel, int block_size, size_t shared) {
  return ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, simt::kernel_of(kernel), block_size, shared);
}
SIMT_TYPED cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, T kernel, int block_size, size_t shared, unsigned flags) {
  return ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, simt::kernel_of(kernel), block_size, shared, flags);
}
SIMT_TYPED cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, T *kernel, int blocks, int block_size) {
  return ::cudaOccupancyAvailableDynamicSMemPerBlock(bytes, simt::kernel_of(kernel), blocks, block_size);
}

/* The block size with the most threads resident; of several the largest. shared(block size) is what a block of that size wants. */
template <class Shared, class T>
inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(int *min_grid, int *block_size, T kernel, Shared shared,
                                                                           int limit = 0, unsigned flags = 0) {
  if (!min_grid || !block_size || !kernel) return cudaErrorInvalidValue;
  int device, processors, most;
  cudaFuncAttributes attributes;
  cudaError_t e = ::cudaGetDevice(&device);
  if (!e) e = ::cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
  if (!e) e = ::cudaDeviceGetAttribute(&most, cudaDevAttrMaxThreadsPerBlock, device);
  if (!e) e = ::cudaFuncGetAttributes(&attributes, simt::kernel_of(kernel));
  if (e) return e;
  if (attributes.maxThreadsPerBlock < most) most = attributes.maxThreadsPerBlock;
  if (limit > 0 && limit < most) most = limit;
  int best = 0;
  *min_grid = *block_size = 0;
  for (int aligned = (most + 31) / 32 * 32; aligned > 0; aligned -= 32) {
    const int size = aligned < most ? aligned : most;
    int blocks;
    e = ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, simt::kernel_of(kernel), size, shared(size), flags);
    if (e) return e;
    if (size * blocks <= best) continue;
    best = size * blocks;
    *block_size = size;
    *min_grid = blocks * processors;
  }
  return cudaSuccess;
}
template <class Shared, class T>
inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *min_grid, int *block_size, T kernel, Shared shared, int limit = 0) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(min_grid, block_size, kernel, shared, limit);
}
template <class T>
inline cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(int *min_grid, int *block_size, T kernel, size_t shared = 0, int limit = 0,
                                                               unsigned flags = 0) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
      min_grid, block_size, kernel, [=](int) { return shared; }, limit, flags);
}
template <class T>
inline cudaError_t cudaOccupancyMaxPotentialBlockSize(int *min_grid, int *block_size, T kernel, size_t shared = 0, int limit = 0) {
  return cudaOccupancyMaxPotentialBlockSizeWithFlags(min_grid, block_size, kernel, shared, limit);
}

#undef SIMT_TYPED
#undef SIMT_PLAIN

#endif
