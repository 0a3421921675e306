/* cuda_pipeline.h - asynchronous copies of a thread by C functions: cuda_pipeline_primitives.h. */
#ifndef SIMT_CUDA_PIPELINE_H
#define SIMT_CUDA_PIPELINE_H
#include "cuda_pipeline_primitives.h"
#endif
