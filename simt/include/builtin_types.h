/* builtin_types.h - a name that older sources include; everything is in cuda_runtime.h. */
#ifndef SIMT_BUILTIN_TYPES_H
#define SIMT_BUILTIN_TYPES_H
#include "cuda_runtime.h"
#endif
