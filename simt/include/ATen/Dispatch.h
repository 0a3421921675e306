/* Dispatch.h - everything is in simt_torch.h. */
#ifndef SIMT_ATEN_DISPATCH_H
#define SIMT_ATEN_DISPATCH_H
#include "simt_torch.h"
#endif
