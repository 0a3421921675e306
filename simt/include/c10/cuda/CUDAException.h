/* CUDAException.h - everything is in simt_torch.h. */
#ifndef SIMT_C10_CUDA_CUDAEXCEPTION_H
#define SIMT_C10_CUDA_CUDAEXCEPTION_H
#include "simt_torch.h"
#endif
