/* cuda_profiler_api.h - cudaProfilerStart() and cudaProfilerStop(), which do nothing. */
#ifndef SIMT_CUDA_PROFILER_API_H
#define SIMT_CUDA_PROFILER_API_H
#include "cuda_runtime_api.h"
#endif
