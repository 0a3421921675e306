/* cublas_v2.h - cuBLAS on the engine. */
#ifndef CUBLAS_V2_H_
#define CUBLAS_V2_H_
#include "cublas_api.h"

#endif
