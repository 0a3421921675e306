/* Exceptions.h - everything is in simt_torch.h. */
#ifndef SIMT_ATEN_CUDA_EXCEPTIONS_H
#define SIMT_ATEN_CUDA_EXCEPTIONS_H
#include "simt_torch.h"
#endif
