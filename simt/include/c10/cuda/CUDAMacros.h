/* CUDAMacros.h - everything is in simt_torch.h. */
#ifndef SIMT_C10_CUDA_CUDAMACROS_H
#define SIMT_C10_CUDA_CUDAMACROS_H
#include "simt_torch.h"
#endif
