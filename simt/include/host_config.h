/* host_config.h - what old sources include; everything is declared by cuda_runtime.h. */
#ifndef SIMT_HOST_CONFIG_H
#define SIMT_HOST_CONFIG_H
#include "cuda_runtime.h"
#endif
