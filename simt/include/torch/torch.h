/* torch.h - everything is in simt_torch.h. */
#ifndef SIMT_TORCH_TORCH_H
#define SIMT_TORCH_TORCH_H
#include "simt_torch.h"
#endif
