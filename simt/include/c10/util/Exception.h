/* Exception.h - everything is in simt_torch.h. */
#ifndef SIMT_C10_UTIL_EXCEPTION_H
#define SIMT_C10_UTIL_EXCEPTION_H
#include "simt_torch.h"
#endif
