/* all.h - everything is in simt_torch.h. */
#ifndef SIMT_TORCH_ALL_H
#define SIMT_TORCH_ALL_H
#include "simt_torch.h"
#endif
