/* Atomic.cuh - everything is in simt_torch.h. */
#ifndef SIMT_ATEN_CUDA_ATOMIC_CUH
#define SIMT_ATEN_CUDA_ATOMIC_CUH
#include "simt_torch.h"
#endif
