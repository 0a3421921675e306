/* sm_60_atomic_functions.h - what old sources include; everything is declared by cuda_runtime.h. */
#ifndef SIMT_SM_60_ATOMIC_FUNCTIONS_H
#define SIMT_SM_60_ATOMIC_FUNCTIONS_H
#include "cuda_runtime.h"
#endif
