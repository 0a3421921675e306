/* extension.h - everything is in simt_torch.h. */
#ifndef SIMT_TORCH_EXTENSION_H
#define SIMT_TORCH_EXTENSION_H
#include "simt_torch.h"
#endif
