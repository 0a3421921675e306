/* Macros.h - everything is in simt_torch.h. */
#ifndef SIMT_C10_MACROS_MACROS_H
#define SIMT_C10_MACROS_MACROS_H
#include "simt_torch.h"
#endif
