/* library.h - everything is in simt_torch.h. */
#ifndef SIMT_TORCH_LIBRARY_H
#define SIMT_TORCH_LIBRARY_H
#include "simt_torch.h"
#endif
