/* TensorUtils.h - everything is in simt_torch.h. */
#ifndef SIMT_ATEN_TENSORUTILS_H
#define SIMT_ATEN_TENSORUTILS_H
#include "simt_torch.h"
#endif
