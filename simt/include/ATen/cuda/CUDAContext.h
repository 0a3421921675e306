/* CUDAContext.h - everything is in simt_torch.h. */
#ifndef SIMT_ATEN_CUDA_CUDACONTEXT_H
#define SIMT_ATEN_CUDA_CUDACONTEXT_H
#include "simt_torch.h"
#endif
