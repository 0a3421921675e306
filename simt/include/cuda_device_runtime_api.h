/* cuda_device_runtime_api.h - what old sources include; everything is declared by cuda_runtime.h. */
#ifndef SIMT_CUDA_DEVICE_RUNTIME_API_H
#define SIMT_CUDA_DEVICE_RUNTIME_API_H
#include "cuda_runtime.h"
#endif
