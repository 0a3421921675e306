/* BFloat16.h - everything is in simt_torch.h. */
#ifndef SIMT_C10_UTIL_BFLOAT16_H
#define SIMT_C10_UTIL_BFLOAT16_H
#include "simt_torch.h"
#endif
