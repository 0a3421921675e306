/* emit_runtime.h - what emitted programs use of the CUDA runtime and the engine has not: memory (tests/emit_engine.c has it).
 * Included ahead of them by simt-cc, which calls their main() emitted_main(). */
#ifndef WF_TESTS_EMIT_RUNTIME_H
#define WF_TESTS_EMIT_RUNTIME_H
#include <cuda_runtime.h>
#include <stddef.h>

enum cudaMemcpyKind { cudaMemcpyHostToDevice = 1, cudaMemcpyDeviceToHost = 2 };

extern "C" {
int emitted_main(int argc, char **argv);
void *emit_alloc(size_t bytes);
void emit_copy(void *to, const void *from, size_t bytes);
}

inline cudaError_t cudaMalloc(void **out, size_t bytes) {
  *out = emit_alloc(bytes);
  return *out ? cudaSuccess : cudaErrorMemoryAllocation;
}

inline cudaError_t cudaFree(void *) { return cudaSuccess; } /* all at the end */

inline cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind) {
  const cudaError_t e = cudaDeviceSynchronize();
  if (e == cudaSuccess) emit_copy(to, from, bytes);
  return e;
}

#endif
