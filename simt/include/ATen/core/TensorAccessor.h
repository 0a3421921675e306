/* TensorAccessor.h - everything is in simt_torch.h. */
#ifndef SIMT_ATEN_CORE_TENSORACCESSOR_H
#define SIMT_ATEN_CORE_TENSORACCESSOR_H
#include "simt_torch.h"
#endif
