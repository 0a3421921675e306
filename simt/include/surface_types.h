/* surface_types.h - stands in for CUDA's: neither textures nor surfaces are modelled, but many files include it for nothing. */
#ifndef SIMT_SURFACE_TYPES_H
#define SIMT_SURFACE_TYPES_H
#include "cuda_runtime.h"
#endif
