/* curand.h - stands in for CUDA's: of cuRAND there are the device functions alone (curand_kernel.h), but many files include both. */
#ifndef SIMT_CURAND_H
#define SIMT_CURAND_H
#include "cuda_runtime.h"
#endif
