/* pybind11.h - everything is in simt_torch.h. */
#ifndef SIMT_PYBIND11_PYBIND11_H
#define SIMT_PYBIND11_PYBIND11_H
#include "simt_torch.h"
#endif
