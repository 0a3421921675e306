/* channel_descriptor.h - what old sources include; everything is declared by cuda_runtime.h. */
#ifndef SIMT_CHANNEL_DESCRIPTOR_H
#define SIMT_CHANNEL_DESCRIPTOR_H
#include "cuda_runtime.h"
#endif
