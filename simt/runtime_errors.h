/* runtime_errors.h - the errors of the runtime that the engine itself knows, for code that does not see the runtime's headers. */
#ifndef SIMT_RUNTIME_ERRORS_H
#define SIMT_RUNTIME_ERRORS_H

enum { /* cudaError */
#define ROW(name, number, text) simt_##name = number,
#include "include/simt_errors.def"
#undef ROW
  CUDA_INVALID_VALUE = simt_cudaErrorInvalidValue,
  CUDA_INVALID_HANDLE = simt_cudaErrorInvalidResourceHandle,
  CUDA_ILLEGAL_ADDRESS = simt_cudaErrorIllegalAddress,
  CUDA_LAUNCH_TIMEOUT = simt_cudaErrorLaunchTimeout,
  CUDA_ASSERT = simt_cudaErrorAssert,
  CUDA_MISALIGNED_ADDRESS = simt_cudaErrorMisalignedAddress,
  CUDA_LAUNCH_FAILURE = simt_cudaErrorLaunchFailure,
  CUDA_COOPERATIVE_TOO_LARGE = simt_cudaErrorCooperativeLaunchTooLarge
};

#endif
