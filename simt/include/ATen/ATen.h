/* ATen.h - everything is in simt_torch.h. */
#ifndef SIMT_ATEN_ATEN_H
#define SIMT_ATEN_ATEN_H
#include "simt_torch.h"
#endif
