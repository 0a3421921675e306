/* mma.h - nvcuda::wmma: everything is in simt_user_wmma.h. Files include it from C as well. */
#ifndef SIMT_MMA_H
#define SIMT_MMA_H
#ifdef __cplusplus
#include "simt_user_wmma.h"
#endif
#endif
