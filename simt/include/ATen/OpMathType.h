/* OpMathType.h - everything is in simt_torch.h. */
#ifndef SIMT_ATEN_OPMATHTYPE_H
#define SIMT_ATEN_OPMATHTYPE_H
#include "simt_torch.h"
#endif
