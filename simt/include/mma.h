/* mma.h - stands in for CUDA's: tensor cores are not modelled, but files include it for kernels that nobody calls. What they use of it is not declared. */
#ifndef SIMT_MMA_H
#define SIMT_MMA_H
#include "cuda_runtime.h"
#ifdef __cplusplus
namespace nvcuda {
namespace wmma {}
} // namespace nvcuda
#endif
#endif
