/* sm_32_intrinsics.h - what old sources include; everything is declared by cuda_runtime.h. */
#ifndef SIMT_SM_32_INTRINSICS_H
#define SIMT_SM_32_INTRINSICS_H
#include "cuda_runtime.h"
#endif
