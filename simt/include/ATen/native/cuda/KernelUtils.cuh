/* KernelUtils.cuh - everything is in simt_torch.h. */
#ifndef SIMT_ATEN_NATIVE_CUDA_KERNELUTILS_CUH
#define SIMT_ATEN_NATIVE_CUDA_KERNELUTILS_CUH
#include "simt_torch.h"
#endif
