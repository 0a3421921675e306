/* cuda.h - the driver interface's version and handle types; the driver interface itself is not modelled. */
#ifndef SIMT_CUDA_H
#define SIMT_CUDA_H

#define CUDA_VERSION 13000

typedef struct CUctx_st *CUcontext;
typedef struct CUevent_st *CUevent;
typedef struct CUfunc_st *CUfunction;
typedef struct CUmod_st *CUmodule;
typedef struct CUstream_st *CUstream;
typedef int CUdevice;
typedef unsigned long long CUdeviceptr;
typedef struct CUuuid_st {
  char bytes[16];
} CUuuid;

#endif
