/* cuda_runtime_api.h - types of the runtime interface. */
#ifndef SIMT_CUDA_RUNTIME_API_H
#define SIMT_CUDA_RUNTIME_API_H
#include "simt_libc.h" /* before any system header */
#include "driver_types.h"
#include "host_defines.h"
#include "vector_types.h"

#define CUDART_VERSION 13000

#endif
