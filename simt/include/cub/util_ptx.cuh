/* cub/util_ptx.cuh - a name that sources include; what there is of it is in simt_user_cub_device.h. */
#ifndef SIMT_CUB_UTIL_PTX_CUH
#define SIMT_CUB_UTIL_PTX_CUH
#include "../simt_user_cub_device.h"
#endif
