/* cuda.h - the driver interface's version and handle types; the driver interface itself is not modelled. */
#ifndef SIMT_CUDA_H
#define SIMT_CUDA_H

#define CUDA_VERSION 13000

typedef struct CUstream_st *CUstream;
typedef struct CUevent_st *CUevent;
typedef int CUdevice;
typedef unsigned long long CUdeviceptr;

#endif
