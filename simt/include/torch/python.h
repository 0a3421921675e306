/* python.h - everything is in simt_torch.h. */
#ifndef SIMT_TORCH_PYTHON_H
#define SIMT_TORCH_PYTHON_H
#include "simt_torch.h"
#endif
