/* device_atomic_functions.h - a name that older sources include; everything is in cuda_runtime.h. */
#ifndef SIMT_DEVICE_ATOMIC_FUNCTIONS_H
#define SIMT_DEVICE_ATOMIC_FUNCTIONS_H
#include "cuda_runtime.h"
#endif
