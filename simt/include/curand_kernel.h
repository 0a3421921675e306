/* curand_kernel.h - everything is in simt_user_curand.h. */
#ifndef SIMT_CURAND_KERNEL_H
#define SIMT_CURAND_KERNEL_H
#include "simt_user_curand.h"
#endif
