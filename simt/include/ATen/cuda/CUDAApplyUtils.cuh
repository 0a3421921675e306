/* CUDAApplyUtils.cuh - everything is in simt_torch.h. */
#ifndef SIMT_ATEN_CUDA_CUDAAPPLYUTILS_CUH
#define SIMT_ATEN_CUDA_CUDAAPPLYUTILS_CUH
#include "simt_torch.h"
#endif
