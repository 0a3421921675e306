/* device_double_functions.h - what old sources include; everything is declared by cuda_runtime.h. */
#ifndef SIMT_DEVICE_DOUBLE_FUNCTIONS_H
#define SIMT_DEVICE_DOUBLE_FUNCTIONS_H
#include "cuda_runtime.h"
#endif
