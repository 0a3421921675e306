/* stl.h - everything is in simt_torch.h. */
#ifndef SIMT_PYBIND11_STL_H
#define SIMT_PYBIND11_STL_H
#include "simt_torch.h"
#endif
