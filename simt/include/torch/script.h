/* script.h - everything is in simt_torch.h. */
#ifndef SIMT_TORCH_SCRIPT_H
#define SIMT_TORCH_SCRIPT_H
#include "simt_torch.h"
#endif
