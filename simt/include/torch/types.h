/* types.h - everything is in simt_torch.h. */
#ifndef SIMT_TORCH_TYPES_H
#define SIMT_TORCH_TYPES_H
#include "simt_torch.h"
#endif
