/* AccumulateType.h - everything is in simt_torch.h. */
#ifndef SIMT_ATEN_ACCUMULATETYPE_H
#define SIMT_ATEN_ACCUMULATETYPE_H
#include "simt_torch.h"
#endif
