/* driver_functions.h - what old sources include; everything is declared by cuda_runtime.h. */
#ifndef SIMT_DRIVER_FUNCTIONS_H
#define SIMT_DRIVER_FUNCTIONS_H
#include "cuda_runtime.h"
#endif
